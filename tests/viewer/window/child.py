"""The program with its real window, in a process of its own, which also answers questions about itself: `python -m tests.viewer.window.child PIPE [PAGE]`.

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

from tests.viewer.window import questions
from viewer.launch import open_window
from viewer.window import Window


class _Wire(XlibSelectDevice):  # type: ignore[misc]
    """Wakes the window's loop when a question is there."""

    def __init__(self, pipe: Connection, window: Window) -> None:
        self._pipe, self._window = pipe, window

    def fileno(self) -> int:
        return self._pipe.fileno()

    def select(self) -> None:
        """The loop goes on by itself."""

    def answer(self) -> None:
        """Answer what has been asked; without anybody to ask, end."""
        while self._pipe.poll():
            try:
                question = self._pipe.recv()
            except EOFError:
                self._window.program.running = False
                return
            self._pipe.send(self._value(question))

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
    pyglet.app.platform_event_loop.select_devices.add(wire)
    window.set_visible(True)
    while window.program.running:
        window.step(0.5)
        wire.answer()
    window.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
