"""A physical match of STAKD: the exact rules and the table together. Every piece laid is judged by both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from games.acts import ActKind, MatchAct, apply_rest, rest_after
from games.bots import make_bot
from games.errors import IllegalMove, NothingToUndo
from games.interface import Event
from games.stakd.rules import Options
from games.stakd.state import State
from meshes.errors import StakdError
from meshes.piece_set import PieceSet
from meshes.placement import Placement
from physics.act import ActResult, Onlooker, Outcome, place_by_hand, place_on_board
from physics.build import physics_build
from physics.grip import STEADINESS, Steadiness
from physics.tower import Tower

__all__ = ["ActKind", "CannotUndo", "Match", "MatchAct", "MatchSetup", "OutOfStep", "Seat", "Table", "apply_rest", "bot_setup"]

TRIES = 5
"""A piece that slipped this often in one turn is laid with both hands, as on the board: exactly in its place, and what stands in
its way is squared up. A single hand, however exact, could slip off a crowded place for ever (RULES S42)."""
BOARD = "board"
"""What a record calls a hand that lays on the board."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a place and how they lay pieces. `bot` None is a person; `hand` None lays on the board."""

    name: str
    bot: str | None = None
    hand: Steadiness | None = None
    milliseconds: int | None = None
    iterations: int | None = None


@dataclass(frozen=True)
class MatchSetup:
    """Everything that fixes a match before its first act. The same set-up and the same acts give the same match.

    `physics` is the build the match was begun with; another plays on by the same rules, but not to the last digit.
    """

    piece_set: PieceSet
    seats: tuple[Seat, ...]
    seed: int
    options: Options = field(default_factory=Options)
    physics: str = field(default_factory=physics_build)


@dataclass(frozen=True, slots=True)
class Table:
    """A moment of a match: the tower, the rules' state if it is known, and what must be said of the moment, if anything."""

    tower: Tower
    state: State | None = None
    note: str = ""


def bot_setup(
    piece_set: PieceSet, bots: Sequence[str], *, players: int, seed: int, hand: str = "normal", iterations: int | None = None
) -> MatchSetup:
    """A match of `players` bots, their names taken in turn from `bots`; `hand` is `board` or a steadiness level.

    Raises `StakdError` for an unknown bot or a player count the set has no hands for.
    """
    if not 1 <= players <= piece_set.max_players:
        raise StakdError(f"{players} can't play: the set {piece_set.name} has hands for 1 to {piece_set.max_players} players")
    steadiness = None if hand == BOARD else STEADINESS[hand]
    chosen = [bots[i % len(bots)].strip() for i in range(players)]
    for bot in chosen:
        make_bot("stakd", bot)
    seats = tuple(Seat(f"{_NAMES[i]} ({bot})", bot, steadiness, iterations=iterations) for i, bot in enumerate(chosen))
    return MatchSetup(piece_set, seats, seed)


_NAMES = ("Ada", "Björn", "Chloé", "Dmitri", "Esi", "Farid", "Greta", "Hiro", "Ines", "Jonas")


def lay(tower: Tower, placement: Placement, hand: Steadiness | None, chance: Sequence[int], *, onlooker: Onlooker | None = None) -> ActResult:
    """Lay a piece with a `hand`, None being both hands as on the board; `chance` seeds what the hand does."""
    if hand is None:
        return place_on_board(tower, placement, onlooker=onlooker)
    return place_by_hand(tower, placement, hand, np.random.default_rng(chance), onlooker=onlooker)


def hand_name(hand: Steadiness | None) -> str:
    """What a record calls a hand."""
    return BOARD if hand is None else hand.name


class CannotUndo(StakdError):
    """An act that can't be taken back: something fell, or somebody left."""


class OutOfStep(StakdError):
    """The end of an act that was begun on another tower than the one that stands on the table."""

    def __init__(self) -> None:
        super().__init__("this act began on another tower than the one on the table; begin it again from the match's tower")


