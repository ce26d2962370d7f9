"""One moment of a game of Sakapuss: an immutable value, and the step from one to the next."""

from __future__ import annotations

from typing import NamedTuple

from numpy.random import Generator

from games.cards import shuffled
from games.interface import Event
from games.sakapuss import events
from games.sakapuss.deck import HAND, PARASITES, PILE, ROUNDS, SLAP, Pile, cats_in_play, choices, got_rid_of, is_four, packed, parasites, winners

NO_CARD = -1
"""In `chosen`: this player has not chosen yet."""

_ONLY_SLAP = (SLAP,)

_NONE_YET = {seats: (NO_CARD,) * seats for seats in range(6)}


class Position(NamedTuple):
    """Everything on the table and in hands. Keep it, share it; `after` gives a new one.

    `hands` by seat (packed as in `games.sakapuss.deck`; the card chosen is still in the hand), `pile` from the top down, `front` the
    parasite cards of each player in the order got, `chosen` the cat each will pass, `slapped` who has slapped after a right call, in
    order, `round` from 1, `dealer`, and the option `false_slap_ends_round`.
    """

    hands: tuple[int, ...]
    pile: Pile
    front: tuple[Pile, ...]
    chosen: tuple[int, ...]
    slapped: tuple[int, ...]
    round: int
    dealer: int
    false_slap_ends_round: bool

    @classmethod
    def first(cls, seats: int, *, dealer: int, false_slap_ends_round: bool, rng: Generator) -> Position:
        """The start of a game."""
        hands = _dealt(seats, rng)
        return cls(hands, shuffled(PILE, rng), ((),) * seats, _NONE_YET[seats], (), 1, dealer, false_slap_ends_round)

    @property
    def over(self) -> bool:
        """Whether the whole game is over: the last round ended (P22)."""
        return len(self.slapped) == len(self.hands)

    @property
    def scores(self) -> tuple[int, ...]:
        """The parasites in front of each player (P23)."""
        return tuple(map(parasites, self.front))

    def ids(self, seat: int) -> tuple[int, ...]:
        """The legal moves of a player, as `Move.id`."""
        return legal_ids(self.hands[seat], self.chosen[seat] != NO_CARD, self.slapped, seat)

    def after(self, seat: int, move: int, rng: Generator | None, told: list[Event] | None = None) -> Position:
        """The position after a legal move by a player. What happens on the way is added to `told`.

        When the move ends a round, the next one is dealt (unless the game is over). Raises `NoGenerator` if there is no `rng` then.
        """
        if move != SLAP:
            return self._choose(seat, move, told)
        if self.slapped or is_four(self.hands[seat]):
            return self._slap(seat, rng, told)
        return self._slap_wrongly(seat, rng, told)

    def redealt(self, rng: Generator | None, told: list[Event] | None = None) -> Position:
        """The same round dealt again by the next dealer, without counting what was played of it (P11, P28)."""
        return self._deal(self.round, rng, told, counted=False)

    def _choose(self, seat: int, cat: int, told: list[Event] | None) -> Position:
        """Choose a card; when all have, all cards go to the left at once (P4)."""
        hands, pile, front, chosen, slapped, number, dealer, ends_round = self
        chosen = (*chosen[:seat], cat, *chosen[seat + 1 :])
        if told is not None:
            told.append(events.chosen(seat))
        if NO_CARD not in chosen:
            if told is not None:
                told.append(events.passed())
            given = [1 << 3 * card for card in chosen]
            # the right-hand neighbour of seat 0 is the last seat, which Python's -1 names
            hands = tuple([hand - given[at] + given[at - 1] for at, hand in enumerate(hands)])
            chosen = _NONE_YET[len(hands)]
        # built by place, as `_replace` takes several times as long and this is most of all moves
        return Position(hands, pile, front, chosen, slapped, number, dealer, ends_round)

    def _slap(self, seat: int, rng: Generator | None, told: list[Event] | None) -> Position:
        """Call, or follow a call; with all but one come, the last takes a card and the round ends (P8, P9)."""
        slapped, seats = (*self.slapped, seat), len(self.hands)
        if told is not None:
            told.append(events.slapped(seat) if self.slapped else events.called(seat))
        if len(slapped) < seats - 1:
            return self._replace(slapped=slapped)
        drawer = next(other for other in range(seats) if other not in slapped)
        if told is not None:
            told.append(events.last(drawer))
        new = self._draw(drawer, 1, told)
        if self.round < ROUNDS:
            return new._deal(self.round + 1, rng, told, counted=True)
        if told is not None:
            told.append(events.round_over(self.round, new.scores, counted=True))
            told.append(events.game_over(winners(new.scores)))
        return new._replace(slapped=(*slapped, drawer))

    def _slap_wrongly(self, seat: int, rng: Generator | None, told: list[Event] | None) -> Position:
        """The slapper alone takes two cards; play goes on, or by the option the round is dealt again (P10, P11)."""
        if told is not None:
            told.append(events.wrong_slap(seat))
        new = self._draw(seat, 2, told)
        return new.redealt(rng, told) if self.false_slap_ends_round else new

    def _draw(self, seat: int, count: int, told: list[Event] | None) -> Position:
        """Take so many cards, or what there is, and resolve them one after the other (P14–P19, P21)."""
        if not self.pile:
            return self
        pile, own = self.pile[count:], self.front[seat]
        for card in self.pile[:count]:
            removed = got_rid_of(card, own)
            if card in PARASITES:
                own = (*own, card)
            else:
                own = tuple([lying for lying in own if lying not in removed])
                pile = (*pile, *removed, card)
            if told is not None:
                told.append(events.drew(seat, card, removed))
        return self._replace(pile=pile, front=(*self.front[:seat], own, *self.front[seat + 1 :]))

    def _deal(self, number: int, rng: Generator | None, told: list[Event] | None, *, counted: bool) -> Position:
        """End the round and deal anew; the deal goes round clockwise (P3). Only the cats are shuffled (P20)."""
        seats, dealer = len(self.hands), (self.dealer + 1) % len(self.hands)
        if told is not None:
            told.append(events.round_over(self.round, self.scores, counted=counted))
            told.append(events.dealt(number, dealer))
        return self._replace(hands=_dealt(seats, rng), chosen=_NONE_YET[seats], slapped=(), round=number, dealer=dealer)


def legal_ids(hand: int, has_chosen: bool, slapped: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """The legal moves of a player with this hand: before a right call any cat held (once) or a slap (P4, P6), after it only a slap."""
    if slapped:
        return () if seat in slapped else _ONLY_SLAP
    return _ONLY_SLAP if has_chosen else choices(hand)


def _dealt(seats: int, rng: Generator | None) -> tuple[int, ...]:
    cards = shuffled(cats_in_play(seats), rng)
    return tuple([packed(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(seats)])
