"""Pools of processes for long work on the command line, which Ctrl-C ends quietly and at once, however early it comes."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context, resource_tracker
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from typing import ParamSpec, TypeVar

from meshes.errors import StakdError

P = ParamSpec("P")
T = TypeVar("T")

_MOST_ON_WINDOWS = 61
"""Windows waits for no more processes at once; Python refuses to begin with more."""


class WorkerLost(StakdError):
    """A process that shared the work was ended from outside. `advice`: what to do then."""

    def __init__(self, advice: str) -> None:
        super().__init__(f"a process that shared the work ended without a word (out of memory?); {advice}")


def cores() -> int:
    """How many processors this process may use; in a container or under `taskset` fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def process_pool(processes: int, *, if_lost: str) -> Iterator[ProcessPoolExecutor]:
    """A pool of so many processes. Leaving it, by an error or Ctrl-C too, drops what waits and ends the processes with their files at once.

    Raises `WorkerLost` with the advice `if_lost` once a process has been ended from outside.
    """
    with TemporaryDirectory(prefix="stakd-", ignore_cleanup_errors=True) as folder:
        count = min(processes, _MOST_ON_WINDOWS) if os.name == "nt" else processes
        pool = _Pool(count, folder)
        try:
            yield pool
        except BrokenProcessPool as error:
            raise WorkerLost(if_lost) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in pool.children:
                child.terminate()
            for child in pool.children:
                child.join()


@contextmanager
def other_cores(module: str, *, if_lost: str) -> Iterator[ProcessPoolExecutor | None]:
    """A pool of a process for each core but this one's, to share work with; None if there is no other core. Ends as `process_pool` does.

    They start at once and load the `module` that their work is from, while this process still gets its own ready.
    """
    if (others := cores() - 1) == 0:
        yield None
        return
    with process_pool(others, if_lost=if_lost) as pool:
        for _ in range(others):
            pool.submit(_load, module)
        yield pool


def _load(module: str) -> None:
    import_module(module)


class _Pool(ProcessPoolExecutor):
    """Ctrl-C goes to the whole group; only the first process heeds it, and it ends the others, those too that still load what they need.

    `children`: the processes it has started.
    """

    def __init__(self, processes: int, folder: str) -> None:
        # spawn, because forked children would share the locks of libraries that run threads
        super().__init__(processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(folder,))
        self.children: set[BaseProcess] = set()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Whatever is handed in may start a process."""
        with _ctrl_c_held():
            before = set(multiprocessing.active_children())
            try:
                future = super().submit(fn, *args, **kwargs)
            finally:
                self.children |= set(multiprocessing.active_children()) - before
        # if a process is lost, Python 3.11 tells what was cancelled too, trips over it and tells none that still waits
        future.set_exception = partial(_tell, future, future.set_exception)  # type: ignore[method-assign]
        return future


def _tell(future: Future[T], set_exception: Callable[[BaseException | None], None], error: BaseException | None) -> None:
    with suppress(InvalidStateError):
        if not future.cancelled():
            set_exception(error)


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Processes that start here never see Ctrl-C; for this one it waits until the end, so that none is left half-started."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()  # its start would let Ctrl-C through again
    came: list[int] = []
    # the mask is for the processes, which inherit it; here another thread may take the signal
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _begin(folder: str) -> None:
    """What a process of a pool does first. It ends with the one it works for, even if that is killed, and its temporary files go to `folder`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where signals can't be held it heard them until now
    tempfile.tempdir = folder
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()


def _end_with_parent(folder: str) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a process of a pool has one"
    parent.join()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
