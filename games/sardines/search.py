"""What `games.ismcts` must know of Sunny Day Sardines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from numpy.random import Generator

from games.sardines import tables
from games.sardines.moves import Move, from_id
from games.sardines.position import Position
from games.sardines.promise import worth
from games.sardines.tables import FILL
from games.sardines.view import SardinesView

DRAWN = 3
"""A playout draws so many moves and makes the most promising of them."""

LEAD_SCALE = 4.0
"""A lead of so many points gains three quarters of the share that goes by points."""

WIN_SHARE = 0.7
"""The share of the gain that goes by winning; the rest goes by the lead in points, so that even lost games are played well."""

_KINDS = 64


class SardinesSearch:
    """Moves are ids, in which fills name the kind of the order instead of its place in the row, so that they mean the same in every
    deal.
    """

    def determinize(self, view: SardinesView, rng: Generator) -> Position:
        """A position that fits the view, drawn at random."""
        return view.determinize(rng)

    def seat(self, position: Position) -> int:
        """The seat to move."""
        return position.to_move

    def moves(self, position: Position) -> list[int]:
        """The legal moves, the most promising first."""
        orders = position.orders
        promised = {}
        for move in position.ids():
            code = move & 7
            index = code - FILL
            promised[(move - index) * _KINDS + orders[index] if index >= 0 else move * _KINDS] = -_worth(position, move)
        return sorted(promised, key=promised.__getitem__)

    def after(self, position: Position, move: int, rng: Generator) -> Position:
        """The position after a move; chance comes from `rng`."""
        return position.after(_id(position, move), rng)

    def play_out(self, position: Position, chance: Iterator[float], rng: Generator) -> Position:
        """To the end of the game: of a few moves drawn the one of most promise, but an order that can be filled always is."""
        while not position.over:
            moves = position.ids()
            count = len(moves)
            if moves[-1] & 7 >= FILL:
                move = max([move for move in moves if move & 7 >= FILL], key=lambda move: _worth(position, move))
            else:
                drawn = [moves[int(next(chance) * count)] for _ in range(DRAWN)] if count > 1 else moves
                move = max(drawn, key=lambda move: _worth(position, move))
            position = position.after(move, rng)
        return position

    def gains(self, position: Position, view: SardinesView) -> Sequence[float] | None:
        """A share of winning and a share of the lead in points, once the game is over."""
        if not position.over:
            return None
        points = tables.POINTS
        scores = [sum([points[order] for order in orders]) for orders in position.completed]
        ranks = [(score, len(orders), sum(tables.fish(hand))) for score, orders, hand in zip(scores, position.completed, position.hands, strict=True)]
        best = max(ranks)
        share = WIN_SHARE / ranks.count(best)
        gains = []
        for seat, rank in enumerate(ranks):
            lead = rank[0] - max(scores[:seat] + scores[seat + 1 :])
            gains.append((share if rank == best else 0.0) + (1 - WIN_SHARE) / (1 + math.exp(-lead / LEAD_SCALE)))
        return gains

    def move(self, position: Position, move: int) -> Move:
        """The move as a value."""
        return from_id(_id(position, move))


def _id(position: Position, move: int) -> int:
    """The id of a move in this position."""
    plain, kind = divmod(move, _KINDS)
    return plain + position.orders.index(kind) if plain & 7 >= FILL else plain


def _worth(position: Position, move: int) -> float:
    """What the move promises the player to move."""
    return worth(move, position.hands[position.to_move], position.orders, last=position.final_round)
