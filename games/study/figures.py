"""Figures with their 95 % intervals: shares, means, and differences of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t

from meshes.interval import CONFIDENCE, share_interval


@dataclass(frozen=True, slots=True)
class Figure:
    """A value and its 95 % interval. `count`: how many things it was found from; with none the value is 0 and the interval says nothing."""

    value: float
    low: float
    high: float
    count: int

    def to_json(self) -> dict[str, Any]:
        """Plain data; what is not known is None."""
        return {"value": _known(self.value), "low": _known(self.low), "high": _known(self.high), "count": self.count}

    def within(self, least: float, most: float) -> Figure:
        """The same of a quantity that can only be from `least` to `most`: what is said beyond is left out."""
        value, low, high = (min(max(part, least), most) for part in (self.value, self.low, self.high))
        return Figure(value, low, high, self.count)

    @property
    def certain(self) -> bool:
        """Whether the interval keeps clear of zero."""
        return self.low > 0 or self.high < 0


def share(hits: int, count: int) -> Figure:
    """The share of `hits` among `count`, with Wilson's score interval (Wilson 1927)."""
    if count == 0:
        return Figure(0.0, 0.0, 1.0, 0)
    return Figure(hits / count, *share_interval(hits / count, count), count)


def mean(values: Sequence[float], *, least: float = -math.inf) -> Figure:
    """The mean, with Student's interval; of fewer than two values without bounds.

    `least`: the mean can't be below this, whatever the values. What the interval says of less is left out, and it holds as often as before.
    """
    count = len(values)
    if count < 2:
        return Figure(float(values[0]) if count else 0.0, least, math.inf, count)
    middle, error = float(np.mean(values)), float(np.std(values, ddof=1)) / math.sqrt(count)
    reach = _student(count - 1) * error
    return Figure(middle, max(least, middle - reach), middle + reach, count)


def mean_share(shares: Sequence[float], trials: int) -> Figure:
    """The mean of shares that differ by more than chance, each found from `trials`; of fewer than two the interval is all from 0 to 1.

    Wilson's interval, with as many trials as would tell the mean as well as the shares do (Korn and Graubard 1998): at least one a share, at most
    all there were. Student's leaves 0 to 1 where shares are few and small, and its ends miss the mean more often.
    """
    count = len(shares)
    if count < 2:
        return Figure(float(shares[0]) if count else 0.0, 0.0, 1.0, count)
    middle, error = float(np.mean(shares)), float(np.var(shares, ddof=1)) / count
    worth = min(max(middle * (1 - middle) / error, count), count * trials) if error > 0 else count
    return Figure(middle, *share_interval(middle, worth, reach=_student(count - 1)), count)


def share_difference(first: Figure, second: Figure) -> Figure:
    """Second share less the first, with Newcombe's interval from those of the two (Newcombe 1998, method 10)."""
    difference = second.value - first.value
    low = difference - math.hypot(second.value - second.low, first.high - first.value)
    high = difference + math.hypot(second.high - second.value, first.value - first.low)
    return Figure(difference, low, high, min(first.count, second.count))


def mean_difference(first: Sequence[float], second: Sequence[float]) -> Figure:
    """Second mean less the first, with Welch's interval (Welch 1947); without bounds where no value differs from its mean, as nothing tells then how
    far others would."""
    counts = len(first), len(second)
    difference = (float(np.mean(second)) if counts[1] else 0.0) - (float(np.mean(first)) if counts[0] else 0.0)
    if min(counts) < 2 or not any(np.ptp(values) > 0 for values in (first, second)):
        return Figure(difference, -math.inf, math.inf, min(counts))
    errors = [float(np.var(values, ddof=1)) / len(values) for values in (first, second)]
    freedom = sum(errors) ** 2 / sum(error**2 / (count - 1) for error, count in zip(errors, counts, strict=True))
    reach = _student(freedom) * math.sqrt(sum(errors))
    return Figure(difference, difference - reach, difference + reach, min(counts))


def _student(freedom: float) -> float:
    """How many standard errors Student's interval reaches."""
    return float(t.ppf((1 + CONFIDENCE) / 2, freedom))


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
