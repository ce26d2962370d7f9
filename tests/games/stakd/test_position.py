"""Positions as bots use them: values that can be kept, stepped from and compared."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from games.stakd.state import State
from meshes.placement import Placement

Setting = Callable[..., State]

A = "BASE 0,0 0,1 1,0 1,1 2,0"
B = "BASE 2,1 3,0 3,1 4,-1 4,0"


def test_stepping_leaves_the_position_as_it_was() -> None:
    """Whatever is tried from a position, it still gives the same moves, hands and table."""
    rng = np.random.default_rng(5)
    position = State.new(3).position
    while not position.over:
        before = (position.ids(), position.hands, position.laid(), position.inside, position.seat)
        steps = [position.after(move) for move in position.ids()]
        assert (position.ids(), position.hands, position.laid(), position.inside, position.seat) == before
        position = steps[int(rng.integers(len(steps)))]
    assert position.winner is not None
    assert position.inside == 1 << position.winner
    assert (position.ids(), position.count()) == ([], 0)


def test_ids_stay_the_same_through_the_round() -> None:
    """The id of a placement is the same in every position of a round, so that bots can gather statistics by id."""
    rng = np.random.default_rng(6)
    position = State.new(2).position
    names: dict[int, Placement] = {}
    while not position.over:
        for move, placement in zip(position.ids(), position.placements(), strict=True):
            assert names.setdefault(move, placement) == placement
            assert position.find(placement) == move
            assert position.allows(move)
        moves = position.ids()
        position = position.after(moves[int(rng.integers(len(moves)))])
    assert len(set(names.values())) == len(names)


def test_count_is_the_number_of_moves() -> None:
    """`count` and `ids` agree, on bases and above."""
    rng = np.random.default_rng(7)
    position = State.new(4).position
    while not position.over:
        assert position.count() == len(position.ids())
        moves = position.ids()
        position = position.after(moves[int(rng.integers(len(moves)))])


def test_same_key_whatever_the_order(table: Setting) -> None:
    """The same pieces laid in another order give the same key and the same moves; a piece elsewhere gives another."""
    hands = ({"DUO": 2, "UNI": 2}, {"DUO": 2, "UNI": 2})
    one, other, third = table([A, B], hands=hands), table([A, B], hands=hands), table([A, B], hands=hands)
    for state, moves in ((one, ("DUO 1 0,0 0,1", "UNI 1 1,0")), (third, ("DUO 1 0,0 0,1", "UNI 1 1,1"))):
        for move in moves:
            state.play(move)
    other = table([A, B], ["UNI 1,0", "DUO 0,0 0,1"], hands=({"DUO": 1, "UNI": 2}, {"DUO": 2, "UNI": 1}))
    assert one.position.key() == other.position.key()
    assert one.legal_moves() == other.legal_moves()
    assert one.position.key() != third.position.key()
