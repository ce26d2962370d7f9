"""Where the nodes of an outline are: a lattice laid through the round ends or the widest places of a shape. Lengths in mm.

Round ends of an outline are arcs about node centres, whether the outline is a skeleton grown by the radius or lobes joined by necks.
A shape without them is drawn in by almost its widest disc; what is left over shows where discs have room.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Point, Polygon

from meshes.discs import FINE_MM, ROUGH_MM, Arc, arcs_of, largest_disc
from meshes.lattice import Cell, Cells, Lattice

LEAST_RADIUS, MOST_RADIUS = 0.3, 0.52
"""A node's radius in pitches lies between these."""
MOST_CELLS = 60

_FARTHEST = 7
_ROUND_OFF, _WIDE_OFF = 0.04, 0.08
"""How far, in pitches, a round end or a wide place may lie off its lattice point to be counted there."""
_ROOM = 0.93
"""Share of the node radius for which there must be room about a node."""
_ROOMY = 0.98
"""The same share where the nodes could also be elsewhere."""
_LEAST_LIKENESS = 0.6
_MUCH_LIKER = 0.01
_ALL_ROUND = 0.9 * 2 * math.pi
"""Round ends of an outline turn all the way round together; if they seem not to, it is rough."""
_HOLE_SHARE = 0.5
"""Holes smaller than this share of a node's disc are drilled, not the shape's."""

Complexes = NDArray[np.complex128]
Points = NDArray[np.float64]


class LatticeFit(NamedTuple):
    """A lattice through an outline: lattice point z (a complex number, in pitches) lies at `step`·z + `origin`, x + iy in mm.

    `cells` are those with room for a node, `seen` where nodes were measured. `likeness` is how much of the outline and of what the cells make
    is common to both.
    """

    lattice: Lattice
    step: complex
    origin: complex
    radius_mm: float
    cells: Cells
    seen: Complexes
    likeness: float

    @property
    def pitch_mm(self) -> float:
        """Distance of neighbouring nodes; without meaning for a single one."""
        return abs(self.step)


def fit_lattice(
    outline: MultiPolygon, *, radius_mm: float | None = None, pitch_mm: float | None = None, prefer: Lattice | None = None
) -> LatticeFit | None:
    """The lattice that explains the outline best, None if none does.

    `radius_mm`, `pitch_mm`: what the nodes should have, for shapes without round ends, in which they may lie one way or another.
    `prefer`: the lattice to name where both explain it as well.
    """
    body = max(outline.geoms, key=lambda part: float(part.area))
    best, most = None, 0.0
    for off_mm in (FINE_MM, ROUGH_MM):
        ends = _round_ends(body, off_mm)
        found, span = _rounded(body, ends, prefer), sum(arc.span for arc in ends)
        if found is not None and span > most:
            best, most = found, span
        if most > _ALL_ROUND:
            break
    if best is not None:
        return best
    found = _widest(body, radius_mm, prefer)
    return _at_pitch(body, found, pitch_mm) if found and pitch_mm else found


def without_small_holes(body: Polygon | MultiPolygon, radius_mm: float) -> Polygon | MultiPolygon:
    """A shape with holes filled that are smaller than half a disc."""
    most = _HOLE_SHARE * math.pi * radius_mm**2
    parts = [Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area > most]) for part in shapely.get_parts(body)]
    return parts[0] if len(parts) == 1 else MultiPolygon(parts)


def skeleton_outline(lattice: Lattice, cells: Cells, step: complex, origin: complex, radius_mm: float) -> Polygon | MultiPolygon:
    """The cells' skeleton grown by the radius, as `meshes.outline` makes it, at any pitch and place."""
    spots = dict(zip(cells, points_of(lattice, cells) * step + origin, strict=True))
    shapes: list[Point | LineString | Polygon] = [Point(spot.real, spot.imag) for spot in spots.values()]
    shapes += [LineString([(spots[cell].real, spots[cell].imag) for cell in edge]) for edge in lattice.edges(cells)]
    shapes += [Polygon([(spots[cell].real, spots[cell].imag) for cell in face]) for face in lattice.faces(cells)]
    grown: Polygon | MultiPolygon = shapely.union_all(shapes).buffer(radius_mm, quad_segs=24)
    return grown


