"""Acts of a match of a card game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from games.interface import Event


class CardActKind(StrEnum):
    """What an act was."""

    MOVED = "moved"
    LEFT = "left"
    REDEALT = "redealt"


@dataclass(frozen=True, slots=True)
class CardAct:
    """One act, as it goes into the record.

    `number` counts from 1; `player` is None when the cats are dealt again without anybody's doing (RULES P28). `move` is its text,
    which in Sakapuss others may not see. `seconds` is the time on the match's own clock, which stands still while nobody plays.
    """

    number: int
    round: int
    player: int | None
    kind: CardActKind
    move: str | None
    events: tuple[Event, ...]
    seconds: float
