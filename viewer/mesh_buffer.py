"""Corners for drawing: solids split into corners whose normals are smooth over arcs and sharp at bevels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

import numpy as np
import trimesh
from numpy.typing import NDArray

from meshes.piece_set import PieceSet, PieceType
from meshes.solid import build_solid

SIDES = 36
"""Sides of a full circle in drawn meshes: a UNI has 284 triangles, the 66 pieces of the classic set about 19 700."""
_COARSE_SIDES = 24
_CREASE_DEG = 26.0
_BEVEL_DEG = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class DrawnMesh:
    """Triangles of one piece in its own frame.

    `places` (n, 3) mm and `normals` (n, 3) unit, one each a corner; `triangles` (m, 3) indices into them.
    """

    places: NDArray[np.float64]
    normals: NDArray[np.float64]
    triangles: NDArray[np.int32]


class Level(Enum):
    """How finely pieces are drawn. COARSE, without bevels, is for shadows and for pictures in motion: a disc's rim is off by 0.1 mm at most."""

    COARSE = "coarse"
    FINE = "fine"


_OWN = {Level.COARSE: (0.15, 500), Level.FINE: (0.02, 1500)}
"""How far in mm the drawn mesh of a piece may be off the piece's own, and how many triangles at most."""


@lru_cache(maxsize=256)
def drawn_mesh(piece_set: PieceSet, piece: PieceType, level: Level = Level.FINE) -> DrawnMesh:
    """The piece's solid with a normal at each corner: smooth over arcs, level on flats, and rounding the bevel from wall to flat.

    A piece with a mesh of its own is smooth wherever its faces meet at less than `_CREASE_DEG`.
    """
    if piece.mesh is not None:
        return _own_mesh(piece.mesh.drawn(*_OWN[level]))
    if level is Level.COARSE:
        mesh = build_solid(replace(piece_set, bevel_mm=0.0), piece, sides=_COARSE_SIDES).mesh
    else:
        mesh = build_solid(piece_set, piece, sides=SIDES).mesh
    faces = np.asarray(mesh.faces)
    normals = _corner_normals(faces, np.asarray(mesh.face_normals), np.asarray(mesh.face_angles), len(mesh.vertices))
    corners = np.column_stack([np.asarray(mesh.vertices)[faces].reshape(-1, 3), normals.reshape(-1, 3)])
    unique, inverse = np.unique(corners.round(5), axis=0, return_inverse=True)
    return DrawnMesh(unique[:, :3], unique[:, 3:], inverse.reshape(-1, 3).astype(np.int32))


def _own_mesh(mesh: trimesh.Trimesh) -> DrawnMesh:
    smooth = trimesh.graph.smooth_shade(mesh, angle=np.radians(_CREASE_DEG))
    return DrawnMesh(np.array(smooth.vertices), np.array(smooth.vertex_normals), np.array(smooth.faces, np.int32))


def _corner_normals(faces: NDArray[np.int64], normals: NDArray[np.float64], angles: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """(m, 3, 3) a unit normal for each corner of each face.

    At a corner of a flat or wall it is the mean of the like faces around that are within `_CREASE_DEG`, weighted by their angles there. A bevel
    takes over the normals of the flats and walls it joins, so that light runs over it as over a rounded edge.
    """
    around: list[list[int]] = [[] for _ in range(count)]
    weights: list[list[float]] = [[] for _ in range(count)]
    for face, corners in enumerate(faces.tolist()):
        for place, corner in enumerate(corners):
            around[corner].append(face)
            weights[corner].append(float(angles[face, place]))
    is_bevel = (np.abs(normals[:, 2]) > 0.1) & (np.abs(normals[:, 2]) < 0.95)
    result = np.empty((len(faces), 3, 3))
    for face, corners in enumerate(faces.tolist()):
        limit = np.cos(np.radians(_BEVEL_DEG if is_bevel[face] else _CREASE_DEG))
        for place, corner in enumerate(corners):
            near = np.array(around[corner])
            alike = (normals[near] @ normals[face] > limit) & ~is_bevel[near]
            mean = (alike * np.array(weights[corner])) @ normals[near] if alike.any() else normals[face]
            result[face, place] = mean / np.linalg.norm(mean)
    return result
