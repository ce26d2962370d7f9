"""What one player may know of a game of Sakana Stack, with no way back to what is hidden from him."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from games.cards import shuffled
from games.sakana.deck import NAMES, Cards, Stack, bits, deck, hand_names, held, names
from games.sakana.following import plays, targets
from games.sakana.position import Position


@dataclass(frozen=True, slots=True)
class SakanaView:
    """Plain values only: his own hand (bits of cards), what lies face up, and how much lies face down (K27).

    `catch` is None only when the game is over and the draw pile gone. `draw_size` counts the cards under the Catch.
    """

    player: int
    players: int
    round: int
    dealer: int
    to_move: int
    hand: int
    hand_sizes: tuple[int, ...]
    catch: int | None
    draw_size: int
    discard_size: int
    stacks: tuple[Stack, ...]
    banked_sizes: tuple[int, ...]
    exhaustions: int
    scores: tuple[int, ...]
    over: bool

    @classmethod
    def of(cls, position: Position, player: int) -> SakanaView:
        """What `player` may know in this position."""
        draw = position.draw
        return cls(
            player=player,
            players=position.seats,
            round=position.round,
            dealer=position.dealer,
            to_move=position.seat,
            hand=position.hands[player],
            hand_sizes=tuple([hand.bit_count() for hand in position.hands]),
            catch=draw[0] if draw else None,
            draw_size=max(len(draw) - 1, 0),
            discard_size=len(position.discard),
            stacks=position.stacks,
            banked_sizes=tuple([len(cards) for cards in position.banked]),
            exhaustions=position.exhaustions,
            scores=position.scores,
            over=position.over,
        )

    def plays(self) -> list[Cards]:
        """The player's legal moves as `Position.plays` gives them; none if it is not his turn or the game is over."""
        if self.over or self.catch is None or self.to_move != self.player:
            return []
        return plays(self.hand, self.catch, targets(self.stacks, self.player, self.players))

    def unseen(self) -> int:
        """The cards he can't see, as bits: in other hands, face down in the draw pile, discarded or banked."""
        seen = self.hand | bits(card for stack in self.stacks for card in stack.cards)
        if self.catch is not None:
            seen |= 1 << self.catch
        return bits(deck(self.players)) & ~seen

    def determinize(self, rng: np.random.Generator) -> Position:
        """A full position that fits the view: the unseen cards dealt at random to where they can be."""
        hidden = iter(shuffled(tuple(held(self.unseen())), rng))

        def take(count: int) -> Cards:
            return tuple([next(hidden) for _ in range(count)])

        new = Position()
        new.seats, new.round, new.dealer, new.seat = self.players, self.round, self.dealer, self.to_move
        new.hands = tuple([self.hand if seat == self.player else bits(take(size)) for seat, size in enumerate(self.hand_sizes)])
        new.draw = () if self.catch is None else (self.catch, *take(self.draw_size))
        new.discard, new.stacks, new.banked = take(self.discard_size), self.stacks, tuple([take(size) for size in self.banked_sizes])
        new.exhaustions, new.scores, new.over = self.exhaustions, self.scores, self.over
        return new

    def to_json(self) -> dict[str, Any]:
        """The keys of the state. What is hidden is its length; `draw` is the Catch of the Day and the number of cards under it."""
        return {
            "game": "sakana",
            "players": self.players,
            "options": {},
            "round": self.round,
            "dealer": self.dealer,
            "to_move": self.to_move,
            "hands": [hand_names(self.hand) if seat == self.player else size for seat, size in enumerate(self.hand_sizes)],
            "draw": [] if self.catch is None else [NAMES[self.catch], self.draw_size],
            "discard": self.discard_size,
            "stacks": [{"owner": stack.owner, "cards": names(stack.cards)} for stack in self.stacks],
            "banked": list(self.banked_sizes),
            "exhaustions": self.exhaustions,
            "scores": list(self.scores),
        }
