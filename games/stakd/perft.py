"""Counting sequences of moves: the outside truth for the rules."""

from __future__ import annotations

from games.stakd.position import Position
from games.stakd.state import State
from meshes.placement import Placement


def perft(state: State, depth: int) -> int:
    """Number of sequences of exactly `depth` moves from here within the round; 1 for depth 0."""
    return _count(state.position, depth)


def divided(state: State, depth: int) -> dict[Placement, int]:
    """`perft` by first move; `depth` is at least 1."""
    position = state.position
    return {position.placement(move): _count(position.after(move), depth - 1) for move in position.ids()}


def _count(position: Position, depth: int) -> int:
    if depth < 2:
        return position.count() if depth else 1
    return sum(_count(position.after(move), depth - 1) for move in position.ids())
