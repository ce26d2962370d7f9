"""Moves of Sakana Stack and their text: `pass`, `play U7 S7`."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.sakana.deck import CARDS, Cards, names

_PLAY = re.compile(r"play( [CEPSTU]([1-9]|10))+")


class Move(NamedTuple):
    """A stack to play, bottom to top; with no cards a pass."""

    cards: Cards

    def __str__(self) -> str:
        return " ".join(["play", *names(self.cards)]) if self.cards else "pass"

    @classmethod
    def parse(cls, text: str) -> Move | None:
        """The move of this exact text, whether it is legal or not; None if it is no move."""
        if text == "pass":
            return cls(())
        if not _PLAY.fullmatch(text):
            return None
        return cls(tuple(CARDS[name] for name in text.split(" ")[1:]))
