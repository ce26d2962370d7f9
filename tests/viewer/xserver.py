"""An X server of its own for each test that needs one, and a hand on its mouse and keyboard."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from Xlib import XK, X, Xatom, display, protocol
from Xlib.ext import xtest

BUTTONS = {"left": 1, "middle": 2, "right": 3}
_KEYS = {
    "enter": "Return",
    "escape": "Escape",
    "tab": "Tab",
    "backspace": "BackSpace",
    "delete": "Delete",
    "left": "Left",
    "right": "Right",
    "up": "Up",
    "down": "Down",
    "home": "Home",
    "f11": "F11",
    "comma": "comma",
    "period": "period",
    "ctrl": "Control_L",
    "shift": "Shift_L",
    " ": "space",
}


class XServer:
    """An X server without a screen, with real input events. `name` is what DISPLAY must be to reach it."""

    def __init__(self, name: str, *, dpi: int) -> None:
        self.name = name
        self._display = display.Display(name)
        self._root = self._display.screen().root
        self._root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, f"Xft.dpi:\t{dpi}\n".encode())
        self._display.sync()

    def close(self) -> None:
        """Leave the server."""
        self._display.close()

    def move(self, x: float, y: float) -> None:
        """The pointer goes to a pixel of the screen."""
        self._send(X.MotionNotify, x=round(x), y=round(y))

    def button(self, name: str, down: bool) -> None:
        """A button of the mouse goes down or up."""
        self._send(X.ButtonPress if down else X.ButtonRelease, BUTTONS[name])

    def wheel(self, steps: int) -> None:
        """The wheel turns, up for more than zero."""
        for _ in range(abs(steps)):
            for kind in (X.ButtonPress, X.ButtonRelease):
                self._send(kind, 4 if steps > 0 else 5)

    def key(self, name: str, down: bool) -> None:
        """A key goes down or up: a sign, or a name as `enter`, `f11`, `ctrl`."""
        symbol = XK.string_to_keysym(_KEYS.get(name, name)) or ord(name)
        self._send(X.KeyPress if down else X.KeyRelease, self._display.keysym_to_keycode(symbol))

    def type(self, text: str) -> None:
        """Keys for a text, one after the other."""
        for sign in text:
            if sign.isupper():
                self.key("shift", True)
            for down in (True, False):
                self.key(sign.lower(), down)
            if sign.isupper():
                self.key("shift", False)

    def look(self, x: int, y: int, width: int, height: int) -> NDArray[np.uint8]:
        """What is seen in a part of the screen: (height, width, 3), red, green, blue."""
        image = self._root.get_image(x, y, width, height, X.ZPixmap, 0xFFFFFFFF)
        return np.frombuffer(image.data, np.uint8).reshape(height, width, 4)[:, :, 2::-1]

    def resize(self, window: int, width: int, height: int) -> None:
        """As somebody who drags a corner of the window."""
        self._display.create_resource_object("window", window).configure(width=width, height=height)
        self._display.sync()

    def ask_to_close(self, window: int) -> None:
        """As a window manager does when somebody presses the cross."""
        target = self._display.create_resource_object("window", window)
        data = (32, [self._display.intern_atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0])
        target.send_event(protocol.event.ClientMessage(window=target, client_type=self._display.intern_atom("WM_PROTOCOLS"), data=data))
        self._display.sync()

    def _send(self, kind: int, detail: int = 0, *, x: int = 0, y: int = 0) -> None:
        xtest.fake_input(self._display, kind, detail, x=x, y=y)
        self._display.sync()


@contextmanager
def x_server(*, size: tuple[int, int] = (1920, 1080), dpi: int = 96) -> Iterator[XServer]:
    """A server on a free display number; it ends with the block. `dpi` is what desktops tell programs that the screen has."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size[0]}x{size[1]}x24", "-dpi", str(dpi), "-noreset", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            server = XServer(f":{number.readline().strip()}", dpi=dpi)
        try:
            yield server
        finally:
            server.close()
    finally:
        process.terminate()
        process.wait()
