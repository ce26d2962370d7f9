"""The strong bot: Monte Carlo tree search with proven results, and exact search once the round is nearly over."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from games.budget import Budget, Clock, fractions
from games.stakd.bots.endgame import EndgameSolver
from games.stakd.bots.quick import open_moves
from games.stakd.bots.tree import Tree
from games.stakd.position import Position
from games.stakd.state import State
from meshes.placement import Placement

DEFAULT_ITERATIONS = 2500
"""About a second of thinking."""

SOLVE_SHARE = 0.3
"""The share of the budget that exact search may use before tree search takes over."""

SOLVE_WHEN_LEFT = 0.7
"""Exact search is tried once no more than this share of all pieces is still in hand; earlier it would never finish."""


class MctsBot:
    """Tries moves out in a growing tree; each player there wins for himself. Solo it plays for the most pieces laid.

    Exact search goes first when few pieces are left: a win it finds is certain with two players, and holds against all others
    together with more. Same state, generator and iterations give the same move. A time limit is kept but for one playout.
    `clock` gives seconds; tests put their own in.
    """

    def __init__(self, *, clock: Clock = time.perf_counter) -> None:
        self._clock = clock

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Placement:
        """A legal move; without any limit it takes `DEFAULT_ITERATIONS`. Raises `StakdError` if the game is over."""
        if milliseconds is None and iterations is None:
            iterations = DEFAULT_ITERATIONS
        budget = Budget(milliseconds=milliseconds, iterations=iterations, clock=self._clock)
        return state.placement(choose_id(state.position, fractions(rng), budget))


def choose_id(position: Position, chance: Iterator[float], budget: Budget) -> int:
    """The move as an id; an only move is given at once. Raises `StakdError` if the round is over."""
    moves = open_moves(position)
    if len(moves) == 1:
        return moves[0]
    if position.board is not None and _share_left(position) <= SOLVE_WHEN_LEFT:
        win = EndgameSolver(position.seat, budget, share=SOLVE_SHARE).winning_move(position)
        if win is not None:
            return win
    tree = Tree(position, chance)
    while budget.used < 1.0 and tree.grow():
        budget.spend(1.0)
    return tree.best()


def _share_left(position: Position) -> float:
    """Pieces in all hands, as a share of what was dealt."""
    return sum(map(sum, position.hands)) / (sum(position.rules.hand) * position.rules.seats)
