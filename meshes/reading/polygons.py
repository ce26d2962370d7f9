"""Polygons made into triangles, concave ones and slightly bent ones too."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manifold3d import triangulate
from numpy.typing import NDArray

from meshes.reading.limits import MOST_CORNERS_OF_A_FACE, MOST_CUTTING, MOST_FACES
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
    pieces, cutting = [np.zeros((0, 3), dtype=np.int64)], 0
    for size in np.unique(counts[counts >= 3]):
        polygons = corners[starts[counts == size][:, None] + np.arange(size)]
        convex = _convex(vertices, polygons)
        pieces.append(_fans(polygons[convex]))
        cutting += int((~convex).sum()) * int(size) ** 2
        if cutting > MOST_CUTTING:
            raise Unreadable(
                "too-many-corners", "it has too many faces of many corners that are not convex; triangulate it in the program it is from"
            )
        pieces += _cuts(vertices, polygons[~convex])
    return np.concatenate(pieces)


def check_corners(corners: NDArray[np.int64], there: int) -> None:
    """Raises `Unreadable` if an index names none of the corners that are there."""
    wrong = int(((corners < 0) | (corners >= there)).sum())
    if wrong:
        raise Unreadable("bad-corner", f"faces name a corner that is not there {wrong} times (there are {there:,}); export it again")


def _fans(polygons: NDArray[np.int64]) -> Faces:
    """Polygons (n, size) cut from their first corners."""
    size = polygons.shape[1]
    picks = np.column_stack((np.zeros(size - 2, dtype=np.int64), np.arange(1, size - 1), np.arange(2, size)))
    return polygons[:, picks].reshape(-1, 3)


def _normals(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twice the area of polygons (n, size, 3) as vectors (n, 3)."""
    return np.asarray(np.cross(points[:, 1:-1], points[:, 2:]).sum(axis=1))


def _convex(vertices: Vertices, polygons: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n,) which polygons a fan cuts rightly: every triangle of it looks the way of the whole."""
    if polygons.shape[1] == 3:
        return np.ones(len(polygons), dtype=bool)
    with np.errstate(invalid="ignore", over="ignore"):
        points = vertices[polygons] - vertices[polygons[:, :1]]
        normals = _normals(points)
        looks = np.einsum("nkj,nj->nk", np.cross(points[:, 1:-1], points[:, 2:]), normals)
    return np.asarray((looks > 0).all(axis=1))


def _cuts(vertices: Vertices, polygons: NDArray[np.int64]) -> Iterator[Faces]:
    """Triangles of each polygon, by ears in the plane that fits it best; a fan where that plane shows nothing."""
    if not len(polygons):
        return
    with np.errstate(invalid="ignore", over="ignore"):
        points = vertices[polygons] - vertices[polygons[:, :1]]
        normals = _normals(points)
        finite = np.isfinite(points).all(axis=(1, 2)) & np.isfinite(normals).all(axis=1)
    axis = np.argmax(np.abs(normals), axis=1)
    rows, fan = np.arange(len(polygons)), _fans(np.arange(polygons.shape[1])[None])
    ahead = normals[rows, axis]
    first, second = (axis + 1) % 3, (axis + 2) % 3
    first, second = np.where(ahead > 0, first, second), np.where(ahead > 0, second, first)
    flats = np.stack((points[rows, :, first], points[rows, :, second]), axis=2)
    for corners, flat, sound in zip(polygons, flats, finite & (ahead != 0), strict=True):
        cut = np.asarray(triangulate([flat])) if sound else fan
        yield corners[cut if cut.shape == fan.shape else fan]
