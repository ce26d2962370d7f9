"""What a benchmark finds: a value, what it is measured beside, and whether the target holds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One measured figure. `ratio` is value / anchor value; `target` states what must hold, `holds` whether it does."""

    name: str
    value: float
    unit: str
    anchor: str
    ratio: float
    target: str
    holds: bool

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json`."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A function that measures, with the question it answers in one line."""

    name: str
    question: str
    run: Callable[[bool], Iterator[Finding]]
    """Takes `smoke` (a quick run that only shows that it works) and yields findings."""


def at_least(name: str, value: float, unit: str, limit: float, anchor: str, *, factor: float = 1.0) -> Finding:
    """`value` must reach `factor` times `limit`, the figure of `anchor`."""
    share = "" if factor == 1.0 else f"{factor:g} × "
    target = f"≥ {share}{anchor} ({limit * factor:g} {unit})"
    return Finding(name, value, unit, anchor, _ratio(value, limit), target, value >= factor * limit)


def at_most(name: str, value: float, unit: str, limit: float, anchor: str = "the limit") -> Finding:
    """`value` must not pass `limit`."""
    return Finding(name, value, unit, anchor, _ratio(value, limit), f"≤ {limit:g} {unit}", value <= limit)


def equal(name: str, value: float, unit: str, truth: float, anchor: str, *, within: float = 0.0) -> Finding:
    """`value` must be `truth`, give or take `within`."""
    target = f"= {truth:g}" if within == 0 else f"= {truth:g} ± {within:g}"
    return Finding(name, value, unit, anchor, _ratio(value, truth), f"{target} {unit}", abs(value - truth) <= within)


def seconds(work: Callable[[], object], *, repeats: int = 5) -> float:
    """Median time that `work` keeps one core busy, in seconds: what others do on the machine does not count."""
    return statistics.median(_timed(work, time.process_time) for _ in range(repeats))


def waited(work: Callable[[], object], *, repeats: int = 5) -> float:
    """Median time until `work` is done, in seconds: what a person waits, on as many cores as it uses."""
    return statistics.median(_timed(work, time.perf_counter) for _ in range(repeats))


def rate(work: Callable[[], int], *, least_seconds: float) -> float:
    """How many of what `work` counts are done in a second of one core, run until `least_seconds` of it have passed."""
    done, start = 0, time.process_time()
    while True:
        done += work()
        elapsed = time.process_time() - start
        if elapsed >= least_seconds:
            return done / elapsed


def _timed(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start


def _ratio(value: float, anchor: float) -> float:
    return value / anchor if anchor else float("inf") if value else 1.0
