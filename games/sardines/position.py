"""The game at one moment: an immutable value, and the step from one to the next."""

from __future__ import annotations

from typing import NamedTuple

from numpy.random import Generator

from games.cards import shuffled
from games.sardines import tables
from games.sardines.tables import FILL, GATHER, HAND_LIMIT, MARKET, PASS, ROW


class Position(NamedTuple):
    """Everything on the table and in hands, as the numbers of `games.sardines.tables`.

    `hands` are sets of cards; `completed` are the orders each seat has filled. `deck` and `order_deck` are read from `top` and
    `order_top` on, so that a draw copies nothing. `must_discard` is how many cards the player to move must still throw away.
    """

    hands: tuple[int, ...]
    market: tuple[int, ...]
    deck: tuple[int, ...]
    top: int
    discard: tuple[int, ...]
    orders: tuple[int, ...]
    order_deck: tuple[int, ...]
    order_top: int
    completed: tuple[tuple[int, ...], ...]
    to_move: int
    must_discard: int
    starter: int

    @classmethod
    def deal(cls, players: int, *, starter: int, rng: Generator) -> Position:
        """The set-up: two cards a player, five in the market, four orders (D21)."""
        deck = shuffled([card for card, count in enumerate(tables.COUNTS) for _ in range(count)], rng)
        orders = shuffled([order for order, count in enumerate(tables.ORDER_COUNTS) for _ in range(count)], rng)
        dealt = 2 * players
        hands = tuple(tables.packed(deck[seat:dealt:players]) for seat in range(players))
        market = deck[dealt : dealt + MARKET]
        return cls(hands, market, deck, dealt + MARKET, (), orders[:ROW], orders, ROW, ((),) * players, starter, 0, starter)

    @property
    def final_round(self) -> bool:
        """Whether the last order has come into the row (D16)."""
        return self.order_top == len(self.order_deck)

    @property
    def over(self) -> bool:
        """Whether the final round is finished: all have had as many turns (D17)."""
        return self.order_top == len(self.order_deck) and self.to_move == self.starter and not self.must_discard

    def ids(self) -> list[int]:
        """The legal moves of the player to move; none when the game is over."""
        return [] if self.over else tables.moves(self.market, self.hands[self.to_move], self.orders, self.must_discard)

    def after(self, move: int, rng: Generator | None) -> Position:
        """The position that a legal move leads to. Raises `NoGenerator` if cards must be shuffled and there is no `rng`."""
        hands, market, deck, top, discard, orders, order_deck, order_top, completed, seat, must_discard, starter = self
        code, cards = move & 7, move >> 3
        hand = hands[seat]
        if code == GATHER:
            hand += cards
            market, deck, top, discard = self._gathered(cards, rng)
            must_discard = max(0, tables.number(hand) - HAND_LIMIT)
        elif code != PASS:
            hand -= cards
            discard += tables.listed(cards)
            must_discard = 0
            if code >= FILL:
                index = code - FILL
                completed = (*completed[:seat], (*completed[seat], orders[index]), *completed[seat + 1 :])
                orders = orders[:index] + order_deck[order_top : order_top + 1] + orders[index + 1 :]
                order_top = min(order_top + 1, len(order_deck))
        hands = (*hands[:seat], hand, *hands[seat + 1 :])
        if not must_discard:
            seat = (seat + 1) % len(hands)
        return Position(hands, market, deck, top, discard, orders, order_deck, order_top, completed, seat, must_discard, starter)

    def taken(self, cards: int) -> tuple[int, ...]:
        """The places in the market that a gather of these cards empties, in order: the first that fit."""
        kinds, market = tables.listed(cards), self.market
        first = market.index(kinds[0])
        if len(kinds) == 1:
            return (first,)
        other = market.index(kinds[1], first + 1 if kinds[1] == kinds[0] else 0)
        return (first, other) if first < other else (other, first)

    def _gathered(self, cards: int, rng: Generator | None) -> tuple[tuple[int, ...], tuple[int, ...], int, tuple[int, ...]]:
        """Market, deck, its top and the discard pile after a gather; new cards come in the same places (D5, D14)."""
        deck, top, discard = self.deck, self.top, self.discard
        places, market = self.taken(cards), list(self.market)
        for at, place in enumerate(places):
            if top == len(deck):
                if not discard:
                    market = [card for lying, card in enumerate(market) if lying not in places[at:]]
                    break
                deck, top, discard = shuffled(discard, rng), 0, ()
            market[place] = deck[top]
            top += 1
        return tuple(market), deck, top, discard
