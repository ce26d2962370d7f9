"""Acts of a match of a card game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

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

    def to_json(self) -> dict[str, Any]:
        """As plain data: a line of a record."""
        return {
            "act": self.number,
            "round": self.round,
            "player": self.player,
            "kind": self.kind.value,
            "move": self.move,
            "events": list(self.events),
            "seconds": self.seconds,
        }
