"""A button that is held beside all items: a click while the pointer stays where it is, else a drag."""

from __future__ import annotations

from viewer.screens.screen import Pointer

CLICK = 6.0
"""A press that moves less than this many units is a click."""


class Press:
    """Tells clicks from drags. Call `begin` when a button goes down, `drags` when the pointer moves, `end` when it goes up."""

    def __init__(self) -> None:
        self._at: Pointer | None = None
        self._moved = False

    def begin(self, pointer: Pointer) -> None:
        """A button went down."""
        self._at, self._moved = pointer, False

    def drags(self, pointer: Pointer) -> bool:
        """Whether it is a drag by now; it stays one."""
        at = self._at
        if at is not None and max(abs(pointer.x - at.x), abs(pointer.y - at.y)) >= CLICK:
            self._moved = True
        return at is not None and self._moved

    def end(self) -> bool:
        """The button went up; whether it was a click."""
        at, self._at = self._at, None
        return at is not None and not self._moved
