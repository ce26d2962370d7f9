"""Pools of processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from pathlib import Path

import pytest

from games import processes
from games.processes import WorkerLost, other_cores, process_pool


def test_a_process_ended_from_outside_is_told_with_advice() -> None:
    """A process that dies, as the system kills one that takes too much memory, ends the work with one error of ours."""
    with pytest.raises(WorkerLost, match=r"ended without a word.*ask a neighbour"), process_pool(1, if_lost="ask a neighbour") as pool:
        pool.submit(os._exit, 9).result()


def test_a_machine_with_one_core_has_none_to_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """There work is done without a pool; with two cores one process can be asked."""
    monkeypatch.setattr(processes, "cores", lambda: 1)
    with other_cores("json", if_lost="") as nobody:
        assert nobody is None
    monkeypatch.setattr(processes, "cores", lambda: 2)
    with other_cores("json", if_lost="") as pool:
        assert pool is not None
        assert pool.submit(int).result() == 0


def test_helpers_load_what_they_need_before_there_is_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process asked first thing what it knows has the module of its work already."""
    monkeypatch.setattr(processes, "cores", lambda: 2)
    with other_cores("wave", if_lost="") as pool:
        assert pool is not None
        assert pool.submit(eval, "'wave' in __import__('sys').modules").result()


def test_a_pool_leaves_no_files_behind() -> None:
    """What its processes put aside, as shapes for the engine, goes with them, though they are ended and don't end themselves."""
    with process_pool(1, if_lost="") as pool:
        folder = Path(pool.submit(tempfile.mkdtemp).result())
        assert folder.exists()
    assert not folder.exists()


def test_processes_of_a_pool_end_with_the_one_they_work_for() -> None:
    """If that is killed, and can end nothing any more, they go by themselves, with their files."""
    script = """import os, tempfile, time
from games.processes import process_pool
with process_pool(1, if_lost="") as pool:
    print(pool.submit(os.getpid).result(), pool.submit(tempfile.mkdtemp).result(), flush=True)
    time.sleep(60)"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid, folder = parent.stdout.readline().split()
        assert Path(folder).exists()
        parent.kill()
    until = time.monotonic() + 20.0
    while Path(folder).exists() or Path(f"/proc/{pid}").exists():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_pool_ends_its_own_processes_only() -> None:
    """One begun elsewhere in the program while a pool is open, as the window's are, lives on when the pool is left."""
    with process_pool(1, if_lost="") as pool:
        other = get_context("spawn").Process(target=time.sleep, args=(60.0,))
        other.start()
        pid = pool.submit(os.getpid).result()
    assert other.is_alive()
    assert pid not in {child.pid for child in active_children()}
    other.kill()
    other.join()


def test_a_lost_process_is_told_to_all_who_wait_though_some_work_was_dropped() -> None:
    """Whoever waits for what comes after dropped work hears of it, too, and nothing is printed."""
    with process_pool(1, if_lost="") as pool:
        pool.submit(time.sleep, 60.0)
        waiting = [pool.submit(int) for _ in range(6)]
        assert waiting[4].cancel()
        for child in active_children():
            child.kill()
        for future in (*waiting[:4], waiting[5]):
            with pytest.raises(BrokenProcessPool):
                future.result(timeout=30.0)
