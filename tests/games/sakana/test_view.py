"""What one player may know, and states that fit it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from games.bots import bot_names, make_bot
from games.sakana.deck import bits
from games.sakana.position import Position
from games.sakana.state import State
from tests.games.sakana.conftest import is_whole

Setting = Callable[..., State]


def _moments(players: int, *, games: int = 3) -> Iterator[State]:
    """States from the course of random games, the last one of each included."""
    rng = np.random.default_rng(players)
    for _ in range(games):
        state = State.new(players, rng=rng)
        while not state.over:
            if rng.random() < 0.2:
                yield state
            moves = state.position.plays()
            state.play_cards(moves[int(rng.integers(len(moves)))], rng)
        yield state


def test_as_the_protocol_shows(table: Setting) -> None:
    """The keys of the state; hidden lists are replaced by their length, of the draw pile all but the Catch of the Day (RULES K27)."""
    state = table((2, "U4 S4"), hands=("E3 C1", "T1 T2 P5", "S6 S7"), draw="T4 C8", discard="E7 P7", dealer=2, rest="banked")
    seen = state.view(1).to_json()
    assert list(seen) == list(state.to_json())
    assert seen["hands"] == [2, ["P5", "T1", "T2"], 2]
    assert (seen["draw"], seen["discard"], seen["banked"]) == (["T4", 1], 2, [0, 0, 35])
    same = ["game", "players", "options", "round", "dealer", "to_move", "stacks", "exhaustions", "scores"]
    assert all(seen[key] == state.to_json()[key] for key in same)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hidden_cards_make_no_difference(players: int) -> None:
    """States that differ only in hidden cards look the same, byte for byte, and bots choose the same in them (R01)."""
    rng = np.random.default_rng(players)
    differed = 0
    for state in _moments(players):
        for player in range(players):
            view = state.view(player)
            other = State.determinize(view, rng)
            differed += other.to_json() != state.to_json()
            assert other.view(player) == view
            assert json.dumps(other.view(player).to_json()) == json.dumps(view.to_json())
            assert other.legal_moves(player) == state.legal_moves(player)
            if player == state.to_move and not state.over:
                for name in bot_names("sakana"):
                    one, two = (make_bot("sakana", name).choose(each, np.random.default_rng(7), iterations=3) for each in (state, other))
                    assert one == two
    assert differed > 100


def test_public_change_shows(table: Setting) -> None:
    """A change that all can see is in the view (R01)."""
    state = table(hands=("E3 C1", "T1 T2 P5", "S6 S7"), draw="T4 C8")
    before = state.view(1).to_json()
    state.play("pass")
    after = state.view(1).to_json()
    assert (before["draw"][0], after["draw"][0], before["hands"][0], after["hands"][0]) == ("T4", "C8", 2, 3)


def test_no_way_back() -> None:
    """A view holds plain values only, no state, position or generator from which hidden cards could be had (R01)."""
    view = State.new(3, rng=np.random.default_rng(0)).view(0)
    assert not hasattr(view, "__dict__")

    def parts(value: object) -> Iterator[object]:
        yield value
        if isinstance(value, tuple):
            for part in value:
                yield from parts(part)

    values = [part for field in dataclasses.fields(view) for part in parts(getattr(view, field.name))]
    assert all(isinstance(value, (int, tuple, type(None))) for value in values)
    assert not any(isinstance(value, Position) for value in values)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_determinized_states_fit(players: int) -> None:
    """A state made from a view has every card once, what the player sees where he sees it, and can be played on."""
    rng = np.random.default_rng(players)
    for state in _moments(players, games=1):
        view = state.view(state.to_move)
        made = State.determinize(view, rng)
        data = made.to_json()
        assert is_whole(data)
        assert data["hands"][state.to_move] == state.hand(state.to_move)
        assert State.from_json(data).to_json() == data
        assert made.outcome() == state.outcome()
        if not made.over:
            made.play("pass", rng=rng)


def test_determinize_reaches_every_hidden_place() -> None:
    """A card that is not seen can turn up in every hidden zone, and one that is seen in none."""
    state = next(state for state in _moments(3) if state.position.banked[0] and len(state.position.discard) > 3 and len(state.position.draw) > 3)
    view = state.view(1)
    unseen = view.unseen()
    card = (unseen & -unseen).bit_length() - 1
    zones = set()
    for seed in range(200):
        position = State.determinize(view, np.random.default_rng(seed)).position
        hidden = {"hand 0": position.hands[0], "hand 2": position.hands[2], "draw": bits(position.draw), "discard": bits(position.discard)}
        hidden |= {f"banked {seat}": bits(cards) for seat, cards in enumerate(position.banked)}
        zones |= {name for name, cards in hidden.items() if cards >> card & 1}
        assert not position.hands[1] & unseen
    assert {"hand 0", "hand 2", "draw", "discard", "banked 0"} <= zones


def test_view_knows_the_legal_moves_of_its_player(table: Setting) -> None:
    """Who is to move has the state's moves, the others none."""
    state = table((2, "U4 S4"), hands=("E4 C8 S8", "T1 T2 P5", "S6 S7"), draw="T4 C5")
    assert state.view(0).plays() == state.position.plays()
    assert state.view(1).plays() == []
