"""The figures of the rulebook as positions (RULES 1.5).

Two bases side by side: A covers (0,0) (1,0) (2,0) (0,1) (1,1), B covers (2,1) (3,0) (3,1) (4,0) (4,-1).
"""

from __future__ import annotations

from collections.abc import Callable

from games.stakd.state import State

Setting = Callable[..., State]
Codes = Callable[..., list[str]]

A = "BASE 0,0 0,1 1,0 1,1 2,0"
B = "BASE 2,1 3,0 3,1 4,-1 4,0"
C = "BASE 5,-1 5,0 5,1 6,-1 6,0"
TWO = [A, B]
TRIO_AND_QUAD = ["TRIO 0,0 0,1 1,0", "QUAD 1,1 2,0 2,1 3,0"]
FIVE = ["UNI 0,0", "DUO 0,1 1,0", "TRIO 1,1 2,0 2,1", "UNI 3,0", "DUO 3,1 4,0"]


def test_opening_on_base_nodes_is_legal(table: Setting, codes: Codes) -> None:
    """Figure 1: the first piece of a layer may lie anywhere on top, all nodes on nodes below, over several pieces too (S12, S15)."""
    assert codes(table(TWO), "DUO 1 1,1 2,0") == []
    assert codes(table(TWO), "TRIO 1 3,0 3,1 4,0") == []
    assert codes(table(TWO), "DUO 1 2,0 2,1") == []


def test_next_piece_beside_is_legal(table: Setting, codes: Codes) -> None:
    """Figure 2: a second piece that touches the first sideways, its nodes aligned, is legal (S11)."""
    assert codes(table(TWO, ["DUO 1,1 2,0"]), "TRIO 1 2,1 3,0 3,1") == []


def test_next_piece_apart_is_illegal(table: Setting, codes: Codes) -> None:
    """Figure 3: aligned with the pieces below but not connected to its layer (S11)."""
    assert codes(table(TWO, ["DUO 0,0 0,1"]), "DUO 1 3,0 4,0") == ["not-connected"]


def test_node_over_nothing_is_illegal(table: Setting, codes: Codes) -> None:
    """Figure 4: one node overhangs, and the explanation shows which (S14)."""
    state = table(TWO)
    assert codes(state, "DUO 1 1,1 1,2") == ["overhang"]
    assert state.explain("DUO 1 1,1 1,2")[0].cells == ((1, 2),)


def test_duos_on_different_trios_are_legal(table: Setting, codes: Codes) -> None:
    """Figure 5: two DUOs, each on its own TRIO."""
    trios = ["TRIO 0,0 0,1 1,0", "DUO 1,1 2,0", "TRIO 2,1 3,0 3,1"]
    assert codes(table(TWO, trios, ["DUO 0,1 1,0", "UNI 2,0"]), "DUO 2 2,1 3,0") == []


def test_duos_on_one_trio_are_illegal(table: Setting, codes: Codes) -> None:
    """Figure 6: a second DUO that touches the TRIO with one node only is illegal too, and the explanation shows both (S16, S17)."""
    state = table(TWO, TRIO_AND_QUAD, ["DUO 0,0 0,1"])
    assert codes(state, "DUO 2 1,0 1,1") == ["same-type-on-piece"]
    assert [str(piece) for piece in state.explain("DUO 2 1,0 1,1")[0].pieces] == ["TRIO 1 0,0 0,1 1,0", "DUO 2 0,0 0,1"]


def test_other_types_beside_the_duo_are_legal(table: Setting, codes: Codes) -> None:
    """Figure 6: UNI, QUAD and a staggered TRIO may still go on the TRIO that carries a DUO (S16)."""
    state = table(TWO, TRIO_AND_QUAD, ["DUO 0,0 0,1"])
    assert codes(state, "UNI 2 1,0") == []
    assert codes(state, "QUAD 2 1,0 1,1 2,0 2,1") == []
    assert codes(state, "TRIO 2 1,0 1,1 2,0") == []


def test_trio_exactly_on_trio_is_illegal(table: Setting, codes: Codes) -> None:
    """Figure 7: the same piece in the same position; shifted by a node, the rest on a neighbour, it is legal (S20)."""
    state = table(TWO, TRIO_AND_QUAD, ["UNI 2,0"])
    assert codes(state, "TRIO 2 0,0 0,1 1,0") == ["duplicate"]
    assert codes(state, "TRIO 2 0,1 1,0 1,1") == []


def test_uni_on_uni_is_illegal(table: Setting, codes: Codes) -> None:
    """Figure 8: a UNI is never laid on a UNI (S21)."""
    state = table(TWO, ["UNI 0,0", "QUAD 0,1 1,0 1,1 2,0"], ["DUO 0,1 1,0"])
    assert codes(state, "UNI 2 0,0") == ["uni-on-uni"]
    assert codes(state, "UNI 2 1,1") == []


def test_new_layer_with_six_pieces_is_legal(table: Setting, codes: Codes) -> None:
    """Figure 9: six pieces open the next layer, though the mover could still lay on the current one (S25, S26)."""
    state = table([A, B, C], [*FIVE, "UNI 5,0"])
    assert codes(state, "DUO 1 5,-1 6,-1") == []
    assert codes(state, "DUO 2 0,0 0,1") == []


def test_new_layer_with_five_pieces_and_a_move_is_illegal(table: Setting, codes: Codes) -> None:
    """Figure 9: five pieces and a legal move on the current layer keep the next closed (S25)."""
    state = table([A, B, C], FIVE)
    assert codes(state, "UNI 1 5,0") == []
    assert codes(state, "DUO 2 0,0 0,1") == ["layer-not-full"]


def test_new_layer_with_five_pieces_and_no_move_is_legal(table: Setting, codes: Codes) -> None:
    """Figure 9: with five pieces and no legal move of his own on the current layer the mover opens the next (S27, S28)."""
    state = table(TWO, FIVE, hands=({"DUO": 1}, {"UNI": 1}))
    assert {move.layer for move in state.legal_moves()} == {2}
    assert codes(state, "DUO 2 0,0 0,1") == []


def test_uni_opens_only_from_a_hand_of_unis(table: Setting, codes: Codes) -> None:
    """Figure 10: a UNI can't start a layer with a DUO in hand; with nothing but UNIs, several too, it can (S30, S32)."""
    assert codes(table(TWO, hands=({"UNI": 2, "DUO": 1}, {})), "UNI 1 0,0") == ["uni-opens-layer"]
    assert codes(table(TWO, hands=({"UNI": 2}, {})), "UNI 1 0,0") == []


def test_lower_layer_is_closed(table: Setting, codes: Codes) -> None:
    """Figure 11: once a layer is started, neither UNI nor DUO goes on the layer below (S33)."""
    state = table(TWO, ["DUO 0,0 0,1", "TRIO 1,0 1,1 2,0"], ["DUO 0,1 1,0"])
    assert codes(state, "UNI 1 2,1") == ["layer-locked"]
    assert codes(state, "DUO 1 2,1 3,0") == ["layer-locked"]
