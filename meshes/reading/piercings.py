"""Where a closed surface goes through itself: edges that pierce its faces.

Flat faces of many triangles are taken as one, so that fine flats and fans of needles cost no more than their rims. manifold3d is not asked: it
takes such a surface for sound, and what it makes of it keeps the crossing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from meshes.reading.facets import Facets, Mask, facets_of
from meshes.reading.limits import MOST_NEAR, THROUGH_MM
from meshes.reading.scene import Faces, Unreadable, Vertices
from meshes.reading.surface import Edges, Labels

_AT_ONCE, _MANY = 64, 1_000_000
"""Boxes that are asked for at once, and pairs that are looked at at once: either may be near very many."""
_FEW = 8
"""Triangles of a flat face that are all looked at."""
_SINGLE = 2.5e-7
"""What single precision, as STL has it, leaves open of a coordinate, with some to spare."""
_FLAT = 1 / 20
"""How much of what counts as through a corner may be off the plane of its flat face."""
_STEP = 10
"""How far along the line two planes share it is asked whether both faces are there, in what counts as through."""
_LEAST_ANGLE = 0.02
"""Planes at a smaller angle are one."""


class Piercings(NamedTuple):
    """How many pairs of flat faces go through one another, and a place (3,) in mm where one does."""

    pairs: int
    at: NDArray[np.float64]


class _Meets(NamedTuple):
    """(k,) edges that meet faces, and where. `side` is 0 if one goes through, else the side it is on; `corner` is then where it ends."""

    edge: Labels
    facet: Labels
    place: NDArray[np.float64]
    side: NDArray[np.int64]
    corner: Labels

    def of(self, rows: Mask) -> _Meets:
        """Some of them."""
        return _Meets(self.edge[rows], self.facet[rows], self.place[rows], self.side[rows], self.corner[rows])


@dataclass(frozen=True, eq=False)
class _Surface:
    """What is asked; `through` is the depth in mm from which on faces go through one another."""

    vertices: Vertices
    faces: Faces
    edges: Edges
    facets: Facets
    through: float


def piercings(vertices: Vertices, faces: Faces, edges: Edges) -> Piercings | None:
    """Where a closed surface goes through itself by more than `THROUGH_MM`; None if it does not. Faces that touch or lie on one another don't.

    Two faces cross if an edge of one, with its ends to either side, goes through the other well within; if edges to either side end in one
    place of it; or if their rims cross and both go on along the line that their planes share. Not found is what crosses only where edges lie
    on edges. Raises `Unreadable` where it would take too long.
    """
    through = max(THROUGH_MM, _SINGLE * float(np.abs(vertices).max()))
    surface = _Surface(vertices, faces, edges, facets_of(vertices, faces, edges, within=_FLAT * through), through)
    met = _met(surface)
    met = met.of(_go_through(met, len(surface.facets.offsets)))
    inside, rim = _located(surface, met.place, met.facet)
    pierced = met.of(inside)
    pierced = pierced.of(_go_through(pierced, len(surface.facets.offsets)))
    found = [_pairs(surface, pierced), _crossing_rims(surface, met.of(rim & (met.side == 0)))]
    pairs, places = (np.concatenate(column) for column in zip(*found, strict=True))
    if not len(pairs):
        return None
    different, first = np.unique(np.sort(pairs, axis=1), axis=0, return_index=True)
    return Piercings(len(different), places[first[0]])


def _met(surface: _Surface) -> _Meets:
    """Edges that meet the plane of a face within its box."""
    facets, vertices, through = surface.facets, surface.vertices, surface.through
    sharp = np.flatnonzero(facets.at_edge[:, 0] != facets.at_edge[:, 1])
    ends = surface.edges.ends[sharp]
    tails, heads = vertices[ends[:, 0]], vertices[ends[:, 1]]
    found = []
    for edge, facet in _meeting(np.minimum(tails, heads), np.maximum(tails, heads), facets.low, facets.high):
        tail, head = _off_planes(tails, edge, facets, facet), _off_planes(heads, edge, facets, facet)
        on_tail = np.abs(tail) <= through
        on = on_tail != (np.abs(head) <= through)
        corner = ends[edge, np.where(on_tail, 0, 1)]
        rows = np.flatnonzero(on | ((np.minimum(tail, head) < -through) & (np.maximum(tail, head) > through)))
        rows = rows[~on[rows] | ~facets.has_corner(facet[rows], corner[rows])]  # a corner of the face itself lies on it and meets nothing
        edge, facet, tail, head, on = edge[rows], facet[rows], tail[rows], head[rows], on[rows]
        share = np.where(on, ~on_tail[rows], tail / np.where(on, 1.0, tail - head))
        place = tails[edge] + share[:, None] * (heads[edge] - tails[edge])
        side = np.where(on, np.sign(tail + head), 0.0).astype(np.int64)
        boxed = ((place >= facets.low[facet] - through) & (place <= facets.high[facet] + through)).all(axis=1)
        found.append(_Meets(sharp[edge], facet, place, side, corner[rows]).of(boxed))
    return _Meets(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _off_planes(points: Vertices, point: Labels, facets: Facets, facet: Labels) -> NDArray[np.float64]:
    """(k,) how far a point is off the plane of a face; column by column, as that is several times as fast."""
    off = -facets.offsets[facet]
    for k in range(3):
        off += points[point, k] * facets.normals[facet, k]
    return off


def _located(surface: _Surface, places: Vertices, facet: Labels) -> tuple[Mask, Mask]:
    """(k,) which places, each on the plane of a face, are well within it, and which at its rim."""
    inside, rim = np.zeros(len(places), dtype=bool), np.zeros(len(places), dtype=bool)
    if not len(places):
        return inside, rim
    facets, through = surface.facets, surface.through
    for row, triangle in _triangles_at(surface, places, facet):
        at_side = facets.at_edge[surface.edges.of_side[3 * triangle[:, None] + np.arange(3)]]
        outer = at_side[..., 0] != at_side[..., 1]
        depth, reach = _from_sides(places[row], surface.vertices[surface.faces[triangle]], facets.normals[facet[row]])
        inside[row[((depth > np.where(outer, through, -_FLAT * through)) & (reach > through)).all(axis=1)]] = True
        rim[row[(depth > np.where(outer, -through, -_FLAT * through)).all(axis=1)]] = True
    return inside, rim & ~inside


def _triangles_at(surface: _Surface, places: Vertices, facet: Labels) -> Iterator[tuple[Labels, Labels]]:
    """Places with the triangles of their faces that may hold them: all where they are few, else those whose boxes do."""
    facets, through = surface.facets, surface.through
    few = np.diff(facets.starts)[facet] <= _FEW
    for chunk in np.split(np.flatnonzero(few), range(_MANY, int(few.sum()), _MANY)):
        first, end = facets.starts[facet[chunk]], facets.starts[facet[chunk] + 1]
        for k in range(_FEW):
            there = first + k < end
            yield chunk[there], facets.order[(first + k)[there]]
    others = np.flatnonzero(~few)
    chosen = np.flatnonzero(np.isin(facets.label, facet[others]))
    if len(others):
        corners = surface.vertices[surface.faces[chosen]]
        for one, near in _meeting(places[others], places[others], corners.min(axis=1) - through, corners.max(axis=1) + through):
            same = facets.label[chosen[near]] == facet[others[one]]
            yield others[one[same]], chosen[near[same]]


def _from_sides(places: Vertices, corners: NDArray[np.float64], normals: Vertices) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(k, 3) how far places are within each side of triangles, and how far from each corner."""
    from_corner = places[:, None] - corners
    inwards = np.cross(normals[:, None], np.roll(corners, -1, axis=1) - corners)
    length = np.linalg.norm(inwards, axis=2)
    depth: NDArray[np.float64] = np.einsum("ijk,ijk->ij", from_corner, inwards) / np.where(length > 0, length, 1.0)
    return depth, np.linalg.norm(from_corner, axis=2)


