"""States in protocol form: what is written, what is refused and with which words, what is accepted."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import BadState
from games.sardines.game import SardinesGame
from games.sardines.state import State
from tests.games.sardines.setting import order, set_json

Change = Callable[[dict[str, Any]], object]
HANDS = (("B", "BO", "O"), ("GP",))


def _swap(data: dict[str, Any], one: str, other: str) -> None:
    data[one], data[other] = data[other], data[one]


def _codes(data: dict[str, Any]) -> set[tuple[str, str]]:
    with pytest.raises(BadState) as refused:
        State.from_json(data)
    return {(defect.code, defect.where) for defect in refused.value.defects}


def test_keys_and_their_order() -> None:
    """A state has exactly the keys of the protocol, in its order, and orders have theirs."""
    data = State.new(3, rng=np.random.default_rng(0)).to_json()
    keys = "game players options starter to_move hands market deck discard orders order_deck completed final_round must_discard"
    assert list(data) == keys.split()
    assert all(list(entry) == ["kind", "need", "points"] for entry in data["orders"])


def test_hands_are_sorted_and_decks_are_not() -> None:
    """Hands come sorted by text; deck and discard pile keep their order, top card and first card laid first."""
    data = set_json(HANDS, deck=("OP", "BB", "G"), discard=("PP", "BG"))
    again = State.from_json(data).to_json()
    assert again == data
    assert (again["deck"][:3], again["discard"]) == (["OP", "BB", "G"], ["PP", "BG"])


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        (lambda data: data.update(extra=1), "unknown-key", "extra"),
        (lambda data: data.pop("market"), "missing-key", "market"),
        (lambda data: data["orders"][0].update(extra=1), "unknown-key", "orders[0].extra"),
        (lambda data: data["orders"][0].pop("points"), "missing-key", "orders[0].points"),
        (lambda data: data.update(game="sakana"), "bad-value", "game"),
        (lambda data: data.update(players=1), "bad-value", "players"),
        (lambda data: data.update(players=5), "bad-value", "players"),
        (lambda data: data.update(players=True), "bad-value", "players"),
        (lambda data: data.update(players=3), "wrong-length", "hands"),
        (lambda data: data.update(players=3), "wrong-length", "completed"),
        (lambda data: data.update(options={"x": 1}), "unknown-key", "options.x"),
        (lambda data: data.update(starter=2), "no-such-player", "starter"),
        (lambda data: data.update(to_move=2), "no-such-player", "to_move"),
        (lambda data: data.update(to_move=-1), "bad-value", "to_move"),
        (lambda data: data.update(to_move=None), "bad-value", "to_move"),
        (lambda data: data["hands"][0].reverse(), "unsorted-hand", "hands[0]"),
        (lambda data: data["hands"][0].remove("O"), "wrong-total", "cards.O"),
        (lambda data: data["deck"].append("BB"), "wrong-total", "cards.BB"),
        (lambda data: data["deck"].append("BBB"), "unknown-card", "cards.BBB"),
        (lambda data: data["deck"].append(3), "bad-value", f"deck[{32 - 5 - 4}]"),
        (lambda data: data["deck"].append("OB"), "unknown-card", "cards.OB"),
        (lambda data: data.update(hands=[["B", *data["hands"][0]], ["GP"]]), "wrong-total", "cards.B"),
        (lambda data: data["deck"].insert(0, data["market"].pop()), "wrong-number", "market"),
        (lambda data: data["market"].append(data["deck"].pop()), "wrong-number", "market"),
        (lambda data: data["order_deck"].append(data["orders"].pop()), "wrong-number", "orders"),
        (lambda data: data["orders"].append(data["order_deck"].pop()), "wrong-number", "orders"),
        (lambda data: data["order_deck"].append(order("BBB")), "wrong-total", "cards.regular BBB for 3"),
        (lambda data: data["completed"][0].append(order("BBGG")), "wrong-total", "cards.regular BBGG for 4"),
        (lambda data: data["order_deck"][0].update(points=9), "unknown-card", "cards.regular BBB for 9"),
        (lambda data: data["order_deck"][0].update(kind="odd"), "bad-value", "order_deck[0].kind"),
        (lambda data: data["order_deck"][0].update(need="3"), "unknown-card", "cards.regular 3 for 3"),
        (lambda data: data["order_deck"][0].update(need=3), "bad-value", "order_deck[0]"),
        (lambda data: data["orders"][2].update(need="2"), "bad-value", "orders[2]"),
        (lambda data: data.update(final_round=True), "wrong-final-round", "final_round"),
        (lambda data: data.update(final_round=0), "bad-value", "final_round"),
        (lambda data: data.update(must_discard=1), "wrong-hand-size", "hands[0]"),
        (lambda data: data.update(must_discard=3), "bad-value", "must_discard"),
        (lambda data: data.update(must_discard=-1), "bad-value", "must_discard"),
    ],
)
def test_defects_are_named(change: Change, code: str, where: str) -> None:
    """Each defect is refused by its own name at its own place."""
    data = set_json(HANDS)
    change(data)
    assert (code, where) in _codes(data)


def test_all_defects_are_named_at_once() -> None:
    """A state with several defects is refused with all of them."""
    data = set_json(HANDS)
    data["deck"].append("BB")
    data["hands"][0].reverse()
    data["final_round"] = True
    assert {code for code, _ in _codes(data)} == {"wrong-total", "unsorted-hand", "wrong-final-round"}


@pytest.mark.parametrize(("seat", "must_discard", "size"), [(0, 0, 7), (1, 0, 7), (1, 1, 7), (0, 1, 8), (0, 2, 7), (0, 1, 6)])
def test_hands_over_the_limit(seat: int, must_discard: int, size: int) -> None:
    """Nobody holds more than six cards but a player who must discard just the surplus (D13)."""
    cards = ["BG", "BP", "GG", "OO", "OP", "P", "P", "PP"][:size]
    hands = [cards, []] if seat == 0 else [[], cards]
    assert ("wrong-hand-size", f"hands[{seat}]") in _codes(set_json(hands, must_discard=must_discard))


def test_discarding_states_are_accepted() -> None:
    """A player in the middle of his turn, with one or two cards to throw away, is loaded and goes on (D13)."""
    for must_discard in (1, 2):
        cards = ["BG", "BP", "GG", "OO", "OP", "P", "P", "PP"][: 6 + must_discard]
        state = State.from_json(set_json([[], cards], to_move=1, must_discard=must_discard))
        state.play(f"discard {' '.join(cards[:must_discard])}")
        assert state.to_move == 0


def test_finished_states_are_accepted() -> None:
    """A finished game is loaded as finished, with its result."""
    state = State.from_json(set_json([["B"], ["O"]], rest_to=1))
    assert state.over
    assert state.outcome().winners == (1,)
    assert state.legal_moves() == []


def test_starter_who_must_discard_is_not_finished() -> None:
    """The game is not over before the last discard, even where only a loaded state can be: the starter's turn is still going on (D17)."""
    cards = ["BG", "BP", "GG", "OO", "OP", "P", "P"]
    state = State.from_json(set_json([cards, []], rest_to=1, must_discard=1))
    assert not state.over
    state.play("discard BG")
    assert (state.over, state.to_move) == (False, 1)


@pytest.mark.parametrize("value", [None, [], "x", 10**40, 1.5, float("nan"), {}, [[]], [None] * 5, True])
def test_nonsense_is_refused_with_reasons(value: object) -> None:
    """Whatever stands in place of a value, the answer is a list of defects."""
    for key in set_json(HANDS):
        data: dict[str, Any] = set_json(HANDS)
        if data[key] != value:
            data[key] = value
            assert _codes(data)


def test_a_million_cards_are_refused() -> None:
    """A monstrous state is refused without working through it."""
    data = set_json(HANDS)
    data["deck"] = ["B"] * 1_000_000
    assert ("bad-value", "deck") in _codes(data)


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=4), max_leaves=8)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_damage_never_crashes(data: st.DataObject) -> None:
    """A state damaged anywhere is either refused with defects or is a state that writes itself back."""
    broken = copy.deepcopy(set_json(HANDS))
    key = data.draw(st.sampled_from(sorted(broken)))
    broken[key] = data.draw(JSON)
    try:
        state = SardinesGame().load(broken)
    except BadState as refused:
        assert refused.defects
    else:
        assert state.to_json() == broken
