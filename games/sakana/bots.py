"""Bots for Sakana Stack, weakest first: `random`, and `greedy`. They know of the game only what `view` shows the player to move."""

from __future__ import annotations

import numpy as np

from games.sakana.move import Move
from games.sakana.state import State
from meshes.errors import StakdError


class RandomBot:
    """Any legal move, all alike."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        moves = state.view(state.to_move).plays()
        if not moves:
            raise StakdError("the game is over, so there is no move to choose; start a new one")
        return Move(moves[int(rng.integers(len(moves)))])


BOTS = {"random": RandomBot}
