"""The worker process: bots think, acts are simulated at the pace of the clock, towers are judged. Ends when its pipe does.

Only `games.background` starts it. Judging has a thread of its own, so that a verdict need not wait for the act in hand.
"""

from __future__ import annotations

import threading
import time
from multiprocessing.connection import Connection
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from games.acts import MatchAct
from games.jobs import (
    Abandoned,
    ActDone,
    Cancel,
    Failed,
    Job,
    Judged,
    JudgePiece,
    JudgeTower,
    Lay,
    MoveTo,
    Order,
    Poses,
    Push,
    PushDone,
    Question,
    Ready,
    Release,
    Take,
    Think,
    Thought,
)
from games.judgement import PieceJudgement, TowerJudgement, judge_piece, judge_tower
from games.match import Match, MatchSetup, Table, lay
from physics.act import Act
from physics.knock import knock
from physics.pose import Vector, as_array
from physics.tower import Tower

SEEN_MM, SEEN_TURN = 0.002, 2e-5
"""Pieces that moved and (by quaternion) turned less since they were last shown are not shown anew."""
LATE_S = 0.1
"""When the simulation is later than this it does not try to catch up: the act goes on in slow motion."""
STILL_S = 0.5
"""A held piece that has not moved for so long is not simulated until the hand wants something."""

_Done = Thought | ActDone | PushDone


class _Cancelled(Exception):
    """The job in hand is no longer wanted."""


def work(pipe: Connection) -> None:
    """Do what comes through `pipe` until it closes."""
    try:
        Worker(pipe).run()
    except (EOFError, OSError):
        return


