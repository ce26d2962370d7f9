"""Exact search near the end agrees with plain exhaustive search."""

from __future__ import annotations

import numpy as np
import pytest

from games.budget import Budget
from games.stakd.bots.endgame import EndgameSolver
from games.stakd.position import Position
from games.stakd.rules import rules_for
from meshes.piece_set import load_piece_set


def _solver(position: Position, iterations: int = 10**9) -> EndgameSolver:
    return EndgameSolver(position.seat, Budget(milliseconds=None, iterations=iterations), share=1.0)


def _random_round(players: int, set_name: str, seed: int) -> list[Position]:
    rng = np.random.default_rng(seed)
    positions = [Position.deal(rules_for(players, piece_set=load_piece_set(set_name)), 0)]
    while not positions[-1].over:
        positions.append(positions[-1].after(int(rng.choice(positions[-1].ids()))))
    return positions


def _forces(position: Position, seat: int) -> bool:
    """Whether `seat` wins against all others together: every line followed to its end, nothing remembered or ordered."""
    if position.over:
        return position.winner == seat
    results = (_forces(position.after(move), seat) for move in position.ids())
    return any(results) if position.seat == seat else all(results)


@pytest.mark.parametrize(("players", "set_name"), [(1, "classic"), (2, "classic"), (2, "square"), (3, "classic"), (5, "square")])
def test_agrees_with_exhaustive_search(players: int, set_name: str) -> None:
    """A win is found exactly when there is one, and the move given keeps it."""
    answers = set()
    for seed in range(25):
        positions = _random_round(players, set_name, seed)
        position = positions[max(len(positions) - 6, players * 2)]
        if position.over:
            continue
        move = _solver(position).winning_move(position)
        answers.add(move is not None)
        assert (move is not None) == _forces(position, position.seat)
        assert move is None or _forces(position.after(move), position.seat)
    assert answers == {True, False}


def test_gives_up_when_the_budget_is_spent() -> None:
    """A search far too large ends with no answer instead of running on."""
    position = _random_round(2, "classic", 0)[6]
    budget = Budget(milliseconds=None, iterations=100)
    assert EndgameSolver(position.seat, budget, share=0.3).winning_move(position) is None
    assert 0.3 <= budget.used < 0.32
