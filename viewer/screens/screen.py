"""What every page of the program is to the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import moderngl

from viewer.gui.gui import Gui

if TYPE_CHECKING:
    from viewer.program import Program


class Key(NamedTuple):
    """A key: `name` as `a`, `3`, `left`, `escape`, `space`, `enter`, `plus`, `f11`; and what was held with it."""

    name: str
    shift: bool = False
    ctrl: bool = False


class Pointer(NamedTuple):
    """Where the pointer is (units), how far it came since the last event, which button (`left`, `middle`, `right`, or none), what was held.

    For the wheel, `dx` and `dy` are its steps, up and right above zero.
    """

    x: float
    y: float
    dx: float = 0.0
    dy: float = 0.0
    button: str | None = None
    shift: bool = False
    ctrl: bool = False


class Screen:
    """One page. It draws its items each frame; what the pointer does beside them reaches the `on_` methods, keys do unless a field is typed in."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @property
    def busy(self) -> bool:
        """Whether `update` must be called again soon though nobody does anything: something else is at work for the page."""
        return False

    def enter(self) -> None:
        """The page is shown, for the first time or again."""

    def leave(self) -> None:
        """The page is shown no more; it may be shown again."""

    def close(self) -> None:
        """The page is gone for good."""

    def update(self, seconds: float) -> bool:
        """Time has passed; gives whether the page looks different now."""
        return False

    def draw(self, gui: Gui) -> None:
        """Draw the page's items over the backdrop."""

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """What lies behind, for a framebuffer of `size`, and whether it wants to be drawn again soon, to be better."""
        return None, False

    def on_key(self, key: Key) -> bool:
        """A key went down; gives whether it meant something here."""
        return False

    def on_key_up(self, key: Key) -> None:
        """A key went up."""

    def on_blur(self) -> None:
        """The window lost the keyboard: of keys that are held nobody will hear that they go up."""

    def on_press(self, pointer: Pointer) -> None:
        """A button went down beside all items."""

    def on_release(self, pointer: Pointer) -> None:
        """A button went up that went down beside all items."""

    def on_move(self, pointer: Pointer) -> None:
        """The pointer moved, no button held; over items too (see `Gui.covers`)."""

    def on_drag(self, pointer: Pointer) -> None:
        """The pointer moved with a button held that went down beside all items."""

    def on_scroll(self, pointer: Pointer) -> None:
        """The wheel turned beside all items."""

    def on_drop(self, paths: list[str]) -> None:
        """Files were dropped on the window."""
