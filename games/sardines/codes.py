"""Every way a move of Sunny Day Sardines can be wrong, and the rule that says so."""

from __future__ import annotations

from enum import StrEnum

from games.errors import Violation


class Code(StrEnum):
    """What is wrong with a move. `rule` is the row of the rules decisions, `section` the place in the rulebook."""

    MALFORMED = "malformed"
    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    MUST_DISCARD = "must-discard"
    NOTHING_TO_DISCARD = "nothing-to-discard"
    WRONG_NUMBER = "wrong-number"
    NOT_IN_MARKET = "not-in-market"
    NOT_TWO_FISH = "not-two-fish"
    NO_SUCH_ORDER = "no-such-order"
    NOT_IN_HAND = "not-in-hand"
    NOT_FILLED = "not-filled"
    SPECIAL_NOT_FILLED = "special-not-filled"
    MIXED_NOT_FILLED = "mixed-not-filled"
    CAN_ACT = "can-act"

    @property
    def rule(self) -> str:
        """The row of the rules decisions, such as `D3`."""
        return _RULES[self][0]

    @property
    def section(self) -> str:
        """The section of the rulebook."""
        return _RULES[self][1]


_RULES = {
    Code.MALFORMED: ("D6", "How to Play"),
    Code.GAME_OVER: ("D17", "Scoring / End of the Game"),
    Code.NOT_YOUR_TURN: ("D17", "How to Play"),
    Code.MUST_DISCARD: ("D13", "How to Play: Note"),
    Code.NOTHING_TO_DISCARD: ("D13", "How to Play: Note"),
    Code.WRONG_NUMBER: ("D13", "How to Play: Note"),
    Code.NOT_IN_MARKET: ("D5", "1. Gather Sardines"),
    Code.NOT_TWO_FISH: ("D3", "1. Gather Sardines"),
    Code.NO_SUCH_ORDER: ("D15", "2. Complete An Order"),
    Code.NOT_IN_HAND: ("D12", "2. Complete An Order"),
    Code.NOT_FILLED: ("D7", "2. Complete An Order"),
    Code.SPECIAL_NOT_FILLED: ("D10", "2. Complete An Order: SPECIAL ORDER"),
    Code.MIXED_NOT_FILLED: ("D11", "2. Complete An Order: MIXED BAG"),
    Code.CAN_ACT: ("D6", "How to Play"),
}


def violation(code: Code, message: str) -> Violation:
    """A violation with the rule that belongs to its code."""
    return Violation(code, code.rule, message)


def game_over() -> Violation:
    """Nothing is legal when the game is over."""
    return violation(Code.GAME_OVER, "the game is over; start a new one or take the last move back")
