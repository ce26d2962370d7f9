"""The two quick bots: one that plays at random, and one that looks a single move ahead."""

from __future__ import annotations

import numpy as np

from games.stakd.position import Position
from games.stakd.state import State
from meshes.errors import StakdError
from meshes.placement import Placement

NODE_WEIGHT = 2.0
"""What laying a node is worth, in moves."""


class RandomBot:
    """Any legal move, all alike."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Placement:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        moves = open_moves(state.position)
        return state.placement(moves[int(rng.integers(len(moves)))])


class GreedyBot:
    """Wins if it can at once; else the move that leaves the position with the most appeal. Ties are broken at random."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Placement:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        position = state.position
        moves = open_moves(position)
        worth = [_worth(position, move) for move in moves]
        best = [move for move, value in zip(moves, worth, strict=True) if value == max(worth)]
        return state.placement(best[int(rng.integers(len(best)))])


def open_moves(position: Position) -> list[int]:
    """The legal moves; raises `StakdError` if there are none because the game is over."""
    moves = position.ids()
    if not moves:
        raise StakdError("the game is over, so there is no move to choose; start a new one")
    return moves


def appeal(before: Position, move: int, after: Position) -> float:
    """How good the move from `before` to `after` looks to the player who made it, in moves.

    It counts own choices less those of the others (on average), plus what it is worth to be rid of the piece.
    Large pieces should go first: a player whose larger pieces can't open a layer is out although his UNIs could (S31), and
    larger pieces find room only while layers are broad. Mobility alone hardly beats chance (53 % of rounds of two players);
    with the pieces counted it wins 93 %.
    """
    if before.board is None or after.board is None:
        return 0.0
    seat = before.seat
    others = [mobility(after, other) for other in range(after.rules.seats) if other != seat and after.inside >> other & 1]
    theirs = sum(others) / len(others) if others else 0.0
    return NODE_WEIGHT * before.board.masks[move % before.board.size].bit_count() + mobility(after, seat) - theirs


def mobility(position: Position, seat: int) -> int:
    """How many moves `seat` would have if it were his turn; bases must all lie."""
    now, new = position.choices(seat)
    return now.bit_count() + new.bit_count()


def _worth(before: Position, move: int) -> float:
    after = before.after(move)
    if after.over:
        return float("inf") if after.winner == before.seat else float("-inf")
    return appeal(before, move, after)
