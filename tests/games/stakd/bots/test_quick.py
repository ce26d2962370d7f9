"""The quick bots."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from games.stakd.bots.quick import GreedyBot, RandomBot
from games.stakd.state import State
from meshes.errors import StakdError
from meshes.piece_set import load_piece_set
from meshes.placement import Placement

Setting = Callable[..., State]

A = "BASE 0,0 0,1 1,0 1,1 2,0"
B = "BASE 2,1 3,0 3,1 4,-1 4,0"


@pytest.mark.parametrize("set_name", ["classic", "square"])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_moves_are_legal(set_name: str, players: int) -> None:
    """Quick bots play a whole round by the rules, with every set and number of players."""
    state, rng = State.new(players, piece_set=load_piece_set(set_name)), np.random.default_rng(players)
    bots = (GreedyBot(), RandomBot())
    while state.round == 1 and not state.over:
        move = bots[state.to_move % 2].choose(state, rng)
        assert not state.explain(move)
        state.play(move)


def test_greedy_takes_a_win_at_once() -> None:
    """Where some moves end the round and others don't, greedy makes one that does."""
    found = 0
    for seed in range(25):
        for state, wins in _winning_positions(seed):
            found += 1
            assert GreedyBot().choose(state, np.random.default_rng(seed)) in wins
    assert found >= 5


def test_greedy_gets_rid_of_large_pieces_first(table: Setting) -> None:
    """With the table empty but for the bases, it opens with a QUAD: it is the hardest to place later (S31)."""
    state = table([A, B])
    assert GreedyBot().choose(state, np.random.default_rng(0)).piece == "QUAD"


def test_greedy_breaks_ties_by_the_generator() -> None:
    """Two bases can lie in 50 ways that look alike (S7); seeds choose among them, one seed always alike."""
    state = State.new(2)
    state.play(state.legal_moves()[0])
    chosen = [GreedyBot().choose(state, np.random.default_rng(seed)) for seed in range(20)]
    assert len(set(chosen)) > 10
    assert chosen == [GreedyBot().choose(state, np.random.default_rng(seed)) for seed in range(20)]


def test_random_reaches_every_move() -> None:
    """All legal moves have a chance."""
    state, rng = State.new(2), np.random.default_rng(0)
    state.play(state.legal_moves()[0])
    chosen = {RandomBot().choose(state, rng) for _ in range(1000)}
    assert chosen == set(state.legal_moves())


@pytest.mark.parametrize("bot", [GreedyBot(), RandomBot()])
def test_a_finished_game_has_no_move_to_choose(bot: GreedyBot | RandomBot) -> None:
    """Asking a bot after the end says so."""
    state, rng = State.new(1), np.random.default_rng(0)
    while not state.over:
        state.play(RandomBot().choose(state, rng))
    with pytest.raises(StakdError, match="the game is over"):
        bot.choose(state, rng)


def _winning_positions(seed: int) -> list[tuple[State, set[Placement]]]:
    """Positions of a random round in which some moves, but not all, end the round; with those moves."""
    state, rng = State.new(2), np.random.default_rng(seed)
    found = []
    while state.round == 1:
        wins = {state.placement(move) for move in state.legal_ids() if state.position.after(move).over}
        if 0 < len(wins) < len(state.legal_ids()):
            found.append((state.copy(), wins))
        state.play(RandomBot().choose(state, rng))
    return found
