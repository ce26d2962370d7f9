"""A person at the real window: mouse and keyboard of an X server, and eyes that see what the program shows."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.viewer.xserver import XServer
from viewer.gui.box import Box

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60.0
"""So long a busy machine may take for anything."""


class Hand:
    """Works a window by real events. Places are units of the page; `ask` and `until` take expressions as `child` knows them."""

    def __init__(self, server: XServer, process: subprocess.Popen[str], pipe: Connection) -> None:
        self.server, self.process, self._pipe = server, process, pipe

    # --- what there is

    def ask(self, expression: str) -> Any:
        """The value of an expression in the program, after it has heard all events so far and drawn."""
        self._pipe.send(expression)
        if not self._pipe.poll(PATIENCE_S):
            raise AssertionError(f"no answer to {expression}")
        try:
            value = self._pipe.recv()
        except (EOFError, ConnectionError):
            raise AssertionError(f"the program has ended: {self.ended()}") from None
        if isinstance(value, Exception):
            raise value
        return value

    def until(self, expression: str) -> Any:
        """Wait for an expression to become true; gives its value."""
        end = time.monotonic() + PATIENCE_S
        while not (value := self.ask(expression)):
            assert time.monotonic() < end, f"never: {expression}; {self.ask('describe(page)')}"
            time.sleep(0.01)
        return value

    def box(self, name: str) -> Box:
        """Where an item is, once it is there."""
        box: Box = self.until(f"gui.items[{name!r}].box if {name!r} in gui.items else None")
        return box

    def ended(self) -> tuple[int, str]:
        """Wait for the program to end: its exit status, and what it said on standard error."""
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, errors

    # --- what a person does

    def move(self, x: float, y: float) -> None:
        """Move the mouse."""
        left, top, ratio = self.ask("(*window.get_location(), program.scale * window.get_size()[0] / window.get_framebuffer_size()[0])")
        self.server.move(left + x * ratio, top + y * ratio)
        self.shown()

    def shown(self) -> None:
        """Wait until what was done has been heard and drawn; what lies under the pointer is known one frame later."""
        self.ask("0")
        self.until("not gui.behind")

    def press(self, button: str = "left") -> None:
        """Press a button of the mouse."""
        self.server.button(button, True)
        self.shown()

    def release(self, button: str = "left") -> None:
        """Let it go."""
        self.server.button(button, False)
        self.shown()

    def click_at(self, x: float, y: float, button: str = "left") -> None:
        """Click a place, as quick as a tap on a touchpad: both events are there at once."""
        self.move(x, y)
        self.server.button(button, True)
        self.release(button)

    def click(self, name: str) -> None:
        """Click an item; wait for it first."""
        self.until(f"{name!r} in gui.items and gui.items[{name!r}].enabled")
        self.click_at(*self.box(name).middle)

    def drag(self, start: tuple[float, float], end: tuple[float, float], button: str = "left", *, steps: int = 3) -> None:
        """Drag from a place to another."""
        self.move(*start)
        self.press(button)
        for k in range(1, steps + 1):
            self.move(*(a + (b - a) * k / steps for a, b in zip(start, end, strict=True)))
        self.release(button)

    def wheel(self, steps: int) -> None:
        """Turn the wheel."""
        self.server.wheel(steps)
        self.shown()

    def key(self, name: str, *, ctrl: bool = False, shift: bool = False) -> None:
        """Press a key and let it go."""
        held = [*(["ctrl"] if ctrl else []), *(["shift"] if shift else [])]
        for modifier in held:
            self.server.key(modifier, True)
        for down in (True, False):
            self.server.key(name, down)
        for modifier in held:
            self.server.key(modifier, False)
        self.shown()

    def type(self, text: str) -> None:
        """Type a text."""
        self.server.type(text)
        self.shown()

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, in pixels."""
        self.server.resize(self.ask("window._window"), width, height)
        self.until(f"window.get_framebuffer_size() == ({width}, {height})")
        self.shown()


def environment(server: XServer | None, home: Path, **more: str) -> dict[str, str]:
    """What the program finds around it: a display and a home of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, "STAKD_HOME": str(home), **({"DISPLAY": server.name} if server else {}), **more}


@contextmanager
def program_window(server: XServer, home: Path, page: str | None = None) -> Iterator[Hand]:
    """The program in a window, `page` as `child` has it; it ends with the block."""
    ours, theirs = Pipe()
    command = [sys.executable, "-m", "tests.viewer.window.child", str(theirs.fileno()), *([page] if page else [])]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(server, home),
        pass_fds=[theirs.fileno()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    theirs.close()
    hand = Hand(server, process, ours)
    try:
        hand.until("window.frames > 0")
        yield hand
    finally:
        ours.close()
        if process.poll() is None:
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
