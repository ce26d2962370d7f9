"""A whole game of Sakapuss: who may do what, what comes of it, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.random import Generator

from games.cards import Rewindable, checked_seat
from games.errors import BadOptions, IllegalMove, PlayerNeeded, Violation
from games.interface import Event, Outcome
from games.sakapuss import explain, form
from games.sakapuss.deck import MAX_PLAYERS, MIN_PLAYERS, hand_names, winners
from games.sakapuss.move import Move
from games.sakapuss.position import Position
from games.sakapuss.view import SakapussView
from meshes.errors import Defect, StakdError


class State(Rewindable[Position]):
    """A game in progress. All players may act at any time, so every move needs its `player`; else `PlayerNeeded` is raised.

    `play` and `undo` change it; `copy` costs next to nothing. `position` is the game as it stands, an immutable value that bots may
    keep and step from by themselves (`position.ids(seat)`, `position.after(seat, id, rng)`). Every method that takes a player raises
    `NoSuchSeat` for one who is not at the table. In which order slaps arrive is the order in which they are played.
    """

    __slots__ = ()

    @classmethod
    def new(cls, players: int, *, rng: Generator, dealer: int | None = None, false_slap_ends_round: bool = False) -> State:
        """A new game. `dealer` deals first, a seat drawn from `rng` if not given (P3). Raises `BadOptions` unless 3 to 5 play."""
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            message = f"Sakapuss is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}"
            raise BadOptions("sakapuss", [Defect("bad-players", "players", message)])
        first = int(rng.integers(players)) if dealer is None else checked_seat(dealer, players)
        return cls(Position.first(players, dealer=first, false_slap_ends_round=false_slap_ends_round, rng=rng))

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.position.hands)

    @property
    def to_move(self) -> None:
        """Nobody in particular: several may move at once."""
        return None

    @property
    def over(self) -> bool:
        """Whether the whole game is over: ten rounds have been played (P22)."""
        return self.position.over

    def hand(self, player: int) -> list[str]:
        """The cats a player holds, sorted."""
        return hand_names(self.position.hands[checked_seat(player, self.players)])

    def legal_moves(self, player: int | None = None) -> list[Move]:
        """The legal moves of a player, in a fixed order; none when he can do nothing now. A slap may be legal and yet wrong."""
        return list(map(Move, self.position.ids(self._seat(player))))

    def explain(self, move: Move | str, *, player: int | None = None) -> tuple[Violation, ...]:
        """Every rule the move breaks if `player` makes it now; empty if it is legal."""
        return explain.violations(self.position, move, player=self._seat(player))

    def play(self, move: Move | str, *, player: int | None = None, rng: Generator | None = None) -> list[Event]:
        """Make a move and tell what came of it: cards passed, slaps, cards drawn, rounds over and dealt.

        Raises `IllegalMove` with every rule broken, and `NoGenerator` if the cats must be dealt and there is no `rng`; then nothing
        is changed.
        """
        seat = self._seat(player)
        broken = self.explain(move, player=seat)
        parsed = Move.parse(move) if isinstance(move, str) else move
        if broken or parsed is None:
            raise IllegalMove(str(move), broken)
        told: list[Event] = []
        self._advance(self.position.after(seat, parsed.id, rng, told))
        return told

    def play_id(self, seat: int, move: int, rng: Generator) -> None:
        """Make a legal move (one of `position.ids(seat)`) without checking it or telling what came of it."""
        self._advance(self.position.after(seat, move, rng))

    def redeal(self, rng: Generator) -> list[Event]:
        """Deal the round again without counting it: for a table where cards are passed on and on without end (P28).

        Raises `StakdError` once somebody has rightly called, as the round then ends by itself.
        """
        if self.position.slapped:
            raise StakdError("somebody has called with four cats alike, so the round ends by itself and is not dealt again")
        told: list[Event] = []
        self._advance(self.position.redealt(rng, told))
        return told

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on. The scores are parasites: whoever has the fewest wins (P23, P24)."""
        return Outcome(self.position.scores, winners(self.position.scores)) if self.over else None

    def view(self, player: int) -> SakapussView:
        """What `player` may know."""
        return SakapussView.of(self.position, checked_seat(player, self.players))

    @staticmethod
    def determinize(view: SakapussView, rng: Generator) -> State:
        """A full state that fits the view, the cards hidden from the player dealt at random; nothing to take back."""
        return State(view.determinize(rng))

    def to_json(self) -> dict[str, Any]:
        """In protocol form."""
        return form.to_json(self.position)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> State:
        """A state from protocol form. Raises `BadState` naming every defect."""
        return cls(form.read_position(data))

    def _seat(self, player: int | None) -> int:
        if player is None:
            raise PlayerNeeded
        return checked_seat(player, self.players)
