"""Bots for Sunny Day Sardines, weakest first: `random`, `greedy`, which weighs each move by what it brings its hand nearer to, and
`ismcts`, which searches.

They see the game through `State.view` only, so no hidden card can sway them.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from games.ismcts import IsmctsBot
from games.sardines.moves import Move, from_id
from games.sardines.promise import worth
from games.sardines.search import SardinesSearch
from games.sardines.state import State
from games.sardines.view import SardinesView
from meshes.errors import StakdError


class RandomBot:
    """Any legal move, all alike."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        moves = _open_moves(state.view(state.to_move))
        return from_id(moves[int(rng.integers(len(moves)))])


class GreedyBot:
    """The move after which points won and orders in reach are worth most. Ties are broken at random."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        view = state.view(state.to_move)
        moves = _open_moves(view)
        promised = [worth(move, view.hand, view.orders, last=view.final_round) for move in moves]
        best = [move for move, value in zip(moves, promised, strict=True) if value == max(promised)]
        return from_id(best[int(rng.integers(len(best)))])


BOTS = {"random": RandomBot, "greedy": GreedyBot, "ismcts": partial(IsmctsBot, SardinesSearch())}


def _open_moves(view: SardinesView) -> list[int]:
    moves = view.legal_ids()
    if not moves:
        raise StakdError("the game is over, so there is no move to choose; start a new one")
    return moves
