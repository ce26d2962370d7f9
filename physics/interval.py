"""Intervals of shares."""

from __future__ import annotations

from scipy.stats import binomtest

CONFIDENCE = 0.95


def share_interval(hits: int, count: int) -> tuple[float, float]:
    """Wilson's score interval for the share of `hits` among `count`, at least one, at 95 % confidence (Wilson 1927)."""
    interval = binomtest(hits, count).proportion_ci(CONFIDENCE, method="wilson")
    return float(interval.low), float(interval.high)
