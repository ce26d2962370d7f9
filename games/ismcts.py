"""The searching bot of the card games: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

One tree for all that the player to move can't tell apart. Each iteration deals the hidden cards anew in a way that fits his view,
then descends by the moves that are legal in that deal; a move's record is judged by how often it could have been chosen.
"""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from games.budget import Budget, Clock, fractions
from meshes.errors import StakdError

DEFAULT_ITERATIONS = 1000
"""About a second of thinking; in some games less."""

EXPLORATION = 0.5
"""Weight of curiosity beside the mean gain (the constant of UCT)."""

WIDENING = 1.0
"""A node looks at so many moves, the most promising ones, times the square root of its visits."""

MOST_NODES = 100_000
"""So many nodes are made at most, which keeps a tree under 100 MB however long it may grow; playouts go on from its leaves."""

P = TypeVar("P")
M = TypeVar("M", bound=Hashable)


class Search(Protocol[P, M]):
    """What the search must know of a game. Positions are values that `after` leaves as they were; equal moves are the same choice."""

    def determinize(self, view: Any, rng: np.random.Generator) -> P:
        """A position that fits the view, drawn at random."""

    def seat(self, position: P) -> int:
        """The seat to move."""

    def moves(self, position: P) -> Sequence[M]:
        """The legal moves worth a look, the most promising first; never none while `gains` is None."""

    def after(self, position: P, move: M, rng: np.random.Generator) -> P:
        """The position after a move; chance comes from `rng`."""

    def play_out(self, position: P, chance: Iterator[float], rng: np.random.Generator) -> P:
        """Quick play until `gains` tells what it was worth. `chance` gives uniform numbers in [0, 1)."""

    def gains(self, position: P, view: Any) -> Sequence[float] | None:
        """What each seat gets here, from 0 to 1, if a search from `view` goes no further; else None."""

    def move(self, position: P, move: M) -> Any:
        """The move as `Bot.choose` gives it."""


class IsmctsBot(Generic[P, M]):
    """Tries moves out in one growing tree over many deals; each player there wins for himself.

    It knows what `view` shows the player to move and nothing else. Same view, generator and iterations give the same move. A time
    limit is kept but for one playout. `clock` gives seconds; tests put their own in.
    """

    def __init__(self, search: Search[P, M], *, clock: Clock = time.perf_counter) -> None:
        self._search, self._clock = search, clock

    def choose(self, state: Any, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Any:
        """A legal move; without any limit it takes `DEFAULT_ITERATIONS`.

        Raises `StakdError` if the game is over, or if several may move at once, which a search by turns can't weigh.
        """
        if milliseconds is None and iterations is None:
            iterations = DEFAULT_ITERATIONS
        seat = state.to_move
        if seat is None:
            raise StakdError("this bot searches games played in turns, and here several may move at once; choose another bot")
        budget = Budget(milliseconds=milliseconds, iterations=iterations, clock=self._clock)
        tree = Tree(self._search, state.view(seat), rng)
        while not tree.settled and budget.used < 1.0:
            tree.grow()
            budget.spend(1.0)
        return tree.best()


class Node(Generic[M]):
    """A move made in the tree, and what came of it: `visits` of the `chances` to choose it, and `gain` of the player who made it."""

    __slots__ = ("chances", "children", "gain", "visits")

    def __init__(self) -> None:
        self.children: dict[M, Node[M]] = {}
        self.visits, self.chances = 0, 1
        self.gain = 0.0


class Tree(Generic[P, M]):
    """A tree growing from what a view shows; whose view it is must be to move. Raises `StakdError` if the game is over."""

    def __init__(self, search: Search[P, M], view: Any, rng: np.random.Generator) -> None:
        self._search, self._view, self._rng = search, view, rng
        self._chance = fractions(rng)
        self._first = search.determinize(view, rng)
        # a view holds the whole of the own hand, so that in every deal the first moves are the same
        self._moves = search.moves(self._first)
        if not self._moves:
            raise StakdError("the game is over, so there is no move to choose; start a new one")
        self._root: Node[M] = Node()
        self._nodes = 1

    @property
    def settled(self) -> bool:
        """Whether there is nothing to choose."""
        return len(self._moves) == 1

    def grow(self) -> None:
        """Deal, descend, play out and learn from it once."""
        search, rng = self._search, self._rng
        position, node = search.determinize(self._view, rng), self._root
        path: list[tuple[int, Node[M]]] = []
        gains = search.gains(position, self._view)
        while gains is None:
            seat = search.seat(position)
            move, child = self._choice(node, search.moves(position))
            position = search.after(position, move, rng)
            gains = search.gains(position, self._view)
            if child is None:
                break
            node = child
            path.append((seat, node))
            if not node.visits:
                break
        if gains is None:
            gains = search.gains(search.play_out(position, self._chance, rng), self._view)
        assert gains is not None, "a playout ends where gains can be told"
        self._root.visits += 1
        for seat, node in path:
            node.visits += 1
            node.gain += gains[seat]

    def best(self) -> Any:
        """The move to make: the most visited one."""
        children = self._root.children
        most = max(self._moves, key=lambda move: children[move].visits if move in children else 0)
        return self._search.move(self._first, most)

    def _choice(self, node: Node[M], moves: Sequence[M]) -> tuple[M, Node[M] | None]:
        """The move to look into next, and its node: a new one while there is room, else the one of most promise so far.

        There is no node once the tree is full.
        """
        children, logarithm, root = node.children, math.log, math.sqrt
        best, chosen, fresh, known = -1.0, None, None, 0
        for move in moves:
            child = children.get(move)
            if child is None:
                if fresh is None:
                    fresh = move
                continue
            known += 1
            child.chances += 1
            visits = child.visits
            worth = child.gain / visits + EXPLORATION * root(logarithm(child.chances) / visits)
            if worth > best:
                best, chosen = worth, move
        if fresh is not None and (chosen is None or known < WIDENING * root(node.visits + 1)):
            if self._nodes >= MOST_NODES:
                return (fresh, None) if chosen is None else (chosen, children[chosen])
            self._nodes += 1
            children[fresh] = Node()
            return fresh, children[fresh]
        assert chosen is not None, "there is a move while gains can't be told"
        return chosen, children[chosen]
