"""The cards in play and how they are dealt."""

from __future__ import annotations

import numpy as np
import pytest

from games.errors import BadOptions, NoSuchSeat
from games.sakana.deck import deck, names, piles
from games.sakana.game import SakanaGame
from games.sakana.state import State


@pytest.mark.parametrize(("players", "cards", "each"), [(2, 42, 12), (3, 48, 10), (4, 54, 9), (5, 60, 8)])
def test_deal(players: int, cards: int, each: int) -> None:
    """Numbers 1 to 7, 8, 9, 10 of six suits are in play; each player is dealt 12, 10, 9, 8; the rest is the draw pile (RULES 2.2)."""
    assert len(deck(players)) == cards
    data = State.new(players, rng=np.random.default_rng(1)).to_json()
    assert [len(hand) for hand in data["hands"]] == [each] * players
    assert len(data["draw"]) == cards - players * each
    dealt = [card for hand in data["hands"] for card in hand] + data["draw"]
    assert sorted(dealt) == sorted(f"{suit}{number}" for suit in "EPCSTU" for number in range(1, players + 6))
    assert (data["round"], data["exhaustions"], data["scores"], data["options"]) == (1, 0, [0] * players, {})
    assert (data["discard"], data["stacks"], data["banked"]) == ([], [], [[]] * players)


@pytest.mark.parametrize("players", [-1, 0, 1, 6])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """The box is for 2 to 5 players."""
    with pytest.raises(BadOptions, match=f"2 to 5 players, not {players}"):
        SakanaGame().new(players, options={}, rng=np.random.default_rng(0))


def test_options_are_refused() -> None:
    """There are none, so each one named is told."""
    with pytest.raises(BadOptions) as refused:
        SakanaGame().new(3, options={"speed": 1, "hints": True}, rng=np.random.default_rng(0))
    assert [defect.where for defect in refused.value.defects] == ["options.speed", "options.hints"]


@pytest.mark.parametrize("starter", [0, 1, 2, 3])
def test_starter_can_be_chosen(starter: int) -> None:
    """The player to have most recently visited a market starts, and the dealer sits on his right (RULES K1)."""
    state = State.new(4, rng=np.random.default_rng(0), starter=starter)
    assert (state.to_move, state.position.dealer) == (starter, (starter + 3) % 4)


def test_starter_is_drawn_otherwise() -> None:
    """Where nobody says who starts, the seed does, and every seat has a chance (RULES K1)."""
    starters = [State.new(5, rng=np.random.default_rng(seed)).to_move for seed in range(60)]
    assert set(starters) == set(range(5))
    assert starters == [State.new(5, rng=np.random.default_rng(seed)).to_move for seed in range(60)]


def test_starter_must_be_at_the_table() -> None:
    """A seat that is not there is refused by name."""
    with pytest.raises(NoSuchSeat, match="no player 3; they are numbered 0 to 2"):
        State.new(3, rng=np.random.default_rng(0), starter=3)


def test_hands_are_sorted_by_letter_then_number() -> None:
    """A 10 comes after a 9, not after a 1."""
    state = State.from_json(_five())
    assert state.to_json()["hands"][0] == ["C1", "C9", "C10", "E2", "U10"]


def test_all_orders_of_a_stack() -> None:
    """Six cards of one number make 6 + 30 + 120 + 360 + 720 + 720 stacks, all different (RULES K18)."""
    found = piles(4, 63, 63, 0, -1)
    assert len(found) == len(set(found)) == 1956


def _five() -> dict[str, object]:
    hands = [["C10", "U10", "E2", "C9", "C1"], ["S1"], ["S2"], ["S3"], ["S4"]]
    held = {card for hand in hands for card in hand}
    return {
        "game": "sakana",
        "players": 5,
        "options": {},
        "round": 1,
        "dealer": 0,
        "to_move": 1,
        "hands": hands,
        "draw": [card for card in names(deck(5)) if card not in held],
        "discard": [],
        "stacks": [],
        "banked": [[], [], [], [], []],
        "exhaustions": 0,
        "scores": [0] * 5,
    }
