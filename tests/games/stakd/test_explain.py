"""Each rule that a move can break is named, alone where it can be broken alone, and `explain` agrees with the legal moves."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from games.stakd.bases import BaseContact
from games.stakd.codes import Code
from games.stakd.rules import NewLayerException, Options
from games.stakd.state import State
from meshes.lattice import moved
from meshes.piece_set import load_piece_set
from meshes.placement import Placement

Setting = Callable[..., State]
Codes = Callable[..., list[str]]

A = "BASE 0,0 0,1 1,0 1,1 2,0"
B = "BASE 2,1 3,0 3,1 4,-1 4,0"


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("DUO 1 0,0 1,0 ", ["malformed"]),
        ("DUO 1 1,0 0,0", ["malformed"]),
        ("DUO 01 0,0 1,0", ["malformed"]),
        ("duo 1 0,0 1,0", ["malformed"]),
        ("", ["malformed"]),
        ("HEXA 1 0,0", ["unknown-piece"]),
        ("TRIO 1 0,0 1,0 2,0", ["wrong-shape"]),
        ("DUO 0 0,0 1,0", ["overlap", "bases-only"]),
        ("DUO 0 6,0 7,0", ["bases-only"]),
        ("DUO 3 0,0 1,0", ["layer-not-started", "overhang"]),
        ("BASE 1 0,0 0,1 1,0 1,1 2,0", ["not-in-hand", "base-stacked"]),
        ("UNI 1 7,7", ["uni-opens-layer", "overhang"]),
    ],
)
def test_on_complete_bases(table: Setting, codes: Codes, move: str, expected: list[str]) -> None:
    """Each kind of wrong move once the bases lie is named, and nothing besides (S1, S5, S14, S30)."""
    assert codes(table([A, B]), move) == expected


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("DUO 1 0,0 1,0", ["bases-first"]),
        ("DUO 0 5,0 6,0", ["bases-first", "bases-only"]),
        ("BASE 1 0,0 0,1 1,0 1,1 2,0", ["base-stacked"]),
        ("BASE 0 2,0 2,1 3,0 3,1 4,0", ["overlap"]),
        ("BASE 0 5,0 5,1 6,0 6,1 7,0", ["base-contact"]),
        ("BASE 0 2,1 3,0 3,1 4,-1 4,0", []),
    ],
)
def test_while_bases_are_laid(table: Setting, codes: Codes, move: str, expected: list[str]) -> None:
    """While bases are in hand only they are laid, on the table, beside another, two nodes touching it (S5, S7, S8)."""
    assert codes(table([A], hands=({"BASE": 1, "DUO": 1}, {"BASE": 1})), move) == expected


def test_first_base_has_one_place(codes: Codes) -> None:
    """The very first BASE lies at the origin; anywhere else is the same play, moved or turned (S9)."""
    state = State.new(2)
    assert codes(state, "BASE 0 0,0 0,1 1,0 1,1 2,0") == []
    assert codes(state, "BASE 0 1,0 1,1 2,0 2,1 3,0") == ["first-base-place"]
    assert codes(state, "BASE 0 0,0 1,0 2,0 3,0 4,0") == ["wrong-shape"]


@pytest.mark.parametrize(("contact", "count"), [("one_base", 50), ("two_pairs", 60), ("any", 96)])
def test_places_of_a_second_base(contact: str, count: int) -> None:
    """A second trapezoid has 50, 60 or 96 places by the reading of "two Nodes must touch" (S7)."""
    state = State.new(2, options=Options(base_contact=BaseContact(contact)))
    state.play(state.legal_moves()[0])
    assert len(state.legal_moves()) == count


@pytest.mark.parametrize(("contact", "expected"), [("one_base", ["base-contact"]), ("two_pairs", []), ("any", [])])
def test_one_node_nestled_between_two_bases(table: Setting, codes: Codes, contact: str, expected: list[str]) -> None:
    """Node (1,2) touches A at (1,1) and B at (2,1): two pairs of nodes, but not two nodes on one BASE (S7)."""
    state = table([A, B], hands=({"BASE": 1}, {"BASE": 1}), options=Options(base_contact=BaseContact(contact)))
    assert codes(state, "BASE 0 -1,4 0,3 0,4 1,2 1,3") == expected


def test_places_taken(table: Setting, codes: Codes) -> None:
    """Two pieces of a layer can't share a place (S14)."""
    assert codes(table([A, B], ["DUO 0,0 0,1"]), "TRIO 1 0,1 1,0 1,1") == ["overlap"]


def test_piece_not_in_hand(table: Setting, codes: Codes) -> None:
    """A piece not in the mover's hand can't be laid, whoever else holds one (S36, S47)."""
    assert codes(table([A, B], hands=({"DUO": 1}, {"TRIO": 1})), "TRIO 1 0,0 0,1 1,0") == ["not-in-hand"]


def test_not_your_turn(table: Setting, codes: Codes) -> None:
    """A move is illegal for whoever is not to move, and its other faults are named too (S51)."""
    assert codes(table([A, B]), "DUO 1 0,0 0,1", player=1) == ["not-your-turn"]
    assert codes(table([A, B]), "DUO 1 0,0 9,9", player=1) == ["not-your-turn", "wrong-shape", "overhang"]


