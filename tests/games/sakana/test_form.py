"""States in protocol form: what is written, what is refused and with which words, what is accepted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import BadState
from games.sakana.state import State

Change = Callable[[dict[str, Any]], object]
Setting = Callable[..., State]


def _codes(data: dict[str, Any]) -> list[str]:
    """The codes of all defects of a state, `[]` if it is accepted."""
    try:
        State.from_json(data)
    except BadState as refused:
        return [defect.code for defect in refused.defects]
    return []


@pytest.fixture
def three(table: Setting) -> dict[str, Any]:
    """Three players, one live stack, cards in every zone."""
    state = table((2, "U4 S4"), hands=("E3 C1", "T1 T2 P5", "S6 S7"), draw="T4 C8", discard="E7 P7", dealer=2, exhaustions=1, rest="banked")
    return state.to_json()


def test_written_as_the_protocol_shows(three: dict[str, Any]) -> None:
    """The keys and their order are those of the protocol, hands sorted, `draw[0]` the Catch of the Day."""
    keys = ["game", "players", "options", "round", "dealer", "to_move", "hands", "draw", "discard", "stacks", "banked", "exhaustions", "scores"]
    assert list(three) == keys
    assert three["hands"] == [["C1", "E3"], ["P5", "T1", "T2"], ["S6", "S7"]]
    assert three["draw"] == ["T4", "C8"]
    assert three["stacks"] == [{"owner": 2, "cards": ["U4", "S4"]}]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_round_trip(players: int) -> None:
    """Written, through JSON text, and read again after every move of a game, a state is the same and goes on the same (S02)."""
    rng = np.random.default_rng(players)
    state = State.new(players, rng=rng)
    while not state.over:
        moves = state.position.plays()
        state.play_cards(moves[int(rng.integers(len(moves)))], rng)
        data = json.loads(json.dumps(state.to_json()))
        again = State.from_json(data)
        assert again.to_json() == data
        assert again.position.plays() == state.position.plays()
        assert again.outcome() == state.outcome()
    assert again.over


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda data: data.update(colour="red"), ["unknown-key"]),
        (lambda data: data.pop("dealer"), ["missing-key"]),
        (lambda data: data.update(game="stakd"), ["bad-value"]),
        (lambda data: data.update(players=1), ["bad-value"]),
        (lambda data: data.update(players=6), ["bad-value"]),
        (lambda data: data.update(players=3.0), ["bad-value"]),
        (lambda data: data.update(to_move=True), ["bad-value"]),
        (lambda data: data.update(round=0), ["bad-value"]),
        (lambda data: data.update(round=4), ["no-such-round"]),
        (lambda data: data.update(options={"speed": 1, "hints": 2}), ["unknown-key", "unknown-key"]),
        (lambda data: data.update(exhaustions=-1), ["bad-value"]),
        (lambda data: data.update(exhaustions=3), ["bad-value"]),
        (lambda data: data.update(exhaustions=2), ["exhausted"]),
        (lambda data: data.update(scores=[0, 0, float("nan")]), ["bad-value"]),
        (lambda data: data.update(scores=[0, 0, -1]), ["bad-value"]),
        (lambda data: data.update(scores=[0, 0]), ["wrong-length"]),
        (lambda data: data.update(scores=[0, 1, 0]), ["too-many-points"]),
        (lambda data: data.update(scores=[40, 9, 0], round=2), ["too-many-points"]),
        (lambda data: data.update(to_move=3, dealer=4), ["no-such-player", "no-such-player"]),
        (lambda data: data.update(to_move=2), ["not-banked"]),
        (lambda data: data["hands"].append([]), ["wrong-length"]),
        (lambda data: data["hands"][0].append("E3"), ["wrong-total"]),
        (lambda data: data["hands"][0].remove("E3"), ["wrong-total"]),
        (lambda data: data["hands"][0].__setitem__(0, "E9"), ["wrong-total", "unknown-card"]),
        (lambda data: data["hands"][0].__setitem__(0, "e3"), ["wrong-total", "unknown-card"]),
        (lambda data: data["hands"][0].__setitem__(0, 3), ["bad-value"]),
        (lambda data: data["discard"].extend(data["hands"][0].copy()) or data["hands"][0].clear(), ["empty-hand"]),
        (lambda data: data["discard"].extend(data["draw"].copy()) or data["draw"].clear(), ["no-catch"]),
        (lambda data: data["draw"].extend(["C1"] * 2000), ["bad-value"]),
        (lambda data: data["stacks"][0].update(colour="red"), ["unknown-key"]),
        (lambda data: data["stacks"][0].update(owner=3), ["no-such-player"]),
        (lambda data: data["stacks"].append({"owner": 1, "cards": []}), ["empty-stack"]),
        (lambda data: data["stacks"].append({"owner": 2, "cards": [data["draw"].pop()]}), ["second-stack", "second-stack"]),
        (lambda data: data["stacks"].append({"owner": 1, "cards": [data["hands"][2].pop()]}), ["unequal-stacks"]),
        (lambda data: data["stacks"][0]["cards"].append(data["draw"].pop()), ["different-numbers"]),
        (lambda data: data["stacks"][0]["cards"].append("X1"), ["unknown-card"]),
        (lambda data: data.update(stacks=[], draw=[]), ["wrong-total"] * 4 + ["no-catch"]),
    ],
)
def test_refused(three: dict[str, Any], change: Change, expected: list[str]) -> None:
    """Each thing wrong with a state is named, and nothing else (RULES K4, K9, K10, K14, K21)."""
    data = copy.deepcopy(three)
    change(data)
    assert _codes(data) == expected


def test_two_players_may_have_several_and_unequal_stacks(table: Setting) -> None:
    """What three players can't have on the table two can, the mover's own stacks too (RULES K30, K37)."""
    state = table((0, "S3 P3"), (0, "C7"), (1, "U1"), hands=("C2 C3", "P7 S7"), draw="T5 T4", to_move=0)
    assert _codes(state.to_json()) == []


def test_hands_in_any_order(three: dict[str, Any]) -> None:
    """A hand is a set of cards: unsorted it means the same, and is written sorted."""
    data = copy.deepcopy(three)
    data["hands"][1].reverse()
    assert State.from_json(data).to_json() == three


def _finished(table: Setting) -> dict[str, Any]:
    state = table((2, "E1"), hands=("C1", "C3 P1", "U2 C7"), draw="S2 S4", discard="T1", round_number=3, scores=[2, 3, 4])
    state.play("play C1")
    return state.to_json()


def test_finished_game_is_accepted(table: Setting) -> None:
    """A game that is over can be loaded, and its result follows from the state alone (protocol, `outcome`)."""
    outcome = State.from_json(_finished(table)).outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((3, 3, 5), (2,))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda data: data["stacks"].append({"owner": 0, "cards": [data["draw"].pop()]}), ["live-stacks"]),
        (lambda data: data.update(scores=[0, 3, 5]), ["too-few-points"]),
        (lambda data: data.update(round=2), ["empty-hand"] * 3),
        (lambda data: data["hands"][0].append(data["draw"].pop()), ["empty-hand"] * 2),
    ],
)
def test_finished_game_refused(table: Setting, change: Change, expected: list[str]) -> None:
    """A game over by half is no state: stacks must be banked and counted, hands empty, the round the last (protocol)."""
    data = _finished(table)
    change(data)
    assert _codes(data) == expected


def test_every_defect_is_told_with_its_place(three: dict[str, Any]) -> None:
    """The error names the place of each defect and what would be right."""
    three["stacks"][0]["owner"] = 0
    three["exhaustions"] = 2
    with pytest.raises(BadState) as refused:
        State.from_json(three)
    assert [defect.where for defect in refused.value.defects] == ["exhaustions", "stacks[0].owner"]
    assert "must be banked already" in str(refused.value)


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["C1", "U10", "E3", "sakana", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["owner", "cards", "hands"]), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(
    key=st.sampled_from(["game", "players", "round", "dealer", "to_move", "hands", "draw", "discard", "stacks", "banked", "scores"]), value=_ANYTHING
)
def test_anything_is_accepted_or_refused(key: str, value: object) -> None:
    """Whatever stands under a key, the state is read or refused as a bad state, never anything else (S04)."""
    data = State.new(3, rng=np.random.default_rng(0)).to_json()
    data[key] = value
    assert _codes(data) is not None
