"""Discs and arcs: coverage by the circle's own geometry, round ends of outlines."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import Point, Polygon, affinity, box

from meshes.discs import arcs_of, disc_cover, largest_disc


def test_half_a_disc_is_half() -> None:
    """A side through the centre leaves exactly one half, wherever it stands."""
    assert disc_cover(box(3, -50, 90, 50), 3, 4, 10) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("off", [-9.0, -3.0, 0.5, 5.0, 9.99])
def test_cover_is_the_circle_segment(off: float) -> None:
    """A straight side leaves the segment that the closed form gives, to 1e-12; a polygon of 96 sides would be short by 7e-4."""
    segment = (math.acos(off / 10) - off / 10 * math.sqrt(1 - (off / 10) ** 2)) / math.pi
    assert disc_cover(box(off, -50, 50, 50), 0, 0, 10) == pytest.approx(segment, abs=1e-12)


def test_cover_counts_holes_and_shapes_within() -> None:
    """Holes are taken away, a shape inside the disc counts with its area, and one far off with nothing."""
    drilled = box(-50, -50, 50, 50).difference(box(-1, -1, 1, 1))
    assert disc_cover(drilled, 0, 0, 10) == pytest.approx(1 - 4 / (100 * math.pi), abs=1e-12)
    assert disc_cover(box(-3, -3, 3, 3), 1, 0, 10) == pytest.approx(36 / (100 * math.pi), abs=1e-12)
    assert disc_cover(box(20, 20, 30, 30), 0, 0, 10) == 0.0


def test_largest_disc_is_the_way_to_the_edge() -> None:
    """The largest disc in a rectangle reaches its nearest side; outside there is none."""
    assert largest_disc(box(0, 0, 60, 30), np.array([[15.0, 15.0], [4.0, 20.0], [70.0, 0.0]])).tolist() == [15.0, 4.0, 0.0]


@pytest.mark.parametrize("turn_deg", [0.0, 17.3, 211.0])
def test_round_ends_of_a_stadium(turn_deg: float) -> None:
    """A stadium has two round ends of half a circle each, whose centres and radius come out to a thousandth of a millimetre."""
    stadium = affinity.rotate(Polygon(_stadium()), turn_deg, origin=(0, 0))
    arcs = [arc for arc in arcs_of(stadium) if arc.span > 1.0]
    ends = {complex(round(arc.x, 3), round(arc.y, 3)) for arc in arcs}
    turn = complex(math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg)))
    assert all(min(abs(end - 30 * k * turn) for k in (0, 1)) < 2e-3 for end in ends) and len(ends) == 2
    assert all(arc.radius == pytest.approx(12, abs=1e-3) for arc in arcs)


def test_a_disc_is_one_arc_and_a_box_none() -> None:
    """A circle of polygon sides turns all the way round; sharp corners are no arcs."""
    whole = arcs_of(Point(3, 4).buffer(9, quad_segs=12))
    assert whole[0].span > 6.0 and whole[0].radius == pytest.approx(9)
    assert arcs_of(box(0, 0, 60, 30)) == []


def _stadium() -> list[tuple[float, float]]:
    angles = np.radians(np.arange(-90, 91, 5))
    right = [(30 + 12 * math.cos(a), 12 * math.sin(a)) for a in angles]
    return right + [(-x + 30, -y) for x, y in right]
