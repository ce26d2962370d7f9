"""The strong bot: by the rules, repeatable, on time, and strong."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from games.arena import play_arena
from games.stakd.bots.mcts import MctsBot
from games.stakd.bots.quick import RandomBot
from games.stakd.state import State
from meshes.errors import StakdError
from meshes.piece_set import load_piece_set


class _TickingClock:
    """A clock on which every look takes a millisecond."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 1000


def _state_after(moves: int, *, players: int = 2, seed: int = 0) -> State:
    state, rng = State.new(players), np.random.default_rng(seed)
    for _ in range(moves):
        state.play(RandomBot().choose(state, rng))
    return state


@pytest.mark.parametrize("set_name", ["classic", "square"])
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_moves_are_legal(set_name: str, players: int) -> None:
    """A whole round by the rules, with every set and number of players; the state given stays as it was."""
    state, rng = State.new(players, piece_set=load_piece_set(set_name)), np.random.default_rng(players)
    while state.round == 1 and not state.over:
        before = state.to_json()
        move = MctsBot().choose(state, rng, iterations=4)
        assert state.to_json() == before
        assert not state.explain(move)
        state.play(move)


def test_the_same_seed_gives_the_same_move() -> None:
    """State, generator and iterations fix the move; what the bot thought about before doesn't matter."""
    bot, state = MctsBot(), _state_after(8)
    first = bot.choose(state, np.random.default_rng(5), iterations=60)
    bot.choose(_state_after(20), np.random.default_rng(6), iterations=20)
    assert bot.choose(state, np.random.default_rng(5), iterations=60) == first


def test_the_same_seed_gives_the_same_round_in_another_process() -> None:
    """Python's changing hash seeds don't reach the bot."""
    program = (
        "import numpy as np\nfrom games.stakd.bots.mcts import MctsBot\nfrom games.stakd.state import State\n"
        "state, rng = State.new(2), np.random.default_rng(4)\n"
        "while state.round == 1:\n    move = MctsBot().choose(state, rng, iterations=8)\n    print(move)\n    state.play(move)\n"
    )
    rounds = {
        subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(rounds) == 1
    assert len(rounds.pop().splitlines()) > 20


@pytest.mark.parametrize("moves", [2, 8, 24])
def test_a_time_limit_is_kept(moves: int) -> None:
    """The clock is looked at between any two playouts and any two positions of exact search, and ends both."""
    clock = _TickingClock()
    MctsBot(clock=clock).choose(_state_after(moves), np.random.default_rng(0), milliseconds=40)
    assert clock.looks <= 42


def test_an_only_move_is_made_at_once() -> None:
    """The first BASE has one place; no time is spent on it however much there is."""
    clock, state = _TickingClock(), State.new(2)
    assert [MctsBot(clock=clock).choose(state, np.random.default_rng(0), milliseconds=10**9)] == state.legal_moves()
    assert clock.looks <= 1


def test_a_won_ending_ends_the_thinking() -> None:
    """Once a win is proven the move is made, however much thinking is allowed."""
    rng, ended = np.random.default_rng(0), 0
    for seed in range(30):
        state = _state_after(0, seed=seed)
        while state.round == 1:
            last = state.copy()
            state.play(RandomBot().choose(state, rng))
        clock = _TickingClock()
        last.play(MctsBot(clock=clock).choose(last, rng, milliseconds=10**9))
        ended += last.round == 2
    assert ended == 30


def test_beats_random() -> None:
    """Even with a hundredth of a second's thinking it wins nearly always: the lower end of the interval is beyond luck."""
    result = play_arena(["mcts", "random"], 12, seed=1, iterations=20, processes=1)
    assert result.standings[0].low > 0.55


def test_lays_all_pieces_alone() -> None:
    """Solo is won by laying everything (S49), which the bot does."""
    state, rng = State.new(1), np.random.default_rng(0)
    while not state.over:
        state.play(MctsBot().choose(state, rng, iterations=30))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (0,)


def test_a_finished_game_has_no_move_to_choose() -> None:
    """Asking after the end says so."""
    state, rng = State.new(1), np.random.default_rng(0)
    while not state.over:
        state.play(RandomBot().choose(state, rng))
    with pytest.raises(StakdError, match="the game is over"):
        MctsBot().choose(state, rng)
