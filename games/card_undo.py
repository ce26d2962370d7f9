"""When a move of a card game can fairly be taken back: only while nothing hidden and no chance has been shown since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.card_acts import CardAct, CardActKind
from games.card_match import CardMatch
from meshes.errors import StakdError

_SHOWN = {
    "flipped": "a new Catch of the Day has been turned up",
    "exhausted": "cards have been shuffled",
    "dealt": "new hands have been dealt",
    "turned_up": "new cards have been turned up in the market",
    "order_turned_up": "a new order has been turned up",
    "reshuffled": "cards have been shuffled",
    "passed": "the cards have gone round",
    "called": "somebody has slapped",
    "slapped": "somebody has slapped",
    "wrong_slap": "cards have been drawn",
    "game_over": "the game is over, and all has been shown",
}
"""What shows hidden cards or chance, by event; Sakana's `passed`, which always turns up a card too, is told apart in `_shown`."""

_HAND_SHOWN = ("played", "filled", "discarded")
"""Events that show cards out of a hidden hand."""


class CannotTakeBack(StakdError):
    """A move can't be taken back; the message says why."""


def undo_depth(match: CardMatch) -> int:
    """How many acts lie from the last move of a person to now, that one included; 0 if there is none."""
    for depth, act in enumerate(reversed(match.acts), 1):
        if act.kind is CardActKind.MOVED and act.player is not None and match.setup.seats[act.player].bot is None:
            return depth
    return 0


def undo_refusal(match: CardMatch) -> str | None:
    """Why the last move of a person can't be taken back, in words; None if it can."""
    depth = undo_depth(match)
    if not depth:
        return "There is no move of yours to take back."
    mover = match.acts[-depth].player
    for act in match.acts[-depth:]:
        if act.kind is not CardActKind.MOVED:
            return "That can't be taken back: somebody has left the game since."
        if shown := next(filter(None, (_shown(match, act, event, mover) for event in act.events)), None):
            return f"That can't be taken back: {shown}."
    return None


def _shown(match: CardMatch, act: CardAct, event: Mapping[str, Any], mover: int | None) -> str | None:
    """What an event has shown to the one who wants to take back, in words."""
    kind = event["type"]
    if kind in _HAND_SHOWN:
        return None if act.player == mover or act.player is None else f"{match.names[act.player]} has played cards since, which shows what was held"
    if kind == "passed" and not match.simultaneous:
        return None
    return _SHOWN.get(kind)
