"""Sunny Day Sardines as one of the games: how to begin it, how to load it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.random import Generator

from games.errors import BadOptions
from games.sardines.state import PLAYERS, State
from meshes.errors import Defect


class SardinesGame:
    """Sunny Day Sardines with the cards of the data file."""

    name = "sardines"
    players = PLAYERS

    @property
    def options(self) -> Mapping[str, Any]:
        """There are none."""
        return {}

    def new(self, players: int, *, options: Mapping[str, Any], rng: Generator) -> State:
        """The first state; `rng` shuffles and draws the starter (D2). Raises `BadOptions`."""
        if options:
            raise BadOptions("sardines", [Defect("unknown-key", f"options.{key}", "no such option; Sunny Day Sardines has none") for key in options])
        return State.new(players, rng=rng)

    def load(self, data: Mapping[str, Any]) -> State:
        """A state from protocol form. Raises `BadState`."""
        return State.from_json(data)
