"""Pools of processes."""

from __future__ import annotations

import os

import pytest

from games.processes import WorkerLost, process_pool


def test_a_process_ended_from_outside_is_told_with_advice() -> None:
    """A process that dies, as the system kills one that takes too much memory, ends the work with one error of ours."""
    with pytest.raises(WorkerLost, match=r"ended without a word.*ask a neighbour"), process_pool(1, if_lost="ask a neighbour") as pool:
        pool.submit(os._exit, 9).result()
