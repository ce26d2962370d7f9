"""Bots for Sakana Stack, weakest first: `random`, and `greedy`. They know of the game only what `view` shows the player to move."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, partial
from math import comb, prod

import numpy as np

from games.ismcts import IsmctsBot
from games.sakana.deck import Cards, Stack, bits, highest
from games.sakana.following import follows
from games.sakana.move import Move
from games.sakana.search import CARD_WORTH, DENIAL, FULL_WORTH, SakanaSearch
from games.sakana.state import State
from games.sakana.view import SakanaView
from meshes.errors import StakdError


class RandomBot:
    """Any legal move, all alike."""

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        moves = _open_moves(state.view(state.to_move))
        return Move(moves[int(rng.integers(len(moves)))])


class GreedyBot:
    """The move that promises most, one move ahead: points likely to be banked, less the cards spent and the points left to others.

    Ties are broken at random.
    """

    def choose(self, state: State, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the game is over."""
        view = state.view(state.to_move)
        moves = _open_moves(view)
        worth = _Worth(view)
        promised = [worth.of(cards) for cards in moves]
        best = [cards for cards, value in zip(moves, promised, strict=True) if value == max(promised)]
        return Move(best[int(rng.integers(len(best)))])


class _Worth:
    """What moves promise to the player of a view, in points."""

    def __init__(self, view: SakanaView) -> None:
        self.view = view
        self.others = [size for seat, size in enumerate(view.hand_sizes) if seat != view.player]
        unseen = view.unseen()
        self.left = [unseen >> 6 * number & 63 for number in range(highest(view.players) + 1)]
        self.hidden = unseen.bit_count()
        self.denial = DENIAL[view.players]
        self.card = CARD_WORTH[view.players] * min(1.0, min(self.others) / FULL_WORTH)
        self._safe: dict[tuple[int, int], float] = {}

    def of(self, cards: Cards) -> float:
        """The promise of a move."""
        return self._play(cards) if cards else self._pass()

    def _pass(self) -> float:
        """A card more, but a point for each live stack of the others (K12)."""
        live = sum(stack.owner != self.view.player for stack in self.view.stacks)
        return self.card - self.denial * live

    def _play(self, cards: Cards) -> float:
        view = self.view
        spent = (view.hand & bits(cards)).bit_count()
        lost = sum(len(stack.cards) for stack in self._beaten(cards))
        if spent == view.hand.bit_count():
            return len(cards) + self.denial * lost + sum(self.others) * self.card * self.denial
        safe = self.safety(cards[-1], len(cards) * (cards[0] // 6))
        return len(cards) * safe + self.denial * lost - self.card * spent

    def _beaten(self, cards: Cards) -> list[Stack]:
        value = len(cards) * (cards[0] // 6)
        live = self.view.stacks
        if self.view.players > 2:
            return list(live) if live and value > live[-1].value else []
        return [stack for stack in live if stack.owner != self.view.player and stack.value < value and follows(cards[0], stack)]

    def safety(self, top: int, value: int) -> float:
        """The chance that no opponent can beat a stack of this value with this card on top before the next own turn."""
        key = top, value
        if key not in self._safe:
            self._safe[key] = prod(self._unbeaten(top, value, size / self.hidden) ** count for size, count in Counter(self.others).items())
        return self._safe[key]

    def _unbeaten(self, top: int, value: int, share: float) -> float:
        """The chance that one opponent, who holds each unseen card with probability `share`, can't beat it."""
        chance = 1.0
        for number in range(1, len(self.left)):
            suits, needed = self.left[number], value // number + 1
            count = suits.bit_count()
            if number == top // 6:
                chance *= 1 - _at_least(needed, count, share)
            elif suits >> top % 6 & 1:
                chance *= 1 - share * _at_least(needed - 1, count - 1, share)
        return chance


def _open_moves(view: SakanaView) -> list[Cards]:
    moves = view.plays()
    if not moves:
        raise StakdError("the game is over, so there is no move to choose; start a new one")
    return moves


@lru_cache(maxsize=4096)
def _at_least(needed: int, of: int, share: float) -> float:
    """The chance that at least `needed` of so many cards are among those that each are there with probability `share`."""
    return sum(comb(of, count) * share**count * (1 - share) ** (of - count) for count in range(max(needed, 0), of + 1))


BOTS = {"random": RandomBot, "greedy": GreedyBot, "ismcts": partial(IsmctsBot, SakanaSearch())}
