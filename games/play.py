"""A match being played at one screen by persons and bots. Nothing here blocks: call `update` once a frame and draw what is there."""

from __future__ import annotations

import time
from pathlib import Path

from games.acts import ActKind, MatchAct
from games.autosave import Autosave
from games.background import ActDone, Background, Failed, Judged, Poses, Report, Thought
from games.errors import IllegalMove, Violation
from games.judgement import PieceJudgement, TowerJudgement
from games.match import Match, Seat, hand_name
from games.moving_table import MovingTable, nearest
from games.phases import NoPlace, NotNow, Phase
from games.play_log import LogEntry, PlayLog, hand_after, why_out
from games.record import RecordWriter, load_record
from games.taking_back import must_agree, take_back, undo_depth
from games.verdicts import Verdicts
from games.words import physics_note
from meshes.piece_set import PieceType
from meshes.placement import Placement
from physics.act import ActResult
from physics.pose import Pose
from physics.tower import Tower

__all__ = ["MOST_FAILURES", "OWN_HAND", "SLIP_S", "NoPlace", "NotNow", "Phase", "Play"]

OWN_HAND = "own"
"""What a record calls the hand of a person who holds the piece himself."""
SLIP_S = 1.0
"""A piece that slipped is shown where it lies for so long before it is taken back."""
MOST_FAILURES = 3
"""After so many failures in a row bots are paused."""