def _go_through(met: _Meets, facets: int) -> Mask:
    """(k,) which edges go through a face, alone or with another from a corner on it to its other side."""
    key = met.corner * facets + met.facet
    through: Mask = (met.side == 0) | np.isin(key, np.intersect1d(key[met.side > 0], key[met.side < 0]))
    return through


def _pairs(surface: _Surface, met: _Meets) -> tuple[Labels, NDArray[np.float64]]:
    """(2 k, 2) the faces on either side of an edge, each with the face it meets, and (2 k, 3) where."""
    own = surface.facets.at_edge[met.edge]
    return np.column_stack((own.ravel(), np.repeat(met.facet, 2))), np.repeat(met.place, 2, axis=0)


def _crossing_rims(surface: _Surface, met: _Meets) -> tuple[Labels, NDArray[np.float64]]:
    """Pairs like those of `_pairs` whose rims cross: near by on the line their planes share, both faces are there."""
    pairs, places = _pairs(surface, met)
    line = np.cross(surface.facets.normals[pairs[:, 0]], surface.facets.normals[pairs[:, 1]])
    sine = np.linalg.norm(line, axis=1)
    steps = _STEP * surface.through * line / np.where(sine > 0, sine, 1.0)[:, None]
    asked = np.tile(pairs, (2, 1))
    near = np.concatenate((places + steps, places - steps))
    both = _located(surface, near, asked[:, 0])[0] & _located(surface, near, asked[:, 1])[0] & np.tile(sine > _LEAST_ANGLE, 2)
    return asked[both], near[both]


def _meeting(low: Vertices, high: Vertices, others_low: Vertices, others_high: Vertices) -> Iterator[tuple[Labels, Labels]]:
    """Indices of boxes that meet, some at a time; raises `Unreadable` once they are too many."""
    across, *plane = np.argsort(-(others_high - others_low).mean(axis=0), kind="stable").tolist()
    tree = shapely.STRtree(_diagonals(others_low[:, plane], others_high[:, plane]))
    asked, seen = _diagonals(low[:, plane], high[:, plane]), 0
    for start in range(0, len(asked), _AT_ONCE):
        one, other = tree.query(asked[start : start + _AT_ONCE])
        seen += len(one)
        if seen > MOST_NEAR:
            raise Unreadable("too-tangled", "too many of its faces are near one another to tell whether it crosses itself; make the mesh coarser")
        for first in range(0, len(one), _MANY):
            here, there = one[first : first + _MANY] + start, other[first : first + _MANY]
            meets = (low[here, across] <= others_high[there, across]) & (high[here, across] >= others_low[there, across])
            yield here[meets], there[meets]


def _diagonals(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.object_]:
    """Lines that have those boxes."""
    lines: NDArray[np.object_] = shapely.linestrings(np.stack((low, high), axis=1))
    return lines
