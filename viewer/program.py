"""The program behind the window: its pages, settings and sounds; events in, frames out. Knows no window, so it also runs without one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import moderngl
from imgui_bundle import imgui

from viewer.gui.backdrop import Backdrop
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import NIGHT_INK, Face, colour
from viewer.screens.screen import Key, Pointer, Screen
from viewer.settings import Settings, save_settings

if TYPE_CHECKING:
    from meshes.piece_set import PieceSet
    from viewer.sound import Sounds
    from viewer.stage import Stage

LEAST_SIZE = (960, 600)
"""The smallest window, in units; a larger scale of the panels is lowered where it would leave less."""
_TOAST_S, _TOAST_TOP = 5.0, 118.0
"""How long a line is shown, and how far down: below what pages say at the top, above hands and trays at the foot."""
_BUTTONS = {"left": 0, "right": 1, "middle": 2}
_SETTLING = 2
"""Frames drawn after each event: what is under the pointer is known one frame later."""


@dataclass(slots=True)
class _Toast:
    words: str
    until: float


class Program:
    """Pages on a stack, the last one shown. The window calls `tick` and `frame` and hands events in, places in framebuffer pixels.

    A page that goes to another while it draws is drawn to its end first.
    """

    def __init__(self, context: moderngl.Context, settings: Settings, sounds: Sounds, *, folder: Path) -> None:
        self.context, self.settings, self.sounds, self.folder = context, settings, sounds, folder
        self.gui = Gui(context)
        self.scale = 1.0
        self.running = True
        self.full_screen = settings.full_screen
        self._backdrop = Backdrop(context)
        self._screens: list[Screen] = []
        self._stages: dict[str, tuple[PieceSet, Stage]] = {}
        self._toasts: list[_Toast] = []
        self._due = _SETTLING
        self._now = self._then = 0.0
        self._grabbed: str | None = None
        self._turning: list[Callable[[], None]] | None = None
        self._place = (0.0, 0.0)

    # --- pages

    @property
    def screen(self) -> Screen:
        """The page that is shown."""
        return self._screens[-1]

    def open(self, screen: Screen) -> None:
        """Show a page over the one shown now."""
        if self._drawing(lambda: self.open(screen)):
            return
        if self._screens:
            self.screen.leave()
        self._screens.append(screen)
        self._entered()

    def back(self) -> None:
        """Close the page shown and show the one before; the last one ends the program."""
        if self._drawing(self.back):
            return
        self._dismiss()
        if self._screens:
            self._entered()
        else:
            self.running = False

    def replace(self, screen: Screen) -> None:
        """Show a page instead of the one shown now."""
        if self._drawing(lambda: self.replace(screen)):
            return
        self._dismiss()
        self._screens.append(screen)
        self._entered()

    def home(self) -> None:
        """Close all pages but the first."""
        if self._drawing(self.home):
            return
        while len(self._screens) > 1:
            self._dismiss()
        self._entered()

    def change(self, **fields: Any) -> None:
        """Change settings and save them."""
        self.settings = replace(self.settings, **fields)
        self.sounds.volume, self.sounds.muted = self.settings.volume, self.settings.muted
        message = save_settings(self.settings, self.folder)
        if message:
            self.tell(message)

    def tell(self, words: str) -> None:
        """Show a line for some seconds."""
        self._toasts = [*[toast for toast in self._toasts if toast.words != words][-2:], _Toast(words, self._now + _TOAST_S)]
        self.wake()

    def stage(self, piece_set: PieceSet) -> Stage:
        """The 3D stage of a piece set; made at first use and shared by the pages."""
        known = self._stages.get(piece_set.name)
        if known is None or known[0] != piece_set:
            if known is not None and known[1].resize(piece_set):
                self._stages[piece_set.name] = known = (piece_set, known[1])
                return known[1]
            if known is not None:
                known[1].release()
            from viewer.stage import Stage  # it takes long to load, and the first frame can do without

            self._stages[piece_set.name] = known = (piece_set, Stage(self.context, piece_set))
        return known[1]

    def close(self) -> None:
        """Close all pages and free everything."""
        while self._screens:
            self._dismiss()
        for _, stage in self._stages.values():
            stage.release()
        self.gui.release()
        self._backdrop.release()
        self.sounds.close()

    # --- frames

    @property
    def patience(self) -> float:
        """Seconds until `tick` must be called again, if no event comes first."""
        if self._due:
            return 0.0
        waits = [toast.until - self._now for toast in self._toasts]
        return max(0.0, min([1 / 60 if self.screen.busy else 3600.0, *waits]))

    def wake(self) -> None:
        """Something changed: the next `tick` wants a frame."""
        self._due = max(self._due, _SETTLING)

    def tick(self, now: float) -> bool:
        """Time is `now` seconds; gives whether a frame must be drawn."""
        if not self._now:  # what was told before time began
            self._toasts = [replace(toast, until=toast.until + now) for toast in self._toasts]
        passed, self._now = max(0.0, now - self._now) if self._now else 0.0, now
        if self._toasts and self._toasts[0].until <= now:
            self._toasts = [toast for toast in self._toasts if toast.until > now]
            self.wake()
        if self._screens and self.screen.update(min(passed, 0.25)):
            self._due = max(self._due, 1)
        return self._due > 0 and bool(self._screens)

    def frame(self, target: moderngl.Framebuffer, ratio: float) -> None:
        """Draw into all of `target`'s viewport; `ratio` framebuffer pixels are one pixel of a plain screen."""
        self._due -= 1
        _, _, width, height = target.viewport
        self.scale = ratio * self._gui_scale(width / ratio, height / ratio)
        while self._draw_items(width / self.scale, height / self.scale):
            if not self._screens:
                return
            self.screen.update(0.0)
        picture, unfinished = self.screen.backdrop((width, height), self._now)
        self._backdrop.draw(picture, target)
        self.gui.render(target)
        if unfinished:
            self._due = max(self._due, 1)
        if self.gui.behind:
            self.wake()

    def _draw_items(self, width: float, height: float) -> bool:
        """Draw the items of the page shown; whether it went to another page meanwhile."""
        self.gui.begin((width, height), self.scale, self._now - self._then)
        self._then, self._turning = self._now, []
        self.screen.draw(self.gui)
        with self.gui.on_top():
            self._draw_toasts()
        self.gui.end()
        turns, self._turning = self._turning, None
        for turn in turns:
            turn()
        return bool(turns)

    def _drawing(self, turn: Callable[[], None]) -> bool:
        """Whether a page is being drawn; if so, `turn` waits for its end."""
        if self._turning is not None:
            self._turning.append(turn)
        return self._turning is not None

    def _gui_scale(self, width: float, height: float) -> float:
        room = min(width / LEAST_SIZE[0], height / LEAST_SIZE[1])
        return max(min(self.settings.ui_scale / 100, room), min(1.0, room))

    def _draw_toasts(self) -> None:
        paint, width = self.gui.paint, self.gui.size[0]
        y = _TOAST_TOP
        for toast in self._toasts:
            wide, high = paint.measure(toast.words, 15, Face.SEMI, width * 0.6)
            box = Box((width - wide) / 2 - 22, y, wide + 44, high + 20)
            paint.plate(box, colour("#2b1f18", 0.92), radius=min(22.0, box.h / 2), border=None, shadow=0.5)
            paint.words(toast.words, box.x + 22, box.y + 10, 15, face=Face.SEMI, colour=NIGHT_INK, wrap=width * 0.6)
            y = box.bottom + 8

    # --- events

    def on_move(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> None:
        """The pointer is at a pixel, y downwards."""
        pointer = self._moved(x, y)._replace(shift=shift, ctrl=ctrl, button=self._grabbed)
        imgui.get_io().add_mouse_pos_event(pointer.x, pointer.y)
        if self._grabbed:
            self.screen.on_drag(pointer)
        else:
            self.screen.on_move(pointer)
        self.wake()

    def on_button(self, button: str, down: bool, *, shift: bool = False, ctrl: bool = False) -> None:
        """A button of the pointer went down or up where the pointer is."""
        pointer = Pointer(*self._place, button=button, shift=shift, ctrl=ctrl)
        if down and self._grabbed is None and not self.gui.covers(pointer.x, pointer.y):
            self._grabbed = button
            self.screen.on_press(pointer)
            imgui.set_nav_cursor_visible(False)
        elif not down and self._grabbed == button:
            self._grabbed = None
            self.screen.on_release(pointer)
        else:
            imgui.get_io().add_mouse_button_event(_BUTTONS[button], down)
        self.wake()

    def on_scroll(self, dx: float, dy: float, *, shift: bool = False, ctrl: bool = False) -> None:
        """The wheel turned."""
        if self.gui.covers(*self._place):
            imgui.get_io().add_mouse_wheel_event(dx, dy)
        else:
            self.screen.on_scroll(Pointer(*self._place, dx, dy, shift=shift, ctrl=ctrl))
        self.wake()

    def on_key(self, key: Key, down: bool) -> None:
        """A key went down or up. An open field and a shown focus come first, then the page, then the program."""
        io, known, before = imgui.get_io(), _imgui_key(key.name), self._screens[-1:]
        for modifier, held in ((imgui.Key.mod_ctrl, key.ctrl), (imgui.Key.mod_shift, key.shift)):
            io.add_key_event(modifier, held)
        self.wake()
        steered = self._use(key, down) and key.name in _ARROWS
        led_away = down and self._screens[-1:] != before
        if known is not None and not steered and not led_away:  # what steered a page moves no focus, what led to a page presses nothing on it
            io.add_key_event(known, down)

    def _use(self, key: Key, down: bool) -> bool:
        """Give a key to whom it belongs; tells whether the page used it."""
        if not down:
            self.screen.on_key_up(key)
        elif key.name == "f11":
            self.full_screen = not self.full_screen
            self.change(full_screen=self.full_screen)
        elif not self._taken_by_focus(key):
            if self.screen.on_key(key):
                return True
            if key.name == "escape" and len(self._screens) > 1:
                self.back()
        return False

    def on_text(self, text: str) -> None:
        """Text was typed."""
        imgui.get_io().add_input_characters_utf8(text)
        self.wake()

    def on_drop(self, paths: list[str]) -> None:
        """Files were dropped on the window."""
        self.screen.on_drop(paths)
        self.wake()

    def on_focus(self, focused: bool) -> None:
        """The window got or lost the keyboard."""
        imgui.get_io().add_focus_event(focused)
        if not focused and self._screens:
            self.screen.on_blur()
        self.wake()

    def _taken_by_focus(self, key: Key) -> bool:
        if self.gui.typing:
            return True
        focused = self.gui.focused is not None or (key.name not in _PRESSING and bool(self.gui.items))
        return self.gui.navigating and key.name in _FOCUS_KEYS and focused

    def _moved(self, x: float, y: float) -> Pointer:
        before, self._place = self._place, (x / self.scale, y / self.scale)
        return Pointer(*self._place, self._place[0] - before[0], self._place[1] - before[1])

    def _entered(self) -> None:
        self._grabbed = None
        self.gui.items.clear()
        self.screen.enter()
        self.wake()

    def _dismiss(self) -> None:
        screen = self._screens.pop()
        screen.leave()
        screen.close()


_FOCUS_KEYS = frozenset({"enter", "space", "left", "right", "up", "down", "tab"})
_PRESSING = frozenset({"enter", "space"})
"""Keys that belong to the page unless an item has the focus."""
_ARROWS = {"left": "left_arrow", "right": "right_arrow", "up": "up_arrow", "down": "down_arrow"}


def _imgui_key(name: str) -> imgui.Key | None:
    if name.isdigit():
        name = f"_{name}"
    found: imgui.Key | None = getattr(imgui.Key, _ARROWS.get(name, name), None)
    return found
