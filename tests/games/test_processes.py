"""Pools of processes."""

from __future__ import annotations

import os

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
    with other_cores(if_lost="") as nobody:
        assert nobody is None
    monkeypatch.setattr(processes, "cores", lambda: 2)
    with other_cores(if_lost="") as pool:
        assert pool is not None
        assert pool.submit(int).result() == 0
