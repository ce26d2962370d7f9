"""What the card games share."""

from __future__ import annotations

import numpy as np
import pytest

from games.cards import NoGenerator, Rewindable, checked_seat, deck_defects, shuffled
from games.errors import NoSuchSeat, NothingToUndo


class Counter(Rewindable[int]):
    """A game that counts."""

    __slots__ = ()

    def step(self) -> None:
        """The only move."""
        self._advance(self.position + 1)


def test_undo_and_copy() -> None:
    """Every move can be taken back, and a copy goes its own way with the same past."""
    one = Counter(0)
    one.step()
    other = one.copy()
    other.step()
    assert (one.position, other.position) == (1, 2)
    other.undo()
    other.undo()
    one.undo()
    assert (one.position, other.position) == (0, 0)
    for each in (one, other):
        with pytest.raises(NothingToUndo):
            each.undo()


def test_shuffled_keeps_every_card() -> None:
    """The same cards in an order that the seed fixes; every order can come."""
    orders = {shuffled("ABC", np.random.default_rng(seed)) for seed in range(100)}
    assert len(orders) == 6
    assert all(sorted(order) == ["A", "B", "C"] for order in orders)
    assert shuffled("ABCDEF", np.random.default_rng(3)) == shuffled("ABCDEF", np.random.default_rng(3))
    assert shuffled((), np.random.default_rng(0)) == ()


def test_shuffled_needs_a_generator() -> None:
    """Chance comes from the generator given and from nowhere else."""
    with pytest.raises(NoGenerator, match="a generator is needed"):
        shuffled("ABC", None)


@pytest.mark.parametrize("player", [-1, 2])
def test_seats_that_are_not_there(player: int) -> None:
    """A seat below zero or past the last is refused."""
    assert checked_seat(1, 2) == 1
    with pytest.raises(NoSuchSeat, match=f"no player {player}"):
        checked_seat(player, 2)


def test_deck_defects() -> None:
    """Lost, doubled and foreign cards are each named with how many there are and should be."""
    assert list(deck_defects(["A", "B", "B"], ["B", "A", "B"])) == []
    found = [(defect.code, defect.where) for defect in deck_defects(["A", "A", "X"], ["A", "B", "B"])]
    assert found == [("wrong-total", "cards.A"), ("wrong-total", "cards.B"), ("unknown-card", "cards.X")]