def points_of(lattice: Lattice, cells: Iterable[Cell]) -> Complexes:
    """Places of cells, in pitches."""
    return np.array([complex(*lattice.position(cell, 1.0)) for cell in cells])


def with_pitch(lattice: Lattice, cells: Cells, step: complex, origin: complex, pitch_mm: float) -> tuple[complex, complex]:
    """Another step and origin, with that pitch, that leave the middle of the cells where it is."""
    middle = complex(points_of(lattice, cells).mean())
    scaled = step / abs(step) * pitch_mm
    return scaled, origin + (step - scaled) * middle


def heading_deg(step: complex) -> float:
    """The direction of a step, degrees."""
    return math.degrees(cmath.phase(step))


def _rounded(body: Polygon, arcs: Sequence[Arc], prefer: Lattice | None) -> LatticeFit | None:
    """The lattice through the round ends."""
    if not arcs:
        return None
    radius = float(np.average([arc.radius for arc in arcs], weights=[arc.span for arc in arcs]))
    return _best(body, np.array([complex(arc.x, arc.y) for arc in arcs]), radius, _ROUND_OFF, prefer)


def _round_ends(body: Polygon, off_mm: float) -> list[Arc]:
    """The arcs that have room for their whole circle, one for each centre."""
    kept: list[Arc] = []
    arcs = arcs_of(body, off_mm=off_mm)
    room = largest_disc(without_small_holes(body, max((arc.radius for arc in arcs), default=1.0)), np.array([arc[:2] for arc in arcs]).reshape(-1, 2))
    for arc, free in zip(arcs, room, strict=True):
        if free >= _ROOM * arc.radius and all(math.hypot(arc.x - other.x, arc.y - other.y) > 0.3 * arc.radius for other in kept):
            kept.append(arc)
    largest = max((arc.radius for arc in kept), default=0.0)
    return [arc for arc in kept if arc.radius > 0.7 * largest]


def _widest(body: Polygon, radius_mm: float | None, prefer: Lattice | None) -> LatticeFit | None:
    whole = without_small_holes(body, radius_mm or math.sqrt(body.area / math.pi) / 2)
    widest = shapely.maximum_inscribed_circle(whole, tolerance=0.01).length
    for radius in dict.fromkeys(min(widest, wanted) for wanted in (radius_mm or widest, widest)):
        left = whole.buffer(-0.985 * radius, quad_segs=4)
        seen = np.array([spot for part in shapely.get_parts(left) for spot in _ends(part, radius)])
        found = _best(body, seen, radius, _WIDE_OFF, prefer) if len(seen) else None
        if found is not None:
            return found
    return None


def _at_pitch(body: Polygon, found: LatticeFit, pitch_mm: float) -> LatticeFit:
    """The fit at the pitch wanted, about the same middle, if its nodes have room there too."""
    if len(found.cells) == 1:
        return found
    step, origin = with_pitch(found.lattice, found.cells, found.step, found.origin, pitch_mm)
    spots = points_of(found.lattice, found.cells) * step + origin
    room = largest_disc(without_small_holes(body, found.radius_mm), np.column_stack([spots.real, spots.imag]))
    return found._replace(step=step, origin=origin, seen=spots) if room.min() >= _ROOMY * found.radius_mm else found


def _ends(part: Polygon, radius: float) -> Iterator[complex]:
    """The middle of a small rest, the corners of a larger one."""
    x_low, y_low, x_high, y_high = part.bounds
    if math.hypot(x_high - x_low, y_high - y_low) < 0.6 * radius:
        yield complex(part.centroid.x, part.centroid.y)
        return
    corners = [complex(*corner) for corner in part.simplify(0.005 * radius).exterior.coords[:-1]]
    groups: list[list[complex]] = []
    for corner in corners:
        near = next((group for group in groups if abs(group[0] - corner) < 0.6 * radius), None)
        if near is None:
            groups.append([corner])
        else:
            near.append(corner)
    yield from (sum(group) / len(group) for group in groups)


