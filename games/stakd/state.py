"""A whole game of STAKD: rounds, scores, whose turn it is, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from games.errors import IllegalMove, NoSuchSeat, NothingToUndo, Violation
from games.interface import Event, Outcome
from games.stakd import codes, events, explain, form
from games.stakd.position import Position
from games.stakd.rules import POINTS_TO_WIN, Options, Rules, rules_for
from meshes.piece_set import PieceSet
from meshes.placement import Placement


class State:
    """A game in progress. `play` and `undo` change it; `copy` costs about a microsecond, so copy freely.

    `position` is the round as it stands, an immutable value that bots may keep and step from by themselves
    (`position.ids()`, `position.after(id)`). The other attributes are `rules`, `scores`, `round` (from 1), `starter` (who began
    this round) and `left` (bit s set when player s has left the match).
    Bots that want speed play with ids: `legal_ids`, `play_id`, `placement`, `find`. Every method that takes a player raises
    `NoSuchSeat` for one who is not at the table.
    """

    __slots__ = ("_past", "left", "position", "round", "rules", "scores", "starter")

    def __init__(self, rules: Rules, *, starter: int = 0) -> None:
        self.rules = rules
        self.scores = (0,) * rules.seats
        self.round, self.starter, self.left = 1, self._seat(starter), 0
        self.position = Position.deal(rules, starter)
        self._past: _Past | None = None

    @classmethod
    def new(cls, players: int, *, piece_set: PieceSet | None = None, options: Options | None = None, starter: int = 0) -> State:
        """A new game. `starter` is the seat of the youngest (S3). The classic set and default options if none are given.

        Raises `BadOptions` if the set is not for that many players.
        """
        return cls(rules_for(players, piece_set=piece_set, options=options), starter=starter)

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.rules.seats

    @property
    def to_move(self) -> int:
        """The seat to move; when the game is over the winner's (solo: 0)."""
        return self.position.seat

    @property
    def over(self) -> bool:
        """Whether the whole game is over: three points (S40), or the one round of solo (S49)."""
        return self.position.over

    @property
    def options(self) -> Options:
        """The readings of the rulebook chosen."""
        return self.rules.options

    @property
    def layers(self) -> tuple[tuple[Placement, ...], ...]:
        """The pieces on the table by layer, in laying order; `()` before the first BASE."""
        return self.position.laid()

    @property
    def out(self) -> tuple[bool, ...]:
        """For each seat whether it is out of this round."""
        return tuple(not self.position.inside >> seat & 1 for seat in range(self.players))

    def placements(self) -> list[Placement]:
        """The pieces on the table in laying order."""
        return [placement for layer in self.layers for placement in layer]

    def hand(self, player: int) -> dict[str, int]:
        """What a player holds, by piece name."""
        return dict(zip(self.rules.names, self.position.hands[self._seat(player)], strict=True))

    def legal_moves(self, player: int | None = None) -> list[Placement]:
        """The legal moves, in a fixed order; none for a player who is not to move and when the game is over."""
        position = self.position
        if player is not None and self._seat(player) != position.seat:
            return []
        return position.placements()

    def legal_ids(self) -> list[int]:
        """The legal moves as ids (`Position` tells how they are made)."""
        return self.position.ids()

    def placement(self, move: int) -> Placement:
        """The move with this id."""
        return self.position.placement(move)

    def find(self, move: Placement | str) -> int | None:
        """The id of a move if it is legal now, else None."""
        placement = Placement.parse(move) if isinstance(move, str) else move
        return None if placement is None else self.position.find(placement)

    def explain(self, move: Placement | str, *, player: int | None = None) -> tuple[Violation, ...]:
        """Every rule the move breaks if `player` (the player to move) makes it now; empty if it is legal."""
        return explain.violations(self.position, move, player=self.to_move if player is None else self._seat(player))

    def play(self, move: Placement | str, *, player: int | None = None, rng: Generator | None = None) -> list[Event]:
        """Make a move and tell what came of it: piece laid, players put out, rounds won.

        Raises `IllegalMove` with every rule broken, and then changes nothing. `rng` is there for the sake of the common
        interface; no rule of STAKD needs chance.
        """
        found = self.find(move)
        before = self.position
        if found is None or player not in (None, before.seat):
            raise IllegalMove(str(move), self.explain(move, player=player))
        after = before.after(found)
        told = [events.placed(before.seat, before.placement(found))]
        if after.level > before.level:
            told.append(events.layer_opened(before.seat, after.level))
        self._remember()
        return [*told, *put_out(before, after), *self._settle(after)]

    def play_id(self, move: int) -> bool:
        """Make a legal move by id, without checking it; True if it ended the round.

        The next round is then dealt already and its starter is who won, unless the game is over (`over`, `outcome`).
        """
        self._remember()
        after = self.position.after(move)
        if not after.over:
            self.position = after
            return False
        self._settle(after)
        return True

    def knock_over(self, player: int) -> list[Event]:
        """End the round because `player` knocked over the play area (S39, S41).

        Raises `IllegalMove` when the game is over, and for a player who has left: he can't have touched the tower.
        """
        self._check_present(player, f"a knock-over by player {player}")
        self._remember()
        told = [events.knocked_over(player)]
        if self.players == 1:
            return [*told, *self._settle(self.position.without(0))]
        self._score(player, -1)
        told.append(events.round_over(self.round, None, self.scores))
        self._deal(self.starter)
        return told

    def resign(self, player: int) -> list[Event]:
        """Take a player out of this round and all later ones (S53). Raises `IllegalMove` when he is gone or the game is over.

        When one player is left in the match, he wins round after round until he has his three points.
        """
        self._check_present(player, f"leaving by player {player}")
        before = self.position
        self._remember()
        self.left |= 1 << player
        told = [events.out(player, events.OutReason.LEFT)]
        if before.inside >> player & 1:
            after = before.without(player)
            told += [event for event in put_out(before, after) if event["player"] != player]
            told += self._settle(after)
        return told

    def undo(self) -> None:
        """Take back the last move, knock-over or resignation, across rounds too. Raises `NothingToUndo`."""
        if self._past is None:
            raise NothingToUndo
        self.position, self.scores, self.round, self.starter, self.left, self._past = self._past

    def copy(self) -> State:
        """An independent state with the same way back."""
        new = State.__new__(State)
        new.rules, new.position, new.scores, new.round = self.rules, self.position, self.scores, self.round
        new.starter, new.left, new._past = self.starter, self.left, self._past
        return new

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""
        if not self.over:
            return None
        return Outcome(self.scores, () if self.position.winner is None else (self.position.winner,))

    def view(self, player: int) -> StakdView:
        """What `player` may know: in STAKD everything lies open (S47)."""
        seen = self.copy()
        seen._past = None
        return StakdView(self._seat(player), seen)

    @staticmethod
    def determinize(view: StakdView, rng: Generator) -> State:
        """A full state that fits the view; as nothing is hidden there is only one, and `rng` is not needed."""
        return view.state.copy()

    def to_json(self) -> dict[str, Any]:
        """In protocol form. Who has left the match is not part of it; a match keeps that."""
        return form.to_json(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], *, piece_set: PieceSet | None = None) -> State:
        """A state from protocol form. Raises `BadState` naming every defect."""
        read = form.read_state(data, piece_set=piece_set)
        state = cls(read.position.rules, starter=read.starter)
        state.position, state.scores, state.round = read.position, read.scores, read.round
        return state

    def _seat(self, player: int) -> int:
        """`player`, if there is such a seat; checked because -1 would be taken for the last one."""
        if not 0 <= player < self.players:
            raise NoSuchSeat(player, self.players)
        return player

    def _check_present(self, player: int, deed: str) -> None:
        """Only who is still in the match can do anything at the table."""
        left = self.left >> self._seat(player) & 1
        if self.over or left:
            raise IllegalMove(deed, [codes.game_over() if self.over else codes.already_left()])

    def _remember(self) -> None:
        self._past = (self.position, self.scores, self.round, self.starter, self.left, self._past)

    def _settle(self, after: Position) -> list[Event]:
        """Go to `after`; if it ends the round, score it and deal the next, or end the game."""
        self.position = after
        ends: list[Event] = []
        while self.position.over:
            winner = self.position.winner
            points = self._score(winner, 1) if winner is not None and self.players > 1 else 0
            ends.append(events.round_over(self.round, winner, self.scores))
            if winner is None or self.players == 1 or points == POINTS_TO_WIN:
                return [*ends, events.game_over(winner)]
            self._deal(winner)
        return ends

    def _score(self, player: int, points: int) -> int:
        scores = list(self.scores)
        scores[player] += points
        self.scores = tuple(scores)
        return scores[player]

    def _deal(self, starter: int) -> None:
        """Begin the next round; a starter who has left gives way to the next in turn."""
        while self.left >> starter & 1:
            starter = (starter + 1) % self.players
        self.round += 1
        self.starter = starter
        self.position = Position.deal(self.rules, starter, inside=((1 << self.players) - 1) & ~self.left)


def put_out(before: Position, after: Position) -> list[Event]:
    """Who went out of the round on the way from `before` to `after`, in turn order, and why."""
    gone = before.inside & ~after.inside
    seats = before.rules.seats
    turns = ((before.seat + step) % seats for step in range(1, seats + 1)) if gone else ()
    return [events.out(seat, explain.out_reason(after, seat)) for seat in turns if gone >> seat & 1]


_Past = tuple[Position, tuple[int, ...], int, int, int, Any]
"""What `undo` goes back to, linked: position, scores, round, starter, left, and the one before."""


@dataclass(frozen=True, slots=True)
class StakdView:
    """What one player may know of a game of STAKD: all of it."""

    player: int
    state: State

    def to_json(self) -> dict[str, Any]:
        """The full state: no list is hidden."""
        return self.state.to_json()
