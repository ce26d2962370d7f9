"""The program as a whole: what a demo costs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from bench.finding import Benchmark, Finding, at_most


def memory(smoke: bool) -> Iterator[Finding]:
    """Peak resident memory of a whole demo in a process of its own."""
    bots, players = ("random", "1") if smoke else ("mcts,greedy", "2")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "stakd", "demo", "--bots", bots, "--players", players, "--out", folder]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"the demo ended with exit status {child.returncode}")
    kilobyte = 1 if sys.platform == "darwin" else 1024
    yield at_most("peak memory of a demo", usage.ru_maxrss * kilobyte / 1e6, "MB", 500.0)


BENCHMARKS = (Benchmark("memory", "How much memory does a whole demo take?", memory),)
