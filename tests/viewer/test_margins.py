"""How safe a tower was after each act, found out in the background."""

from __future__ import annotations

import time

import pytest

from physics.statics import tower_stability
from tests.viewer.told_match import told_match
from viewer.margins import Margins


def test_margins_come_by_and_by() -> None:
    """Every act gets its margin: the statics' own, the one before where nothing changed, none after a fall."""
    match = told_match()
    margins = Margins(match)
    begun, news = time.monotonic(), 0
    while margins.busy:
        news += margins.update(near=3)
        assert time.monotonic() - begun < 120, "it never ended"
        time.sleep(0.005)
    margins.close()
    assert news >= 3
    assert margins.known[4] is None
    assert margins.known[2] == margins.known[1]
    for number in (1, 3, 5):
        stability = tower_stability(match.table_after(number).tower)
        assert margins.known[number] == pytest.approx((stability.tilt.deg, stability.shrink.mm))
    assert sorted(margins.known) == [1, 2, 3, 4, 5]


def test_closed_margins_ask_no_more() -> None:
    """A page that is left stops the work at once."""
    margins = Margins(told_match())
    margins.update(near=1)
    margins.close()
    assert not margins.busy
    assert not margins.update(near=1)
