"""Pools of processes for long work on the command line, which Ctrl-C ends quietly and at once, however early it comes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
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
    """A pool of so many processes. Leaving it, by an error or Ctrl-C too, drops what waits and ends the processes at once.

    Raises `WorkerLost` with the advice `if_lost` once a process has been ended from outside.
    """
    before = set(multiprocessing.active_children())
    count = min(processes, _MOST_ON_WINDOWS) if os.name == "nt" else processes
    # spawn, because forked children would share the locks of libraries that run threads
    pool = _Pool(count, mp_context=get_context("spawn"), initializer=_deaf)
    try:
        yield pool
    except BrokenProcessPool as error:
        raise WorkerLost(if_lost) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()


@contextmanager
def other_cores(*, if_lost: str) -> Iterator[ProcessPoolExecutor | None]:
    """A pool of a process for each core but this one's, to share work with; None if there is no other core. Ends as `process_pool` does."""
    if (others := cores() - 1) == 0:
        yield None
        return
    with process_pool(others, if_lost=if_lost) as pool:
        yield pool


class _Pool(ProcessPoolExecutor):
    """Ctrl-C goes to the whole group; only the first process heeds it, and it ends the others, those too that still load what they need."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Whatever is handed in may start a process."""
        with _ctrl_c_held():
            return super().submit(fn, *args, **kwargs)


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


def _deaf() -> None:
    """Where signals can't be held: from here on at least."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
