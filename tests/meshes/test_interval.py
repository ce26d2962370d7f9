"""Intervals of shares: published examples, and the edges where rounding could do harm."""

from __future__ import annotations

from itertools import product

import pytest

from meshes.interval import share_interval


@pytest.mark.parametrize(
    ("hits", "count", "interval"),
    [(81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605)), (0, 20, (0.0, 0.1611)), (1, 29, (0.0061, 0.1718))],
)
def test_the_interval_is_wilsons(hits: int, count: int, interval: tuple[float, float]) -> None:
    """The four examples of Newcombe (1998), table I, method 3."""
    assert share_interval(hits / count, count) == pytest.approx(interval, abs=5e-5)


def test_rounding_puts_no_share_outside_its_interval() -> None:
    """Of none and of all, whatever the count, the share is the end of its interval, not 1e-18 beyond it."""
    for count in range(1, 400):
        for share, reach in product((0.0, 1.0), (1.96, 12.7)):
            low, high = share_interval(share, count, reach=reach)
            assert 0.0 <= low <= share <= high <= 1.0


def test_a_longer_reach_is_a_wider_interval() -> None:
    """Student's few degrees of freedom reach further than the normal distribution, on both sides."""
    (low, high), (lower, higher) = share_interval(0.3, 12), share_interval(0.3, 12, reach=2.5)
    assert lower < low < 0.3 < high < higher