class Play:
    """A match, the background process that thinks and lays, and the file it is saved to after every act.

    Bots move by themselves while `paused` is False, `pause_s` seconds after what came before. `match` may be read, not changed. `messages` are for
    the user: what could not be saved or went wrong; take them out when shown.
    """

    def __init__(self, match: Match, background: Background, *, path: Path | None = None, pause_s: float = 0.0) -> None:
        self.match = match
        self.paused = False
        self.pause_s = pause_s
        self.messages: list[str] = []
        self._background = background
        self._table = MovingTable(match.tower)
        self._verdicts = Verdicts(match, background)
        self._log = PlayLog(self.names)
        self._autosave = Autosave(RecordWriter(match.setup), path) if path is not None else None
        self._job = 0
        self._hand = ""
        self._meant: Placement | None = None
        self._choice: Placement | None = None
        self._failures = 0
        self._save()
        self._stand()

    @classmethod
    def resume(cls, path: Path, background: Background, *, pause_s: float = 0.0) -> Play:
        """Go on with a recorded match after its last act; it is saved there again. Raises `BadRecord`."""
        play = cls(load_record(path), background, path=path, pause_s=pause_s)
        play.messages += filter(None, [physics_note(play.match)])
        return play

    def close(self) -> None:
        """Leave the match: what is under way is dropped, the last act is on disk afterwards. The background is left running."""
        self._background.cancel()
        if self._autosave:
            self.messages += self._autosave.close()

    @property
    def phase(self) -> Phase:
        """What the match waits for."""
        return self._phase

    @property
    def names(self) -> tuple[str, ...]:
        """By seat."""
        return tuple(seat.name for seat in self.match.setup.seats)

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return self.match.state.to_move

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.match.seat

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat."""
        return self.match.state.scores

    @property
    def left(self) -> list[dict[str, int]]:
        """For each seat how many pieces of each type it still has, until `go_on` those of the round that is over. A piece in the hand or on its way
        is not yet gone."""
        seats = range(len(self.match.setup.seats))
        if self._round_shown == self.match.state.round or self.last_act is None:
            return [self.match.state.hand(player) for player in seats]
        return [hand_after(self.match, self.last_act, player) for player in seats]

    @property
    def log(self) -> list[LogEntry]:
        """The acts in words."""
        return self._log.of(self.match)

    @property
    def last_act(self) -> MatchAct | None:
        """With its track, for a replay on `match.table_before(act.number)`."""
        return self.match.acts[-1] if self.match.acts else None

    @property
    def account(self) -> str | None:
        """What fell in the last act and why, in words; None if nothing fell."""
        return str(self.last_act.knock_over) if self.last_act and self.last_act.knock_over else None

    @property
    def tower(self) -> Tower:
        """What is at rest on the table; until `go_on` what stood before a fall and at the end of a round."""
        return self._table.tower

    @property
    def moving(self) -> PieceType | None:
        """The piece in the hand, on its way, or slipped."""
        return self._table.piece

    @property
    def feels_support(self) -> bool:
        """Whether the hand feels the piece it holds stand on something."""
        return self._table.feels_support

    @property
    def poses(self) -> list[tuple[PieceType, Pose]]:
        """All pieces to draw where they are now: those of `tower` in order, then `moving`, once it is to be seen."""
        return self._table.poses

    @property
    def act_seconds(self) -> float:
        """Time of the act that is under way, on its own clock, at which its pieces are where `poses` has them."""
        return self._table.seconds

    @property
    def verdict(self) -> PieceJudgement | None:
        """The latest answer to `ask_verdict`, rules included; its own `verdict.pose` says for where. None again once the table has changed."""
        return self._verdicts.piece

    @property
    def tower_verdict(self) -> TowerJudgement | None:
        """The latest answer to `ask_tower_verdict`; None again once the table has changed."""
        return self._verdicts.tower

    @property
    def verdict_asked(self) -> Placement | Pose | None:
        """Where `ask_verdict` was last asked about; None again once the table has changed."""
        return self._verdicts.asked

    @property
    def tower_verdict_asked(self) -> bool:
        """Whether `ask_tower_verdict` was called since the table last changed."""
        return self._verdicts.asked_tower

    @property
    def weighing(self) -> bool:
        """Whether a verdict is still to come. One that was asked for and is lost with the background never comes."""
        return self._verdicts.open

    def why_out(self, player: int) -> str | None:
        """Why a player is out of this round (until `go_on` the one that is over), citing the rule; None if he is not."""
        return why_out(self.match, player, self._round_shown)

    @property
    def _round_shown(self) -> int:
        ended = self._phase in (Phase.FALLEN, Phase.ROUND_OVER)
        return self.last_act.round if ended and self.last_act else self.match.state.round

    def explain(self, placement: Placement) -> tuple[Violation, ...]:
        """Every rule a placement breaks now; empty if it is legal."""
        return self.match.state.explain(placement)

    def legal(self, piece: str | None = None) -> list[Placement]:
        """The legal placements of whoever is to move, of one piece or of all."""
        return [placement for placement in self.match.state.legal_moves() if piece in (None, placement.piece)]

    def lay(self, placement: Placement) -> None:
        """A person lays a piece as the seat does: exactly, or by a hand of its steadiness that moves by itself. Raises `IllegalMove`, `NotNow`."""
        self._need("laying a piece", Phase.PERSON)
        if violations := self.explain(placement):
            raise IllegalMove(str(placement), violations)
        self._lay(placement)

    def take(self, piece: str, pose: Pose) -> None:
        """A person takes a piece up at `pose`, by the live Grip. Raises `NotNow`, `NoPlace`. If something is in the way there, a message says so."""
        self._need("taking a piece", Phase.PERSON)
        allowed = self.legal(piece)
        if not allowed:
            raise NoPlace(piece)
        self._job = self._background.take(self.match.tower, piece, pose, allowed)
        self._hand, self._meant, self._wanted = OWN_HAND, None, pose
        self._table.begin(self.match.tower, piece, pose)
        self._phase = Phase.HOLDING

    def move_to(self, pose: Pose) -> None:
        """Want the held piece at `pose`. Like `release` and `put_back` this does nothing when no piece is held (any more)."""
        if self._phase is Phase.HOLDING:
            self._wanted = pose
            self._background.move_to(pose)

    def release(self) -> None:
        """Let go of the held piece."""
        if self._phase is Phase.HOLDING:
            self._background.release()
            self._phase = Phase.LAYING

    def put_back(self) -> None:
        """Put the held piece back, as if nothing had been touched."""
        if self._phase is Phase.HOLDING:
            self._background.cancel()
            self._stand()

    def ask_verdict(self, where: Placement | Pose, piece: str | None = None) -> None:
        """Ask what would become of a piece exactly in a placement, or of `piece` put down flat at a pose. The answer appears in `verdict`."""
        if isinstance(where, Placement):
            self._verdicts.ask(where, where.piece)
        elif piece is not None:
            self._verdicts.ask(where, piece)

    def ask_tower_verdict(self) -> None:
        """Ask how surely the tower stands; the answer appears in `tower_verdict`."""
        self._verdicts.ask_tower()

    def go_on(self) -> None:
        """Leave the account of a fall, the end of a round or a slip, and play on."""
        if self._phase in (Phase.FALLEN, Phase.ROUND_OVER, Phase.SLIPPED):
            self._stand()

    def resign(self, player: int) -> None:
        """A player leaves (RULES S53); what is held is put back, what a bot thinks begins anew. Raises `NotNow` while a piece is being laid."""
        self._need("leaving", Phase.PERSON, Phase.HOLDING, Phase.THINKING, Phase.ROUND_OVER)
        act = self.match.resign(player)
        self._background.cancel()
        self._follow(act)

    @property
    def can_undo(self) -> bool:
        """Whether `undo` can take something back now."""
        return self._phase in (Phase.PERSON, Phase.THINKING, Phase.ROUND_OVER, Phase.OVER) and undo_depth(self.match) > 0

    def undo(self, *, agreed: bool = False) -> tuple[int, ...]:
        """Take back the last piece a person laid and what bots answered. Alone or against bots only that is free; with several persons this first
        gives the seats that must agree, and takes back when called again as `agreed`. Empty: it is done. Raises `NotNow`."""
        if not self.can_undo:
            raise NotNow("taking back", self._phase)
        others = must_agree(self.match)
        if others and not agreed:
            return others
        self._background.cancel()
        take_back(self.match)
        self._save()
        self._stand()
        return ()

    def update(self) -> bool:
        """Hear what the background has done, and let bots go on; True if anything is to be drawn anew."""
        changed = False
        for report in self._background.poll():
            changed = self._hear(report) or changed
        if self._autosave and (problems := self._autosave.problems()):
            self.messages += problems
            changed = True
        return self._go() or changed

    def _go(self) -> bool:
        now = time.monotonic()
        if self._phase is Phase.SLIPPED and now >= self._since + SLIP_S:
            self._stand()
            return True
        if self._phase is Phase.THINKING and not self.paused and not self._background.busy:
            if self._choice is not None:
                self._lay(self._choice)
                return True
            if now >= self._since + self.pause_s:
                self._job = self._background.think(self.match.setup, self.match.acts)
        return False

    def _hear(self, report: Report) -> bool:
        if isinstance(report, Poses):
            self._table.move(report)
            if self._phase is Phase.HOLDING and not report.held:
                self._phase = Phase.LAYING
        elif isinstance(report, Thought):
            self._choice = report.move
        elif isinstance(report, ActDone):
            self._settle(report.result)
        elif isinstance(report, Judged):
            return self._verdicts.hear(report)
        elif isinstance(report, Failed):
            self._fail(report)
        return True

    def _lay(self, placement: Placement) -> None:
        self._job = self._background.lay(self.match.tower, placement, self.match.hand, self.match.chance(1))
        self._hand, self._meant = hand_name(self.match.hand), placement
        self._table.begin(self.match.tower, placement.piece)
        self._phase = Phase.LAYING

    def _settle(self, result: ActResult) -> None:
        """An act is over. A person's own hand is taken to have meant the legal place nearest to where it last was."""
        piece = self._table.piece
        assert piece is not None, "an act without a piece"
        meant = self._meant or nearest(self.match.tower, piece, self._wanted, self.legal(piece.name))
        act = self.match.settle_act(meant, result, hand=self._hand)
        if result.knock_over:
            self._table.lie([laid.pose for laid in result.tower.laid])
        self._failures = 0
        self._follow(act)

    def _follow(self, act: MatchAct) -> None:
        """Save, and go to the phase after an act."""
        self._save()
        self._verdicts.forget()
        self._since = time.monotonic()
        if act.kind is ActKind.KNOCKED_OVER:
            self._phase = Phase.FALLEN
        elif act.kind is ActKind.TAKEN_BACK:
            self._phase = Phase.SLIPPED
        else:
            self._stand()
            if not self.match.over and any(event["type"] == "round_over" for event in act.events):
                self._phase = Phase.ROUND_OVER
                self._table.rest(self.match.table_after(act.number).tower)

    def _stand(self) -> None:
        """Nothing is under way: show the table as it is and see whose turn it is."""
        self._choice = None
        self._since = time.monotonic()
        self._verdicts.forget()
        ended = self.match.over and self.last_act
        self._table.rest(self.match.table_after(ended.number).tower if ended else self.match.tower)
        self._phase = Phase.OVER if self.match.over else Phase.PERSON if self.seat.bot is None else Phase.THINKING

    def _fail(self, report: Failed) -> None:
        """Say so and begin the turn again; a bot that fails again and again is paused."""
        self.messages.append(report.message)
        self._verdicts.lose(report)
        if report.job != self._job:
            return
        self._failures += 1
        if self._failures >= MOST_FAILURES and self.seat.bot is not None:
            self.paused, self._failures = True, 0
            self.messages.append("Bots are paused, as this has failed several times; let them go on to try again.")
        self._stand()

    def _need(self, deed: str, *phases: Phase) -> None:
        if self._phase not in phases:
            raise NotNow(deed, self._phase)

    def _save(self) -> None:
        if self._autosave:
            self._autosave.save(self.match.acts)
