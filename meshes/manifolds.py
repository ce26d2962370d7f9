"""To and from manifold3d, which unites, cuts and simplifies closed bodies. Lengths in mm."""

from __future__ import annotations

import numpy as np
from manifold3d import Error, Manifold, Mesh64
from numpy.typing import ArrayLike, NDArray


def manifold_of(vertices: ArrayLike, faces: ArrayLike) -> Manifold | None:
    """The body that `faces` (m, 3) on `vertices` (n, 3) close, in double precision; None if they enclose nothing or some edge has not two faces."""
    # copies, as it takes no read-only or turned arrays
    body = Manifold(Mesh64(np.array(vertices, np.float64, order="C"), np.array(faces, np.uint64, order="C")))
    return None if body.status() != Error.NoError or body.is_empty() else body


def corners_and_faces(body: Manifold) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(n, 3) and (m, 3) of a body's surface."""
    mesh = body.to_mesh64()
    return np.array(mesh.vert_properties, np.float64)[:, :3], np.array(mesh.tri_verts, np.int64)
