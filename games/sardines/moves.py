"""Moves as values with a text form, and as the integers of `games.sardines.tables`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from games.sardines import tables


class MoveKind(StrEnum):
    """What can be done."""

    GATHER = "gather"
    FILL = "fill"
    DISCARD = "discard"
    PASS = "pass"


_CARDS = "|".join(tables.NAMES)
_TEXT = re.compile(rf"(?:pass|(?:gather|discard|fill (?P<order>0|[1-9][0-9]{{0,8}}))(?P<cards>(?: (?:{_CARDS})){{1,40}}))", re.ASCII)
_KINDS = {tables.GATHER: MoveKind.GATHER, tables.DISCARD: MoveKind.DISCARD, tables.PASS: MoveKind.PASS}


@dataclass(frozen=True, slots=True)
class Move:
    """One move: the cards it names, in text order, and for `fill` the index of the order in the row. Its text: `fill 2 P PP`."""

    kind: MoveKind
    cards: tuple[str, ...] = ()
    order: int | None = None

    def __str__(self) -> str:
        """The printed form."""
        return " ".join([self.kind.value, *([] if self.order is None else [str(self.order)]), *self.cards])

    @classmethod
    def parse(cls, text: str) -> Move | None:
        """The move with this text, or None if that is not exactly the printed form of a move."""
        match = _TEXT.fullmatch(text)
        if match is None:
            return None
        cards = tuple((match["cards"] or "").split())
        if list(cards) != sorted(cards):
            return None
        return cls(MoveKind(text.partition(" ")[0]), cards, None if match["order"] is None else int(match["order"]))


@lru_cache(maxsize=1 << 14)
def from_id(move: int) -> Move:
    """The move that this integer stands for."""
    code, cards = move & 7, tuple(tables.names(move >> 3))
    return Move(MoveKind.FILL, cards, code - tables.FILL) if code >= tables.FILL else Move(_KINDS[code], cards)


def to_id(move: Move) -> int:
    """The integer for a move whose cards are in the game and whose index is in the row."""
    cards = tables.packed(tables.CARD_INDEX[card] for card in move.cards)
    if move.kind is MoveKind.FILL:
        return tables.fill_id(move.order or 0, cards)
    if move.kind is MoveKind.PASS:
        return tables.PASS
    return tables.gather_id(cards) if move.kind is MoveKind.GATHER else tables.discard_id(cards)
