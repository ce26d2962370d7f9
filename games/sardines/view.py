"""What one player may know of a game: no more than lies open, his own hand and his own completed orders."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from games.cards import shuffled
from games.sardines import tables
from games.sardines.moves import Move, from_id
from games.sardines.position import Position


@dataclass(frozen=True, slots=True)
class SardinesView:
    """One player's knowledge, as the numbers of `games.sardines.tables`. It is a plain value without any way back to the game.

    `hand` and `completed` are the player's own; `hand_sizes` and `completed_sizes` are by seat. Who remembers what others took
    and filled knows more; a view follows from the state alone (D18, D22).
    """

    player: int
    starter: int
    to_move: int
    hand: int
    hand_sizes: tuple[int, ...]
    market: tuple[int, ...]
    deck_size: int
    discard: tuple[int, ...]
    orders: tuple[int, ...]
    order_deck_size: int
    completed: tuple[int, ...]
    completed_sizes: tuple[int, ...]
    must_discard: int

    @classmethod
    def of(cls, position: Position, player: int) -> SardinesView:
        """What `player` knows in this position."""
        return cls(
            player=player,
            starter=position.starter,
            to_move=position.to_move,
            hand=position.hands[player],
            hand_sizes=tuple(map(tables.number, position.hands)),
            market=position.market,
            deck_size=len(position.deck) - position.top,
            discard=position.discard,
            orders=position.orders,
            order_deck_size=len(position.order_deck) - position.order_top,
            completed=position.completed[player],
            completed_sizes=tuple(map(len, position.completed)),
            must_discard=position.must_discard,
        )

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hand_sizes)

    @property
    def final_round(self) -> bool:
        """Whether the last order has come into the row (D16)."""
        return not self.order_deck_size

    @property
    def over(self) -> bool:
        """Whether the game is over (D17)."""
        return self.final_round and self.to_move == self.starter and not self.must_discard

    def legal_ids(self) -> list[int]:
        """The player's legal moves; none if he is not to move."""
        if self.over or self.player != self.to_move:
            return []
        return tables.moves(self.market, self.hand, self.orders, self.must_discard)

    def legal_moves(self) -> list[Move]:
        """The same as values."""
        return [from_id(move) for move in self.legal_ids()]

    def determinize(self, rng: Generator) -> Position:
        """A position that this player can't tell from the true one: all that he does not see is dealt anew."""
        unseen = Counter(dict(enumerate(tables.COUNTS)))
        unseen.subtract([*tables.listed(self.hand), *self.market, *self.discard])
        cards = shuffled(list(unseen.elements()), rng)
        left = Counter(dict(enumerate(tables.ORDER_COUNTS)))
        left.subtract([*self.orders, *self.completed])
        orders = shuffled(list(left.elements()), rng)
        hands, completed, top, order_top = [], [], 0, 0
        for seat in range(self.players):
            own = seat == self.player
            size, filled = (0, 0) if own else (self.hand_sizes[seat], self.completed_sizes[seat])
            hands.append(self.hand if own else tables.packed(cards[top : top + size]))
            completed.append(self.completed if own else orders[order_top : order_top + filled])
            top, order_top = top + size, order_top + filled
        return Position(
            hands=tuple(hands),
            market=self.market,
            deck=cards,
            top=top,
            discard=self.discard,
            orders=self.orders,
            order_deck=orders,
            order_top=order_top,
            completed=tuple(completed),
            to_move=self.to_move,
            must_discard=self.must_discard,
            starter=self.starter,
        )

    def to_json(self) -> dict[str, Any]:
        """In protocol form: the keys of the state, numbers in place of hidden lists."""
        hands: list[Any] = list(self.hand_sizes)
        completed: list[Any] = list(self.completed_sizes)
        hands[self.player] = tables.names(self.hand)
        completed[self.player] = [tables.ORDERS[order].to_json() for order in self.completed]
        return {
            "game": "sardines",
            "players": self.players,
            "options": {},
            "starter": self.starter,
            "to_move": self.to_move,
            "hands": hands,
            "market": [tables.NAMES[card] for card in self.market],
            "deck": self.deck_size,
            "discard": [tables.NAMES[card] for card in self.discard],
            "orders": [tables.ORDERS[order].to_json() for order in self.orders],
            "order_deck": self.order_deck_size,
            "completed": completed,
            "final_round": self.final_round,
            "must_discard": self.must_discard,
        }
