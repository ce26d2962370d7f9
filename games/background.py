"""The background of the window: one worker process for all that takes its time, so that the window never waits.

Nothing here blocks: ask, call `poll` once a frame, and heed what it reports. This module loads no physics.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING

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
    Report,
    Take,
    Think,
    Thought,
)
from games.worker_process import WorkerProcess
from meshes.errors import StakdError

if TYPE_CHECKING:
    from games.acts import MatchAct
    from games.match import MatchSetup
    from meshes.placement import Placement
    from physics.act import ActResult
    from physics.grip import Steadiness
    from physics.pose import Pose
    from physics.tower import Tower

__all__ = ["ActDone", "Background", "Busy", "Failed", "Judged", "Poses", "PushDone", "Report", "Thought"]

GRACE_S = 0.5
"""A worker that has not dropped a cancelled job after this long is ended, and another started."""


class Busy(StakdError):
    """A job was asked for while another goes on."""

    def __init__(self) -> None:
        super().__init__("the background is busy; cancel what it does or wait for it")


class Background:
    """One worker process. It starts with the first job or by `start`, and anew when it dies. Use it as a context manager or `close` it.

    One job at a time (`think`, `lay`, `take`, `knock`); each gives a number, which stands in its reports. Questions (`judge_piece`, `judge_tower`)
    are answered beside it, of each kind only the latest. `pace`: simulated seconds a second in jobs begun from now on.
    """

    def __init__(self, *, pace: float = 1.0) -> None:
        self.pace = pace
        self._numbers = count(1)
        self._process: WorkerProcess | None = None
        self._ready = False
        self._job: Order | None = None
        self._running: int | None = None
        self._cancelled_s: float | None = None
        self._steering: list[Order] = []
        self._asked: dict[type[Question], Order] = {}
        self._answering: Order | None = None

    def __enter__(self) -> Background:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def busy(self) -> bool:
        """Whether a job goes on."""
        return self._job is not None

    def start(self) -> None:
        """Start the worker, if it does not run; it is ready a second or two later, and what is asked meanwhile waits."""
        if self._process is None:
            self._process = WorkerProcess("stakd-background", _work)

    def close(self) -> None:
        """End the worker and forget what was asked. It can be started again."""
        self._end_worker()
        self._forget_job()
        self._asked.clear()

    def think(self, setup: MatchSetup, acts: Iterable[MatchAct]) -> int:
        """The bot to move after `acts` chooses, as `Match.think` does. Ends with `Thought`."""
        return self._begin(Think(setup, tuple(replace(act, rest=(), knock_over=None, track=None) for act in acts)))

    def lay(self, tower: Tower, placement: Placement, hand: Steadiness | None, chance: tuple[int, ...]) -> int:
        """Lay a piece as `games.match.lay` does. `Poses` come meanwhile; ends with `ActDone`."""
        return self._begin(Lay(tower, placement, hand, chance))

    def take(self, tower: Tower, piece: str, pose: Pose, allowed: Iterable[Placement] | None) -> int:
        """A person takes up a piece, which may count as one of the `allowed` placements, None: as any; see `move_to`, `release`, `cancel`. Ends with
        `ActDone` some time after it was let go."""
        return self._begin(Take(tower, piece, pose, None if allowed is None else frozenset(allowed)))

    def knock(self, tower: Tower, index: int, *, force_n: float, heading_deg: float = 0.0, seconds: float = 0.1) -> int:
        """Push a laid piece (`physics.knock.knock`). Ends with `PushDone`."""
        return self._begin(Push(tower, index, force_n, heading_deg, seconds))

    def move_to(self, pose: Pose) -> None:
        """Where the person's hand wants the piece; of several in a frame only the last counts."""
        if self._job is not None:
            if self._steering and isinstance(self._steering[-1].content, MoveTo):
                self._steering.pop()
            self._steering.append(Order(self._job.number, MoveTo(pose)))

    def release(self) -> None:
        """The person's hand lets go, where it last wanted the piece."""
        if self._job is not None:
            self._steering.append(Order(self._job.number, Release()))
            self._send_waiting()

    def cancel(self) -> None:
        """Drop the job, if there is one: a held piece is put back, an act has never been. Another can be begun at once."""
        if self._job is None:
            return
        if self._running == self._job.number:
            self._send(Order(self._running, Cancel()))
            self._cancelled_s = time.monotonic()
        self._forget_job()

    def judge_piece(self, tower: Tower, piece: str, pose: Pose, *, layer: int | None = None) -> int:
        """Judge a piece put down flat, margins included (`games.judgement.judge_piece` without the rules). Answered by `Judged`."""
        return self._ask(JudgePiece(tower, piece, pose, layer))

    def judge_tower(self, tower: Tower) -> int:
        """Judge a tower as it stands, margins included. Answered by `Judged`."""
        return self._ask(JudgeTower(tower))

    def poll(self) -> list[Report]:
        """What has been heard since the last call, in order. Never blocks."""
        reports: list[Report] = []
        try:
            while self._process is not None and self._process.pipe.poll():
                reports += self._heard(self._process.pipe.recv())
        except (EOFError, OSError):
            reports.append(self._bury())
        if self._cancelled_s is not None and time.monotonic() - self._cancelled_s > GRACE_S:
            self._restart()
        self._send_waiting()
        return reports

    def _begin(self, job: Job) -> int:
        if self._job is not None:
            raise Busy
        self.start()
        self._job = Order(next(self._numbers), job, self.pace)
        self._send_waiting()
        return self._job.number

    def _ask(self, question: Question) -> int:
        self.start()
        order = self._asked[type(question)] = Order(next(self._numbers), question)
        self._send_waiting()
        return order.number

    def _send_waiting(self) -> None:
        """Send what the worker has room for. Nothing is sent before it listens, so that a full pipe never blocks."""
        if not self._ready:
            return
        if self._job is not None and self._running is None:
            self._running = self._job.number
            self._send(self._job)
        if self._job is not None and self._running == self._job.number:
            for order in self._steering:
                self._send(order)
            self._steering.clear()
        if self._answering is None and self._asked:
            self._answering = self._asked.pop(next(iter(self._asked)))
            self._send(self._answering)

    def _send(self, order: Order) -> None:
        with suppress(OSError):  # the end of the pipe is noticed by `poll`
            if self._process is not None:
                self._process.pipe.send(order)

    def _heard(self, report: Report | Ready | Abandoned) -> list[Report]:
        """Note what a message means, and pass it on if it is still wanted."""
        if isinstance(report, Ready):
            self._ready = True
            return []
        if isinstance(report, Judged) or (isinstance(report, Failed) and self._answering and report.job == self._answering.number):
            self._answering = None
            return [report]
        if not isinstance(report, Poses):
            self._running = self._cancelled_s = None
        job = self._job
        if isinstance(report, Abandoned) or job is None or report.job != job.number:
            return []
        if not isinstance(report, Poses):
            self._forget_job()
        if isinstance(report, ActDone) and isinstance(job.content, Lay | Take):
            return [replace(report, result=_at_home(report.result, job.content.tower))]
        return [report]

    def _restart(self) -> None:
        """End a worker that is lost in a cancelled job. The question it was at is asked again, unless there is a later one."""
        if self._answering is not None and isinstance(self._answering.content, JudgePiece | JudgeTower):
            self._asked.setdefault(type(self._answering.content), self._answering)
        self._end_worker()
        self.start()

    def _bury(self) -> Failed:
        """The worker died: say so, and start another unless it could not even begin."""
        lost, job, came_to_life = self._job, self._job.number if self._job else None, self._ready
        unanswered = [self._answering] if self._answering else []
        self._end_worker()
        self._forget_job()
        what = "what it did is lost" if lost else "it did nothing"
        if not came_to_life:
            unanswered += self._asked.values()
            self._asked.clear()
            words = "the background process could not start; start the program from a terminal to see why"
        else:
            self.start()
            words = f"the background process ended unexpectedly; {what}, and a new one was started"
        return Failed(job, words, crashed=True, unanswered=tuple(order.number for order in unanswered))

    def _forget_job(self) -> None:
        self._job = None
        self._steering.clear()

    def _end_worker(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process = None
        self._ready = False
        self._running = self._answering = self._cancelled_s = None


def _at_home(result: ActResult, tower: Tower) -> ActResult:
    """A result as if made in this process: its towers share the piece set of the tower the act began on."""
    fell = result.knock_over and replace(result.knock_over, tower=tower)
    return replace(result, tower=replace(result.tower, piece_set=tower.piece_set), knock_over=fell)


def _work(pipe: Connection) -> None:
    from games.worker import work

    work(pipe)
