"""What `games.ismcts` must know of Sakana Stack."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from numpy.random import Generator

from games.sakana.deck import Cards
from games.sakana.move import Move
from games.sakana.position import Position
from games.sakana.view import SakanaView

DRAWN = 3
"""A playout draws so many moves and makes the most promising of them."""

CARD_WORTH = {2: 0.8, 3: 0.6, 4: 0.2, 5: 0.15}
"""What a card in the hand is worth in points, by number of players: it may still be banked, or be lost at the end of the round."""

FULL_WORTH = 10
"""A card in the hand is worth all of it while every other player holds so many; less, the nearer one of them is to ending the round."""

DENIAL = {2: 1.0, 3: 0.5, 4: 0.35, 5: 0.25}
"""What a point of one opponent costs, by number of players; with two all of it."""

SAFE_VALUE = 8.0
"""A stack of this value is beaten every other time."""

OUT_WORTH = 4.0
"""What it is worth to end the round with an empty hand, in points."""

LEAD_SCALE = 4.0
"""A lead of so many points wins three games in four when one more round is to come."""

WIN_SHARE = 0.5
"""Once the game is over, the share of the gain that goes by winning; the rest goes by the lead, so that even lost games are played well."""


class SakanaSearch:
    """A search ends with the round. Stacks that differ only in the order of the cards between bottom and top are taken as one."""

    def determinize(self, view: SakanaView, rng: Generator) -> Position:
        """A position that fits the view, drawn at random."""
        return view.determinize(rng)

    def seat(self, position: Position) -> int:
        """The seat to move."""
        return position.seat

    def moves(self, position: Position) -> list[Cards]:
        """The legal moves, the most promising first."""
        different = {(sum([1 << card for card in cards]), cards[0], cards[-1]) if len(cards) > 3 else cards: cards for cards in position.plays()}
        worth = _Worth(position)
        return sorted(different.values(), key=lambda cards: -worth.of(cards))

    def after(self, position: Position, move: Cards, rng: Generator) -> Position:
        """The position after a move; chance comes from `rng`."""
        return position.after(move, rng)

    def play_out(self, position: Position, chance: Iterator[float], rng: Generator) -> Position:
        """To the end of the round: of a few moves drawn the one of most promise."""
        number = position.round
        while position.round == number and not position.over:
            moves = position.plays()
            count = len(moves)
            if count > 1:
                position = position.after(max([moves[int(next(chance) * count)] for _ in range(DRAWN)], key=_Worth(position).of), rng)
            else:
                position = position.after(moves[0], rng)
        return position

    def gains(self, position: Position, view: SakanaView) -> Sequence[float] | None:
        """The chance to win with the scores after the round; when no more rounds come, a share of winning and a share of the lead."""
        if position.round == view.round and not position.over:
            return None
        scores, left = position.scores, view.players - view.round
        leads = [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)]
        by_lead = [1 / (1 + math.exp(-lead / (LEAD_SCALE * math.sqrt(max(left, 1))))) for lead in leads]
        if left:
            return by_lead
        share = 1 / scores.count(max(scores))
        return [(WIN_SHARE * share if lead >= 0 else 0.0) + (1 - WIN_SHARE) * chance for lead, chance in zip(leads, by_lead, strict=True)]

    def move(self, position: Position, move: Cards) -> Move:
        """The move as a value."""
        return Move(move)


class _Worth:
    """What moves promise the player to move, in points: those likely banked and those kept from others, less the cards spent."""

    __slots__ = ("card", "denial", "position")

    def __init__(self, position: Position) -> None:
        self.position, self.denial = position, DENIAL[position.seats]
        fewest = min([hand.bit_count() for seat, hand in enumerate(position.hands) if seat != position.seat])
        self.card = CARD_WORTH[position.seats] * min(1.0, fewest / FULL_WORTH)

    def of(self, cards: Cards) -> float:
        """The promise of a move."""
        position, seat = self.position, self.position.seat
        if not cards:
            live = 0
            for stack in position.stacks:
                live += stack[0] != seat
            return self.card - self.denial * live
        size = len(cards)
        number, suit = divmod(cards[0], 6)
        value = size * number
        lost = self._beaten(number, suit, value)
        spent = size - (position.draw[0] in cards)
        if position.hands[seat].bit_count() == spent:
            return size + self.denial * lost + OUT_WORTH
        return size * value / (value + SAFE_VALUE) + self.denial * lost - self.card * spent

    def _beaten(self, number: int, suit: int, value: int) -> int:
        """How many cards lie in the stacks of others that a stack of this value on a card like this beats."""
        position, lost = self.position, 0
        stacks = position.stacks
        if position.seats == 2:
            for owner, others in stacks:
                top = others[-1]
                if owner != position.seat and len(others) * (top // 6) < value and (top % 6 == suit or top // 6 == number):
                    lost += len(others)
        elif stacks and stacks[-1].value < value:
            for _, others in stacks:
                lost += len(others)
        return lost
