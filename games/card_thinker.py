"""The worker process in which bots of card games think, so that the window never waits. Nothing here blocks; it loads no physics."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from games.worker_process import WorkerProcess


@dataclass(frozen=True, slots=True)
class Thinking:
    """What a bot is asked: the state in protocol form (of which it looks at its own view only), its limits, the seed of its chance."""

    game: str
    bot: str
    state: dict[str, Any]
    chance: tuple[int, ...]
    milliseconds: int | None
    iterations: int | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the bot to move wants to do, as the move's text; or (`failure`) why there is no answer."""

    job: int
    move: str
    failure: str | None = None


class Thinks(Protocol):
    """Who thinks for bots: a process, or for the command line and tests nobody but the caller."""

    def think(self, thinking: Thinking) -> int:
        """Begin; gives the number of the job. What was asked before is no longer wanted."""

    def poll(self) -> Chosen | None:
        """The answer to the latest job, once."""


def choice(thinking: Thinking) -> str:
    """The move a bot chooses, here and now."""
    from games.bots import choose_move
    from games.card_match import game_of

    state = game_of(thinking.game).load(thinking.state)
    rng = np.random.default_rng(thinking.chance)
    return str(choose_move(thinking.game, thinking.bot, state, rng, milliseconds=thinking.milliseconds, iterations=thinking.iterations))


class AtOnce:
    """Thinks in the caller's own process: `think` takes as long as the bot does."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._chosen: Chosen | None = None

    def think(self, thinking: Thinking) -> int:
        """Think; the answer is there at once."""
        self._chosen = Chosen(next(self._numbers), choice(thinking))
        return self._chosen.job

    def poll(self) -> Chosen | None:
        """The answer, once."""
        chosen, self._chosen = self._chosen, None
        return chosen


class Thinker:
    """One worker process, which thinks about one thing at a time. It starts with the first job or by `start`, and anew when it dies."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._process: WorkerProcess | None = None
        self._ready = False
        self._wanted: tuple[int, Thinking] | None = None
        self._sent: int | None = None

    def __enter__(self) -> Thinker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        """Start the worker, if it does not run; it is ready about a second later, and what is asked meanwhile waits."""
        if self._process is None:
            self._process = WorkerProcess("stakd-card-thinker", _work)

    def close(self) -> None:
        """End the worker and forget what was asked. It can be started again."""
        if self._process is not None:
            self._process.end()
        self._process = self._wanted = self._sent = None
        self._ready = False

    def think(self, thinking: Thinking) -> int:
        """Begin. A job that is under way ends first, but nobody hears of it; bots keep to their limits, so that is soon."""
        self.start()
        self._wanted = (next(self._numbers), thinking)
        self._send()
        return self._wanted[0]

    def poll(self) -> Chosen | None:
        """The answer to the latest job, once; also when the worker died over it."""
        found = None
        try:
            while self._process is not None and self._process.pipe.poll():
                found = self._heard(self._process.pipe.recv()) or found
        except (EOFError, OSError):
            return self._bury()
        self._send()
        return found

    def _heard(self, message: Chosen | None) -> Chosen | None:
        if message is None:
            self._ready = True
            return None
        self._sent = None
        if self._wanted is None or message.job != self._wanted[0]:
            return None
        self._wanted = None
        return message

    def _send(self) -> None:
        """Send the job once the worker is free, so that a full pipe never blocks."""
        if self._ready and self._sent is None and self._wanted is not None and self._process is not None:
            self._sent = self._wanted[0]
            with suppress(OSError):  # the end of the pipe is noticed by `poll`
                self._process.pipe.send(self._wanted)

    def _bury(self) -> Chosen | None:
        lost, came_to_life = self._wanted, self._ready
        self.close()
        if came_to_life:
            self.start()
        what = "ended unexpectedly" if came_to_life else "could not start; start the program from a terminal to see why"
        return Chosen(lost[0], "", f"the process in which bots think {what}") if lost else None


def _work(pipe: Connection) -> None:
    """Think until the pipe ends."""
    import games.card_match  # noqa: F401 - loaded before the first job comes

    with suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            job, thinking = pipe.recv()
            try:
                answer = Chosen(job, choice(thinking))
            except Exception as error:  # noqa: BLE001 – whatever a job dies of, the window hears of it and the worker lives on
                answer = Chosen(job, "", str(error) or repr(error))
            pipe.send(answer)