class Match:
    """Rules and table in step. `state` is what the rules know, `tower` what stands on the table, `acts` what was done."""

    def __init__(self, setup: MatchSetup) -> None:
        self.setup = setup
        self.state = State.new(len(setup.seats), piece_set=setup.piece_set, options=setup.options)
        self.tower = Tower(setup.piece_set)
        self.acts: list[MatchAct] = []
        self._before: list[Table] = []

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.over

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.setup.seats[self.state.to_move]

    @property
    def foreign_physics(self) -> str | None:
        """The build of the physics that began this match, if it is not the one at work here."""
        return self.setup.physics if self.setup.physics != physics_build() else None

    def think(self) -> Placement:
        """What the bot to move wants to lay. Draws from the generator of the coming act, so a resumed match thinks alike."""
        seat = self.seat
        if seat.bot is None:
            raise StakdError(f"{seat.name} is a person; no bot can move for this seat")
        bot = make_bot("stakd", seat.bot)
        move: Placement = bot.choose(self.state, np.random.default_rng(self.chance(0)), milliseconds=seat.milliseconds, iterations=seat.iterations)
        return move

    def place(self, placement: Placement) -> MatchAct:
        """Lay a piece the way the seat to move lays pieces; raises `IllegalMove` with every rule broken."""
        self._check(placement)
        result = lay(self.tower, placement, self.hand, self.chance(1))
        return self.settle_act(placement, result, hand=hand_name(self.hand))

    @property
    def hand(self) -> Steadiness | None:
        """The hand that lays the next piece; None lays with both hands, as on the board."""
        return None if self._slips() >= TRIES else self.seat.hand

    def chance(self, purpose: int) -> tuple[int, ...]:
        """The seed of the coming act: for thinking (0) or for the hand (1). Fixed by the match's seed and the act's number, so that a
        match loaded from its record goes on exactly as one that was never stopped."""
        return self.setup.seed, len(self.acts), purpose

    def settle_act(self, placement: Placement, result: ActResult, *, hand: str) -> MatchAct:
        """Take what physics found into the match: a person's act made with the live Grip ends here too.

        `placement` is what was tried. A piece that came to rest counts as `result.placement`, which may be another. Raises
        `IllegalMove` if that is not legal, `OutOfStep` if the act was begun on another tower; then nothing has changed.
        """
        if result.outcome is Outcome.PLACED and result.placement is not None:
            placement = result.placement
        self._check(placement)
        self._check_step(placement, result)
        before, player, round_number = self.table, self.state.to_move, self.state.round
        kind, events = self._apply(placement, result)
        act = MatchAct(
            number=len(self.acts) + 1,
            round=round_number,
            player=player,
            kind=kind,
            placement=placement,
            hand=hand,
            offset_mm=result.offset_mm,
            rest=rest_after(before.tower, result.tower) if kind is not ActKind.KNOCKED_OVER else (),
            squared_up=result.squared_up,
            knock_over=result.knock_over,
            track=result.track,
            events=tuple(events),
        )
        return self._append(act, before)

    def resign(self, player: int) -> MatchAct:
        """A seat leaves: out for this round and later ones, its pieces stay (RULES S53)."""
        before, round_number = self.table, self.state.round
        events = self._told(self.state.resign(player))
        act = MatchAct(len(self.acts) + 1, round_number, player, ActKind.RESIGNED, None, "", None, (), False, None, None, tuple(events))
        return self._append(act, before)

    def undo(self) -> MatchAct:
        """Take back the last piece laid, and with it the slips since, as if they had never been; gives the act of that piece.

        The generators go back too: the same move again gives the same poses. Raises `NothingToUndo` if no piece has been laid,
        `CannotUndo` after a fall or a resignation: what fell stays fallen. Slips are then left alone.
        """
        last = len(self.acts) - 1 - self._slips()
        if last < 0:
            raise NothingToUndo
        act = self.acts[last]
        if act.kind is not ActKind.PLACED:
            raise CannotUndo("the last act can't be taken back: " + ("pieces fell" if act.knock_over else "a player left"))
        self.state.undo()
        self.tower = self._before[last].tower
        del self.acts[last:], self._before[last:]
        return act

    def act(self, number: int) -> MatchAct:
        """Act `number`, counted from 1; raises `StakdError` if there is none."""
        if not 1 <= number <= len(self.acts):
            raise StakdError(f"there is no act {number}; this match has {len(self.acts)}")
        return self.acts[number - 1]

    def table_before(self, number: int) -> Table:
        """What stood on the table and what the rules knew before act `number` (counted from 1)."""
        self.act(number)
        return self._before[number - 1]

    def table_after(self, number: int) -> Table:
        """The table as act `number` left it, at the end of a round before the pieces go back; after a knock-over as it
        stood before the fall. The rules' state is given only if it is of the same round."""
        act, before = self.act(number), self.table_before(number)
        state = self.table_before(number + 1).state if number < len(self.acts) else self.state.copy()
        same_round = state is not None and state.round == act.round and not (act.knock_over and state.over)
        note = f"the tower fell in act {number}; this is the tower as it stood before" if act.knock_over else ""
        return Table(apply_rest(before.tower, act), state if same_round else None, note)

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return Table(self.tower, self.state.copy())

    def restore(self, act: MatchAct) -> Sequence[Event]:
        """Do a recorded act again without physics, the poses taken from it; gives the events of the rules. Raises `IllegalMove`."""
        before = self.table
        if act.placement is not None:
            self._check(act.placement)
        self.tower = apply_rest(self.tower, act)
        events = self._told(self._replay(act))
        self._append(act, before)
        return events

    def _replay(self, act: MatchAct) -> Sequence[Event]:
        if act.kind is ActKind.RESIGNED:
            return self.state.resign(act.player)
        if act.kind is ActKind.KNOCKED_OVER:
            return self.state.knock_over(act.player)
        if act.kind is ActKind.PLACED and act.placement is not None:
            return self.state.play(act.placement)
        return ()

    def _append(self, act: MatchAct, before: Table) -> MatchAct:
        self.acts.append(act)
        self._before.append(before)
        return act

    def _apply(self, placement: Placement, result: ActResult) -> tuple[ActKind, Sequence[Event]]:
        if result.outcome is Outcome.KNOCKED_OVER:
            return ActKind.KNOCKED_OVER, self._told(self.state.knock_over(self.state.to_move))
        self.tower = result.tower
        if result.outcome is Outcome.TAKEN_BACK:
            return ActKind.TAKEN_BACK, ()
        return ActKind.PLACED, self._told(self.state.play(placement))

    def _told(self, events: Sequence[Event]) -> Sequence[Event]:
        """What the rules told. When a round has ended, all pieces go back (RULES S48)."""
        if any(event["type"] == "round_over" for event in events):
            self.tower = Tower(self.setup.piece_set)
        return events

    def _check(self, placement: Placement) -> None:
        violations = self.state.explain(placement)
        if violations:
            raise IllegalMove(str(placement), violations)

    def _check_step(self, placement: Placement, result: ActResult) -> None:
        """The tower an act led to must hold what the rules know to lie there, in the same order."""
        laid = [piece.placement for piece in self.tower.laid]
        expected = [*laid, placement] if result.outcome is Outcome.PLACED else laid
        if [piece.placement for piece in result.tower.laid] != expected:
            raise OutOfStep

    def _slips(self) -> int:
        """How many acts ago the last one was that was no slip; within a turn, how often its piece has slipped."""
        slips = 0
        for act in reversed(self.acts):
            if act.kind is not ActKind.TAKEN_BACK:
                break
            slips += 1
        return slips
