"""The cards of Sakana Stack as small whole numbers, and every way to pile cards of one number on a stack.

A card is `6 * number + suit`; suits are counted in the order of their letters. A hand is a whole number too, with bit c set for
each card c in it, so that `hand >> 6 * number & 63` are the suits held of a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import NamedTuple

SUITS = ("C", "E", "P", "S", "T", "U")
"""Scallop, eel, pufferfish, shrimp, tuna, urchin, in the order of their letters."""

SUIT_NAMES = {"C": "scallop", "E": "eel", "P": "pufferfish", "S": "shrimp", "T": "tuna", "U": "urchin"}

MIN_PLAYERS, MAX_PLAYERS = 2, 5

_DEALT = {2: 12, 3: 10, 4: 9, 5: 8}

Cards = tuple[int, ...]
"""Cards in order; of a stack, bottom to top. As a move: the stack played, or `PASS`."""

PASS: Cards = ()


class Stack(NamedTuple):
    """A live stack on the table: whose it is, and its cards bottom to top."""

    owner: int
    cards: Cards

    @property
    def value(self) -> int:
        """The sum of its numbers."""
        return len(self.cards) * (self.cards[0] // 6)


def highest(players: int) -> int:
    """The largest number in play (rulebook, Game Setup): 7, 8, 9, 10 with 2, 3, 4, 5 players."""
    return players + 5


def hand_size(players: int) -> int:
    """How many cards each player is dealt (rulebook, Round Setup)."""
    return _DEALT[players]


@cache
def deck(players: int) -> Cards:
    """All cards in play, in ascending order."""
    return tuple(range(6, 6 * highest(players) + 6))


NAMES = dict(zip(deck(MAX_PLAYERS), [f"{suit}{number}" for number in range(1, 11) for suit in SUITS], strict=True))
"""The text of each card: `U10` is the urchin of number 10."""

CARDS = {name: card for card, name in NAMES.items()}
"""The card of each text."""


def bits(cards: Iterable[int]) -> int:
    """Cards, each at most once, as a hand."""
    return sum(1 << card for card in cards)


def held(hand: int) -> Iterator[int]:
    """The cards of a hand in ascending order."""
    while hand:
        lowest = hand & -hand
        yield lowest.bit_length() - 1
        hand ^= lowest


def names(cards: Iterable[int]) -> list[str]:
    """Cards in protocol form, in the order given."""
    return [NAMES[card] for card in cards]


def hand_names(hand: int) -> list[str]:
    """A hand in protocol form: sorted by suit letter, then by number."""
    return names(sorted(held(hand), key=by_suit))


def by_suit(card: int) -> tuple[int, int]:
    """The key that sorts cards by suit letter, then by number."""
    return card % 6, card


@cache
def piles(number: int, suits: int, bottoms: int, least: int, lone: int) -> tuple[Cards, ...]:
    """Every stack of this number, in every order (K18), of at least `least` cards from `suits` with one of `bottoms` at the bottom.

    Suits are bits; `bottoms` are among `suits`. The card of suit `lone` (-1 for none) is no stack by itself: it is the Catch of the
    Day, which needs a card from the hand with it (K20). Sorted by the suits from the bottom up.
    """
    cards = [6 * number + suit for suit in range(6) if suits >> suit & 1]
    found = (stack for size in range(max(least, 1), len(cards) + 1) for stack in permutations(cards, size) if bottoms >> stack[0] % 6 & 1)
    return tuple(sorted(stack for stack in found if stack != (6 * number + lone,)))
