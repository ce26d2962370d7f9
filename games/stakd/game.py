"""STAKD as one of the games: how to begin it, how to load it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.random import Generator

from games.stakd.rules import Options
from games.stakd.state import State
from meshes.piece_set import PieceSet, load_piece_set


class StakdGame:
    """STAKD with one piece set, by default the classic one."""

    name = "stakd"

    def __init__(self, piece_set: PieceSet | None = None) -> None:
        self.piece_set = piece_set or load_piece_set("classic")

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players."""
        return 1, self.piece_set.max_players

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with its default."""
        return Options().to_json()

    def new(self, players: int, *, options: Mapping[str, Any], rng: Generator) -> State:
        """The first state. Seat 0 stands for the youngest and starts (S3): no rule needs `rng`. Raises `BadOptions`."""
        return State.new(players, piece_set=self.piece_set, options=Options.from_json(options))

    def load(self, data: Mapping[str, Any]) -> State:
        """A state from protocol form. Raises `BadState`."""
        return State.from_json(data, piece_set=self.piece_set)
