"""What plays and passes do on the table with 3 to 5 players."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from games.sakana.state import State
from tests.games.sakana.conftest import is_whole, of_type, stacks_of

Setting = Callable[..., State]

HANDS = ("C2 E2 T3 C8 S8", "E4 C4 U7 S7 P8 U3 C6", "C1 P1")


@pytest.fixture
def following(table: Setting) -> State:
    """The rulebook's example: the previous stack is two 4s with the urchin on top, worth 8; player 1 is next."""
    return table((0, "S4 U4"), hands=HANDS, draw="T7 T1", to_move=1)


def test_equal_value_stays(following: State) -> None:
    """Two 4s on two 4s: both stacks stay and the new one is the previous from now on (rulebook example; RULES K22)."""
    told = following.play("play E4 C4")
    assert stacks_of(following) == [(0, "S4 U4"), (1, "E4 C4")]
    assert told == [{"type": "played", "player": 1, "cards": ["E4", "C4"], "catch": None}]
    assert following.explain("play P1")[0].message.endswith("it must be a 4 or a scallop")


def test_higher_value_clears(following: State) -> None:
    """7 of urchins under 7 of shrimp: the stack before is discarded without points, and the new top is the shrimp (rulebook example)."""
    told = following.play("play U7 S7")
    assert stacks_of(following) == [(1, "U7 S7")]
    assert following.to_json()["discard"] == ["S4", "U4"]
    assert following.to_json()["banked"] == [[], [], []]
    assert of_type(told, "beaten") == [{"type": "beaten", "player": 0, "cards": ["S4", "U4"]}]


def test_higher_value_clears_all(table: Setting) -> None:
    """A beat discards all previous stacks of all players, though only the last was followed (RULES K23)."""
    state = table((0, "C8"), (1, "E4 T4"), (2, "P8"), hands=("C1", "C2", "C3", "P9 P3"), draw="S1", to_move=3)
    told = state.play("play P9")
    assert stacks_of(state) == [(3, "P9")]
    assert state.to_json()["discard"] == ["C8", "E4", "T4", "P8"]
    assert [event["player"] for event in of_type(told, "beaten")] == [0, 1, 2]


def test_catch_in_a_stack_is_replaced(table: Setting) -> None:
    """When the Catch is played in a stack, the next card of the draw pile is flipped; the hand loses only its own cards (K5)."""
    state = table(hands=("U7 S7 C1", "C2", "C3"), draw="T7 E5")
    told = state.play("play U7 T7")
    assert told == [{"type": "played", "player": 0, "cards": ["U7", "T7"], "catch": "T7"}, {"type": "flipped", "catch": "E5"}]
    assert state.hand(0) == ["C1", "S7"]
    assert state.to_json()["draw"][0] == "E5"


def test_pass(table: Setting) -> None:
    """The passer takes the Catch, the next is flipped, and every live stack banks its top card; empty ones vanish (RULES K12)."""
    state = table((0, "E4 C4"), (1, "T8"), hands=("P1", "P2 P3", "C6"), draw="S1 S2", to_move=2)
    told = state.play("pass")
    assert state.hand(2) == ["C6", "S1"]
    assert told[:4] == [
        {"type": "passed", "player": 2, "catch": "S1"},
        {"type": "flipped", "catch": "S2"},
        {"type": "banked", "player": 0, "cards": ["C4"], "reason": "K12"},
        {"type": "banked", "player": 1, "cards": ["T8"], "reason": "K12"},
    ]
    data = state.to_json()
    assert data["banked"] == [["C4", "E4"], ["T8"], []]
    assert (data["to_move"], data["stacks"], data["discard"]) == (0, [], [])


def test_lower_rests_are_discarded(table: Setting) -> None:
    """After a pass the highest rest stays and lower ones are discarded without points (RULES K12, K13)."""
    state = table((1, "C2 E2 T2 P2"), (2, "E8"), (3, "E4 C4"), hands=("P1", "P3", "C6", "S3"), draw="S1 S2", to_move=0)
    told = state.play("pass")
    assert state.to_json()["banked"] == [[], ["P2", "C2", "E2", "T2"], ["E8"], ["C4"]], "player 1 then banks his stack, as it is his turn"
    assert state.to_json()["discard"] == ["E4"]
    assert of_type(told, "lower") == [{"type": "lower", "player": 3, "cards": ["E4"]}]


