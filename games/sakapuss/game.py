"""Sakapuss as one of the games: how to begin it, how to load it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.random import Generator

from games.sakapuss.deck import MAX_PLAYERS, MIN_PLAYERS
from games.sakapuss.form import OPTIONS, read_options
from games.sakapuss.state import State


class SakapussGame:
    """Sakapuss with the cards of the data file."""

    name = "sakapuss"

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players."""
        return MIN_PLAYERS, MAX_PLAYERS

    @property
    def options(self) -> Mapping[str, Any]:
        """`false_slap_ends_round`: whether after a wrong slap the round is dealt again, uncounted (P11)."""
        return dict(OPTIONS)

    def new(self, players: int, *, options: Mapping[str, Any], rng: Generator) -> State:
        """The first state; `rng` shuffles and draws the dealer (P3). Raises `BadOptions`."""
        return State.new(players, rng=rng, false_slap_ends_round=read_options(options))

    def load(self, data: Mapping[str, Any]) -> State:
        """A state from protocol form. Raises `BadState`."""
        return State.from_json(data)
