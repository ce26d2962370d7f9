"""The bots of Sakana Stack that don't search."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from games.bots import Bot, bot_names
from games.sakana.bots import GreedyBot, RandomBot
from games.sakana.state import State
from games.sakana.view import SakanaView
from meshes.errors import StakdError

Setting = Callable[..., State]


def _scores(bots: tuple[Bot, ...], seed: int) -> tuple[int, ...]:
    """The scores by bot of one game; who sits first changes with the seed."""
    rng = np.random.default_rng(seed)
    state = State.new(len(bots), rng=rng, starter=seed % len(bots))
    streams = [np.random.default_rng([seed, seat]) for seat in range(len(bots))]
    while not state.over:
        seat = state.to_move
        state.play(bots[seat].choose(state, streams[seat]), rng=rng)
    return state.position.scores


def _choice(state: State) -> str:
    return str(GreedyBot().choose(state, np.random.default_rng(0)))


def test_weakest_first() -> None:
    """People choose among these names, in this order."""
    assert bot_names("sakana")[:2] == ("random", "greedy")


def test_greedy_beats_random() -> None:
    """Of 40 games of two players greedy wins at least 80 %."""
    results = [_scores((GreedyBot(), RandomBot()), seed) for seed in range(40)]
    assert sum(mine > theirs for mine, theirs in results) >= 32


@pytest.mark.parametrize("players", [3, 5])
def test_greedy_beats_random_in_company(players: int) -> None:
    """Among random players greedy wins more than twice its share of games."""
    results = [_scores((GreedyBot(), *[RandomBot()] * (players - 1)), seed) for seed in range(15)]
    assert sum(scores[0] == max(scores) for scores in results) > 2 * 15 / players


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_moves_are_legal(players: int) -> None:
    """Bots play a whole game by the rules with every number of players, and leave the state as it was."""
    state, rng = State.new(players, rng=np.random.default_rng(players)), np.random.default_rng(players)
    bots: tuple[Bot, ...] = (GreedyBot(), RandomBot())
    while not state.over:
        before = state.position
        move = bots[state.to_move % 2].choose(state, rng)
        assert state.position is before
        state.play(move, rng=rng)


class _Blinkered:
    """A state that gives nothing but the view of the player to move, and who that is."""

    def __init__(self, state: State) -> None:
        self.to_move = state.to_move
        self._view = state.view(state.to_move)

    def view(self, player: int) -> SakanaView:
        """The view of the player to move only."""
        assert player == self.to_move
        return self._view


@pytest.mark.parametrize("bot", [RandomBot(), GreedyBot()])
def test_bots_use_nothing_but_the_view(bot: Bot) -> None:
    """A bot that is given only the view of the player to move chooses as it does with the state (R01)."""
    rng = np.random.default_rng(1)
    state = State.new(4, rng=rng)
    while state.position.round == 1:
        move = bot.choose(state, np.random.default_rng(5))
        assert bot.choose(_Blinkered(state), np.random.default_rng(5)) == move
        state.play(move, rng=rng)


def test_greedy_goes_out(table: Setting) -> None:
    """With its last cards making a stack that may be played, greedy plays them: the stack is banked for sure (RULES K9)."""
    state = table((1, "C4"), hands=("P4 S4", "T1 T2 P5", "S6 S7"), draw="T3 C8")
    assert _choice(state) in ("play P4 S4", "play S4 P4")


def test_greedy_does_not_feed_its_only_rival(table: Setting) -> None:
    """With two players a pass would bank four tops for the other; greedy beats the stacks instead (RULES K36)."""
    stacks = ((1, "C2 E2"), (1, "C3 E3"), (1, "U1 E1"), (1, "P5 E5"))
    state = table(*stacks, hands=("E6 T6 C1", "T1 T2"), draw="U3 C5")
    assert _choice(state) in ("play E6", "play E6 T6")


def test_greedy_takes_the_catch_when_nothing_is_live(table: Setting) -> None:
    """With a lone card that anybody beats and no stack on the table, passing costs nothing and fetches a card (RULES K11)."""
    state = table(hands=("C1 C2", "T1 T3 P5 S1 S2 S3 S4 C3 C4", "S6 S7 P1 P2 E3 E1 E2 P3 P4"), draw="T8 C8")
    assert _choice(state) == "pass"


def test_ties_are_broken_by_the_generator(table: Setting) -> None:
    """Where several moves promise the same, seeds choose among them, one seed always alike."""
    state = table((1, "C4"), hands=("P4 S4", "T1 T2 P5", "S6 S7"), draw="T3 C8")
    chosen = [str(GreedyBot().choose(state, np.random.default_rng(seed))) for seed in range(20)]
    assert set(chosen) == {"play P4 S4", "play S4 P4"}
    assert chosen == [str(GreedyBot().choose(state, np.random.default_rng(seed))) for seed in range(20)]


def test_random_reaches_every_move(table: Setting) -> None:
    """All legal moves have a chance."""
    state = table((1, "C4"), hands=("P4 S4 T1", "T2 P5", "S6 S7"), draw="T3 C8")
    rng = np.random.default_rng(0)
    assert {RandomBot().choose(state, rng) for _ in range(200)} == set(state.legal_moves())


@pytest.mark.parametrize("bot", [RandomBot(), GreedyBot()])
def test_no_move_when_the_game_is_over(table: Setting, bot: Bot) -> None:
    """A bot asked for a move after the end says so."""
    state = table(hands=("C1", "C3 P1", "C5 C6"), draw="S2 S4", rest="discard", round_number=3)
    state.play("play C1")
    with pytest.raises(StakdError, match="the game is over"):
        bot.choose(state, np.random.default_rng(0))
