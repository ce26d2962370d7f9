"""What one player may know of a game of Sakapuss, with no way back to what is hidden from him."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from games.cards import shuffled
from games.sakapuss.deck import CATS, HAND, PILE, Pile, cats_in_play, hand_names, held, is_four, kinds, packed
from games.sakapuss.move import Move
from games.sakapuss.position import NO_CARD, Position, legal_ids


@dataclass(frozen=True, slots=True)
class SakapussView:
    """Plain values only: his own hand and choice, what lies face up, who else has chosen (but not what), and how high the pile is."""

    player: int
    hand: int
    chosen: int
    has_chosen: tuple[bool, ...]
    pile_size: int
    front: tuple[Pile, ...]
    slapped: tuple[int, ...]
    round: int
    dealer: int
    false_slap_ends_round: bool

    @classmethod
    def of(cls, position: Position, player: int) -> SakapussView:
        """What `player` may know in this position."""
        return cls(
            player=player,
            hand=position.hands[player],
            chosen=position.chosen[player],
            has_chosen=tuple([cat != NO_CARD for cat in position.chosen]),
            pile_size=len(position.pile),
            front=position.front,
            slapped=position.slapped,
            round=position.round,
            dealer=position.dealer,
            false_slap_ends_round=position.false_slap_ends_round,
        )

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.front)

    @property
    def holds_four(self) -> bool:
        """Whether his own hand is four cats alike."""
        return is_four(self.hand)

    def ids(self) -> tuple[int, ...]:
        """The player's legal moves as `Move.id`; none if he can do nothing now."""
        return legal_ids(self.hand, self.chosen != NO_CARD, self.slapped, self.player)

    def legal_moves(self) -> list[Move]:
        """The same as values."""
        return list(map(Move, self.ids()))

    def determinize(self, rng: Generator) -> Position:
        """A full position that fits the view: all that he does not see is dealt at random. Who called holds four cats alike."""
        hands = self._hands(rng)
        chosen = [self._choice(seat, hand, rng) for seat, hand in enumerate(hands)]
        unseen = list(PILE)
        for card in (card for front in self.front for card in front):
            unseen.remove(card)
        return Position(
            hands=tuple(hands),
            pile=shuffled(unseen, rng),
            front=self.front,
            chosen=tuple(chosen),
            slapped=self.slapped,
            round=self.round,
            dealer=self.dealer,
            false_slap_ends_round=self.false_slap_ends_round,
        )

    def _hands(self, rng: Generator) -> list[int]:
        known = {self.player: self.hand}
        if self.slapped and self.slapped[0] != self.player:
            whole = [cat for cat in range(self.players) if cat not in kinds(self.hand)]
            known[self.slapped[0]] = packed([whole[int(rng.integers(len(whole)))]] * HAND)
        unseen = cats_in_play(self.players)
        for cat in (cat for hand in known.values() for cat in held(hand)):
            unseen.remove(cat)
        cards = iter(shuffled(unseen, rng))
        return [known[seat] if seat in known else packed([next(cards) for _ in range(HAND)]) for seat in range(self.players)]

    def _choice(self, seat: int, hand: int, rng: Generator) -> int:
        if seat == self.player or not self.has_chosen[seat]:
            return self.chosen if seat == self.player else NO_CARD
        return held(hand)[int(rng.integers(HAND))]

    def to_json(self) -> dict[str, Any]:
        """The keys of the state. What is hidden is its length: 4 for a hand, 1 for a card that another player has chosen."""
        hands: list[Any] = [HAND] * self.players
        chosen: list[Any] = [1 if has else None for has in self.has_chosen]
        hands[self.player] = hand_names(self.hand)
        if self.chosen != NO_CARD:
            chosen[self.player] = CATS[self.chosen]
        return {
            "game": "sakapuss",
            "players": self.players,
            "options": {"false_slap_ends_round": self.false_slap_ends_round},
            "round": self.round,
            "dealer": self.dealer,
            "hands": hands,
            "pile": self.pile_size,
            "front": [list(front) for front in self.front],
            "chosen": chosen,
            "slapped": list(self.slapped),
        }
