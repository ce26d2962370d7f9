"""Discs and arcs: circles against polygons, by the circle's own geometry. Lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon
from shapely.geometry.polygon import orient

Points = NDArray[np.float64]

FINE_MM, ROUGH_MM = 0.0001, 0.03
"""Corners that stick out less are left out before arcs are looked for: in exact meshes, and in those rounded or scanned."""
_ON_ARC_MM = 0.02
_MOST_TURN = math.radians(65)
_LEAST_TURN = math.radians(0.3)
_LEAST_SPAN = math.radians(20)
_UNEVEN = 3.5


class Arc(NamedTuple):
    """A round stretch of an outline: its circle and how far it turns."""

    x: float
    y: float
    radius: float
    span: float


def disc_cover(area: Polygon | MultiPolygon, x: float, y: float, radius: float) -> float:
    """The share, 0–1, of the disc about (x, y) that lies within `area`; exact for that polygon."""
    covered = 0.0
    for polygon in shapely.get_parts(area):
        outside, *holes = (abs(_ring_in_disc(np.asarray(ring.coords) - (x, y), radius)) for ring in (polygon.exterior, *polygon.interiors))
        covered += outside - sum(holes)
    return min(1.0, max(0.0, covered / (math.pi * radius**2)))


def largest_disc(area: Polygon | MultiPolygon, points: Points) -> Points:
    """(n,) radii of the largest discs about (n, 2) `points` that lie within `area`; 0 outside of it."""
    spots = shapely.points(points)
    inside = shapely.contains(area, spots)
    radii: Points = np.where(inside, shapely.distance(area.boundary, spots), 0.0)
    return radii


def arcs_of(polygon: Polygon, *, off_mm: float = FINE_MM) -> list[Arc]:
    """The round stretches of the outside of a polygon that bulge outwards, those that turn farthest first; `off_mm` is how exact its corners are."""
    ring = _thinned(np.asarray(orient(polygon).exterior.coords)[:-1], off_mm)
    if len(ring) < 5:
        return []
    outline = _Outline.of(ring)
    start, found = 0, []
    while start < len(ring):
        first, last = outline.run(start)
        span = float(outline.turn[first + 1 : last].sum())
        if last - first >= 2 and span >= _LEAST_SPAN:
            found.append(Arc(*_circle(outline.ring[first : last + 1]), span))
        start = max(start + 1, last if start else last - len(ring))
    return sorted(found, key=lambda arc: -arc.span)


class _Outline(NamedTuple):
    """A ring three times over, so that runs of its corners are slices: corners, lengths of the sides after them, turns at them."""

    ring: Points
    lengths: Points
    turn: Points
    corners: int

    @classmethod
    def of(cls, ring: Points) -> _Outline:
        ahead = np.roll(ring, -1, axis=0) - ring
        heading = np.arctan2(ahead[:, 1], ahead[:, 0])
        turn = (heading - np.roll(heading, 1) + math.pi) % (2 * math.pi) - math.pi
        return cls(np.tile(ring, (3, 1)), np.tile(np.hypot(*ahead.T), 3), np.tile(turn, 3), len(ring))

    def run(self, start: int) -> tuple[int, int]:
        """First and last corner of the arc that begins at `start`; that of the first corner may begin before."""
        first = start + (self.corners if start == 0 else 0)
        last = first + self._reach(lambda steps: self._is_arc(first, first + steps), self.corners)
        if start == 0 and last > first + 1:
            first -= self._reach(lambda steps: self._is_arc(first - steps, last), self.corners - (last - first))
        return first, last

    @staticmethod
    def _reach(holds: Callable[[int], bool], most: int) -> int:
        """How many steps can be taken so that it still holds: one by one at first, then by leaps, and back to where a leap was too far."""
        steps = 0
        while steps < min(4, most) and holds(steps + 1):
            steps += 1
        leap = steps if steps == 4 else 0
        while leap:
            if steps + leap <= most and holds(steps + leap):
                steps, leap = steps + leap, leap * 2
            else:
                leap //= 2
        return steps

    def _is_arc(self, first: int, last: int) -> bool:
        """Whether the corners from `first` to `last` lie on one arc."""
        sides, turns = self.lengths[first:last], self.turn[first + 1 : last]
        if len(turns) and (turns.min() < _LEAST_TURN or turns.max() > _MOST_TURN):
            return False
        if len(sides) > 1 and sides.max() > _UNEVEN * (sides.min() if len(sides) == 2 else np.median(sides)):
            return False
        if len(sides) < 3:
            return True
        points = self.ring[first : last + 1]
        x, y, radius = _circle(points)
        off = np.abs(np.hypot(points[:, 0] - x, points[:, 1] - y) - radius).max()
        return bool(off <= max(_ON_ARC_MM, 0.002 * radius))


def _thinned(ring: Points, off_mm: float) -> Points:
    """A ring (n, 2) without the corners that hardly stick out between their neighbours, such as where the plane of a section met a diagonal."""
    while len(ring) > 3:
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        off = np.abs(_cross(ring - before, after - before)) / np.maximum(np.hypot(*(after - before).T), off_mm)
        idle = off < off_mm
        idle &= ~np.roll(idle, 1) | (np.arange(len(ring)) % 2 == 0)  # of neighbours not all at once
        if not idle.any():
            break
        ring = ring[~idle]
    return ring


def _circle(points: Points) -> tuple[float, float, float]:
    """Centre and radius of the circle nearest to (n, 2) points, n ≥ 3 (least squares of the power)."""
    middle = points.mean(axis=0)
    near = points - middle
    squares = (near**2).sum(axis=1)
    # the normal equations; the sums of the coordinates themselves are nothing
    x, y = np.linalg.solve(2 * near.T @ near, near.T @ squares)
    rest = float(squares.mean())
    return float(x + middle[0]), float(y + middle[1]), math.sqrt(max(0.0, rest + x * x + y * y))


def _ring_in_disc(ring: Points, radius: float) -> float:
    """Signed area of the part of a closed ring (n, 2) that lies in the disc about the origin."""
    a, b = ring[:-1], ring[1:]
    d = b - a
    square = (d**2).sum(axis=1)
    a, b, d, square = (part[square > 0] for part in (a, b, d, square))
    # where each side's line meets the circle, as shares of the side
    middle = -(a * d).sum(axis=1) / square
    room = middle**2 - ((a**2).sum(axis=1) - radius**2) / square
    half = np.sqrt(np.maximum(room, 0.0))
    enter, leave = np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
    p, q = a + d * enter[:, None], a + d * leave[:, None]
    inside = _cross(p, q) / 2
    outside = radius**2 / 2 * (_angle(a, p) + _angle(q, b))
    missed = radius**2 / 2 * _angle(a, b)
    return float(np.where(room > 0, inside + outside, missed).sum())


def _cross(a: Points, b: Points) -> Points:
    crossed: Points = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return crossed


def _angle(a: Points, b: Points) -> Points:
    """Signed angle from a to b, 0 where they are one point."""
    angle: Points = np.arctan2(_cross(a, b), (a * b).sum(axis=1))
    return angle
