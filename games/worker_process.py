"""A process that works beside the window: how it begins, and how it ends without leaving anything behind."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from meshes.errors import StakdError


class WorkerProcess:
    """A process that carries out `target(pipe, *arguments)` from now on; `pipe` is our end of its pipe. Raises `StakdError` if it can't be started.

    Its temporary files go into a folder that goes with it, even if it is killed. Ctrl-C is left to the window.
    """

    def __init__(self, name: str, target: Callable[..., None], *arguments: object) -> None:
        context = multiprocessing.get_context("spawn")
        try:
            with ExitStack() as ends:
                folder = tempfile.mkdtemp(prefix="stakd-")
                ends.callback(shutil.rmtree, folder, ignore_errors=True)
                self.pipe, far_end = context.Pipe()
                ends.callback(self.pipe.close)
                with far_end:
                    process = context.Process(target=_live, args=(far_end, folder, target, arguments), name=name, daemon=True)
                    process.start()
                ends.callback(_kill, process)
                self._ends = ends.pop_all()
        except OSError as error:
            raise StakdError(f"no process could be started: {error}") from error
        self.pid = process.pid

    def end(self) -> None:
        """End it at once, whatever it is at."""
        self._ends.close()


def _kill(process: BaseProcess) -> None:
    process.kill()
    process.join()
    process.close()


def _live(pipe: Connection, folder: str, target: Callable[..., None], arguments: tuple[object, ...]) -> None:
    """The process's whole life. If it outlives the window it clears up itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    target(pipe, *arguments)
    shutil.rmtree(folder, ignore_errors=True)
