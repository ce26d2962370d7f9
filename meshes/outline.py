"""Outlines: a piece seen from above, as rings of points and as polygons. Lengths in mm, in the piece's own frame.

A piece's skeleton is its node centres, the lines between neighbours and the lattice faces they enclose; the outline is the skeleton
grown by the node radius. Circles become polygons whose corners lie on the true arc, so an outline never reaches beyond the true one.
The straight sides are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from shapely import MultiPoint, Polygon, union_all
from shapely.geometry.polygon import orient

from meshes.lattice import Cell, Cells, Lattice
from meshes.mesh_parts import mesh_parts
from meshes.piece_set import PieceSet, PieceType

Ring = NDArray[np.float64]
"""(n, 2) mm, counter-clockwise, first point not repeated."""

_LEAST_SIDES = 12


@lru_cache(maxsize=1024)
def outline(piece_set: PieceSet, piece: PieceType, *, inset_mm: float = 0.0, sides: int = 96) -> Polygon:
    """The piece's outline, drawn in by `inset_mm` (less than the radius), in the piece frame; may be concave or have holes.

    A full circle has `sides` sides, rounded to a multiple of 12 so that a corner stands in every direction in which lattice neighbours lie.
    Polygon error: the area of each arc is short by (2π²/3)/sides² of it, 0.07 % at 96 and 1.1 % at 24; the reach by (π²/2)/sides², 0.05 % and 0.9 %.
    Of a piece with a mesh it is what that covers seen from above.
    """
    if piece.mesh is not None:
        shrunk = piece.mesh.silhouette.buffer(-inset_mm)
        return shrunk if isinstance(shrunk, Polygon) else max(shrunk.geoms, key=lambda part: float(part.area))
    parts = [Polygon(ring) for ring in outline_rings(piece_set, piece, inset_mm=inset_mm, sides=sides)]
    whole = parts[0] if len(parts) == 1 else union_all(parts)
    assert isinstance(whole, Polygon), "a connected piece has one outline"
    return whole


def outline_rings(piece_set: PieceSet, piece: PieceType, *, inset_mm: float = 0.0, sides: int = 96) -> tuple[Ring, ...]:
    """The convex rings whose union is the outline, one for each of `convex_parts`, drawn in by `inset_mm`.

    Rings of different insets correspond point by point. Of a piece with a mesh they are its convex parts seen from above, and don't.
    """
    if piece.mesh is not None:
        flat = (MultiPoint(part[:, :2]).convex_hull.buffer(-inset_mm) for part in mesh_parts(piece.mesh))
        return tuple(np.array(orient(part).exterior.coords)[:-1] for part in flat if isinstance(part, Polygon) and not part.is_empty)
    lattice, reach = piece_set.lattice, piece_set.radius_mm - inset_mm
    return tuple(_grown_ring(lattice, part, piece_set.pitch_mm, reach, whole_sides(sides)) for part in convex_parts(piece_set, piece))


def convex_parts(piece_set: PieceSet, piece: PieceType) -> tuple[Cells, ...]:
    """Groups of the piece's cells, each with a convex skeleton, that together make the whole skeleton; groups may share cells.

    The classic pieces are one group each, an L two, a plus two bars, a ring of six on the hexagonal lattice six.
    """
    return _convex_parts(piece_set.lattice, piece.cells)


def whole_sides(sides: int) -> int:
    """`sides` rounded to a multiple of 12, at least 12."""
    return max(_LEAST_SIDES, round(sides / _LEAST_SIDES) * _LEAST_SIDES)


@cache
def _convex_parts(lattice: Lattice, cells: Cells) -> tuple[Cells, ...]:
    """Grow every bit of the skeleton as far as it goes, then leave out, smallest first, what the others cover."""
    bits = [*lattice.faces(cells), *lattice.edges(cells)] or [cells]
    grown = {_grown(lattice, tuple(sorted(bit)), frozenset(cells)) for bit in bits}
    covered = {part: {bit for bit in bits if set(part).issuperset(bit)} for part in grown}
    needed = sorted(grown, key=lambda part: (-len(covered[part]), part))
    for part in reversed(needed):
        others = [covered[other] for other in needed if other != part]
        if set().union(*others).issuperset(bits):
            needed = [other for other in needed if other != part]
    return tuple(needed)


def _grown(lattice: Lattice, bit: Cells, present: frozenset[Cell]) -> Cells:
    """The largest convex part that adding neighbours to `bit`, and what then lies between, leads to."""
    part = bit
    while True:
        beside = present.intersection(near for cell in part for near in lattice.neighbours(cell)).difference(part)
        larger = [wider for cell in sorted(beside) if present.issuperset(wider := _filled(lattice, (*part, cell)))]
        if not larger:
            return part
        part = max(larger, key=len)


def _filled(lattice: Lattice, cells: Cells) -> Cells:
    """The smallest set of cells around `cells` whose skeleton is convex.

    Its sides are lattice lines, so it is all cells between the least and the greatest number of such lines in each direction.
    """
    bounds = [(min(numbers), max(numbers)) for numbers in zip(*(_line_numbers(lattice, cell) for cell in cells), strict=True)]
    (q_low, q_high), (r_low, r_high) = bounds[:2]
    box = ((q, r) for q in range(q_low, q_high + 1) for r in range(r_low, r_high + 1))
    return tuple(cell for cell in box if all(low <= number <= high for number, (low, high) in zip(_line_numbers(lattice, cell), bounds, strict=True)))


def _line_numbers(lattice: Lattice, cell: Cell) -> tuple[int, ...]:
    """The number of the lattice line through `cell`, for each family of parallel lines."""
    q, r = cell
    return (q, r, q + r) if lattice is Lattice.HEX else (q, r)


def _grown_ring(lattice: Lattice, part: Cells, pitch_mm: float, reach_mm: float, sides: int) -> Ring:
    """The hull of `part`'s node centres grown by `reach_mm`: at each corner an arc from the normal of one side to that of the next."""
    corners = _hull(part)
    centres = np.array([lattice.position(corner, pitch_mm) for corner in corners])
    points = []
    for centre, before, after in zip(centres, np.roll(centres, 1, axis=0), np.roll(centres, -1, axis=0), strict=True):
        first, last = (_normal(centre - before, sides), _normal(after - centre, sides)) if len(corners) > 1 else (0, sides - 1)
        angles = 2 * math.pi / sides * np.arange(first, first + (last - first) % sides + 1)
        points.append(centre + reach_mm * np.column_stack([np.cos(angles), np.sin(angles)]))
    return np.concatenate(points).round(9) + 0.0  # the last digits differ between machines; towers must not (and no −0)


def _normal(side: Ring, sides: int) -> int:
    """Direction to the right of `side`, as a whole number of sides of the circle, counter-clockwise from +x."""
    return round((math.atan2(side[1], side[0]) / (2 * math.pi) - 0.25) * sides) % sides


def _hull(cells: Sequence[Cell]) -> list[Cell]:
    """Corners of the convex hull, counter-clockwise (whole numbers, so exact: the map to mm keeps straightness and sense)."""
    cells = sorted(cells)
    return cells if len(cells) == 1 else _chain(cells)[:-1] + _chain(cells[::-1])[:-1]


def _chain(cells: Sequence[Cell]) -> list[Cell]:
    """The corners on one side of the hull, from the first cell to the last."""
    chain: list[Cell] = []
    for cell in cells:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], cell) <= 0:
            chain.pop()
        chain.append(cell)
    return chain


def _turn(a: Cell, b: Cell, c: Cell) -> int:
    """Positive if a → b → c turns counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
