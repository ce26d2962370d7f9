"""Options, and what piece sets of one's own bring with them."""

from __future__ import annotations

import copy

import pytest

from games.errors import BadOptions
from games.stakd.bases import BaseContact
from games.stakd.rules import NewLayerException, Options
from games.stakd.state import State
from meshes.piece_set import PieceSet, build_piece_set, load_piece_set


def test_options_to_and_fro() -> None:
    """Options go into protocol form and back; left out they take the default of the rules decisions (S7, S27)."""
    assert Options.from_json({}) == Options(NewLayerException.MOVER, BaseContact.ONE_BASE)
    chosen = Options(NewLayerException.ALL, BaseContact.ANY)
    assert Options.from_json(chosen.to_json()) == chosen


def test_every_wrong_option_is_named() -> None:
    """Unknown options and values are all named, with what there is."""
    with pytest.raises(BadOptions) as refused:
        Options.from_json({"speed": "high", "base_contact": "none", "new_layer_exception": 3})
    assert [defect.where for defect in refused.value.defects] == ["options.speed", "options.base_contact", "options.new_layer_exception"]
    assert "one_base, two_pairs, any" in str(refused.value)


def _own_set() -> PieceSet:
    """The classic set with a bent piece, a ring and other hands."""
    data = copy.deepcopy(dict(load_piece_set("classic").source))
    data["pieces"]["BENT"] = {"cells": [[0, 0], [1, 0], [1, 1], [1, 2]], "count": 6, "colour": "#112233", "letter": "N"}
    data["pieces"]["RING"] = {"cells": [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]], "count": 4, "colour": "#332211", "letter": "R"}
    data["hands"] = {"1": {"BASE": 3, "UNI": 4, "BENT": 2}, "2": {"BASE": 3, "UNI": 3, "DUO": 2, "BENT": 3, "RING": 1}}
    return build_piece_set("own", data)


def test_any_set_plays() -> None:
    """A set with a bent piece that has no mirror symmetry, a ring, and hands of its own plays to the end of a round by the same code."""
    own = _own_set()
    state = State.new(2, piece_set=own)
    assert state.hand(0) == {"BASE": 3, "UNI": 3, "DUO": 2, "TRIO": 0, "QUAD": 0, "BENT": 3, "RING": 1}
    while state.round == 1:
        moves = state.legal_moves()
        for move in moves:
            assert state.explain(move) == ()
        assert State.from_json(state.to_json(), piece_set=own).legal_moves() == moves
        state.play(moves[len(moves) // 2])


def test_pieces_are_not_flipped() -> None:
    """A bent piece can be turned but not flipped: its mirror image is no shape of it."""
    own = _own_set()
    state = State.new(1, piece_set=own)
    for _ in range(3):
        state.play(state.legal_moves()[0])
    bent = [move for move in state.legal_moves() if move.piece == "BENT"]
    turns = set(own.lattice.orientations(own.by_name["BENT"].cells))
    assert len(turns) == 6
    assert bent
    mirrored = "BENT 1 0,0 0,1 1,1 2,1"
    assert "wrong-shape" in [broken.code.value for broken in state.explain(mirrored)]


def test_base_of_one_node() -> None:
    """With a BASE of one node two nodes can never touch: by the default reading the second player is out, with `any` play goes on (S7)."""
    data = copy.deepcopy(dict(load_piece_set("classic").source))
    data["pieces"]["BASE"]["cells"] = [[0, 0]]
    del data["pieces"]["UNI"]
    for hand in data["hands"].values():
        del hand["UNI"]
    single = build_piece_set("single", data)
    strict = State.new(2, piece_set=single)
    events = strict.play(strict.legal_moves()[0])
    assert [event.get("reason") for event in events if event["type"] == "out"] == ["S5"]
    assert strict.scores == (1, 0)
    free = State.new(2, piece_set=single, options=Options(base_contact=BaseContact.ANY))
    free.play(free.legal_moves()[0])
    assert len(free.legal_moves()) == 6
