"""What a bot may spend on one move, by the clock, by work done, or both; and the stream of chance it draws from."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

Clock = Callable[[], float]
"""Gives seconds from any fixed moment."""

_BLOCK = 1024


class Budget:
    """Counts down the thinking of one move. A time limit in milliseconds counts from now.

    `used` is what is gone already, as a share from 0 to 1 (and above, once overrun).
    """

    __slots__ = ("_clock", "_iterations", "_seconds", "_start", "_work")

    def __init__(self, *, milliseconds: int | None, iterations: int | None, clock: Clock = time.perf_counter) -> None:
        self._seconds = None if milliseconds is None else max(milliseconds, 1) / 1000
        self._iterations = None if iterations is None else max(iterations, 1)
        self._clock = clock
        self._start = clock()
        self._work = 0.0

    def spend(self, iterations: float) -> None:
        """Note work done."""
        self._work += iterations

    @property
    def used(self) -> float:
        """The share used up: of the time or of the iterations, whichever is further gone."""
        share = 0.0
        if self._iterations is not None:
            share = self._work / self._iterations
        if self._seconds is not None:
            share = max(share, (self._clock() - self._start) / self._seconds)
        return share


def fractions(rng: np.random.Generator) -> Iterator[float]:
    """Endless uniform numbers in [0, 1), drawn in blocks because single draws cost ten times as much."""
    while True:
        yield from rng.random(_BLOCK).tolist()
