"""States in protocol form: what is written, what is refused and with which words, what is accepted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import BadState
from games.stakd.state import State
from meshes.piece_set import load_piece_set

A: dict[str, Any] = {"piece": "BASE", "cells": [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]]}
B: dict[str, Any] = {"piece": "BASE", "cells": [[2, 1], [3, 0], [3, 1], [4, -1], [4, 0]]}
DEAL = {"BASE": 2, "UNI": 16, "DUO": 10, "TRIO": 6, "QUAD": 4}
Change = Callable[[dict[str, Any]], object]


def _solo(*stacked: list[tuple[str, list[list[int]]]]) -> dict[str, Any]:
    """A solo state with both bases and these layers, all other pieces in hand."""
    layers = [[A, B], *([{"piece": piece, "cells": cells} for piece, cells in layer] for layer in stacked)]
    laid = [piece["piece"] for layer in layers for piece in layer]
    return {
        "game": "stakd",
        "players": 1,
        "options": {"new_layer_exception": "mover", "base_contact": "one_base"},
        "hands": [{name: count - laid.count(name) for name, count in DEAL.items()}],
        "layers": layers,
        "to_move": 0,
        "out": [False],
        "starter": 0,
        "scores": [0],
        "round": 1,
    }


def _two() -> dict[str, Any]:
    """A two-player state in the middle of laying bases."""
    state = State.new(2)
    for _ in range(2):
        state.play(state.legal_moves()[0])
    return state.to_json()


def _codes(data: dict[str, Any]) -> list[str]:
    with pytest.raises(BadState) as refused:
        State.from_json(data)
    return [defect.code for defect in refused.value.defects]


def test_first_state_is_as_the_protocol_shows_it() -> None:
    """A new two-player state has exactly the keys, order and values of the protocol."""
    data = State.new(2).to_json()
    hand = {"BASE": 2, "UNI": 12, "DUO": 8, "TRIO": 4, "QUAD": 2}
    assert list(data) == ["game", "players", "options", "hands", "layers", "to_move", "out", "starter", "scores", "round"]
    assert data["options"] == {"new_layer_exception": "mover", "base_contact": "one_base"}
    assert data["hands"] == [hand, hand]
    assert (data["layers"], data["to_move"], data["out"], data["starter"], data["scores"], data["round"]) == ([], 0, [False, False], 0, [0, 0], 1)


def test_layers_are_as_the_protocol_shows_them() -> None:
    """Layers list pieces in laying order, cells as sorted pairs."""
    state = State.new(1)
    state.play("BASE 0 0,0 0,1 1,0 1,1 2,0")
    state.play("BASE 0 2,1 3,0 3,1 4,-1 4,0")
    state.play("DUO 1 1,1 2,0")
    assert state.to_json() == _solo([("DUO", [[1, 1], [2, 0]])])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda data: data.update(colour="red"), ["unknown-key"]),
        (lambda data: data.pop("out"), ["missing-key"]),
        (lambda data: data.update(game="sakana"), ["bad-value"]),
        (lambda data: data.update(to_move=True), ["bad-value"]),
        (lambda data: data.update(to_move=0.0), ["bad-value"]),
        (lambda data: data.update(scores=[0, float("nan")]), ["bad-value"]),
        (lambda data: data.update(round=0), ["bad-value"]),
        (lambda data: data["hands"][0].update(UNI=-1), ["bad-value"]),
        (lambda data: data["layers"][0][0].update(colour="red"), ["unknown-key"]),
        (lambda data: data["layers"][0][0].update(cells=[[0, 0, 0]]), ["bad-value"]),
        (lambda data: data["layers"][0][0].update(cells=[]), ["bad-value"]),
        (lambda data: data.update(players=6), ["bad-players"]),
        (lambda data: data.update(players=10**30), ["bad-value"]),
        (lambda data: data.update(options={"base_contact": "none", "speed": "high"}), ["bad-value", "unknown-key"]),
        (lambda data: data.update(out=[False], scores=[0]), ["wrong-length", "wrong-length"]),
        (lambda data: data.update(to_move=2, starter=3), ["no-such-player", "no-such-player"]),
        (lambda data: data["hands"][0].pop("QUAD"), ["missing-key", "wrong-total"]),
        (lambda data: data["hands"][0].update(HEXA=1), ["unknown-piece"]),
        (lambda data: data["hands"][0].update(UNI=13), ["hand-too-large", "wrong-total"]),
        (lambda data: data["hands"][0].update(UNI=11), ["wrong-total"]),
        (lambda data: data["layers"][0].append({"piece": "HEXA", "cells": [[9, 9]]}), ["unknown-piece"]),
        (lambda data: data["layers"][0].append(A), ["wrong-total", "overlap"]),
        (lambda data: data["layers"][0].extend([A] * 5000), ["wrong-total"]),
        (lambda data: data["layers"].append([]), ["bases-first", "empty-layer"]),
        (lambda data: data["layers"][0][1].update(cells=[[8, 0], [8, 1], [9, 0], [9, 1], [10, 0]]), ["base-contact"]),
        (lambda data: data["layers"][0][0].update(cells=[[0, 1], [0, 0], [1, 0], [1, 1], [2, 0]]), ["unsorted-cells"]),
        (lambda data: data["scores"].__setitem__(0, 4), ["too-many-points"]),
        (lambda data: data.update(scores=[3, 3]), ["too-many-points"]),
        (lambda data: data.update(scores=[0, 3]), ["not-the-winner"]),
        (lambda data: data.update(out=[True, False]), ["player-out"]),
    ],
)
def test_two_player_states_refused(change: Change, expected: list[str]) -> None:
    """Each thing wrong with a state is named, and nothing else (RULES S40, S48)."""
    data = copy.deepcopy(_two())
    change(data)
    assert _codes(data) == expected


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        (([("DUO", [[1, 1], [1, 2]])],), ["overhang"]),
        (([("DUO", [[0, 0], [0, 1]]), ("DUO", [[3, 0], [4, 0]])],), ["not-connected"]),
        (([("DUO", [[0, 0], [0, 1]]), ("DUO", [[1, 0], [1, 1]])],), ["same-type-on-piece"]),
        (([("DUO", [[0, 0], [0, 1]])], [("DUO", [[0, 0], [0, 1]])]), ["duplicate"]),
        (([("UNI", [[0, 0]])], [("UNI", [[0, 0]])]), ["uni-on-uni"]),
        (([("DUO", [[0, 0], [0, 1]]), ("UNI", [[0, 1]])],), ["overlap"]),
        (([("TRIO", [[0, 0], [1, 0], [2, 0]])],), ["wrong-shape"]),
        (([("DUO", [[0, 0], [0, 1]])], [], [("UNI", [[0, 0]])]), ["empty-layer", "overhang"]),
        (([("DUO", [[1, 1], [1, 2]]), ("DUO", [[3, 0], [4, 0]])],), ["overhang", "not-connected"]),
    ],
)
def test_geometry_refused(layers: tuple[list[tuple[str, list[list[int]]]], ...], expected: list[str]) -> None:
    """Pieces that break a rule of place are refused, each with the rule it breaks (S7, S11, S14, S16, S20, S21)."""
    assert _codes(_solo(*layers)) == expected


def test_every_defect_is_told_with_its_place() -> None:
    """The error names the place of each defect and what would be right."""
    data = _solo([("DUO", [[1, 1], [1, 2]]), ("DUO", [[3, 0], [4, 0]])])
    with pytest.raises(BadState) as refused:
        State.from_json(data)
    assert [defect.where for defect in refused.value.defects] == ["layers[1][0]", "layers[1][1]"]
    assert "there is nothing on layer 0 below (1,2) (S14)" in str(refused.value)


def test_player_who_cannot_move_is_refused() -> None:
    """A state whose player to move has no move is refused: he would have been put out (S35)."""
    data = _two()
    for hand in data["hands"]:
        hand["BASE"] = 0
    data["layers"][0] = [A, B]
    data["hands"][data["to_move"]]["BASE"], data["hands"][1 - data["to_move"]]["BASE"] = 0, 2
    assert _codes(data) == ["cannot-move"]


@pytest.mark.parametrize(("key", "value"), [("scores", [1]), ("round", 2)])
def test_solo_has_one_round_without_points(key: str, value: object) -> None:
    """Solo is one round without points (S49, S50)."""
    assert _codes({**_solo(), key: value}) == ["not-solo"]


def test_first_base_far_away_is_refused() -> None:
    """A base layer out of reach of the move notation is refused."""
    data = State.new(1).to_json()
    data["layers"] = [[{"piece": "BASE", "cells": [[q + 5000, r] for q, r in A["cells"]]}]]
    data["hands"][0]["BASE"] = 1
    assert _codes(data) == ["too-far"]


def test_first_base_elsewhere_is_accepted() -> None:
    """A first BASE moved or turned is the same position elsewhere."""
    data = State.new(1).to_json()
    data["layers"] = [[{"piece": "BASE", "cells": [[q + 50, r - 9] for q, r in A["cells"]]}]]
    data["hands"][0]["BASE"] = 1
    assert len(State.from_json(data).legal_moves()) == 50


@pytest.mark.parametrize("winners", [[0], []])
def test_finished_solo_is_accepted(winners: list[int]) -> None:
    """A finished solo state loads, won or lost, and its outcome follows from it (S49)."""
    data = _solo() if not winners else _won_solo()
    data["out"] = [not winners]
    state = State.from_json(data)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {"scores": [0], "winners": winners}
    assert state.legal_moves() == []
    assert state.to_json() == data


def _won_solo() -> dict[str, Any]:
    """A solo game won, found by trying to keep as many moves open as possible."""
    for start in range(400):
        state = State.new(1)
        ply = start
        while not state.over:
            best = max(state.legal_ids(), key=lambda move: (state.position.after(move).count(), move * 2654435761 % (997 + ply)))
            state.play_id(best if ply % 5 else state.legal_ids()[ply % state.position.count()])
            ply = ply * 3 + 1
        if state.position.winner == 0:
            return state.to_json()
    raise AssertionError("no solo game was won")


def test_finished_match_is_accepted() -> None:
    """A finished match loads: three points, the winner to move, the pieces still lying (S40)."""
    data = _two()
    data.update(scores=[-1, 3], to_move=1, round=9, out=[True, False])
    state = State.from_json(data)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {"scores": [-1, 3], "winners": [1]}
    assert state.legal_moves() == []
    assert state.to_json() == data


def test_states_of_another_set() -> None:
    """A state is read with the set it is of: a plus-shaped BASE is no shape of the classic set."""
    square = load_piece_set("square")
    state = State.new(2, piece_set=square)
    state.play(state.legal_moves()[0])
    assert State.from_json(state.to_json(), piece_set=square).legal_moves() == state.legal_moves()
    assert _codes(state.to_json()) == ["wrong-shape"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10) | st.integers() | st.floats() | st.sampled_from(["", "BASE", "DUO", "any", "stakd"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["piece", "cells", "UNI", "x"]), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_change_is_read_or_refused(data: st.DataObject) -> None:
    """Whatever is put in whatever place of a state, it is read or refused with its defects, and what is read can be played on."""
    drawn = data.draw(st.sampled_from([_two(), _solo([("DUO", [[1, 1], [2, 0]])], [("UNI", [[1, 1]])])]))
    state = json.loads(json.dumps(drawn))  # changed below; what examples are drawn from must stay what it was
    place: Any = state
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JSON)
    try:
        read = State.from_json(state)
    except BadState as refused:
        assert refused.defects
    else:
        assert read.over or read.legal_moves()
        assert State.from_json(read.to_json()).legal_moves() == read.legal_moves()
