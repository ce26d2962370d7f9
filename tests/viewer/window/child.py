"""`python -m tests.viewer.window.child PIPE [PAGE]`: the program with its real window, which also answers questions about itself.

PIPE is an inherited end of a `multiprocessing.Pipe`, PAGE a function `module:name` that makes the page to begin with. A question is a Python
expression; the answer is its value, or the exception it raised. It is given once events that came before it have been heard and drawn.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import pyglet
from pyglet.app.xlib import XlibSelectDevice
from pyglet.libs.x11 import xlib

from tests.viewer.window import questions
from viewer.launch import open_window
from viewer.window import Window


class _Wire(XlibSelectDevice):
    """Wakes the window's loop when a question is there."""

    def __init__(self, pipe: Connection, window: Window) -> None:
        self._pipe, self._window = pipe, window
        self._asked = False

    def fileno(self) -> int:
        return self._pipe.fileno()

    def poll(self) -> bool:
        return self._pipe.poll()

    def select(self) -> None:
        """Fetch all events that came before the question; the loop hears them, then gets to `answer`."""
        xlib.XSync(self._window._x_display, False)
        self._asked = True

    def answer(self) -> None:
        """Answer one question, if one was there before this step began; without anybody to ask, end."""
        if not self._asked:
            return
        self._asked = False
        try:
            self._pipe.send(self._value(self._pipe.recv()))
        except (EOFError, BrokenPipeError):
            self._window.program.running = False

    def _value(self, question: str) -> Any:
        program = self._window.program
        page = program.screen
        names = {**vars(questions), "window": self._window, "program": program, "page": page, "gui": program.gui, "play": getattr(page, "play", None)}
        try:
            return eval(question, names)
        except Exception as error:  # noqa: BLE001 - it is for the one who asked
            return error


def main(pipe: str, page: str | None = None) -> None:
    """Run the program until its window is closed."""
    module, _, name = (page or "").partition(":")
    window = open_window(getattr(import_module(module), name) if page else None)
    os.set_inheritable(int(pipe), False)
    wire = _Wire(Connection(int(pipe)), window)
    pyglet.app.platform_event_loop.select_devices.add(wire)  # type: ignore[attr-defined]
    window.set_visible(True)
    while window.program.running:
        window.step(0.5)
        wire.answer()
    window.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
