"""The bots: legal, sound, the same choice for the same generator."""

from __future__ import annotations

import numpy as np
import pytest

from games.bots import bot_names, make_bot
from games.sardines.state import State
from meshes.errors import StakdError
from tests.games.sardines.setting import ORDERS, set_table

GAMES = 40


def _winners(names: list[str], seed: int) -> tuple[int, ...]:
    """The seats that won a game between these bots, each with chance of its own."""
    rng = np.random.default_rng(seed)
    state = State.new(len(names), rng=rng)
    streams = [np.random.default_rng([seed, seat]) for seat in range(len(names))]
    bots = [make_bot("sardines", name) for name in names]
    while not state.over:
        seat = state.to_move
        before = state.to_json()
        move = bots[seat].choose(state, streams[seat])
        assert state.to_json() == before
        assert move in state.legal_moves()
        state.play(move, rng=rng)
    return state.outcome().winners


def test_names() -> None:
    """The bots of the game, weakest first."""
    assert bot_names("sardines")[:2] == ("random", "greedy")


def test_greedy_beats_random() -> None:
    """`greedy` wins at least 80 % of two-player games against `random`, seats changing."""
    wins = sum(_winners(["greedy", "random"] if seed % 2 else ["random", "greedy"], seed) == (0 if seed % 2 else 1,) for seed in range(GAMES))
    assert wins >= 0.8 * GAMES


@pytest.mark.parametrize("players", [3, 4])
def test_games_of_bots_end(players: int) -> None:
    """Bots play games of every size to the end with legal moves only."""
    for seed in range(5):
        assert _winners([("random", "greedy")[seat % 2] for seat in range(players)], seed)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_same_generator_same_choice(name: str) -> None:
    """State and generator fix the choice; `random` reaches every legal move."""
    state = set_table([["P", "PP", "BB", "GG"], []])
    choices = [str(make_bot("sardines", name).choose(state, np.random.default_rng(seed))) for seed in range(200)]
    again = [str(make_bot("sardines", name).choose(state, np.random.default_rng(seed))) for seed in range(200)]
    assert choices == again
    if name == "random":
        assert set(choices) == {str(move) for move in state.legal_moves()}


def test_nothing_to_choose_after_the_end() -> None:
    """Asked for a move when the game is over, bots say so."""
    state = set_table([["B"], ["O"]], rest_to=1)
    for name in ("random", "greedy"):
        with pytest.raises(StakdError, match="over"):
            make_bot("sardines", name).choose(state, np.random.default_rng(0))


def _greedy(state: State) -> str:
    return str(make_bot("sardines", "greedy").choose(state, np.random.default_rng(0)))


def test_greedy_fills_the_dearer_order() -> None:
    """Of two orders the same cards can pay it takes the one with more points."""
    assert _greedy(set_table([["BB", "GG"], []], row=("mixed 2", "BBGG", "PPP", "OOO"))) == "fill 1 BB GG"


def test_greedy_pays_without_waste() -> None:
    """It pays with the three fish asked for rather than with four."""
    assert _greedy(set_table([["P", "P", "P", "PP", "PP"], []], row=("PPP", "BBOOP", "OOO", "BBB"))) in ("fill 0 P P P", "fill 0 P PP")


def test_greedy_gathers_what_an_order_needs() -> None:
    """With two pink fish in hand and pink in the market it takes the pink that completes five points."""
    state = set_table([["B", "GG"], []], market=("OO", "PP", "BB", "GO", "O"), row=("BGGPP", "OOO", "BBOO", "GGOO"))
    assert _greedy(state) == "gather PP"


def test_greedy_discards_what_it_needs_least() -> None:
    """At the hand limit it throws away a card no order in the row can use."""
    hand = ["BB", "GG", "OO", "OO", "B", "G", "P"]
    assert _greedy(set_table([hand, []], market=("BG", "BO", "GO", "GP", "BP"), row=("BBGG", "GGOO", "BBOO", "BBGGO"), must_discard=1)) == "discard P"


def test_greedy_takes_points_on_its_last_turn() -> None:
    """On the last turn only points count: it fills whatever it can, the dearest first."""
    row = ("special 2", "mixed 3", "BBGG", "GOOPP")
    state = set_table([["B"], ["BB", "GG", "O"]], row=row, rest_to=0, to_move=1)
    assert len(ORDERS) == 20
    assert _greedy(state) == "fill 2 BB GG"
