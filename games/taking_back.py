"""What persons at one screen may take back, and who must agree."""

from __future__ import annotations

from games.acts import ActKind
from games.match import Match


def undo_depth(match: Match) -> int:
    """How many acts lie from the last piece a person laid to now, that one included; 0 if it can't be taken back: what fell stays fallen."""
    for depth, act in enumerate(reversed(match.acts), 1):
        if act.kind in (ActKind.KNOCKED_OVER, ActKind.RESIGNED):
            return 0
        if act.kind is ActKind.PLACED and match.setup.seats[act.player].bot is None:
            return depth
    return 0


def must_agree(match: Match) -> tuple[int, ...]:
    """The persons, by seat, who must agree that the last piece a person laid is taken back: all others who are still in the match."""
    depth, left = undo_depth(match), match.state.left
    asks = match.acts[-depth].player if depth else None
    return tuple(i for i, seat in enumerate(match.setup.seats) if seat.bot is None and i != asks and not left >> i & 1)


def take_back(match: Match) -> None:
    """Take back the last piece a person laid and all that came after it."""
    number = len(match.acts) - undo_depth(match)
    while len(match.acts) > number:
        match.undo()
