"""One moment of a game of Sakana Stack, and what a move makes of it."""

from __future__ import annotations

from collections.abc import Callable

from numpy.random import Generator

from games.cards import shuffled
from games.interface import Event
from games.sakana import events
from games.sakana.deck import Cards, Stack, bits, by_suit, deck, hand_size, held
from games.sakana.following import plays, targets


class Position:
    """A value: `after` gives a new one and leaves this as it was. Keep it, share it, never change it.

    `seats`, `round` (from 1), `dealer`, `seat` (to move), `hands` (bits of cards by seat), `draw` (the Catch of the Day first),
    `discard` and `banked` (by seat) in the order laid down, `stacks` (all live ones, oldest first), `exhaustions` of the draw pile
    in this round, `scores` of finished rounds, `over` (the whole game).
    """

    __slots__ = ("banked", "dealer", "discard", "draw", "exhaustions", "hands", "over", "round", "scores", "seat", "seats", "stacks")

    seats: int
    round: int
    dealer: int
    seat: int
    hands: tuple[int, ...]
    draw: Cards
    discard: Cards
    stacks: tuple[Stack, ...]
    banked: tuple[Cards, ...]
    exhaustions: int
    scores: tuple[int, ...]
    over: bool

    @classmethod
    def first(cls, seats: int, *, starter: int, rng: Generator) -> Position:
        """The start of a game: the first round dealt by the player on the starter's right (K1)."""
        new = cls()
        new.seats, new.round, new.dealer, new.scores, new.over = seats, 1, (starter - 1) % seats, (0,) * seats, False
        new._deal(rng)
        return new

    def plays(self) -> list[Cards]:
        """The legal moves: `PASS` and every stack that may be played; none when the game is over."""
        if self.over:
            return []
        seat, seats = self.seat, self.seats
        return plays(self.hands[seat], self.draw[0], targets(self.stacks, seat, seats))

    def after(self, move: Cards, rng: Generator | None, told: list[Event] | None = None) -> Position:
        """The position after a legal move. What happens on the way is added to `told`.

        When the move ends a round, the next one is dealt (unless the game is over). Shuffles draw from `rng`; raises `NoGenerator`
        if one is needed and there is none.
        """
        new = self._twin()
        if move:
            new._lay(move, rng, told)
        else:
            new._pass(rng, told)
        if new.exhaustions == 2 or not new.hands[new.seat]:
            new._end_round(rng, told)
        else:
            new.seat = (new.seat + 1) % new.seats
            if new.seats > 2:
                new._bank_survivor(told)
        return new

    def _twin(self) -> Position:
        new = Position.__new__(Position)
        new.seats, new.round, new.dealer, new.seat = self.seats, self.round, self.dealer, self.seat
        new.hands, new.draw, new.discard, new.stacks = self.hands, self.draw, self.discard, self.stacks
        new.banked, new.exhaustions, new.scores, new.over = self.banked, self.exhaustions, self.scores, self.over
        return new

    def _deal(self, rng: Generator | None) -> None:
        """Shuffle and deal one card at a time, clockwise from the dealer's left, who starts (rulebook, Round Setup)."""
        seats, cards = self.seats, shuffled(deck(self.seats), rng)
        self.seat = (self.dealer + 1) % seats
        dealt = seats * hand_size(seats)
        self.hands = tuple([bits(cards[(seat - self.seat) % seats : dealt : seats]) for seat in range(seats)])
        self.draw, self.discard, self.stacks = cards[dealt:], (), ()
        self.banked, self.exhaustions = ((),) * seats, 0

    def _lay(self, cards: Cards, rng: Generator | None, told: list[Event] | None) -> None:
        """Play a stack, discard what it beats, then flip the next Catch if it was taken (K5, K23, K33)."""
        seat, catch = self.seat, self.draw[0]
        caught = catch in cards
        self._set_hand(seat, self.hands[seat] & ~bits(cards))
        if told is not None:
            told.append(events.played(seat, cards, catch if caught else None))
        self._beat(cards, told)
        self.stacks = (*self.stacks, Stack(seat, cards))
        if caught:
            self._flip(rng, told)

    def _beat(self, cards: Cards, told: list[Event] | None) -> None:
        """With 3–5 players a higher value clears the table; with 2 it clears the lower ones among the opponent's stacks it follows."""
        stacks, seats = self.stacks, self.seats
        if not stacks:
            return
        number, suit = divmod(cards[0], 6)
        value = number * len(cards)
        if seats > 2:
            # all live stacks are worth the same (K14)
            if value == stacks[-1].value:
                return
            beaten: tuple[Stack, ...] = stacks
            left: tuple[Stack, ...] = ()
        else:
            owner = self.seat
            marks = [s.owner != owner and s.value < value and (s.cards[-1] % 6 == suit or s.cards[-1] // 6 == number) for s in stacks]
            beaten = tuple([stack for stack, mark in zip(stacks, marks, strict=True) if mark])
            left = tuple([stack for stack, mark in zip(stacks, marks, strict=True) if not mark])
        self.stacks = left
        self._throw(beaten, told, events.beaten)

    def _pass(self, rng: Generator | None, told: list[Event] | None) -> None:
        """Take the Catch and flip the next; every live stack (with 2 players the opponent's) banks its top (K12, K36)."""
        seat, catch = self.seat, self.draw[0]
        self._set_hand(seat, self.hands[seat] | 1 << catch)
        if told is not None:
            told.append(events.passed(seat, catch))
        self._flip(rng, told)
        if not self.stacks:
            return
        rests = []
        for stack in self.stacks:
            owner, cards = stack
            if owner == seat:
                rests.append(stack)
                continue
            self._bank(owner, cards[-1:], told, events.Banking.PASS)
            if len(cards) > 1:
                rests.append(Stack(owner, cards[:-1]))
        self.stacks = tuple(rests)
        if self.seats > 2 and len(rests) > 1:
            self._level(told)

    def _level(self, told: list[Event] | None) -> None:
        """Discard what is lower than the highest stack (K12, K13)."""
        best = max(stack.value for stack in self.stacks)
        lower = tuple([stack for stack in self.stacks if stack.value < best])
        if lower:
            self.stacks = tuple([stack for stack in self.stacks if stack.value == best])
            self._throw(lower, told, events.lower)

    def _flip(self, rng: Generator | None, told: list[Event] | None) -> None:
        """The Catch was taken: turn up the next, the first time from the discard pile if the draw pile is gone (K3, K4, K6).

        Nothing is turned up any more when the round ends with the last card of a hand (K9).
        """
        self.draw = self.draw[1:]
        if not self.hands[self.seat]:
            return
        if not self.draw:
            self.exhaustions += 1
            if self.exhaustions == 1 and self.discard:
                self.draw, self.discard = shuffled(self.discard, rng), ()
            else:
                self.exhaustions = 2
            if told is not None:
                told.append(events.exhausted(self.exhaustions, len(self.draw)))
        if told is not None and self.draw:
            told.append(events.flipped(self.draw[0]))

    def _bank_survivor(self, told: list[Event] | None) -> None:
        """With 3–5 players a stack that has come through a whole turn of the table is banked before its owner's turn (K10)."""
        seat = self.seat
        for stack in self.stacks:
            if stack.owner == seat:
                self.stacks = tuple([other for other in self.stacks if other.owner != seat])
                self._bank(seat, stack.cards, told, events.Banking.TURN)
                return

    def _end_round(self, rng: Generator | None, told: list[Event] | None) -> None:
        """Bank all live stacks, discard the hands, count; then deal the next round or end the game (K7, K24, K25)."""
        ended = events.Ending.EXHAUSTED if self.exhaustions == 2 else events.Ending.EMPTY_HAND
        for owner, cards in self.stacks:
            self._bank(owner, cards, told, events.Banking.ROUND)
        self.stacks = ()
        points = [len(cards) for cards in self.banked]
        self.scores = tuple([score + more for score, more in zip(self.scores, points, strict=True)])
        if told is not None:
            told.append(events.round_over(self.round, ended, points, self.scores))
        if self.round == self.seats:
            self.over = True
            for hand in self.hands:
                self.discard += tuple(sorted(held(hand), key=by_suit))
            self.hands = (0,) * self.seats
            if told is not None:
                told.append(events.game_over(winners(self.scores)))
            return
        self.round, self.dealer = self.round + 1, (self.dealer + 1) % self.seats
        self._deal(rng)
        if told is not None:
            told.append(events.dealt(self.round, self.dealer, self.seat, self.draw[0]))

    def _set_hand(self, seat: int, hand: int) -> None:
        self.hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])

    def _bank(self, seat: int, cards: Cards, told: list[Event] | None, why: events.Banking) -> None:
        banked = self.banked
        self.banked = (*banked[:seat], banked[seat] + cards, *banked[seat + 1 :])
        if told is not None:
            told.append(events.banked(seat, cards, why))

    def _throw(self, stacks: tuple[Stack, ...], told: list[Event] | None, event: Callable[[Stack], Event]) -> None:
        """Put stacks on the discard pile."""
        for stack in stacks:
            self.discard += stack.cards
            if told is not None:
                told.append(event(stack))


def winners(scores: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with the most points; several share the victory (K26)."""
    best = max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
