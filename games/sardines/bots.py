"""Bots for Sunny Day Sardines, weakest first: `random`, and `greedy`, which weighs each move by what it brings its hand nearer to.

They see the game through `State.view` only, so no hidden card can sway them.
"""

from __future__ import annotations

import numpy as np

from games.sardines import tables
from games.sardines.moves import Move, from_id
from games.sardines.state import State
from games.sardines.view import SardinesView
from meshes.errors import StakdError

PATIENCE = 0.8
"""What a point is worth a turn later: others may fill the order first, and the game ends."""

SECOND_ORDER = 0.4
"""Weight of the second-best order in reach beside the best, of the third beside the second, and so on."""

FISH_WORTH = 0.1
"""What a fish left in hand is worth, in points."""


class RandomBot:
    """Any legal move, all alike."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        moves = _open_moves(state.view(state.to_move))
        return from_id(moves[int(rng.integers(len(moves)))])


class GreedyBot:
    """The move after which points won and orders in reach are worth most. Ties are broken at random."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        view = state.view(state.to_move)
        moves = _open_moves(view)
        worth = [_worth(view, move) for move in moves]
        best = [move for move, value in zip(moves, worth, strict=True) if value == max(worth)]
        return from_id(best[int(rng.integers(len(best)))])


BOTS = {"random": RandomBot, "greedy": GreedyBot}


def _open_moves(view: SardinesView) -> list[int]:
    moves = view.legal_ids()
    if not moves:
        raise StakdError("the game is over, so there is no move to choose; start a new one")
    return moves


def _worth(view: SardinesView, move: int) -> float:
    """Points won by the move, and what the hand is worth after it."""
    code, cards = move & 7, move >> 3
    if code >= tables.FILL:
        index = code - tables.FILL
        others = view.orders[:index] + view.orders[index + 1 :]
        return tables.POINTS[view.orders[index]] + PATIENCE * _promise(view, view.hand - cards, others)
    hand = view.hand + cards if code == tables.GATHER else view.hand - cards
    return PATIENCE * _promise(view, hand, view.orders)


def _promise(view: SardinesView, hand: int, orders: tuple[int, ...]) -> float:
    """What the orders in the row are worth to a player with this hand, the sooner he can fill them the more.

    When he has had his last turn nothing counts any more but the fish that break ties (D19).
    """
    spare = FISH_WORTH * sum(tables.fish(hand))
    if view.final_round:
        return spare
    chances = sorted((tables.POINTS[order] * PATIENCE ** _gathers(order, hand) for order in orders), reverse=True)
    return spare + sum(chance * SECOND_ORDER**rank for rank, chance in enumerate(chances))


def _gathers(order: int, hand: int) -> int:
    """How many times the player must gather before he can fill the order."""
    return -(-tables.missing(order, hand) // tables.GATHERED)
