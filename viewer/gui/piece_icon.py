"""Pieces drawn small for panels: seen from above and a little from the front, in their paint and with their letter."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely

from meshes.outline import outline_rings
from meshes.piece_set import PieceSet, PieceType
from viewer.gui.box import Box
from viewer.gui.painter import Align, Painter
from viewer.gui.theme import Colour, Face

_SQUASH = 0.78
"""Depth over width: the slant of the view."""
_HIGH = 0.42
"""How high a piece stands, in node radii."""
_SIDES = 36
Points = list[tuple[float, float]]


class _Shape(NamedTuple):
    """In node radii, y downwards, the whole around the origin: upper faces, what is seen of everything, node centres, extent."""

    tops: list[Points]
    bodies: list[Points]
    nodes: Points
    size: tuple[float, float]


def draw_piece(paint: Painter, piece_set: PieceSet, piece: PieceType, box: Box, *, largest: float = 14.0, alpha: float = 1.0) -> None:
    """Draw a piece as large as fits into `box`, a node's radius at most `largest` units."""
    shape = _shape(piece_set, piece)
    scale = min(largest, box.w / shape.size[0], box.h / shape.size[1])
    x, y = box.middle

    def placed(points: Points) -> Points:
        return [(x + scale * u, y + scale * v) for u, v in points]

    red, green, blue = (part / 255 for part in piece.colour)
    for body in shape.bodies:
        paint.area(placed(body), (red * 0.62, green * 0.62, blue * 0.62, alpha))
    for top in shape.tops:
        paint.area(placed(top), (red, green, blue, alpha))
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
    ink: Colour = (1.0, 0.97, 0.9, alpha) if dark else (0.25, 0.15, 0.07, alpha)
    for u, v in placed(shape.nodes):
        paint.words(piece.letter, u, v - scale * 0.68, scale * 1.0, face=Face.TITLE, colour=ink, align=Align.CENTRE)


@lru_cache(maxsize=64)
def _shape(piece_set: PieceSet, piece: PieceType) -> _Shape:
    flat = np.array([1.0, -_SQUASH]) / piece_set.radius_mm
    rings = [np.asarray(ring) * flat for ring in outline_rings(piece_set, piece, sides=_SIDES)]
    nodes = piece_set.places_mm(piece.cells) * flat
    corners = np.concatenate(rings)
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, up = (low + high) / 2, np.array([0.0, _HIGH / 2])
    tops = [ring - middle - up for ring in rings]
    bodies = [shapely.get_coordinates(shapely.convex_hull(shapely.MultiPoint(np.concatenate([top, top + 2 * up]))))[:-1] for top in tops]
    width, height = (high - low).tolist()
    return _Shape([_points(top) for top in tops], [_points(body) for body in bodies], _points(nodes - middle - up), (width, height + _HIGH))


def _points(array: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Points:
    return [(float(u), float(v)) for u, v in array]
