"""Within or without: how often a surface winds round points, by the faces a ray from each of them crosses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from meshes.reading.limits import MOST_CROSSINGS
from meshes.reading.scene import Faces, Unreadable, Vertices

_AT_ONCE = 1_000_000
_FEW_FACES = 40
"""So few are all looked at."""
_TURN = np.linalg.qr(np.array([[0.53, 0.31, -0.72], [-0.27, 0.91, 0.33], [0.83, 0.17, 0.61]]))[0]
"""An odd direction, so that rays meet no edges or corners of what is drawn square."""


def windings(points: Vertices, vertices: Vertices, faces: Faces) -> NDArray[np.int64]:
    """(p,) how often a closed surface that looks outwards winds round each point (p, 3): 1 within, 0 without, -1 within if it looks inwards.

    Raises `Unreadable` where that would take too long.
    """
    rays, corners = points @ _TURN.T, (vertices @ _TURN.T)[faces]
    counts = np.zeros(len(points), dtype=np.int64)
    asked = 0
    for point, face in _candidates(rays, corners):
        asked += len(point)
        if asked > MOST_CROSSINGS:
            raise Unreadable("too-tangled", "its surfaces lie within one another in too many ways; join them, or make the mesh coarser")
        counts += np.rint(np.bincount(point, weights=_crossing(rays[point], corners[face]), minlength=len(points))).astype(np.int64)
    return counts


def _candidates(rays: Vertices, corners: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Points and faces that may lie over one another, some at a time: of many faces those of like size by the distance of their middles."""
    if len(corners) <= _FEW_FACES:
        every = np.arange(len(corners))
        for chunk in np.split(np.arange(len(rays)), range(_AT_ONCE // _FEW_FACES, len(rays), _AT_ONCE // _FEW_FACES)):
            yield np.repeat(chunk, len(every)), np.tile(every, len(chunk))
        return
    low, high = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
    middles, reach = (low + high) / 2, np.linalg.norm(high - low, axis=1) / 2
    level = np.ceil(np.log2(np.maximum(reach, 1e-9)))
    for size in np.unique(level):
        rows = np.flatnonzero(level == size)
        tree, radius = cKDTree(middles[rows]), float(2.0**size)
        many = tree.query_ball_point(rays[:, :2], radius, return_length=True)
        for chunk in np.split(np.arange(len(rays)), np.flatnonzero(np.diff(np.cumsum(many) // _AT_ONCE)) + 1):
            if many[chunk].sum():
                found = tree.query_ball_point(rays[chunk, :2], radius, return_sorted=True)
                yield np.repeat(chunk, many[chunk]), rows[np.concatenate([np.asarray(near, dtype=np.int64) for near in found])]


def _crossing(start: Vertices, corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """(k,) 1 where the ray up from a point leaves through a face, -1 where it enters, 0 where it passes by."""
    a, b, c = (corners[:, k] for k in range(3))
    weights = np.stack([_area(b, c, start), _area(c, a, start), _area(a, b, start)], axis=1)
    area = weights.sum(axis=1)
    over = ((weights >= 0).all(axis=1) | (weights <= 0).all(axis=1)) & (area != 0)
    heights = np.stack((a[:, 2], b[:, 2], c[:, 2]), axis=1) - start[:, 2:]
    signs: NDArray[np.float64] = np.where(over & ((weights * heights).sum(axis=1) * np.sign(area) > 0), np.sign(area), 0.0)
    return signs


def _area(a: Vertices, b: Vertices, c: Vertices) -> NDArray[np.float64]:
    """Twice the signed area of triangles seen from above."""
    doubled: NDArray[np.float64] = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return doubled
