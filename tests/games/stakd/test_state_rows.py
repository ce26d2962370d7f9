"""Rows of the rules decisions about rounds, turns and seats that need a game in progress."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from games.errors import IllegalMove, NoSuchSeat
from games.stakd.state import State

Setting = Callable[..., State]

A = "BASE 0,0 0,1 1,0 1,1 2,0"
B = "BASE 2,1 3,0 3,1 4,-1 4,0"
COLUMN = ([A, B], ["TRIO 0,0 0,1 1,0"], ["DUO 0,0 0,1"])
"""A narrow tower: layer 2 has room for one UNI on (1,0), and whatever comes above has the three cells of the TRIO."""


@pytest.mark.parametrize("player", [-1, 3, 99])
def test_seats_that_are_not_there(player: int) -> None:
    """A player who is not at the table is refused by name everywhere, -1 too, and nothing changes."""
    state = State.new(3)
    move = state.legal_moves()[0]
    before = state.to_json()
    calls: list[Callable[[], object]] = [
        lambda: state.knock_over(player),
        lambda: state.resign(player),
        lambda: state.explain(move, player=player),
        lambda: state.play(move, player=player),
        lambda: state.legal_moves(player),
        lambda: state.hand(player),
        lambda: state.view(player),
        lambda: State.new(3, starter=player),
    ]
    for call in calls:
        with pytest.raises(NoSuchSeat, match=f"no player {player}; they are numbered 0 to 2"):
            call()
    assert state.to_json() == before


def test_who_left_is_not_blamed() -> None:
    """A player who has left the match can't be the one who knocks the tower over (S43, S53)."""
    state = State.new(3)
    state.resign(1)
    before = state.to_json()
    with pytest.raises(IllegalMove) as refused:
        state.knock_over(1)
    assert [broken.code for broken in refused.value.violations] == ["already-left"]
    assert state.to_json() == before


@pytest.mark.parametrize(("players", "pieces"), [(1, 38), (2, 56), (3, 42), (4, 56), (5, 55)])
def test_box_stays_closed(players: int, pieces: int) -> None:
    """Of the 66 pieces only what the hands take is in play, in every round; the rest stays in the box (S52; rulebook, pieces per player)."""
    state = State.new(players)
    for _ in range(2 if players > 1 else 1):
        assert sum(sum(state.hand(player).values()) for player in range(players)) == pieces
        state.knock_over(0)


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_youngest_starts_the_first_round_only(table: Setting, starter: int) -> None:
    """The seat named as the youngest begins round 1, seat 0 if none is named; later whoever won the round before (S3)."""
    assert State.new(3).to_move == 0
    assert State.new(3, starter=starter).to_move == starter
    state = table(*COLUMN, hands=({"UNI": 1}, {}, {}))
    state.play("UNI 2 1,0")
    assert (state.round, state.to_move) == (2, 0)


def test_layers_stay_connected() -> None:
    """However a game goes, each layer is one cluster: every piece touches what lay there before it (S13)."""
    rng = np.random.default_rng(5)
    state = State.new(3)
    while state.round == 1:
        layers = state.layers
        for layer in layers[1:]:
            cells = {cell for placement in layer for cell in placement.cells}
            reached = set(layer[0].cells)
            while more := {near for cell in reached for near in state.rules.piece_set.lattice.neighbours(cell)} & cells - reached:
                reached |= more
            assert reached == cells
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])


@pytest.mark.parametrize(("players", "bases"), [(1, 2), (2, 4), (3, 3), (4, 4), (5, 5)])
def test_six_pieces_do_not_bind_the_base_layer(players: int, bases: int) -> None:
    """Layer 1 opens as soon as all bases lie, though there are never six of them (S24)."""
    state = State.new(players)
    for laid in range(bases):
        assert {(move.piece, move.layer) for move in state.legal_moves()} == {("BASE", 0)}
        assert len(state.placements()) == laid
        state.play(state.legal_moves()[-1])
    assert {move.layer for move in state.legal_moves()} == {1}


def test_no_pass(table: Setting) -> None:
    """Who can play must: no text means a pass, the turn stays, and opening a layer counts as being able to play (S34)."""
    state = table([A, B], hands=({"UNI": 3, "DUO": 2}, {"UNI": 3, "DUO": 2}))
    for text in ("", "pass", "PASS 1 0,0", "--"):
        with pytest.raises(IllegalMove):
            state.play(text)
    assert state.to_move == 0
    # layer 2 has no room for a DUO, so that player must open layer 3 and is not asked whether he wants to
    state = table(*COLUMN, hands=({"UNI": 1, "DUO": 1}, {"TRIO": 1, "UNI": 1}))
    state.play("UNI 2 1,0")
    assert state.to_move == 1
    assert {move.layer for move in state.legal_moves()} == {3}
    assert state.out == (False, False)


def test_all_build_on_all(table: Setting) -> None:
    """A laid piece has no owner: with the same hand every player has the same moves on it, whoever laid it (S46)."""
    hand = {"UNI": 3, "DUO": 2, "TRIO": 1, "QUAD": 1}
    first, second = (table([A, B], ["DUO 0,0 0,1", "UNI 1,0"], hands=(hand, hand), to_move=seat) for seat in range(2))
    assert first.legal_moves() == second.legal_moves() != []


@pytest.mark.parametrize("laid", [0, 1, 3])
def test_knock_over_while_bases_are_laid(laid: int) -> None:
    """A knock-over before all bases lie counts like any other: the mover loses a point, the round begins anew (S43, S44)."""
    state = State.new(2)
    for _ in range(laid):
        state.play(state.legal_moves()[0])
    culprit = state.to_move
    state.knock_over(culprit)
    assert state.scores == tuple(-1 if player == culprit else 0 for player in range(2))
    assert (state.round, state.layers, state.to_move) == (2, (), 0)
    assert {move.piece for move in state.legal_moves()} == {"BASE"}


def test_thousand_random_steps_back_and_forth() -> None:
    """A thousand times a random deed and its undo: rules, moves and who has left are exactly as before each time."""
    rng = np.random.default_rng(11)
    state = State.new(4)

    def snapshot() -> object:
        return state.to_json(), state.left, state.out, state.position.key(), state.legal_ids()

    def deed() -> None:
        present = [player for player in range(4) if not state.left >> player & 1]
        kind = rng.random()
        if kind < 0.05:
            state.knock_over(present[int(rng.integers(len(present)))])
        elif kind < 0.1:
            state.resign(present[int(rng.integers(len(present)))])
        else:
            moves = state.legal_ids()
            state.play_id(moves[int(rng.integers(len(moves)))])

    for step in range(1000):
        before = snapshot()
        deed()
        state.undo()
        assert snapshot() == before
        if step % 3 == 0:
            deed()
        if state.over:
            state = State.new(4, starter=step % 4)