class Worker:
    """Does one job at a time, in order, and answers questions beside."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._sending = threading.Lock()
        self._questions: SimpleQueue[Order] = SimpleQueue()
        self._match: Match | None = None

    def run(self) -> None:
        """Until the pipe ends; raises `EOFError` or `OSError` then."""
        threading.Thread(target=self._answer, daemon=True).start()
        self.send(Ready())
        while True:
            order = self.receive()
            if isinstance(order.content, Think | Lay | Take | Push):
                self._do(order, order.content)

    def send(self, report: object) -> None:
        """To the window."""
        with self._sending:
            self._pipe.send(report)

    def waits(self, seconds: float | None = 0.0) -> bool:
        """Whether an order comes within `seconds`; None: wait for one."""
        return self._pipe.poll(seconds)

    def receive(self) -> Order:
        """The next order; questions are passed on to their thread on the way."""
        order: Order = self._pipe.recv()
        if isinstance(order.content, JudgePiece | JudgeTower):
            self._questions.put(order)
        return order

    def _do(self, order: Order, job: Job) -> None:
        try:
            self.send(self._done(order, job))
        except _Cancelled:
            self.send(Abandoned(order.number))
        except (EOFError, OSError):
            raise
        except Exception as error:  # noqa: BLE001 – whatever a job dies of, the window hears of it and the worker lives on
            self.send(Failed(order.number, str(error) or repr(error)))

    def _done(self, order: Order, job: Job) -> _Done:
        number = order.number
        if isinstance(job, Think):
            self._match = _brought_to(self._match, job.setup, job.acts)
            return Thought(number, self._match.think())
        stage = _Stage(self, order, job.tower)
        if isinstance(job, Lay):
            return ActDone(number, lay(job.tower, job.placement, job.hand, job.chance, onlooker=stage.show))
        if isinstance(job, Take):
            return self._hold(stage, number, job)
        knocked = knock(job.tower, job.index, force_n=job.force_n, heading_deg=job.heading_deg, seconds=job.seconds, onlooker=stage.show)
        return PushDone(number, knocked)

    def _hold(self, stage: _Stage, number: int, job: Take) -> ActDone:
        with Act(job.tower, job.piece, job.pose, allowed=job.allowed, onlooker=stage.show) as act:
            stage.live = act
            while not act.done:
                act.run(1)
            return ActDone(number, act.result())

    def _answer(self) -> None:
        while True:
            order = self._questions.get()
            question = order.content
            assert isinstance(question, JudgePiece | JudgeTower)
            try:
                self.send(Judged(order.number, _judgement(question)))
            except OSError:
                return
            except Exception as error:  # noqa: BLE001 – as in `_do`
                self.send(Failed(order.number, str(error) or repr(error)))


class _Stage:
    """Shows one job to the window while it goes on: sends what moved, keeps to the clock, and hears what the hand wants."""

    def __init__(self, worker: Worker, order: Order, tower: Tower) -> None:
        self._worker, self._number, self._pace = worker, order.number, order.pace
        self._shown: Vector = np.array([as_array(piece.pose) for piece in tower.laid]).reshape(-1, 7)
        self._told = (False, False)
        self._start: float | None = None
        self._moved_s = 0.0
        self.live: Act | None = None
        """The act, if a person's hand makes it."""

    def show(self, seconds: float, states: Vector) -> None:
        """As `physics.act.Onlooker`: returns when it is time for the next frame. Raises `_Cancelled`."""
        self._send(seconds, states)
        if self._start is None:
            self._start = time.perf_counter() - seconds / self._pace
        self._listen(0.0)
        ahead = seconds / self._pace - (time.perf_counter() - self._start)
        if ahead < -LATE_S:
            self._start -= ahead
        due = time.perf_counter() + ahead
        while (left := due - time.perf_counter()) > 0:
            self._listen(left)
        if self.live is not None and self.live.held and seconds - self._moved_s > STILL_S:
            self._listen(None)
            self._moved_s, self._start = seconds, time.perf_counter() - seconds / self._pace

    def _send(self, seconds: float, states: Vector) -> None:
        known = len(self._shown)
        moved = [*np.flatnonzero(_apart(states[:known], self._shown)).tolist(), *range(known, len(states))]
        held = self.live is not None and self.live.held
        told = held, held and self.live is not None and self.live.feels_support
        if not moved and told == self._told:
            return
        self._shown = np.vstack([self._shown, states[known:]])
        self._shown[moved] = states[moved]
        self._told, self._moved_s = told, seconds
        self._worker.send(Poses(self._number, seconds, tuple(moved), states[moved], *told))

    def _listen(self, seconds: float | None) -> None:
        """Wait so long for an order (None: until one comes) and heed all that are there."""
        while self._worker.waits(seconds):
            order, seconds = self._worker.receive(), 0.0
            if order.number != self._number:
                continue
            if isinstance(order.content, Cancel):
                raise _Cancelled
            if self.live is not None and isinstance(order.content, MoveTo):
                self.live.move_to(order.content.pose)
            elif self.live is not None and isinstance(order.content, Release):
                self.live.release()


def _apart(states: Vector, others: Vector) -> NDArray[np.bool_]:
    """Which of (n, 7) poses differ so much that it can be seen. The same rotation has two signs."""
    shift = np.abs(states[:, :3] - others[:, :3]).max(axis=1)
    turn = np.minimum(np.abs(states[:, 3:] - others[:, 3:]).max(axis=1), np.abs(states[:, 3:] + others[:, 3:]).max(axis=1))
    apart: NDArray[np.bool_] = (shift > SEEN_MM) | (turn > SEEN_TURN)
    return apart


def _brought_to(match: Match | None, setup: MatchSetup, acts: tuple[MatchAct, ...]) -> Match:
    """The match after these acts, as far as the rules go: `match` if it is on the way there, else a new one."""
    if match is None or match.setup != setup or tuple(match.acts) != acts[: len(match.acts)]:
        match = Match(setup)
    for act in acts[len(match.acts) :]:
        match.restore(act)
    return match


def _judgement(question: Question) -> PieceJudgement | TowerJudgement:
    table = Table(question.tower)
    if isinstance(question, JudgeTower):
        return judge_tower(table)
    pose = question.pose
    return judge_piece(table, question.piece, pose.x, pose.y, pose.yaw_deg, layer=question.layer)
