"""Whether a mesh can be printed: its size, its thinnest wall, its overhangs. It lies as it is printed, z up. Lengths in mm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray

from meshes.errors import Defect

THINNEST_WALL_MM = 0.8
"""Two lines of a usual 0.4 mm nozzle."""
STEEPEST_DEG = 50.0
"""An overhang that leans farther from the vertical needs supports."""
PLATE_MM = 220.0
"""Side of a usual print plate."""

_SAMPLES = 3000
_FACING = -math.cos(math.radians(30))
"""The two sides of a wall look away from each other within 30°; sides that meet at a larger angle make an edge, not a wall."""
_INSIDE_MM = 1e-3
_FIRST_LAYER_MM = 0.3
_NEGLIGIBLE_MM2 = 0.5


@dataclass(frozen=True, slots=True)
class Printable:
    """`size_mm`: x, y, z. `thinnest_mm`: the thinnest wall found by rays at thousands of places, None if there are none. `overhang_deg`: how far
    the steepest overhang leans from the vertical (90: a ceiling), `overhang_mm2`: the area that needs supports."""

    size_mm: tuple[float, float, float]
    thinnest_mm: float | None
    overhang_deg: float
    overhang_mm2: float

    @property
    def defects(self) -> tuple[Defect, ...]:
        """What a printer can't make."""
        if self.thinnest_mm is None or self.thinnest_mm >= THINNEST_WALL_MM:
            return ()
        message = f"its thinnest wall is {self.thinnest_mm:.2f} mm, printers need {THINNEST_WALL_MM:g} mm; thicken it"
        return (Defect("thin-wall", "", message),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a printer needs."""
        notes = []
        if self.overhang_mm2 > 0:
            lean = f"overhangs lean up to {self.overhang_deg:.0f}° from the vertical"
            notes.append(f"{lean}: {self.overhang_mm2:.0f} mm² need supports (more than {STEEPEST_DEG:g}°)")
        if max(self.size_mm[:2]) > PLATE_MM:
            notes.append(f"it is larger than a usual print plate of {PLATE_MM:g} mm")
        return tuple(notes)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "size_mm": [round(side, 4) for side in self.size_mm],
            "thinnest_wall_mm": None if self.thinnest_mm is None else round(self.thinnest_mm, 4),
            "overhang_deg": round(self.overhang_deg, 2),
            "overhang_mm2": round(self.overhang_mm2, 2),
            "printable": not self.defects,
        }


def printable(mesh: trimesh.Trimesh) -> Printable:
    """Measure a closed mesh. The same mesh gives the same figures every time."""
    x, y, z = (float(side) for side in np.ptp(mesh.vertices, axis=0))
    steepest, area = _overhang(mesh)
    return Printable((x, y, z), _thinnest_wall(mesh), steepest, area)


def _thinnest_wall(mesh: trimesh.Trimesh) -> float | None:
    """The shortest way through the body, straight in from its surface to a face that looks the other way."""
    places, faces = _spread(mesh)
    inwards = -mesh.face_normals[faces]
    hits, rays, met = mesh.ray.intersects_location(places + inwards * _INSIDE_MM, inwards, multiple_hits=False)
    if not len(rays):
        return None
    facing = (mesh.face_normals[met] * mesh.face_normals[faces[rays]]).sum(axis=1) < _FACING
    ways = np.linalg.norm(hits - places[rays], axis=1)[facing]
    return float(ways.min()) if len(ways) else None


def _spread(mesh: trimesh.Trimesh) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Places on the surface and their faces: by area, and on faces of all sizes."""
    rng = np.random.default_rng(0)
    areas = mesh.area_faces
    by_area = rng.choice(len(areas), _SAMPLES // 2, p=areas / areas.sum())
    real = np.flatnonzero(areas > 1e-6)
    faces = np.concatenate([by_area, rng.permutation(real)[: _SAMPLES // 2]])
    shares = rng.dirichlet((1.0, 1.0, 1.0), len(faces))
    return np.einsum("ij,ijk->ik", shares, mesh.triangles[faces]), faces


def _overhang(mesh: trimesh.Trimesh) -> tuple[float, float]:
    """The farthest lean, and the area beyond what prints without supports."""
    down = -mesh.face_normals[:, 2]
    hangs = (down > 0) & (mesh.triangles[:, :, 2].max(axis=1) - mesh.vertices[:, 2].min() > _FIRST_LAYER_MM) & (mesh.area_faces > 1e-6)
    if not hangs.any():
        return 0.0, 0.0
    leans, areas = np.degrees(np.arcsin(np.clip(down[hangs], 0, 1))), mesh.area_faces[hangs]
    area = float(areas[leans > STEEPEST_DEG].sum())
    return float(leans.max()), area if area > _NEGLIGIBLE_MM2 else 0.0
