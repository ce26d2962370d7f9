"""Intervals of shares: between which bounds the true share may lie where so many of so many were counted."""

from __future__ import annotations

import math
from statistics import NormalDist

CONFIDENCE = 0.95
"""How often an interval holds the true value."""

_REACH = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def share_interval(share: float, count: float, *, reach: float = _REACH) -> tuple[float, float]:
    """Wilson's score interval (Wilson 1927) of a `share`, 0–1, found from `count` trials.

    `reach`: how many standard errors it reaches; the default is the normal distribution's at `CONFIDENCE`.
    """
    score = reach**2 / count
    centre, half = share + score / 2, math.sqrt(score * (share * (1 - share) + score / 4))
    low, high = ((centre + side * half) / (1 + score) for side in (-1, 1))
    # rounding must put no end on the wrong side of the share, or beyond what a share can be
    return max(0.0, min(share, low)), min(1.0, max(share, high))
