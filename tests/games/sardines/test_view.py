"""What a player may know: nothing of others' hands, decks and filled orders, and all the rest."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from games.bots import bot_names, make_bot
from games.sardines.state import State
from games.sardines.view import SardinesView
from tests.games.sardines.setting import ORDERS, SARDINES, order, set_table

PLAYERS = (2, 3, 4)


def _middle(players: int, seed: int, moves: int) -> State:
    """A state after so many moves of a random game (or at its end)."""
    rng = np.random.default_rng([players, seed])
    state = State.new(players, rng=rng)
    for _ in range(moves):
        ids = state.legal_ids()
        if not ids:
            break
        state.play_id(ids[int(rng.integers(len(ids)))], rng)
    return state


def test_view_as_the_protocol_has_it() -> None:
    """The keys of the state in the same order; a length stands for each list the player may not see."""
    state = set_table([["P", "PP"], ["BP"], ["B", "G", "OP"]], completed={0: ["BBB"], 1: ["OOO", "GGG"]}, rest_to=None, to_move=1, starter=2)
    full, seen = state.to_json(), state.view(1).to_json()
    assert list(seen) == list(full)
    expected = {
        **full,
        "hands": [2, ["BP"], 3],
        "deck": len(full["deck"]),
        "order_deck": len(full["order_deck"]),
        "completed": [1, [order("OOO"), order("GGG")], 0],
    }
    assert seen == expected


@pytest.mark.parametrize("players", PLAYERS)
def test_hidden_cards_change_nothing(players: int) -> None:
    """States that differ in hidden cards alone give byte-equal views, and every bot chooses alike with the same generator (D18, D22)."""
    rng = np.random.default_rng(players)
    different = 0
    for seed in range(12):
        state = _middle(players, seed, moves=6 * seed)
        player = state.to_move
        text = json.dumps(state.view(player).to_json())
        for _ in range(5):
            other = State.determinize(state.view(player), rng)
            different += other.to_json() != state.to_json()
            assert json.dumps(other.view(player).to_json()) == text
            if not state.over:
                assert _choices(other) == _choices(state)
    assert different > 50


def test_open_cards_change_the_view() -> None:
    """What lies open or belongs to the player does show."""
    one = set_table([["P"], ["G"]])
    for other in (
        set_table([["PP"], ["G"]]),
        set_table([["P"], ["G", "O"]]),
        set_table([["P"], ["G"]], discard=("OP",)),
        set_table([["P"], ["G"]], market=("BB", "B", "G", "GO", "O")),
        set_table([["P"], ["G"]], completed={0: ["BBB"]}),
        set_table([["P"], ["G"]], completed={1: ["BBB"]}),
        set_table([["P"], ["G"]], starter=1),
    ):
        assert other.view(0).to_json() != one.view(0).to_json()


def test_view_has_no_way_back() -> None:
    """A view is made of numbers and tuples of numbers only: nothing in it leads to a state or a position."""
    view = _middle(3, 0, 20).view(0)
    for field in dataclasses.fields(view):
        value = getattr(view, field.name)
        parts = value if isinstance(value, tuple) else (value,)
        assert type(value) in (int, tuple)
        assert all(type(part) is int for part in parts)
    assert not hasattr(view, "__dict__")


@pytest.mark.parametrize("players", PLAYERS)
def test_view_knows_the_players_moves(players: int) -> None:
    """From the view alone come the same moves as from the state, and none for others."""
    for moves in range(0, 90, 7):
        state = _middle(players, moves, moves)
        for player in range(players):
            view = state.view(player)
            assert view.legal_moves() == state.legal_moves(player)
            assert (view.over, view.final_round) == (state.over, state.position.final_round)


@pytest.mark.parametrize("players", PLAYERS)
def test_determinized_states_are_whole(players: int) -> None:
    """Every card is there once, and loading finds nothing wrong."""
    rng = np.random.default_rng(players)
    for moves in range(0, 100, 5):
        state = _middle(players, moves, moves)
        for player in range(players):
            data = State.determinize(state.view(player), rng).to_json()
            State.from_json(data)
            cards = [*data["market"], *data["deck"], *data["discard"], *(card for hand in data["hands"] for card in hand)]
            assert Counter(cards) == SARDINES


def test_determinize_deals_all_that_is_hidden() -> None:
    """Over many tries each unseen card comes to another's hand and to the top of the deck, each unseen order to both places."""
    state = set_table([["P", "P"], ["G", "GG"]], completed={1: ["BBB"]})
    view = state.view(0)
    hands, tops, filled, orders = set(), set(), set(), set()
    rng = np.random.default_rng(0)
    for _ in range(600):
        data = State.determinize(view, rng).to_json()
        hands |= set(data["hands"][1])
        tops.add(data["deck"][0])
        filled.add(json.dumps(data["completed"][1][0]))
        orders.add(json.dumps(data["order_deck"][0]))
    assert hands == tops == set(SARDINES)
    unseen = {json.dumps(order(short)) for short in ORDERS} - {json.dumps(entry) for entry in state.to_json()["orders"]}
    assert filled == orders == unseen


def test_bots_ask_for_nothing_but_the_view() -> None:
    """Bots choose as ever from an object that gives them no more than the player to move and his view."""
    state = _middle(3, 1, 11)
    view = state.view(state.to_move)

    class Curtain:
        """Shows who is to move, and the view."""

        to_move = state.to_move

        def view(self, player: int) -> SardinesView:
            """The view of the player to move."""
            assert player == self.to_move
            return view

    assert _choices(Curtain()) == _choices(state)


def _choices(state: Any) -> list[str]:
    """What each bot chooses, all with the same chance and a little thinking."""
    return [str(make_bot("sardines", name).choose(state, np.random.default_rng(1), iterations=10)) for name in bot_names("sardines")]
