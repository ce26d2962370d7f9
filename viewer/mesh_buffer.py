"""Corners for drawing: solids split into corners whose normals are smooth over arcs and sharp at bevels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from meshes.piece_set import PieceSet, PieceType
from meshes.solid import build_solid
from physics.pose import Pose

SIDES = 36
"""Sides of a full circle in drawn meshes: a UNI has 284 triangles, the 66 pieces of the classic set about 19 000."""
_CREASE_DEG = 26.0


@dataclass(frozen=True, slots=True, eq=False)
class DrawnMesh:
    """Triangles of one piece in its own frame.

    `corners` (n, 6) float32: position in mm and unit normal. `triangles` (m, 3) indices into them.
    """

    corners: NDArray[np.float32]
    triangles: NDArray[np.int32]


@lru_cache(maxsize=256)
def drawn_mesh(piece_set: PieceSet, piece: PieceType) -> DrawnMesh:
    """The piece's solid with a normal at each corner: the mean of the faces around it that are within 26° of the corner's own face."""
    mesh = build_solid(piece_set, piece, sides=SIDES).mesh
    faces, normals = np.asarray(mesh.faces), np.asarray(mesh.face_normals)
    weights = np.asarray(mesh.face_angles)
    corner_normals = _smoothed(faces, normals, weights, len(mesh.vertices))
    corners = np.column_stack([np.asarray(mesh.vertices)[faces].reshape(-1, 3), corner_normals.reshape(-1, 3)])
    unique, inverse = np.unique(corners.round(5), axis=0, return_inverse=True)
    return DrawnMesh(unique.astype(np.float32), inverse.reshape(-1, 3).astype(np.int32))


def joined(meshes: Sequence[DrawnMesh]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """All meshes as one: (n, 7) corners, the seventh number telling which mesh a corner belongs to, and (m, 3) triangles."""
    corners = [np.column_stack([mesh.corners, np.full(len(mesh.corners), number, np.float32)]) for number, mesh in enumerate(meshes)]
    starts = np.cumsum([0, *(len(mesh.corners) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return np.concatenate(corners).astype(np.float32), np.concatenate(triangles).astype(np.int32)


def posed_corners(piece_set: PieceSet, posed: Sequence[tuple[PieceType, Pose]]) -> NDArray[np.float64]:
    """(n, 3) mm: every corner of every piece where it really is; what a camera or a light must take in."""
    if not posed:
        return np.zeros((0, 3))
    return np.concatenate([pose.apply(drawn_mesh(piece_set, piece).corners[:, :3].astype(np.float64)) for piece, pose in posed])


def _smoothed(faces: NDArray[np.int64], normals: NDArray[np.float64], weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """(m, 3, 3) a unit normal for each corner of each face; faces count by the angle they have at the corner."""
    around: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for face, (corners, angles) in enumerate(zip(faces.tolist(), weights.tolist(), strict=True)):
        for corner, angle in zip(corners, angles, strict=True):
            around[corner].append((face, angle))
    limit = np.cos(np.radians(_CREASE_DEG))
    smoothed = np.empty((len(faces), 3, 3))
    for face, corners in enumerate(faces.tolist()):
        for place, corner in enumerate(corners):
            near, angles = zip(*around[corner], strict=True)
            alike = (normals[list(near)] @ normals[face] > limit) * np.array(angles)
            smoothed[face, place] = alike @ normals[list(near)]
    lengths = np.linalg.norm(smoothed, axis=2, keepdims=True)
    unit: NDArray[np.float64] = smoothed / lengths
    return unit
