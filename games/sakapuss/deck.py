"""Cats as small whole numbers, hands as packed counts, and what the cards of the pile do.

A hand is a whole number with three bits for each kind of cat: how many of it are held. A card of the pile is its text (`L2`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from games.sakapuss.card_list import SHOWER, standard

CATS = "ABCDE"
"""The kinds of cats; with n players the first n are in play (P1, P2)."""

MIN_PLAYERS, MAX_PLAYERS = 3, 5

HAND = 4
"""So many cards are in each hand, and so many cats are there of each kind."""

ROUNDS = 10
"""A game has so many rounds (P22)."""

SLAP = len(CATS)
"""The move that slaps the pile. Any other move is the cat that is passed."""

_FOURS = sum(HAND << 3 * cat for cat in range(len(CATS)))

PILE = standard().cards
"""All cards of the pile, in text order."""

PARASITES = {card: int(card[1:]) for card in set(PILE) if card != SHOWER and card[0] != "i"}
"""How many parasites each parasite card shows."""

Pile = tuple[str, ...]


def packed(cats: Iterable[int]) -> int:
    """Cats as a hand."""
    return sum(1 << 3 * cat for cat in cats)


@cache
def held(hand: int) -> tuple[int, ...]:
    """The cats of a hand in ascending order, as often as they are held."""
    return tuple(cat for cat in range(len(CATS)) for _ in range(hand >> 3 * cat & 7))


@cache
def kinds(hand: int) -> tuple[int, ...]:
    """The different cats of a hand in ascending order: those that can be passed."""
    return tuple(cat for cat in range(len(CATS)) if hand >> 3 * cat & 7)


@cache
def choices(hand: int) -> tuple[int, ...]:
    """The moves of a player who holds this hand and has not chosen: each cat he can pass, and `SLAP`."""
    return (*kinds(hand), SLAP)


def is_four(hand: int) -> bool:
    """Whether a hand holds four cats alike."""
    return hand & _FOURS != 0


def hand_names(hand: int) -> list[str]:
    """A hand in protocol form."""
    return [CATS[cat] for cat in held(hand)]


def cats_in_play(players: int) -> list[int]:
    """The cat cards that are dealt: four of each of as many kinds as players (P1)."""
    return [cat for cat in range(players) for _ in range(HAND)]


def got_rid_of(card: str, front: Pile) -> Pile:
    """The parasite cards in front of a player that this card of the pile takes away, in the order they were got (P16, P18)."""
    if card == SHOWER:
        return front
    return tuple([lying for lying in front if lying[0] == card[1]]) if card[0] == "i" else ()


def parasites(front: Pile) -> int:
    """The sum of the parasites printed on cards, which is what counts at the end (P23)."""
    return sum([PARASITES[card] for card in front])


def winners(scores: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with the fewest parasites; several share the victory (P24)."""
    fewest = min(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == fewest)
