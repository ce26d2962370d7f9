"""Sakana Stack as one of the games: how to begin it, how to load it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.random import Generator

from games.errors import BadOptions
from games.sakana.deck import MAX_PLAYERS, MIN_PLAYERS
from games.sakana.state import State
from meshes.errors import Defect


class SakanaGame:
    """Sakana Stack by its rulebook."""

    name = "sakana"

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players."""
        return MIN_PLAYERS, MAX_PLAYERS

    @property
    def options(self) -> Mapping[str, Any]:
        """There are none."""
        return {}

    def new(self, players: int, *, options: Mapping[str, Any], rng: Generator) -> State:
        """The first state; who starts is drawn from `rng` (K1). Raises `BadOptions`."""
        if options:
            raise BadOptions("sakana", [Defect("unknown-key", f"options.{key}", "Sakana Stack has no options") for key in options])
        return State.new(players, rng=rng)

    def load(self, data: Mapping[str, Any]) -> State:
        """A state from protocol form. Raises `BadState`."""
        return State.from_json(data)
