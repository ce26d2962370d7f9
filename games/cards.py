"""What the card games share: shuffling, counting cards, and states with a way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Self, TypeVar

from numpy.random import Generator

from games.errors import NoSuchSeat, NothingToUndo
from meshes.errors import Defect, StakdError

T = TypeVar("T")
P = TypeVar("P")


class NoGenerator(StakdError):
    """A move needs chance (a shuffle), and no generator was given to make it with."""

    def __init__(self) -> None:
        super().__init__("cards must be shuffled for this, so a generator is needed: give `rng`, such as numpy.random.default_rng(seed)")


class Rewindable(Generic[P]):
    """A state as a shell around an immutable position, with the positions before it linked for `undo`.

    A move puts a new position in place of the old one, so copying and going back cost next to nothing.
    """

    __slots__ = ("_past", "position")

    def __init__(self, position: P) -> None:
        self.position = position
        self._past: tuple[P, Any] | None = None

    def undo(self) -> None:
        """Take back the last move, across rounds too. Raises `NothingToUndo`."""
        if self._past is None:
            raise NothingToUndo
        self.position, self._past = self._past

    def copy(self) -> Self:
        """An independent state with the same way back."""
        new = type(self).__new__(type(self))
        new.position, new._past = self.position, self._past
        return new

    def _advance(self, position: P) -> None:
        """Go on to `position`, remembering the one before."""
        self._past = (self.position, self._past)
        self.position = position


def shuffled(cards: Sequence[T], rng: Generator | None) -> tuple[T, ...]:
    """The cards in random order. Raises `NoGenerator` without a generator."""
    if rng is None:
        raise NoGenerator
    return tuple([cards[index] for index in rng.permutation(len(cards)).tolist()])


def checked_seat(player: int, players: int) -> int:
    """`player`, if there is such a seat, else `NoSuchSeat`; checked because -1 would be taken for the last one."""
    if not 0 <= player < players:
        raise NoSuchSeat(player, players)
    return player


def deck_defects(found: Iterable[str], deck: Iterable[str]) -> Iterator[Defect]:
    """Where the cards found in all zones together differ from the deck in play, card by card in text order."""
    counts, due = Counter(found), Counter(deck)
    for card in sorted(counts.keys() | due.keys()):
        if card not in due:
            yield Defect("unknown-card", f"cards.{card}", "there is no such card in this game with this number of players")
        elif counts[card] != due[card]:
            yield Defect("wrong-total", f"cards.{card}", f"found {counts[card]} in all zones together; {due[card]} must be there")
