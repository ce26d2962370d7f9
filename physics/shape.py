"""Collision shapes: convex hulls, or several of them for a concave solid, given to an engine. World units."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pybullet
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, HalfspaceIntersection

from meshes.errors import StakdError

Vector = NDArray[np.float64]

MARGIN = 0.001
"""The engine thickens every hull by this (0.03 mm of the table); hulls are built smaller by it, so that faces meet where they should."""
MOST_CORNERS = 2000
"""More corners in a collision part are refused: the engine turns slow, and fails with a misleading message from about 100 000 on."""


class TooManyCorners(StakdError):
    """A collision part is too finely modelled for the engine."""

    def __init__(self, corners: int) -> None:
        self.corners, self.limit = corners, MOST_CORNERS
        super().__init__(f"a collision part has {corners} corners, at most {MOST_CORNERS} are possible; simplify the mesh or use its outline")


def make_shape(client: int, parts: Sequence[Vector]) -> int:
    """The engine's number for a shape made of the convex hulls of `parts`, each (n, 3). Raises `TooManyCorners`."""
    for part in parts:
        if len(part) > MOST_CORNERS:
            raise TooManyCorners(len(part))
    hulls = [inset_hull(part, MARGIN) for part in parts]
    return _hull_shape(client, hulls[0]) if len(hulls) == 1 else _compound_shape(client, hulls)


def inset_hull(points: Vector, inset: float) -> Vector:
    """(m, 3) corners of the convex hull of (n, 3) `points` with every face moved inwards by `inset`; same unit as the points."""
    faces = np.unique(ConvexHull(points).equations.round(9), axis=0)
    faces[:, 3] += inset
    corners = HalfspaceIntersection(faces, points.mean(axis=0)).intersections
    merged: Vector = np.unique(corners.round(9), axis=0)
    return merged


def _hull_shape(client: int, hull: Vector) -> int:
    shape: int = pybullet.createCollisionShape(pybullet.GEOM_MESH, vertices=hull.tolist(), physicsClientId=client)
    return shape


def _compound_shape(client: int, hulls: Sequence[Vector]) -> int:
    """One shape of several hulls. The engine takes them only from a file, one hull for each of its objects; faces are needed, but not used."""
    lines, first = [], 1
    for number, hull in enumerate(hulls):
        lines += [f"o part{number}", *(f"v {x!r} {y!r} {z!r}" for x, y, z in hull.tolist())]
        lines += [f"f {first} {first + i} {first + i + 1}" for i in range(1, len(hull) - 1)]
        first += len(hull)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parts.obj"
        path.write_text("\n".join(lines) + "\n", "ascii")
        shape: int = pybullet.createCollisionShape(pybullet.GEOM_MESH, fileName=str(path), physicsClientId=client)
    return shape
