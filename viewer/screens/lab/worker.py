"""One task at a time in a process of its own, so that the window answers whatever the task is at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from games.worker_process import WorkerProcess
from meshes.errors import StakdError


class Failed:
    """The task ended without a result; `message` says why."""

    def __init__(self, message: str) -> None:
        self.message = message


class Worker:
    """Carries out a function beside the window. What it tells arrives by `poll`, then `Failed` if it failed."""

    def __init__(self) -> None:
        self._process: WorkerProcess | None = None

    @property
    def busy(self) -> bool:
        """Whether a task is at work, or something it told has not been fetched."""
        return self._process is not None

    def start(self, task: Callable[..., None], *arguments: object) -> Failed | None:
        """Begin a task, a function of a module whose first argument is to be called with each thing to tell; one that is at work is dropped.

        Gives what was wrong if it could not begin."""
        self.cancel()
        try:
            self._process = WorkerProcess("stakd-lab", _work, task, arguments)
        except StakdError as error:
            return Failed(str(error))
        return None

    def poll(self) -> Iterator[Any]:
        """What has arrived since the last call. Never blocks."""
        try:
            while self._process is not None and self._process.pipe.poll():
                heard = self._process.pipe.recv()
                if heard is None:
                    self.cancel()
                else:
                    if isinstance(heard, Failed):
                        self.cancel()
                    yield heard
        except (EOFError, OSError):
            self.cancel()
            yield Failed("the process ended unexpectedly; there may be too little memory for it")

    def cancel(self) -> None:
        """Drop what is at work, at once."""
        if self._process is not None:
            self._process.end()
        self._process = None


def _work(pipe: Connection, task: Callable[..., None], arguments: tuple[object, ...]) -> None:
    try:
        task(pipe.send, *arguments)
        end = None
    except Exception as error:  # noqa: BLE001 – whatever it is, the user hears of it
        end = Failed(str(error) or repr(error))
    with suppress(OSError):
        pipe.send(end)
