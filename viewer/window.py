"""The one window. It draws only when something has changed, and sleeps in between."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import moderngl
import pyglet
from pyglet import gl
from pyglet.window import key, mouse

from viewer.context import LEAST_VERSION, NoGraphics, first_line, version_found
from viewer.program import LEAST_SIZE, Program
from viewer.screens.screen import Key

_FRAME_S = 1 / 60
_HIDDEN_S = 0.1
"""While there is nothing to draw on, as in a minimised window, the program goes on so much more slowly."""
_BUTTONS = {mouse.LEFT: "left", mouse.MIDDLE: "middle", mouse.RIGHT: "right"}
_NAMES = {
    key.RETURN: "enter",
    key.NUM_ENTER: "enter",
    key.EQUAL: "plus",
    key.PLUS: "plus",
    key.NUM_ADD: "plus",
    key.MINUS: "minus",
    key.NUM_SUBTRACT: "minus",
    key.PAGEUP: "page_up",
    key.PAGEDOWN: "page_down",
}
_OWN = {
    key.LSHIFT: key.MOD_SHIFT,
    key.RSHIFT: key.MOD_SHIFT,
    key.LCTRL: key.MOD_CTRL,
    key.RCTRL: key.MOD_CTRL,
    key.LCOMMAND: key.MOD_COMMAND,
    key.RCOMMAND: key.MOD_COMMAND,
}


class Window(pyglet.window.Window):  # type: ignore[misc]
    """A window of `size` screen pixels around a program. `make` gets the OpenGL context and gives the program. Raises `NoGraphics`."""

    def __init__(self, size: tuple[int, int], make: Callable[[moderngl.Context], Program], *, full_screen: bool = False) -> None:
        self._open = False
        config = gl.Config(  # type: ignore[abstract]
            double_buffer=True, major_version=3, minor_version=3, forward_compatible=True
        )
        try:
            super().__init__(
                *size, caption="STAKD", resizable=True, config=config, vsync=True, fullscreen=full_screen, file_drops=True, visible=False
            )
            context = moderngl.create_context(require=LEAST_VERSION)
        except Exception as error:
            raise NoGraphics(version_found(), first_line(error)) from error
        context.gc_mode = "auto"
        self._moderngl = context
        self.ratio = max(1.0, float(self.scale))
        self._fit(size)
        self.program = make(context)
        self._target = context.detect_framebuffer(0)
        self._open = True
        self._full_screen = full_screen
        self._modifiers = 0
        self.frames = 0
        """Frames drawn so far."""
        pyglet.app.platform_event_loop.start()

    def run(self) -> None:
        """Until the program ends, or something goes wrong in it."""
        try:
            self.set_visible(True)
            while self.program.running:
                self.step(0.5)
        finally:
            self.close()

    def step(self, longest_s: float = 0.0) -> None:
        """Wait for events, at most so long or until the program wants to go on; then draw if something has changed."""
        patience = self.program.patience if self._drawable else max(self.program.patience, _HIDDEN_S)
        pyglet.app.platform_event_loop.step(min(longest_s, patience))
        self.dispatch_events()
        if not self.program.running:
            return
        begun = time.perf_counter()
        if self.program.full_screen != self._full_screen:
            self._full_screen = self.program.full_screen
            self.set_fullscreen(self._full_screen)
        if self.program.tick(begun) and self._drawable:
            self._draw()
            spare = _FRAME_S - (time.perf_counter() - begun)
            if spare > 0:
                time.sleep(spare)

    def close(self) -> None:
        """Close program and window; doing it again, as pyglet does when a window is forgotten, changes nothing."""
        if not self._open:
            return
        self._open = False
        self.program.running = False
        with ExitStack() as ends:  # whatever fails of it, the rest must be done
            ends.callback(super().close)
            ends.callback(self._release)
            ends.callback(self.program.close)
            self.switch_to()
            self._remember_size()

    def _release(self) -> None:
        """The context takes with it what is left; Python must not try again as it shuts down."""
        self._moderngl.gc_mode = None  # type: ignore[assignment]
        self._moderngl.release()

    def _fit(self, size: tuple[int, int]) -> None:
        """Where a window is measured in the screen's own pixels, a finer screen needs more of them: not smaller than is usable, `size` if it fits."""
        factor = self._factor
        self.set_minimum_size(*(round(side * factor) for side in LEAST_SIZE))
        if factor != 1.0 and not self.fullscreen:
            self.set_size(*(min(round(side * factor), most) for side, most in zip(size, (self.screen.width, self.screen.height), strict=True)))

    @property
    def _factor(self) -> float:
        """Screen pixels of a unit at a scale of 100 %."""
        return float(self.ratio * self.get_size()[0] / max(1, self.get_framebuffer_size()[0]))

    def _remember_size(self) -> None:
        """The next window opens as large as this one."""
        wide, high = (max(least, round(side / self._factor)) for side, least in zip(self.get_size(), LEAST_SIZE, strict=True))
        if not self.fullscreen and (wide, high) != self.program.settings.window_size:
            self.program.change(window_size=(wide, high))

    def _event_drag_enter(self, event: Any) -> None:
        """Files are dragged over the window, on X11. Where a source offers three kinds of data or fewer they stand in the message itself, and
        pyglet's own method fails on that."""
        words = list(event.xclient.data.l)
        if words[1] & 1:
            super()._event_drag_enter(event)
            return
        self._xdnd_source, self._xdnd_version = words[0], words[1] >> 24
        files = self._xdnd_atoms["text/uri-list"]
        self._xdnd_format = files if files in words[2:] else None

    @property
    def _drawable(self) -> bool:
        return bool(min(self.get_framebuffer_size()) > 0)

    def _draw(self) -> None:
        self.switch_to()
        width, height = self.get_framebuffer_size()
        self._target.viewport = (0, 0, width, height)  # its `size` stays what it was when the window was opened
        self.program.frame(self._target, self.ratio)
        self.flip()
        self.frames += 1

    # --- events of pyglet

    def on_draw(self) -> None:
        """Drawing is up to `step`."""

    def on_expose(self) -> None:
        """What was covered must be drawn again."""
        if hasattr(self, "program"):
            self.program.wake()

    def on_resize(self, width: int, height: int) -> None:
        """The window has another size."""
        self.on_expose()

    def on_show(self) -> None:
        """The window is seen again."""
        self.on_expose()

    def on_activate(self) -> None:
        """The window got the keyboard."""
        self.program.on_focus(True)

    def on_deactivate(self) -> None:
        """The window lost the keyboard."""
        self._modifiers = 0
        self.program.on_focus(False)

    def on_close(self) -> None:
        """The user closes the window."""
        self.program.running = False

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        """The pointer moved."""
        self._move(x, y, self._modifiers)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        """The pointer moved with a button held."""
        self._move(x, y, modifiers)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """A button went down."""
        self._button(x, y, button, modifiers, True)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """A button went up."""
        self._button(x, y, button, modifiers, False)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """The wheel turned."""
        self._move(x, y, self._modifiers)
        self.program.on_scroll(scroll_x, scroll_y, shift=_shift(self._modifiers), ctrl=_ctrl(self._modifiers))

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """A key went down."""
        self._key(symbol, modifiers, True)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """A key went up."""
        self._key(symbol, modifiers, False)

    def on_text(self, text: str) -> None:
        """Text was typed; Return comes as text too."""
        self.program.on_text("".join(sign for sign in text if sign.isprintable()))

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        """Files were dropped."""
        self.program.on_drop(list(paths))

    def _move(self, x: float, y: float, modifiers: int) -> None:
        wide, high = self.get_size()
        width, height = self.get_framebuffer_size()
        self.program.on_move(x * width / wide, (high - y) * height / high, shift=_shift(modifiers), ctrl=_ctrl(modifiers))

    def _button(self, x: int, y: int, button: int, modifiers: int, down: bool) -> None:
        if button in _BUTTONS:
            self._move(x, y, modifiers)
            self.program.on_button(_BUTTONS[button], down, shift=_shift(modifiers), ctrl=_ctrl(modifiers))

    def _key(self, symbol: int, modifiers: int, down: bool) -> None:
        """X11 tells what was held before, so a modifier's own bit comes too late."""
        own = _OWN.get(symbol, 0)
        self._modifiers = modifiers | own if down else modifiers & ~own
        name = _NAMES.get(symbol) or key.symbol_string(symbol).lower().lstrip("_").replace("num_", "")
        self.program.on_key(Key(name, _shift(self._modifiers), _ctrl(self._modifiers)), down)


def _shift(modifiers: int) -> bool:
    return bool(modifiers & key.MOD_SHIFT)


def _ctrl(modifiers: int) -> bool:
    return bool(modifiers & (key.MOD_CTRL | key.MOD_COMMAND))
