"""Cuts: straight cuts that divide an outline into parts without deep notches or holes. Lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

DEPTH_MM = 0.4
"""Notches that reach no deeper are left; an arc of radius r bent inwards is cut into pieces of about √(8·r·0.4) mm."""
NARROW_MM, SMALL_SHARE = 3.0, 0.005
"""Holes narrower than this, where no piece can reach in, are left too if they are such a small share of their part."""
MOST_CUTS = 60
SAW_MM = 1e-4
"""Half as much as a cut takes away: a cut along a side would else leave a film that holds parts together."""

_DIRECTIONS = 12
_SIMPLIFIED_MM = 0.02
_CRUMB_MM2 = 1e-3
_ON_RIM_MM = 1e-5
_SPECK_MM2 = 0.05
_PART_COST = 0.05
"""How much less deep, in sides of a square of the same area, notches must get for one part more."""
_REACH_MM = 1e4

Ring = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cut:
    """A straight cut along all points p with normal·p = offset, and what is cut further ahead of it (where the normal points) and behind."""

    normal: tuple[float, float]
    offset_mm: float
    ahead: Cut | None
    behind: Cut | None


def plan_cuts(rings: Sequence[Ring]) -> Cut | None:
    """Cuts of the outline with these (n, 2) rings, outer ones counter-clockwise, holes clockwise; None if it needs none."""
    planner = _Planner()
    return planner.plan(_outline(rings))


class _Planner:
    def __init__(self) -> None:
        self._left = MOST_CUTS

    def plan(self, outline: BaseGeometry) -> Cut | None:
        """The cut that leaves the shallowest notches in the fewest parts, and then those of its two sides."""
        deepest = max((_notch(part) for part in _polygons(outline)), default=_NONE, key=lambda notch: notch.depth_mm)
        if deepest.depth_mm <= 0 or self._left == 0:
            return None
        self._left -= 1
        lines = _lines(deepest.part, deepest.at)
        normal, offset = min(lines, key=lambda line: _cost(deepest.part, line))
        ahead, behind = _sides(outline, normal, offset)
        return Cut(normal, offset, self.plan(ahead), self.plan(behind))


@dataclass(frozen=True, slots=True)
class _Notch:
    """The point `at` of `part` that lies deepest under its hull; depth 0 if it may stay."""

    part: Polygon
    at: tuple[float, float]
    depth_mm: float


_NONE = _Notch(Polygon(), (0.0, 0.0), 0.0)
_Line = tuple[tuple[float, float], float]


def _notch(part: Polygon) -> _Notch:
    hull = part.convex_hull
    pockets = [pocket for pocket in _polygons(hull.difference(part)) if pocket.area > _SPECK_MM2]
    found = [_pocket_notch(part, hull.boundary, pocket) for pocket in pockets]
    deepest = max(found, default=_NONE, key=lambda notch: round(notch.depth_mm, 6))
    return deepest if deepest.depth_mm > DEPTH_MM else _NONE


def _pocket_notch(part: Polygon, rim: BaseGeometry, pocket: Polygon) -> _Notch:
    """How far the corner of a pocket farthest from its lid is off it; a hole, which has none, is as deep as it is wide."""
    corners = np.asarray(pocket.exterior.coords)
    sides = shapely.linestrings(np.stack([corners[:-1], corners[1:]], axis=1))
    on_rim = (shapely.distance(shapely.line_interpolate_point(sides, 0.5, normalized=True), rim) < _ON_RIM_MM) & (shapely.length(sides) > _ON_RIM_MM)
    depths = shapely.distance(shapely.points(corners), shapely.union_all(sides[on_rim]) if on_rim.any() else rim)
    deepest = int(np.argmax(depths.round(6)))
    x, y = corners[deepest].tolist()
    if on_rim.any():
        return _Notch(part, (x, y), float(depths[deepest]))
    width = 2 * float(shapely.maximum_inscribed_circle(pocket, tolerance=0.05).length)
    return _NONE if width < NARROW_MM and pocket.area < SMALL_SHARE * part.area else _Notch(part, (x, y), width)


def _lines(part: Polygon, at: tuple[float, float]) -> Iterator[_Line]:
    """Candidates through the point: along the sides beside it, between them, towards other notches, and some in all directions."""
    angles = [math.pi * n / _DIRECTIONS for n in range(_DIRECTIONS)]
    for ring in (part.exterior, *part.interiors):
        corners = np.asarray(ring.coords)[:-1]
        here = np.flatnonzero((np.abs(corners - at) < 1e-9).all(axis=1))
        for index in here:
            before, after = corners[index] - corners[index - 1], corners[(index + 1) % len(corners)] - corners[index]
            first, second = math.atan2(before[1], before[0]), math.atan2(after[1], after[0])
            middle = first + math.remainder(second - first, 2 * math.pi) / 2
            angles = [middle + math.pi / 2, first, second, *angles]
    others = _deep_corners(part) - at
    angles += [math.atan2(y, x) for x, y in others.tolist() if math.hypot(x, y) > 0.5]
    for angle in angles:
        normal = (-math.sin(angle), math.cos(angle))
        yield normal, normal[0] * at[0] + normal[1] * at[1]


def _deep_corners(part: Polygon) -> Ring:
    """(k, 2) sharp corners that point inwards, the deepest few."""
    found = []
    hull = part.convex_hull.boundary
    for ring in (part.exterior, *part.interiors):
        corners = np.asarray(ring.coords)[:-1]
        sense = 1.0 if ring.is_ccw == (ring is part.exterior) else -1.0
        before, after = corners - np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0) - corners
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        turn = sense * (before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]) / np.maximum(lengths, 1e-12)
        found.append(corners[turn < -0.25])
    corners = np.concatenate(found)
    depths = shapely.distance(shapely.points(corners), hull)
    chosen: Ring = corners[np.argsort(-depths.round(6), kind="stable")[:6]]
    return chosen


def _cost(part: Polygon, line: _Line) -> float:
    sides = [_polygons(side) for side in _sides(part, *line)]
    if not all(sides):
        return math.inf
    parts = [bit for side in sides for bit in side]
    return sum(_notch(bit).depth_mm for bit in parts) / math.sqrt(part.area) + _PART_COST * len(parts)


def _sides(outline: BaseGeometry, normal: tuple[float, float], offset_mm: float) -> tuple[BaseGeometry, BaseGeometry]:
    """What lies ahead of a line and behind it."""
    ahead, behind = _half_plane(normal, offset_mm + SAW_MM), _half_plane((-normal[0], -normal[1]), SAW_MM - offset_mm)
    return outline.intersection(ahead), outline.intersection(behind)


def _half_plane(normal: tuple[float, float], offset_mm: float) -> Polygon:
    """All within reach that is further ahead than the offset."""
    (x, y), far = normal, offset_mm + _REACH_MM
    return Polygon(
        [(x * d - y * t, y * d + x * t) for d, t in ((offset_mm, _REACH_MM), (offset_mm, -_REACH_MM), (far, -_REACH_MM), (far, _REACH_MM))]
    )


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    return [part for part in shapely.get_parts(shape).tolist() if isinstance(part, Polygon) and part.area > _CRUMB_MM2]


def _outline(rings: Sequence[Ring]) -> BaseGeometry:
    solid: list[BaseGeometry] = []
    holes: list[BaseGeometry] = []
    for ring in rings:
        polygon = Polygon(ring)
        (solid if polygon.exterior.is_ccw else holes).append(polygon.buffer(0))
    return shapely.union_all(solid).difference(shapely.union_all(holes)).simplify(_SIMPLIFIED_MM)
