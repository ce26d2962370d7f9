"""Collision shapes: convex hulls, or several of them for a concave solid, given to an engine. World units."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull, HalfspaceIntersection

from meshes.errors import StakdError
from meshes.solid import Solid
from physics.bullet import pybullet
from physics.frame import body_frame
from physics.pose import Vector

MARGIN = 0.001
"""The engine thickens every hull by this (0.03 mm of the table); hulls are built smaller by it, so that faces meet where they should."""
MOST_CORNERS = 2000
"""More corners in a collision part are refused: the engine turns slow, and fails with a misleading message from about 100 000 on."""


class TooManyCorners(StakdError):
    """A collision part is too finely modelled for the engine."""

    def __init__(self, corners: int) -> None:
        self.corners, self.limit = corners, MOST_CORNERS
        super().__init__(f"a collision part has {corners} corners, at most {MOST_CORNERS} are possible; simplify the mesh or use its outline")


def make_shape(client: int, solid: Solid) -> int:
    """The engine's number for the shape of `solid`. Raises `TooManyCorners`."""
    shape: int = pybullet.createCollisionShape(pybullet.GEOM_MESH, fileName=str(_solid_file(solid, os.getpid())), physicsClientId=client)
    return shape


def inset_hull(points: Vector, inset: float) -> Vector:
    """(m, 3) corners of the convex hull of (n, 3) `points` with every face moved inwards by `inset`; same unit as the points."""
    faces = np.unique(ConvexHull(points).equations.round(9), axis=0)
    faces[:, 3] += inset
    corners = HalfspaceIntersection(faces, points.mean(axis=0)).intersections
    merged: Vector = np.unique(corners.round(9), axis=0)
    return merged


@lru_cache(maxsize=256)
def _solid_file(solid: Solid, process: int) -> Path:
    for part in solid.parts:
        if len(part) > MOST_CORNERS:
            raise TooManyCorners(len(part))
    frame = body_frame(solid)
    return _shape_file(_as_obj([inset_hull(frame.local(part), MARGIN) for part in solid.parts]), process)


def _as_obj(hulls: Sequence[Vector]) -> str:
    """The hulls as the text of a Wavefront file, one object each. The engine wants faces, but uses only the corners."""
    lines, first = [], 1
    for number, hull in enumerate(hulls):
        lines += [f"o part{number}", *(f"v {x!r} {y!r} {z!r}" for x, y, z in hull.tolist())]
        lines += [f"f {first} {first + i} {first + i + 1}" for i in range(1, len(hull) - 1)]
        first += len(hull)
    return "\n".join(lines) + "\n"


def _shape_file(text: str, process: int) -> Path:
    """A file with this text, in a folder that goes when the program ends.

    A file because several hulls in one shape come only from files, and because the engine never gives back the memory of shapes it
    was handed directly. Named by its content, as the engine remembers what it read by the name.
    """
    path = _folder(process) / f"{hashlib.sha256(text.encode()).hexdigest()}.obj"
    if not path.exists():
        # Complete or absent, whatever another thread does.
        part = path.with_suffix(f".{threading.get_ident()}")
        part.write_text(text, "ascii")
        part.replace(path)
    return path


@cache
def _folder(process: int) -> Path:
    """This process's folder; a forked process makes its own."""
    folder = tempfile.mkdtemp(prefix=f"stakd-{process}-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
