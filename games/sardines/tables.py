"""Cards as numbers, for speed: any set of sardine cards is one integer, and which cards fill which order is known in advance.

A set of cards has four bits for each kind of card (in the order of `NAMES`) that count it. Orders are numbers too, indices into
`ORDERS`. A move is an integer as well, made by `gather_id`, `fill_id` and `discard_id`: the cards it names, then three bits that
say what is done with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations

from games.sardines.card_list import COLOURS, Demand, fish_on, standard

MARKET = 5
"""Sardine cards in the market."""

ROW = 4
"""Orders in the row."""

HAND_LIMIT = 6
"""Cards a player may hold at the end of a turn (D13)."""

GATHERED = 2
"""Fish a gather takes (D3)."""

_LIST = standard()

NAMES = tuple(_LIST.sardines)
"""The kinds of sardine cards, in text order."""

COUNTS = tuple(_LIST.sardines.values())
"""How many there are of each kind."""

ORDERS = tuple(sorted(set(_LIST.orders), key=_LIST.orders.index))
"""The kinds of orders, in the order of the data file."""

ORDER_COUNTS = tuple(map(_LIST.orders.count, ORDERS))
"""How many order cards there are of each kind."""

DEMANDS = tuple(order.demands() for order in ORDERS)
POINTS = tuple(order.points for order in ORDERS)

CARD_INDEX = {name: index for index, name in enumerate(NAMES)}
ORDER_INDEX = {order: index for index, order in enumerate(ORDERS)}

ONE = tuple(1 << 4 * index for index in range(len(NAMES)))
"""The set of a single card of each kind."""

FISH = tuple(map(fish_on, NAMES))
"""The fish on each kind of card."""

SIZES = tuple(map(len, NAMES))

GATHER, DISCARD, PASS, FILL = 0, 1, 2, 4
"""What a move's lowest three bits say; `FILL` plus an index in the row."""

_GUARD = sum(one << 3 for one in ONE)
_CACHE = 1 << 16
"""More than there are hands within the limit, so that they are all looked up rather than worked out in the end."""


def packed(cards: Iterable[int]) -> int:
    """A set of cards from their kinds; of each at most seven."""
    return sum([ONE[card] for card in cards])


@lru_cache(maxsize=_CACHE)
def listed(cards: int) -> tuple[int, ...]:
    """The kinds in a set of cards, in text order."""
    return tuple(index for index in range(len(NAMES)) for _ in range(cards >> 4 * index & 7))


def names(cards: int) -> list[str]:
    """The cards of a set by name, in text order."""
    return [NAMES[card] for card in listed(cards)]


def number(cards: int) -> int:
    """How many cards are in a set of at most fourteen: the sum of digits in base 16."""
    return cards % 15


def contains(cards: int, part: int) -> bool:
    """Whether `part` can be taken from `cards`."""
    return ((cards | _GUARD) - part) & _GUARD == _GUARD


@lru_cache(maxsize=_CACHE)
def fish(cards: int) -> Demand:
    """How many fish of each colour are on the cards."""
    counts = [sum(column) for column in zip(*[FISH[card] for card in listed(cards)], strict=True)] or [0] * len(COLOURS)
    return counts[0], counts[1], counts[2], counts[3]


def is_filled(order: int, cards: int) -> bool:
    """Whether the cards cover the order; more than it asks for is allowed (D7)."""
    held = fish(cards)
    return any(all(map(int.__ge__, held, demand)) for demand in DEMANDS[order])


def missing(order: int, held: Demand) -> int:
    """How many more fish are needed beside those held to cover the order."""
    return min(sum(max(0, due - have) for due, have in zip(demand, held, strict=True)) for demand in DEMANDS[order])


def moves(market: Sequence[int], hand: int, orders: Sequence[int], must_discard: int) -> list[int]:
    """The legal moves of the player to move, without payments in which a card is needless (D8). A pass only if there is nothing else (D6)."""
    if must_discard:
        return list(discards(hand, must_discard))
    found = list(gathers(packed(market)))
    payable = payments(hand)
    if payable:
        for index, order in enumerate(orders):
            if order in payable:
                found += [move + index for move in payable[order]]
    return found or [PASS]


def gather_id(cards: int) -> int:
    """The move that takes these cards from the market."""
    return cards << 3 | GATHER


def discard_id(cards: int) -> int:
    """The move that throws these cards away."""
    return cards << 3 | DISCARD


def fill_id(index: int, cards: int) -> int:
    """The move that pays the order at `index` in the row with these cards."""
    return cards << 3 | FILL + index


@lru_cache(maxsize=_CACHE)
def gathers(market: int) -> tuple[int, ...]:
    """Every way to take two fish: one card with two, or two cards with one each (D3, D4)."""
    cards = listed(market)
    taken = {ONE[card] for card in cards if SIZES[card] == GATHERED}
    taken |= {packed(pair) for pair in combinations([card for card in cards if SIZES[card] == 1], GATHERED)}
    return tuple(map(gather_id, sorted(taken)))


@lru_cache(maxsize=_CACHE)
def discards(hand: int, count: int) -> tuple[int, ...]:
    """Every way to throw away so many cards."""
    return tuple(map(discard_id, sorted(set(map(sum, combinations([ONE[card] for card in listed(hand)], count))))))


@lru_cache(maxsize=_CACHE)
def payments(hand: int) -> Mapping[int, Sequence[int]]:
    """For each order that these cards can pay the moves that pay it, as if it stood first in the row."""
    filled_by = _filled_by()
    found: dict[int, list[int]] = {}
    for cards in _parts(hand):
        for order in filled_by.get(cards, ()):
            found.setdefault(order, []).append(fill_id(0, cards))
    return found


@cache
def covers(order: int) -> tuple[int, ...]:
    """Every set of cards that fills the order and has no needless card."""
    found = {cards for demand in DEMANDS[order] for cards in _meeting(demand)}
    return tuple(sorted(cards for cards in found if not any(is_filled(order, cards - ONE[card]) for card in listed(cards))))


@cache
def _filled_by() -> dict[int, list[int]]:
    """For each set of cards the orders it fills with no needless card."""
    filled: dict[int, list[int]] = {}
    for order in range(len(ORDERS)):
        for cards in covers(order):
            filled.setdefault(cards, []).append(order)
    return filled


def _parts(cards: int) -> list[int]:
    """Every set that can be taken from the cards."""
    parts = [0]
    for card, one in enumerate(ONE):
        count = cards >> 4 * card & 7
        if count:
            parts += [part + taken * one for taken in range(1, count + 1) for part in parts]
    return parts


def _meeting(demand: Demand) -> set[int]:
    """Every set of cards that meets the demand and in which each card, in any order, brings it nearer."""
    found: set[int] = set()

    def extend(cards: int, short: tuple[int, ...], first: int) -> None:
        if not any(short):
            found.add(cards)
            return
        for card in range(first, len(NAMES)):
            after = tuple([max(0, due - have) for due, have in zip(short, FISH[card], strict=True)])
            if after != short and (cards >> 4 * card & 7) < COUNTS[card]:
                extend(cards + ONE[card], after, card)

    extend(0, demand, 0)
    return found
