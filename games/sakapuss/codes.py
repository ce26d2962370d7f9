"""Every way a move of Sakapuss can be wrong, and the rule that says so."""

from __future__ import annotations

from enum import StrEnum

from games.errors import Violation


class Code(StrEnum):
    """What is wrong with a move. `rule` is the row of the rules decisions, `section` the place in the rulebook."""

    MALFORMED = "malformed"
    GAME_OVER = "game-over"
    UNKNOWN_CAT = "unknown-cat"
    NOT_IN_HAND = "not-in-hand"
    ALREADY_CHOSEN = "already-chosen"
    ALREADY_CALLED = "already-called"
    ALREADY_SLAPPED = "already-slapped"

    @property
    def rule(self) -> str:
        """The row of the rules decisions, such as `P4`."""
        return _RULES[self][0]

    @property
    def section(self) -> str:
        """The section of the rulebook."""
        return _RULES[self][1]


_RULES = {
    Code.MALFORMED: ("P4", "Playing a Round"),
    Code.GAME_OVER: ("P22", "End of the Game"),
    Code.UNKNOWN_CAT: ("P2", "Setup"),
    Code.NOT_IN_HAND: ("P4", "Playing a Round"),
    Code.ALREADY_CHOSEN: ("P4", "Playing a Round"),
    Code.ALREADY_CALLED: ("P9", "Playing a Round"),
    Code.ALREADY_SLAPPED: ("P9", "Playing a Round"),
}


def violation(code: Code, message: str) -> Violation:
    """A violation with the rule that belongs to its code."""
    return Violation(code, code.rule, message)
