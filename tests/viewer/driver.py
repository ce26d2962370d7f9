"""A hand for the program without a window: it moves, clicks, types and looks, and finds items by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from viewer.context import headless_context
from viewer.gui.box import Box
from viewer.program import Program
from viewer.screens.screen import Key
from viewer.settings import Settings, load_settings
from viewer.sound import Device, NoDevice, Sounds

FRAME_S = 1 / 60


class HeadlessDriver:
    """Drives a program page by page, on a clock of its own. `size` in framebuffer pixels, `ratio` of them a pixel of a plain screen: with
    a ratio below 1 frames are cheap and coarse."""

    def __init__(self, program: Program, size: tuple[int, int] = (1280, 720), *, ratio: float = 1.0) -> None:
        self.program, self.ratio = program, ratio
        self._now = 1.0
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """From now on the window has another size."""
        self._target = self.program.context.simple_framebuffer(size, 4)
        self.program.wake()
        self.frame()

    def frame(self, count: int = 3, *, seconds: float = FRAME_S) -> None:
        """Let `count` frames of so many seconds pass, drawn whether something changed or not."""
        for _ in range(count):
            self._now += seconds
            self.program.tick(self._now)
            if not self.program.running:
                return
            self.program.frame(self._target, self.ratio)

    def until(self, met: Callable[[], bool], *, frames: int = 600, seconds: float = FRAME_S) -> None:
        """Let frames pass until something is so."""
        for _ in range(frames):
            if met():
                return
            self.frame(1, seconds=seconds)
        raise AssertionError("it never came to that")

    # --- what is there

    @property
    def names(self) -> set[str]:
        """Names of all items shown."""
        return set(self.program.gui.items)

    def box(self, name: str) -> Box:
        """Where an item is, in units; it must be there."""
        assert name in self.program.gui.items, f"no item {name}; there are {', '.join(sorted(self.names))}"
        return self.program.gui.items[name].box

    def enabled(self, name: str) -> bool:
        """Whether an item can be used."""
        self.box(name)
        return self.program.gui.items[name].enabled

    def screenshot(self, path: Path | None = None) -> Image.Image:
        """What is seen now; written to `path` if one is given."""
        image = Image.frombytes("RGBA", self._target.size, self._target.read(components=4))
        image = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).convert("RGB")
        if path is not None:
            image.save(path)
        return image

    def check_places(self) -> None:
        """Every item must be within the window, and none over another."""
        boxes = [(name, item.box) for name, item in self.program.gui.items.items()]
        wide, high = self.program.gui.size
        for k, (name, box) in enumerate(boxes):
            assert box.x >= 0 and box.y >= 0 and box.right <= wide and box.bottom <= high, f"{name} leaves the window"
            for other, beside in boxes[:k]:
                apart = box.x >= beside.right or beside.x >= box.right or box.y >= beside.bottom or beside.y >= box.bottom
                assert apart, f"{name} lies over {other}"

    # --- what a hand does

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a place in units."""
        self.program.on_move(x * self.program.scale, y * self.program.scale)
        self.frame(1)

    def press(self, button: str = "left", *, shift: bool = False) -> None:
        """Press a button where the pointer is."""
        self.program.on_button(button, True, shift=shift)
        self.frame(1)

    def release(self, button: str = "left", *, shift: bool = False) -> None:
        """Let it go."""
        self.program.on_button(button, False, shift=shift)
        self.frame(2)

    def click(self, name: str, *, at: tuple[float, float] = (0.5, 0.5), button: str = "left") -> None:
        """Click an item, `at` shares of its width and height."""
        box = self.box(name)
        self.click_at(box.x + at[0] * box.w, box.y + at[1] * box.h, button)

    def click_at(self, x: float, y: float, button: str = "left") -> None:
        """Click a place in units."""
        self.move(x, y)
        self.press(button)
        self.release(button)

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, button: str = "left", steps: int = 4) -> None:
        """Drag from a place in units to another."""
        self.move(*start)
        self.press(button)
        for k in range(1, steps + 1):
            self.move(*(a + (b - a) * k / steps for a, b in zip(start, end, strict=True)))
        self.release(button)

    def scroll(self, steps: float) -> None:
        """Turn the wheel where the pointer is; up is above zero."""
        self.program.on_scroll(0.0, steps)
        self.frame()

    def key(self, name: str, *, shift: bool = False, ctrl: bool = False) -> None:
        """Press a key and let it go."""
        self.program.on_key(Key(name, shift, ctrl), True)
        self.frame(2)
        self.program.on_key(Key(name), False)
        self.frame(1)

    def type(self, text: str) -> None:
        """Type into the field that is open."""
        self.program.on_text(text)
        self.frame(2 + len(text))

    def write(self, name: str, text: str) -> None:
        """Put a text in place of what a field holds."""
        self.click(name)
        self.key("a", ctrl=True)
        self.key("delete")
        self.type(text)
        self.key("enter")


@contextmanager
def headless_program(folder: Path, settings: Settings | None = None) -> Iterator[Program]:
    """A program without a page, which keeps its settings in `folder`; by default it begins with those kept there."""
    context = headless_context()
    program = Program(context, settings or load_settings(folder)[0], Sounds(open_device=_no_device), folder=folder)
    try:
        yield program
    finally:
        program.close()
        context.release()


def _no_device() -> Device:
    raise NoDevice("none in a test")
