"""The search tree proves what can be proven."""

from __future__ import annotations

import numpy as np

from games.budget import Budget, fractions
from games.stakd.bots.endgame import EndgameSolver
from games.stakd.bots.tree import Tree
from games.stakd.position import Position
from games.stakd.rules import rules_for


def _late_position(players: int, seed: int, *, back: int) -> Position:
    rng = np.random.default_rng(seed)
    positions = [Position.deal(rules_for(players), 0)]
    while not positions[-1].over:
        positions.append(positions[-1].after(int(rng.choice(positions[-1].ids()))))
    return positions[-1 - back]


def test_growing_finds_the_forced_win() -> None:
    """Left to grow, the tree settles short endings, and agrees with exact search on who wins."""
    won = 0
    for seed in range(20):
        position = _late_position(2, seed, back=7)
        tree = Tree(position, fractions(np.random.default_rng(seed)))
        while tree.grow():
            pass
        solver = EndgameSolver(position.seat, Budget(milliseconds=None, iterations=10**9), share=1.0)
        if solver.winning_move(position) is not None:
            won += 1
            after = position.after(tree.best())
            assert after.over or EndgameSolver(after.seat, Budget(milliseconds=None, iterations=10**9), share=1.0).winning_move(after) is None
    assert won > 5


def test_the_best_move_is_legal_even_when_all_is_lost() -> None:
    """A tree whose every move is proven to lose still gives one."""
    for seed in range(20):
        position = _late_position(3, seed, back=4)
        tree = Tree(position, fractions(np.random.default_rng(seed)))
        for _ in range(30):
            tree.grow()
        assert position.allows(tree.best())


def test_solo_counts_pieces_laid() -> None:
    """Alone (S49), more tries never lay fewer pieces: the best line found is the one followed."""
    left = []
    for tries in (1, 40):
        position, chance = Position.deal(rules_for(1), 0), fractions(np.random.default_rng(2))
        while not position.over:
            tree = Tree(position, chance)
            for _ in range(tries):
                tree.grow()
            position = position.after(tree.best())
        left.append(sum(position.hands[0]))
    assert left[1] == 0 < left[0]