def _best(body: Polygon, seen: Complexes, radius: float, off: float, prefer: Lattice | None) -> LatticeFit | None:
    whole = without_small_holes(body, radius)
    order = sorted(Lattice, key=lambda lattice: (lattice is not (prefer or Lattice.HEX), lattice.value))
    if len(seen) == 1:
        return _alike(whole, LatticeFit(order[0], 1 + 0j, complex(seen[0]), radius, ((0, 0),), seen, 0.0))
    best: LatticeFit | None = None
    for lattice in order:
        for found in _lattices(lattice, seen, radius, off):
            cells = _roomy(whole, found)
            if not 1 < len(cells) <= MOST_CELLS or not lattice.is_connected(cells):
                continue
            alike = _alike(whole, found._replace(cells=cells))
            if alike is not None and (best is None or alike.likeness > best.likeness + _MUCH_LIKER):
                best = alike
    return best


def _lattices(lattice: Lattice, seen: Complexes, radius: float, off: float) -> Iterator[LatticeFit]:
    """Lattices on which all places lie; the first is its cell (0, 0)."""
    far = seen[np.abs(seen - seen[0]).argmax()] - seen[0]
    for cell in _directions(lattice):
        place = complex(*lattice.position(cell, 1.0))
        step = far / place
        if not LEAST_RADIUS <= radius / abs(step) <= MOST_RADIUS:
            continue
        relative = (seen - seen[0]) / step
        places = points_of(lattice, (lattice.nearest(spot.real, spot.imag, 1.0) for spot in relative))
        if np.abs(places - relative).max() <= 2 * off and len(set(places.round(6).tolist())) == len(places):
            fine, origin = _similarity(places, seen)
            if np.abs(places * fine + origin - seen).max() <= off * abs(fine):
                yield LatticeFit(lattice, fine, origin, radius, (), seen, 0.0)


def _similarity(places: Complexes, seen: Complexes) -> tuple[complex, complex]:
    """The step and origin that carry lattice places to where they were seen, by least squares; needs two places."""
    middle, centre = places.mean(), seen.mean()
    step = complex(np.vdot(places - middle, seen - centre) / np.vdot(places - middle, places - middle))
    return step, complex(centre - step * middle)


def _directions(lattice: Lattice) -> list[Cell]:
    """Cells of one turn of the lattice, near ones first: the others only turn the same lattice."""
    cells = [(q, r) for q in range(1, _FARTHEST + 1) for r in range(_FARTHEST + 1)]
    return sorted(cells, key=lambda cell: abs(complex(*lattice.position(cell, 1.0))))


def _roomy(whole: Polygon | MultiPolygon, found: LatticeFit) -> Cells:
    """The cells with room for a disc, of those about the shape."""
    x_low, y_low, x_high, y_high = whole.bounds
    reach = math.ceil(math.hypot(x_high - x_low, y_high - y_low) / found.pitch_mm) + 1
    cells = [(q, r) for q in range(-reach, reach + 1) for r in range(-reach, reach + 1)]
    spots = points_of(found.lattice, cells) * found.step + found.origin
    room = largest_disc(whole, np.column_stack([spots.real, spots.imag]))
    return tuple(cell for cell, free in zip(cells, room, strict=True) if free >= _ROOM * found.radius_mm)


def _alike(whole: Polygon | MultiPolygon, found: LatticeFit) -> LatticeFit | None:
    """With its likeness: as a grown skeleton or as discs with necks, whichever is liker; None if it explains too little."""
    spots = points_of(found.lattice, found.cells) * found.step + found.origin
    lobes = shapely.union_all([Point(spot.real, spot.imag).buffer(found.radius_mm, quad_segs=24) for spot in spots])
    grown = skeleton_outline(found.lattice, found.cells, found.step, found.origin, found.radius_mm)
    likeness = max(float(whole.intersection(model).area / whole.union(model).area) for model in (grown, lobes))
    return found._replace(likeness=likeness) if likeness >= _LEAST_LIKENESS else None
