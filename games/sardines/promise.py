"""What moves and hands promise, in points: how `greedy` weighs its moves, and where `ismcts` looks first."""

from __future__ import annotations

from functools import lru_cache

from games.sardines import tables
from games.sardines.card_list import Demand
from games.sardines.tables import FILL, GATHER, GATHERED

PATIENCE = 0.8
"""What a point is worth a turn later: others may fill the order first, and the game ends."""

SECOND_ORDER = 0.4
"""Weight of the second-best order in reach beside the best, of the third beside the second, and so on."""

FISH_WORTH = 0.1
"""What a fish left in hand is worth, in points."""

_CACHE = 1 << 16


def worth(move: int, hand: int, orders: tuple[int, ...], *, last: bool) -> float:
    """Points won by the move of a player with this hand, and what his hand is worth after it; `last` if it is his last turn."""
    code, cards = move & 7, move >> 3
    if code >= FILL:
        index = code - FILL
        return tables.POINTS[orders[index]] + PATIENCE * promise(hand - cards, orders[:index] + orders[index + 1 :], last=last)
    return PATIENCE * promise(hand + cards if code == GATHER else hand - cards, orders, last=last)


def promise(hand: int, orders: tuple[int, ...], *, last: bool) -> float:
    """What the orders in the row are worth to a player with this hand, the sooner he can fill them the more.

    When he has had his last turn nothing counts any more but the fish that break ties (D19).
    """
    fish = tables.fish(hand)
    found = FISH_WORTH * sum(fish)
    if last:
        return found
    weight = 1.0
    for chance in sorted([_chance(order, fish) for order in orders], reverse=True):
        found += weight * chance
        weight *= SECOND_ORDER
    return found


@lru_cache(maxsize=_CACHE)
def _chance(order: int, fish: Demand) -> float:
    """Points of an order to a player who holds these fish, the less the more often he must gather before he can fill it."""
    return tables.POINTS[order] * PATIENCE ** -(-tables.missing(order, fish) // GATHERED)