def test_tied_highest_rests_stay(table: Setting) -> None:
    """All stacks tied for the highest rest stay, in the order they were played; only lower ones go (RULES K13, K14)."""
    stacks = ((1, "E3 C3 T3 P3"), (2, "C6 E6"), (3, "C4 E4 T4"))
    state = table(*stacks, hands=("P1", "P2", "C7", "S7", "C8"), draw="S1 S2", to_move=4)
    state.play("pass")
    assert stacks_of(state) == [(1, "E3 C3 T3")]
    stacks = ((1, "E4 C4 T4"), (2, "C6 E6"), (3, "P4 S4 U4"))
    state = table(*stacks, hands=("P1", "P2", "C7", "S7", "C8"), draw="S1 S2", to_move=4)
    state.play("pass")
    assert stacks_of(state) == [(1, "E4 C4"), (3, "P4 S4")]
    assert state.to_json()["discard"] == ["C6"]


def test_own_stack_is_banked_at_the_start_of_the_turn(table: Setting) -> None:
    """A stack that comes through the turns of all others is banked whole before its owner's turn, also if he then passes (RULES K10)."""
    state = table((0, "E4 C4"), hands=("P1 P7", "C8 P3", "E8 P6"), draw="S1 S2 S3", to_move=1)
    state.play("play C8")
    assert stacks_of(state) == [(0, "E4 C4"), (1, "C8")]
    told = state.play("play E8")
    assert of_type(told, "banked") == [{"type": "banked", "player": 0, "cards": ["E4", "C4"], "reason": "K10"}]
    assert (state.to_move, stacks_of(state)) == (0, [(1, "C8"), (2, "E8")])
    assert state.to_json()["banked"] == [["E4", "C4"], [], []]
    state.play("pass")
    assert state.to_json()["banked"] == [["E4", "C4"], ["C8"], ["E8"]]


def test_leading_again_after_banking(table: Setting) -> None:
    """When only the mover's own stack was live, it is banked and he leads anew (RULES K10, K21)."""
    state = table((0, "E8"), hands=("P1 P7", "T1", "T2"), draw="S1 S2 S3", to_move=1)
    state.play("pass")
    state.play("pass")
    assert (state.to_move, stacks_of(state)) == (0, [])
    assert not state.explain("play P1")


def test_turns_go_clockwise(table: Setting) -> None:
    """After the last seat the first is next."""
    state = table(hands=("C1", "C2", "C3", "C4", "C5"), draw="S1 S2 S3 S4 S5", to_move=3)
    seats = []
    for _ in range(6):
        seats.append(state.to_move)
        state.play("pass")
    assert seats == [3, 4, 0, 1, 2, 3]


def test_hand_grows_only_by_passing(table: Setting) -> None:
    """A pass adds one card, a play takes away those from the hand: no other way changes a hand (RULES K28)."""
    state = table(hands=("U7 S7 C1", "C2", "C3"), draw="T7 E5 P2")
    state.play("pass")
    assert [len(state.hand(player)) for player in range(3)] == [4, 1, 1]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_live_stacks_are_always_equal(players: int) -> None:
    """With 3 to 5 players all live stacks are worth the same at every moment, so there is one value to match (RULES K14)."""
    rng = np.random.default_rng(players)
    several = 0
    for _ in range(40):
        state = State.new(players, rng=rng)
        while not state.over:
            moves = state.position.plays()
            state.play_cards(moves[int(rng.integers(len(moves)))], rng)
            stacks = state.position.stacks
            assert len({stack.value for stack in stacks}) <= 1
            assert len({stack.owner for stack in stacks} - {state.to_move}) == len(stacks)
            several += len(stacks) > 1
    assert several > 50


def test_zones_stay_whole_through_a_pass_that_levels(table: Setting) -> None:
    """Cards banked, discarded and taken are all still there."""
    state = table((1, "C2 E2 T2 P2"), (2, "E8"), (3, "E4 C4"), hands=("P1", "P3", "C6", "S3"), draw="S1 S2", to_move=0)
    state.play("pass")
    assert is_whole(state.to_json())
