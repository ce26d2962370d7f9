"""Polygons made into triangles, concave ones and slightly bent ones too."""

from __future__ import annotations

import numpy as np
from manifold3d import triangulate
from numpy.typing import NDArray

from meshes.reading.limits import MOST_CORNERS_OF_A_FACE, MOST_FACES
from meshes.reading.scene import Faces, Unreadable, Vertices


def triangles_of(vertices: Vertices, counts: NDArray[np.int64], corners: NDArray[np.int64]) -> Faces:
    """Triangles (m, 3) of polygons.

    Polygon k has `counts[k]` corners; `corners` (sum of counts,) are indices into `vertices`, all polygons in a row. Raises `Unreadable` if one
    is out of range or there are more than may be. Polygons of fewer than three corners are left out.
    """
    check_corners(corners, len(vertices))
    total = int(np.maximum(counts - 2, 0).sum())
    if total > MOST_FACES:
        raise Unreadable("too-many-faces", f"it has {total:,} triangles, the most is {MOST_FACES:,}; make the mesh coarser")
    if len(counts) and counts.max() > MOST_CORNERS_OF_A_FACE:
        raise Unreadable("too-many-corners", f"a face has {counts.max():,} corners, the most is {MOST_CORNERS_OF_A_FACE:,}; make it coarser")
    starts = np.cumsum(counts) - counts
    threes = corners[starts[counts == 3][:, None] + np.arange(3)]
    fours = corners[starts[counts == 4][:, None] + np.arange(4)]
    halved, hard = _halves(vertices, fours)
    more = [_cut(vertices, corners[starts[k] : starts[k] + counts[k]]) for k in np.flatnonzero(counts > 4)]
    more += [_cut(vertices, four) for four in hard]
    return np.concatenate([threes, halved, *more]).astype(np.int64).reshape(-1, 3)


def check_corners(corners: NDArray[np.int64], there: int) -> None:
    """Raises `Unreadable` if an index names none of the corners that are there."""
    wrong = int(((corners < 0) | (corners >= there)).sum())
    if wrong:
        raise Unreadable("bad-corner", f"faces name a corner that is not there {wrong} times (there are {there:,}); export it again")


def _halves(vertices: Vertices, fours: Faces) -> tuple[Faces, Faces]:
    """Two triangles for each convex quadrilateral, and those that are not."""
    with np.errstate(invalid="ignore", over="ignore"):
        p = vertices[fours]
        normals = np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1])
        turns = [np.cross(p[:, (k + 1) % 4] - p[:, k], p[:, (k + 2) % 4] - p[:, (k + 1) % 4]) for k in range(4)]
        convex = np.all([np.einsum("ij,ij->i", turn, normals) > 0 for turn in turns], axis=0)
    return fours[convex][:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3), fours[~convex]


def _cut(vertices: Vertices, corners: NDArray[np.int64]) -> Faces:
    """Triangles of one polygon, by ears in the plane that fits it; a fan where that plane shows nothing."""
    fan = np.column_stack((np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]))
    points = vertices[corners]
    if not np.isfinite(points).all():
        return fan
    points = points - points[0]
    normal = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    axis = int(np.argmax(np.abs(normal)))
    if normal[axis] == 0.0 or not np.isfinite(normal).all():
        return fan
    flat = points[:, [(axis + 1) % 3, (axis + 2) % 3]]
    if normal[axis] < 0:
        flat = flat[:, ::-1]
    cut = np.asarray(triangulate([np.ascontiguousarray(flat)]), dtype=np.int64)
    return corners[cut] if cut.shape == fan.shape else fan
