"""A whole game of Sakana Stack: whose turn it is, what may be played, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.random import Generator

from games.cards import Rewindable, checked_seat
from games.errors import BadOptions, IllegalMove, Violation
from games.interface import Event, Outcome
from games.sakana import explain, form
from games.sakana.deck import MAX_PLAYERS, MIN_PLAYERS, Cards, hand_names
from games.sakana.move import Move
from games.sakana.position import Position, winners
from games.sakana.view import SakanaView
from meshes.errors import Defect


class State(Rewindable[Position]):
    """A game in progress. `play` and `undo` change it; `copy` costs next to nothing, so copy freely.

    `position` is the game as it stands, an immutable value that bots may keep and step from by themselves (`position.plays()`,
    `position.after(cards, rng)`). Every method that takes a player raises `NoSuchSeat` for one who is not at the table.
    """

    __slots__ = ()

    @classmethod
    def new(cls, players: int, *, rng: Generator, starter: int | None = None) -> State:
        """A new game. `starter` begins the first round, a seat drawn from `rng` if not given (K1).

        Raises `BadOptions` unless there are 2 to 5 players.
        """
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            message = f"Sakana Stack is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}"
            raise BadOptions("sakana", [Defect("bad-players", "players", message)])
        first = int(rng.integers(players)) if starter is None else checked_seat(starter, players)
        return cls(Position.first(players, starter=first, rng=rng))

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.position.seats

    @property
    def to_move(self) -> int:
        """The seat to move; when the game is over the seat that ended it."""
        return self.position.seat

    @property
    def over(self) -> bool:
        """Whether the whole game is over: as many rounds as players have been played."""
        return self.position.over

    def hand(self, player: int) -> list[str]:
        """The cards a player holds, sorted by suit letter, then by number."""
        return hand_names(self.position.hands[checked_seat(player, self.players)])

    def legal_moves(self, player: int | None = None) -> list[Move]:
        """The legal moves, in a fixed order; none for a player who is not to move and when the game is over."""
        if player is not None and checked_seat(player, self.players) != self.to_move:
            return []
        return list(map(Move, self.position.plays()))

    def explain(self, move: Move | str, *, player: int | None = None) -> tuple[Violation, ...]:
        """Every rule the move breaks if `player` (the player to move) makes it now; empty if it is legal."""
        seat = self.to_move if player is None else checked_seat(player, self.players)
        return explain.violations(self.position, move, player=seat)

    def play(self, move: Move | str, *, player: int | None = None, rng: Generator | None = None) -> list[Event]:
        """Make a move and tell what came of it: stacks beaten, cards banked, the next Catch, rounds over and dealt.

        Raises `IllegalMove` with every rule broken, and `NoGenerator` if cards must be shuffled and there is no `rng`; then nothing
        is changed.
        """
        broken = self.explain(move, player=player)
        parsed = Move.parse(move) if isinstance(move, str) else move
        if broken or parsed is None:
            raise IllegalMove(str(move), broken)
        told: list[Event] = []
        self._advance(self.position.after(parsed.cards, rng, told))
        return told

    def play_cards(self, cards: Cards, rng: Generator) -> None:
        """Make a legal move (one of `position.plays()`) without checking it or telling what came of it."""
        self._advance(self.position.after(cards, rng))

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on; whoever ties for the most points wins (K26)."""
        return Outcome(self.position.scores, winners(self.position.scores)) if self.over else None

    def view(self, player: int) -> SakanaView:
        """What `player` may know."""
        return SakanaView.of(self.position, checked_seat(player, self.players))

    @staticmethod
    def determinize(view: SakanaView, rng: Generator) -> State:
        """A full state that fits the view, the cards hidden from the player dealt at random; nothing to take back."""
        return State(view.determinize(rng))

    def to_json(self) -> dict[str, Any]:
        """In protocol form."""
        return form.to_json(self.position)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> State:
        """A state from protocol form. Raises `BadState` naming every defect."""
        return cls(form.read_position(data))
