"""The rules for two players: several stacks side by side."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.sakana.state import State
from tests.games.sakana.conftest import of_type, stacks_of

Setting = Callable[..., State]
Codes = Callable[..., list[str]]

THREE = ((0, "S3 P3"), (0, "C7"), (0, "U1"))


@pytest.fixture
def example(table: Setting) -> State:
    """The rulebook's example: player one has two 3s (pufferfish on top), a 7 and a 1; player two is to move."""
    return table(*THREE, hands=("C2 C3", "P7 S7 E7 P2 E3 T6 U6 P6 S1"), draw="T5 T4", to_move=1)


def test_rulebook_example(example: State) -> None:
    """Two 7s with the pufferfish below follow the 3s by suit and the 7 by number and beat both; the 1 stays (rulebook; RULES K32, K33)."""
    told = example.play("play P7 S7")
    assert stacks_of(example) == [(0, "U1"), (1, "P7 S7")]
    assert example.to_json()["discard"] == ["S3", "P3", "C7"]
    assert [event["cards"] for event in of_type(told, "beaten")] == [["S3", "P3"], ["C7"]]
    assert example.to_json()["banked"] == [[], []]


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("play P6", []),
        ("play E7", []),
        ("play E3", ["too-low"]),
        ("play P2", ["too-low"]),
        ("play T6", ["not-following"]),
        ("play U6", []),
        ("play S1", []),
        ("play T6 U6", ["not-following"]),
    ],
)
def test_one_stack_must_meet_both_conditions(example: State, codes: Codes, move: str, expected: list[str]) -> None:
    """Legal is what follows at least one of the opponent's stacks and matches or beats that one (RULES K31)."""
    assert codes(example, move) == expected


def test_followed_but_higher_stack_stays(table: Setting, codes: Codes) -> None:
    """Following two stacks, one of them higher, is legal by the lower one; the higher one stays (RULES K32)."""
    state = table((0, "C6 P6"), (0, "P2"), hands=("C1", "P3 E1"), draw="T5 T4", to_move=1)
    assert codes(state, "play P3") == []
    state.play("play P3")
    assert stacks_of(state) == [(0, "C6 P6"), (1, "P3")]
    assert state.to_json()["discard"] == ["P2"]


def test_the_same_stack_must_be_followed_and_matched(table: Setting, codes: Codes) -> None:
    """Following a high stack and matching a low one that is not followed is not enough (RULES K31)."""
    state = table((0, "C6 P6"), (0, "U2"), hands=("C1", "P3 E1"), draw="T5 T4", to_move=1)
    assert codes(state, "play P3") == ["too-low"]
    assert state.explain("play P3")[0].rule == "K31"


def test_equal_stacks_stay(table: Setting) -> None:
    """A followed stack of the same value is not beaten (RULES K33)."""
    state = table((0, "C6"), hands=("C1", "E6 E1"), draw="T5 T4", to_move=1)
    state.play("play E6")
    assert stacks_of(state) == [(0, "C6"), (1, "E6")]


def test_own_stacks_stay_in_play(table: Setting) -> None:
    """At the start of the turn nothing is banked; a new stack is laid beside the old ones (RULES K30, K34, K39)."""
    state = table((0, "C6 E6"), (0, "C5"), hands=("E1 P2", "T1 T2"), draw="S5 S4 S3 S2", to_move=0)
    told = state.play("play E1")
    assert stacks_of(state) == [(0, "C6 E6"), (0, "C5"), (0, "E1")]
    assert of_type(told, "banked") == []


def test_lead_beside_own_stacks(table: Setting, codes: Codes) -> None:
    """With stacks of one's own only, any stack may be led beside them (RULES K34)."""
    state = table((0, "C6 E6"), hands=("U1 P2", "T1 T2"), draw="S5 S4", to_move=0)
    assert codes(state, "play U1") == codes(state, "play P2") == []


def test_own_stacks_are_not_beaten(table: Setting) -> None:
    """One's own lower stacks are not touched by one's play, though it follows them (RULES K35)."""
    state = table((0, "C2"), (1, "C3"), hands=("C7 P2", "T1 T2"), draw="S5 S4", to_move=0)
    state.play("play C7")
    assert stacks_of(state) == [(0, "C2"), (0, "C7")]
    assert state.to_json()["discard"] == ["C3"]


def test_pass_banks_the_opponents_tops_only(table: Setting) -> None:
    """When a player passes, the other banks the top card of each of his stacks, the passer nothing (RULES K36)."""
    state = table((0, "C6 E6"), (1, "T3 S3"), (0, "C5"), hands=("U1 P2", "T1 T2"), draw="S5 S4 P1", to_move=1)
    told = state.play("pass")
    assert state.to_json()["banked"] == [["E6", "C5"], []]
    assert stacks_of(state) == [(0, "C6"), (1, "T3 S3")]
    assert state.to_move == 0, "and nothing more is banked as his turn begins"
    assert of_type(told, "banked") == [
        {"type": "banked", "player": 0, "cards": ["E6"], "reason": "K12"},
        {"type": "banked", "player": 0, "cards": ["C5"], "reason": "K12"},
    ]


def test_lower_rests_stay(table: Setting) -> None:
    """Rests of different values stay side by side after a pass (RULES K37)."""
    state = table((0, "C6 E6"), (0, "S2 T2"), (0, "C5"), hands=("U1 P2", "T1"), draw="S5 S4 P1", to_move=1)
    state.play("pass")
    assert stacks_of(state) == [(0, "C6"), (0, "S2")]
    assert state.to_json()["discard"] == []


def test_all_stacks_are_banked_at_the_end(table: Setting) -> None:
    """At the end of the round all live stacks of both are banked (RULES K38)."""
    state = table((0, "C6 E6"), (0, "S2 T2"), (1, "P3"), hands=("P6", "T1 T4"), draw="S5 S4 P1", to_move=0, round_number=2, dealer=1)
    told = state.play("play P6")
    assert state.outcome() is not None
    assert state.to_json()["banked"] == [["C6", "E6", "S2", "T2", "P6"], []]
    assert of_type(told, "round_over") == [{"type": "round_over", "round": 2, "reason": "K9", "points": [5, 0], "scores": [5, 0]}]


def test_reasons_name_every_way_to_follow(example: State) -> None:
    """With several stacks each is named in the reason."""
    (broken,) = example.explain("play T6")
    assert broken.message == "the bottom card T6 must follow number or suit: it must be a 3 or a pufferfish or a 7 or a scallop or a 1 or an urchin"
