"""Moves of Sakapuss and their text: `pass A`, `slap`."""

from __future__ import annotations

import re
from typing import NamedTuple

from games.sakapuss.deck import CATS, SLAP

_TEXT = re.compile(rf"slap|pass [{CATS}]")


class Move(NamedTuple):
    """Choosing a cat to pass on, or slapping the pile: `id` is the cat, or `SLAP`."""

    id: int

    def __str__(self) -> str:
        return "slap" if self.id == SLAP else f"pass {CATS[self.id]}"

    @classmethod
    def parse(cls, text: str) -> Move | None:
        """The move of this exact text, whether it is legal or not; None if it is no move."""
        if not _TEXT.fullmatch(text):
            return None
        return cls(SLAP if text == "slap" else CATS.index(text[-1]))