def test_game_over(table: Setting) -> None:
    """When the game is over no move is legal (S40)."""
    state = table([A, B], hands=({"DUO": 1}, {}), scores=(2, 0))
    state.play("DUO 1 0,0 0,1")
    assert state.legal_moves() == []
    assert [broken.code for broken in state.explain("DUO 1 0,0 0,1")] == [Code.GAME_OVER]


def test_option_all_looks_at_every_hand(table: Setting, codes: Codes) -> None:
    """Option `all`: while another player in the round can lay on the current layer, nobody leaves it early (S27)."""
    floor = ["QUAD 0,0 0,1 1,0 1,1", "TRIO 2,0 2,1 3,0", "UNI 4,-1"]
    hands = ({"TRIO": 1}, {"DUO": 1}, {"TRIO": 1})
    everyone = Options(new_layer_exception=NewLayerException.ALL)
    move = "TRIO 2 0,0 0,1 1,0"
    assert codes(table([A, B], floor, hands=hands, options=everyone), move) == ["layer-not-full"]
    assert codes(table([A, B], floor, hands=hands, options=everyone, out=(1,)), move) == []
    assert codes(table([A, B], floor, hands=hands), move) == []


def test_hole_supports_nothing(table: Setting, codes: Codes) -> None:
    """A hole between bases stays a hole: nothing lies over it, not even in part (S10)."""
    ring = [A, "BASE -2,0 -2,1 -1,-1 -1,0 0,-1", "BASE -2,2 -2,3 -1,2 -1,3 0,2"]
    state = table(ring, hands=({"UNI": 1}, {"DUO": 1}))
    assert codes(state, "UNI 1 -1,1") == ["overhang"]
    assert codes(table(ring, hands=({"DUO": 1}, {})), "DUO 1 -1,1 0,1") == ["overhang"]


def test_base_carries_one_of_each_type(table: Setting, codes: Codes) -> None:
    """A BASE is a piece below like any other: one DUO on it bars the next (S18)."""
    assert codes(table([A, B], ["DUO 0,0 0,1"]), "DUO 1 1,0 1,1") == ["same-type-on-piece"]


def test_one_of_a_type_looks_one_layer_down(table: Setting, codes: Codes) -> None:
    """A DUO on the TRIO two layers down does not bar a DUO here (S19)."""
    state = table([A, B], ["TRIO 0,0 0,1 1,0"], ["DUO 0,0 0,1", "UNI 1,0"], ["UNI 0,0"])
    assert codes(state, "DUO 3 0,1 1,0") == []


def test_same_position_with_another_type_between(table: Setting, codes: Codes) -> None:
    """DUO, TRIO, DUO in one column is legal, as only the piece touched counts (S22)."""
    state = table([A, B], ["DUO 0,0 0,1", "UNI 1,0"], ["TRIO 0,0 0,1 1,0"], hands=({"DUO": 1}, {}))
    assert codes(state, "DUO 3 0,0 0,1") == []


def test_other_type_over_the_same_nodes(table: Setting, codes: Codes) -> None:
    """A DUO that covers just two UNIs is legal (S23)."""
    state = table([A, "BASE -2,2 -2,3 -1,2 -1,3 0,2"], ["UNI 0,1", "UNI 0,2", "TRIO 1,0 1,1 2,0"], ["UNI 1,1"])
    assert codes(state, "DUO 2 0,1 0,2") == []


def test_every_code_names_rule_and_section() -> None:
    """Each code has its row of the rules decisions and its place in the rulebook."""
    for code in Code:
        assert code.rule[0] == "S"
        assert code.rule[1:].isdigit()
        assert code.section.startswith(("Setup", "Step"))


@pytest.mark.parametrize(("set_name", "players"), [("classic", 1), ("classic", 2), ("classic", 5), ("square", 2), ("square", 3)])
@pytest.mark.parametrize("exception", list(NewLayerException))
def test_legal_list_is_what_explain_allows(set_name: str, players: int, exception: NewLayerException) -> None:
    """Over all placements of all pieces on all layers, off the board too, the legal moves are those with nothing to explain."""
    rng = np.random.default_rng([players, len(set_name)])
    state = State.new(players, piece_set=load_piece_set(set_name), options=Options(new_layer_exception=exception))
    for ply in itertools.count():
        if state.over or state.round > 1:
            break
        moves = state.legal_moves()
        if ply % 9 == 1:
            assert {move for move in _everywhere(state) if not state.explain(move)} == set(moves)
        state.play(moves[int(rng.integers(len(moves)))])


def _everywhere(state: State) -> set[Placement]:
    """Every placement of every piece that has a node on or beside the bases, on every layer from one below the top to two above it."""
    lattice = state.rules.piece_set.lattice
    ground = {cell for placement in state.layers[0] for cell in placement.cells}
    around = ground | {near for cell in ground for near in lattice.neighbours(cell)}
    layers = range(max(len(state.layers) - 2, 0), len(state.layers) + 2)
    return {
        Placement(piece.name, layer, moved(shape, q - dq, r - dr))
        for piece in state.rules.piece_set.pieces
        for shape in lattice.orientations(piece.cells)
        for (q, r), (dq, dr) in itertools.product(around, shape)
        for layer in layers
    }
