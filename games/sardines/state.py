"""A whole game of Sunny Day Sardines: legal moves, why others are not, playing, the way back, the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.random import Generator

from games.cards import Rewindable, checked_seat
from games.errors import BadOptions, IllegalMove, Violation
from games.interface import Event, Outcome
from games.sardines import events, explain, form, tables
from games.sardines.moves import Move, from_id, to_id
from games.sardines.position import Position
from games.sardines.view import SardinesView
from meshes.errors import Defect

PLAYERS = (2, 4)
"""Fewest and most players (D1)."""


class State(Rewindable[Position]):
    """A game in progress. `play` and `undo` change it; `copy` costs next to nothing.

    `position` is the game as it stands, an immutable value that bots may keep and step from by themselves
    (`position.ids()`, `position.after(id, rng)`). Bots that want speed play with ids: `legal_ids`, `play_id`, `move`, `find`.
    Every method that takes a player raises `NoSuchSeat` for one who is not at the table.
    """

    __slots__ = ()

    @classmethod
    def new(cls, players: int, *, rng: Generator, starter: int | None = None) -> State:
        """A new game, shuffled with `rng`; the starter is drawn unless given (D2). Raises `BadOptions` for too few or many players."""
        fewest, most = PLAYERS
        if not fewest <= players <= most:
            raise BadOptions("sardines", [Defect("bad-players", "players", f"the game is for {fewest} to {most} players, not {players}")])
        first = int(rng.integers(players)) if starter is None else checked_seat(starter, players)
        return cls(Position.deal(players, starter=first, rng=rng))

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.position.hands)

    @property
    def to_move(self) -> int:
        """The seat to move; when the game is over the starter."""
        return self.position.to_move

    @property
    def over(self) -> bool:
        """Whether the game is over (D17)."""
        return self.position.over

    def legal_moves(self, player: int | None = None) -> list[Move]:
        """The legal moves, in a fixed order; none for a player who is not to move and when the game is over.

        Payments in which a card is needless are left out (D8); `explain` and `play` accept them.
        """
        if player is not None and checked_seat(player, self.players) != self.to_move:
            return []
        return [from_id(move) for move in self.legal_ids()]

    def legal_ids(self) -> list[int]:
        """The legal moves as integers (`games.sardines.tables` tells how they are made)."""
        return self.position.ids()

    def move(self, move: int) -> Move:
        """The move with this id."""
        return from_id(move)

    def find(self, move: Move | str) -> int | None:
        """The id of a move if it is legal now, else None."""
        read = Move.parse(str(move))
        return None if read is None or self.explain(read) else to_id(read)

    def explain(self, move: Move | str, *, player: int | None = None) -> tuple[Violation, ...]:
        """Every rule the move breaks if `player` (the player to move) makes it now; empty if it is legal."""
        return explain.violations(self.position, move, player=self.to_move if player is None else checked_seat(player, self.players))

    def play(self, move: Move | str, *, player: int | None = None, rng: Generator | None = None) -> list[Event]:
        """Make a move and tell what came of it.

        Raises `IllegalMove` with every rule broken, and `NoGenerator` if the deck must be shuffled anew and there is no `rng`;
        nothing is changed then.
        """
        broken = self.explain(move, player=player)
        read = Move.parse(str(move))
        if broken or read is None:
            raise IllegalMove(str(move), broken)
        before = self.position
        self.play_id(to_id(read), rng)
        result = self.outcome()
        return events.told(before, read, self.position, result.winners if result else ())

    def play_id(self, move: int, rng: Generator | None = None) -> bool:
        """Make a legal move by id, without checking it; True if the game is over then."""
        after = self.position.after(move, rng)
        self._advance(after)
        return after.over

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on. Ties are broken by the number of orders, then by fish in hand (D19)."""
        position = self.position
        if not position.over:
            return None
        scores = tuple(sum(tables.POINTS[order] for order in orders) for orders in position.completed)
        fish = (sum(tables.fish(hand)) for hand in position.hands)
        ranks = list(zip(scores, map(len, position.completed), fish, strict=True))
        return Outcome(scores, tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks)))

    def view(self, player: int) -> SardinesView:
        """What `player` may know."""
        return SardinesView.of(self.position, checked_seat(player, self.players))

    @staticmethod
    def determinize(view: SardinesView, rng: Generator) -> State:
        """A full state that fits the view, what is hidden dealt by `rng`."""
        return State(view.determinize(rng))

    def to_json(self) -> dict[str, Any]:
        """In protocol form."""
        return form.to_json(self.position)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> State:
        """A state from protocol form. Raises `BadState` naming every defect."""
        return cls(form.read_position(data))
