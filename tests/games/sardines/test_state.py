"""Playing whole games: no card is lost, every move can be taken back, the seed decides all."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from games.cards import NoGenerator
from games.errors import IllegalMove, NoSuchSeat, NothingToUndo
from games.sardines import tables
from games.sardines.position import Position
from games.sardines.state import State
from tests.games.sardines.setting import ORDERS, SARDINES, order, set_table

GAMES = 300
_CARDS = sorted(SARDINES.elements())
_ORDERS = sorted(json.dumps(order(short)) for short in ORDERS)


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def _random_move(state: State, rng: np.random.Generator) -> int:
    moves = state.legal_ids()
    return moves[int(rng.integers(len(moves)))]


def _zones(position: Position) -> tuple[list[int], list[int]]:
    """All sardine cards and all orders, zone by zone."""
    cards = [*position.market, *position.discard, *position.deck[position.top :]]
    for hand in position.hands:
        cards += tables.listed(hand)
    orders = [*position.orders, *position.order_deck[position.order_top :]]
    for filled in position.completed:
        orders += filled
    return sorted(cards), sorted(orders)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_are_conserved(players: int) -> None:
    """After each act of random games all zones together hold every card once, market and row are full, hands within the limit."""
    cards = [card for card, count in enumerate(tables.COUNTS) for _ in range(count)]
    orders = [entry for entry, count in enumerate(tables.ORDER_COUNTS) for _ in range(count)]
    reshuffles = 0
    for seed in range(GAMES):
        rng = np.random.default_rng([players, seed])
        state = State.new(players, rng=rng)
        while not state.over:
            before = state.position
            state.play_id(_random_move(state, rng), rng)
            position = state.position
            assert _zones(position) == (cards, orders)
            assert len(position.market) == 5
            assert len(position.orders) == 4 or position.final_round
            assert all(tables.number(hand) <= 6 + (seat == position.to_move) * position.must_discard for seat, hand in enumerate(position.hands))
            reshuffles += position.deck is not before.deck
    assert reshuffles >= GAMES


@pytest.mark.parametrize("players", [2, 3, 4])
def test_states_come_back_from_json(players: int) -> None:
    """A state saved after each act and loaded again is the same, all cards as listed, and goes on the same."""
    for seed in range(8):
        rng = _rng(seed)
        state = State.new(players, rng=rng)
        while not state.over:
            text = json.dumps(state.to_json())
            data = json.loads(text)
            again = State.from_json(data)
            assert json.dumps(again.to_json()) == text
            assert sorted([*data["market"], *data["deck"], *data["discard"], *(card for hand in data["hands"] for card in hand)]) == _CARDS
            shown = [*data["orders"], *data["order_deck"], *(entry for filled in data["completed"] for entry in filled)]
            assert sorted(map(json.dumps, shown)) == _ORDERS
            move = _random_move(state, rng)
            chance = int(rng.integers(2**62))
            assert state.play(state.move(move), rng=_rng(chance)) == again.play(again.move(move), rng=_rng(chance))
            assert again.to_json() == state.to_json()
        assert State.from_json(state.to_json()).outcome() == state.outcome() is not None


def test_undo_goes_back_to_the_start() -> None:
    """Every move of whole games can be taken back, one by one, reshuffles, discards and the end included."""
    for players in (2, 3, 4):
        rng = _rng(players)
        state = State.new(players, rng=rng)
        past = []
        while not state.over:
            past.append(state.to_json())
            state.play(state.move(_random_move(state, rng)), rng=rng)
        while past:
            state.undo()
            assert state.to_json() == past.pop()
        with pytest.raises(NothingToUndo):
            state.undo()


def test_copies_are_independent() -> None:
    """What is played or taken back on a copy leaves the first as it was, and the copy knows the way back."""
    rng = _rng()
    state = State.new(3, rng=rng)
    first = state.to_json()
    state.play_id(_random_move(state, rng), rng)
    data = state.to_json()
    copy = state.copy()
    copy.play_id(_random_move(copy, rng), rng)
    assert state.to_json() == data
    copy.undo()
    copy.undo()
    assert (copy.to_json(), state.to_json()) == (first, data)


def test_refused_moves_change_nothing() -> None:
    """An illegal move leaves state and way back as they were."""
    state = set_table([["P"], []])
    before = state.to_json()
    for move in ("gather P", "fill 1 P", "discard P", "pass", "nonsense"):
        with pytest.raises(IllegalMove):
            state.play(move)
    assert state.to_json() == before
    with pytest.raises(NothingToUndo):
        state.undo()


def test_shuffling_needs_a_generator() -> None:
    """Without a generator the move that needs a shuffle is refused and changes nothing; other moves don't need one."""
    state = set_table([["P", "PP"], []], market=("B", "BB", "G", "GO", "O"), no_deck=True)
    before = state.to_json()
    with pytest.raises(NoGenerator):
        state.play("gather BB")
    assert state.to_json() == before
    state.play("fill 1 P PP")


def test_seats() -> None:
    """Nobody but the player to move has moves, and a seat that is not there is refused."""
    state = set_table([["P"], ["G"]], to_move=1)
    assert state.legal_moves(0) == []
    assert state.legal_moves(1) == state.legal_moves() != []
    (broken,) = state.explain("gather BB", player=0)
    assert broken.code == "not-your-turn"
    with pytest.raises(IllegalMove):
        state.play("gather BB", player=0)
    for player in (-1, 2):
        for ask in (state.legal_moves, state.view):
            with pytest.raises(NoSuchSeat):
                ask(player)
        with pytest.raises(NoSuchSeat):
            state.explain("gather BB", player=player)


def test_find() -> None:
    """A move's text and its id are two names of the same move; what is not legal has no id."""
    rng = _rng(4)
    state = State.new(2, rng=rng)
    while not state.over:
        for move in state.legal_ids():
            assert state.find(str(state.move(move))) == move
        state.play_id(_random_move(state, rng), rng)
    assert state.find("gather BB") is None
    assert set_table().find("gather P") is None


def _log(seed: int, players: int) -> str:
    """A whole random game as text, chance and choices by one seed."""
    rng = _rng(seed)
    state = State.new(players, rng=rng)
    lines = [state.to_json()]
    while not state.over:
        state.play_id(_random_move(state, rng), rng)
        lines.append(state.to_json())
    return json.dumps(lines)


def test_the_seed_decides() -> None:
    """The same seed gives the same game in a process with another hash seed, another seed another game (seed 0 is a seed)."""
    program = (
        "import hashlib; from tests.games.sardines.test_state import _log; print(hashlib.sha256((_log(0, 3) + _log(7, 4)).encode()).hexdigest())"
    )
    root = Path(__file__).parents[3]
    digests = {hashlib.sha256((_log(0, 3) + _log(7, 4)).encode()).hexdigest()}
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=root, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True
        )
        digests.add(done.stdout.strip())
    assert len(digests) == 1
    assert _log(0, 3) != _log(1, 3)


def test_all_orders_of_a_game_are_different_cards() -> None:
    """Over many deals every card comes up in the first market and every order in the first row: the shuffle reaches all."""
    markets: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    for seed in range(400):
        data = State.new(2, rng=_rng(seed)).to_json()
        markets.update(data["market"])
        rows.update(map(json.dumps, data["orders"]))
    assert set(markets) == set(SARDINES)
    assert set(rows) == set(_ORDERS)
    assert all(40 < count < 130 for count in rows.values())
