"""What one player may know: no more than he could see at the table, and the bots know no more either."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from games.errors import IllegalMove
from games.sakapuss.bots import BOTS
from games.sakapuss.state import State
from meshes.errors import StakdError

Setting = Callable[..., State]


def test_hidden_cards_are_numbers(table: Setting) -> None:
    """Other hands show their size, another's chosen card that it lies there, the pile how high it is (P4, P20)."""
    view = table("AABC AABC BBCC", chosen=["A", None, "C"], front=["", "L2", ""]).view(0).to_json()
    assert view["hands"] == [["A", "A", "B", "C"], 4, 4]
    assert (view["chosen"], view["pile"], view["front"]) == (["A", None, 1], 24, [[], ["L2"], []])


def test_views_keep_the_keys_of_the_state(table: Setting) -> None:
    """A front end reads both alike."""
    state = table("AABC AABC BBCC")
    assert list(state.view(1).to_json()) == list(state.to_json())


def test_views_are_equal_when_only_hidden_cards_differ(table: Setting) -> None:
    """Other hands, what others chose and the order of the pile make no difference at all; an open card does."""
    one = table("AABC AABC BBCC", pile="L1 iF", chosen=[None, "A", None], front=["", "", "K2"])
    two = table("AABC BBCC AABC", pile="shower K1", chosen=[None, "C", None], front=["", "", "K2"])
    three = table("AABC AABC BBCC", chosen=[None, "A", None], front=["", "", "K3"])
    assert one.view(0) == two.view(0)
    assert json.dumps(one.view(0).to_json()) == json.dumps(two.view(0).to_json())
    assert one.view(0) != three.view(0)


@pytest.mark.parametrize("name", BOTS)
def test_bots_choose_alike_in_states_with_equal_views(table: Setting, name: str) -> None:
    """What is hidden from its player can't change what a bot does."""
    one = table("AABC AABC BBCC", pile="L1 iF", chosen=[None, "A", None])
    for seed in range(30):
        rng = np.random.default_rng(seed)
        two = State.determinize(one.view(0), rng)
        moves = {str(BOTS[name]().choose(state, np.random.default_rng(seed), player=0)) for state in (one, two)}
        assert len(moves) == 1


class Blindfold:
    """A state of which nothing but the view of one player can be had."""

    def __init__(self, state: State) -> None:
        self.view = state.view


@pytest.mark.parametrize("name", BOTS)
def test_bots_ask_for_nothing_but_the_view(table: Setting, name: str) -> None:
    """A bot works with a state that has only views."""
    state = table("AABC AABC BBCC")
    move = BOTS[name]().choose(Blindfold(state), np.random.default_rng(0), player=0)
    assert not state.explain(move, player=0)


def test_determinized_states_fit_the_view() -> None:
    """All cards are there, who called holds four alike, and the player sees what he saw before, in all moments of random games."""
    rng = np.random.default_rng(11)
    for players in (3, 4, 5):
        state = State.new(players, rng=rng)
        for _ in range(300):
            for player in range(players):
                view = state.view(player)
                guessed = State.determinize(view, rng)
                assert guessed.view(player) == view
                assert State.from_json(guessed.to_json()).to_json() == guessed.to_json()
            movable = [(player, move) for player in range(players) for move in state.legal_moves(player)]
            if not movable:
                break
            player, move = movable[int(rng.integers(len(movable)))]
            state.play(move, player=player, rng=rng)


def test_determinizing_deals_all_that_is_hidden(table: Setting) -> None:
    """Every card that could be in another hand or lie on top of the pile turns up there."""
    view = table("AABC AABC BBCC", front=["", "", "K2 K2"], chosen=[None, "A", None]).view(0)
    rng = np.random.default_rng(5)
    guesses = [State.determinize(view, rng).to_json() for _ in range(400)]
    assert {guess["chosen"][1] for guess in guesses} == {"A", "B", "C"}
    assert len({guess["pile"][0] for guess in guesses}) == len(set(guesses[0]["pile"]))
    assert len({tuple(guess["hands"][2]) for guess in guesses}) > 5


def test_a_view_knows_the_players_moves(table: Setting) -> None:
    """They are those of the state."""
    state = table("AAAA BBBC BCCC", slapped=[0])
    assert [state.view(player).legal_moves() for player in range(3)] == [state.legal_moves(player) for player in range(3)]


def test_greedy_slaps_when_it_should(table: Setting) -> None:
    """With four alike in hand, after its own choice too, and when somebody has called (P6, P9)."""
    bot, rng = BOTS["greedy"](), np.random.default_rng(0)
    assert str(bot.choose(table("AAAA BBBC BCCC"), rng, player=0)) == "slap"
    assert str(bot.choose(table("AAAA BBBC BCCC", chosen=["A", None, None]), rng, player=0)) == "slap"
    assert str(bot.choose(table("AAAA BBBC BCCC", slapped=[0]), rng, player=2)) == "slap"


def test_greedy_passes_what_it_holds_fewest_of(table: Setting) -> None:
    """It collects the cat of which it has most; among equals it draws lots, so that nobody passes the same cards for ever (P28)."""
    bot = BOTS["greedy"]()

    def passed(hands: str) -> Counter[str]:
        return Counter(str(bot.choose(table(hands), np.random.default_rng(seed), player=0)) for seed in range(40))

    assert passed("AAAB BBCC ABCC") == {"pass B": 40}
    assert set(passed("AABC AABC BBCC")) == {"pass B", "pass C"}
    assert set(passed("AABB ABCC ABCC")) == {"pass A", "pass B"}


def test_random_makes_any_move_that_is_no_mistake(table: Setting) -> None:
    """It may pass on a cat of four alike, but it slaps only with four alike or after a call."""
    bot = BOTS["random"]()

    def moves(state: State) -> set[str]:
        return {str(bot.choose(state, np.random.default_rng(seed), player=0)) for seed in range(60)}

    assert moves(table("AABC AABC BBCC")) == {"pass A", "pass B", "pass C"}
    assert moves(table("AAAA BBBC BCCC")) == {"pass A", "slap"}
    assert moves(table("BBBC AAAA BCCC", slapped=[1])) == {"slap"}


@pytest.mark.parametrize("name", BOTS)
def test_bots_say_when_they_would_rather_wait(table: Setting, name: str) -> None:
    """Who has chosen could only slap wrongly; who has slapped can do nothing."""
    bot, rng = BOTS[name](), np.random.default_rng(0)
    with pytest.raises(IllegalMove, match="waits for the others"):
        bot.choose(table("AABC AABC BBCC", chosen=["A", None, None]), rng, player=0)
    with pytest.raises(StakdError, match="has slapped"):
        bot.choose(table("AAAA BBBC BCCC", slapped=[0]), rng, player=0)
