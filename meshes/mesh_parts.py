"""Convex parts of a piece's own mesh, as few corners as the physics needs. Lengths in mm."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from meshes.piece_mesh import PieceMesh

OFF_MM = 0.05
"""Corners that stick out of what the others span by less are left out."""
MOST_CORNERS = 300
"""Of one part; a body of several hundred corners slows every contact."""

Points = NDArray[np.float64]


@lru_cache(maxsize=64)
def mesh_parts(mesh: PieceMesh) -> tuple[Points, ...]:
    """(n, 3) corners of convex bodies that together fill the mesh; one if it is convex."""
    from meshes.convexity import convex_parts_of  # takes its time to import, and most sets have no meshes

    return tuple(_thinned(np.asarray(part, np.float64)) for part in convex_parts_of(mesh.trimesh))


def _thinned(points: Points) -> Points:
    """Those corners of the hull of (n, 3) `points` that matter: those that stick out most are added, again and again, one for each face.

    Begins with the farthest corners in 26 directions, so that length, width and height stay what they are.
    """
    corners = points[ConvexHull(points).vertices]
    signs = np.array(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1])).reshape(3, -1).T
    chosen = set((corners @ signs[np.any(signs, axis=1)].T).argmax(axis=0).tolist())
    while len(chosen) < min(MOST_CORNERS, len(corners)):
        hull = ConvexHull(corners[sorted(chosen)])
        heights = corners @ hull.equations[:, :3].T + hull.equations[:, 3]
        farthest = np.unique(heights.argmax(axis=0))
        out = heights[farthest].max(axis=1)
        far = farthest[np.argsort(-out, kind="stable")][: np.count_nonzero(out > OFF_MM)]
        if not len(far):
            break
        chosen.update(far[: min(max(1, len(chosen) // 4), MOST_CORNERS - len(chosen))].tolist())
    thinned: Points = corners[sorted(chosen)]
    return thinned
