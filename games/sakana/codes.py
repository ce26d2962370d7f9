"""Every way a move of Sakana Stack can be wrong, and the rule that says so."""

from __future__ import annotations

from enum import StrEnum

from games.errors import Violation


class Code(StrEnum):
    """What is wrong with a move. `rule` is the row of the rules decisions (the section, where there is none), `section` the place
    in the rulebook.
    """

    MALFORMED = "malformed"
    UNKNOWN_CARD = "unknown-card"
    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_IN_HAND = "not-in-hand"
    CARD_TWICE = "card-twice"
    DIFFERENT_NUMBERS = "different-numbers"
    CATCH_ALONE = "catch-alone"
    NOT_FOLLOWING = "not-following"
    TOO_LOW = "too-low"

    @property
    def rule(self) -> str:
        """The row of the rules decisions, such as `K16`."""
        return _RULES[self][0]

    @property
    def section(self) -> str:
        """The section of the rulebook."""
        return _RULES[self][1]


_RULES = {
    Code.MALFORMED: ("K18", "How to Play"),
    Code.UNKNOWN_CARD: ("Game Setup", "Game Setup"),
    Code.GAME_OVER: ("K1", "Game End and Scoring"),
    Code.NOT_YOUR_TURN: ("K1", "How to Play"),
    Code.NOT_IN_HAND: ("K20", "1 - Play a Stack"),
    Code.CARD_TWICE: ("K21", "1 - Play a Stack"),
    Code.DIFFERENT_NUMBERS: ("K21", "1 - Play a Stack"),
    Code.CATCH_ALONE: ("K20", "1 - Play a Stack"),
    Code.NOT_FOLLOWING: ("K16", "1 - Play a Stack"),
    Code.TOO_LOW: ("K14", "1 - Play a Stack"),
}


def violation(code: Code, message: str, *, rule: str | None = None) -> Violation:
    """A violation with the rule that belongs to its code, or with the row given."""
    return Violation(code, rule or code.rule, message)
