"""Shapes the tests of nodes and checks share: extruded outlines, and meshes turned and shifted as files have them."""

from __future__ import annotations

import numpy as np
import shapely
import trimesh
from shapely import Point, Polygon, box


def plate(outline: Polygon, height_mm: float = 10.0) -> trimesh.Trimesh:
    """The outline as a plate that lies on z = 0."""
    mesh: trimesh.Trimesh = trimesh.creation.extrude_polygon(outline, height_mm)
    return mesh


def peanut(pitch_mm: float = 30.0, radius_mm: float = 12.8, neck_mm: float = 6.0) -> Polygon:
    """Two discs joined by a narrow neck."""
    discs = [Point(x, 0).buffer(radius_mm, quad_segs=24) for x in (0.0, pitch_mm)]
    return shapely.union_all([*discs, box(0, -neck_mm / 2, pitch_mm, neck_mm / 2)])


def moved(mesh: trimesh.Trimesh, turn_deg: float, shift_mm: tuple[float, float, float]) -> trimesh.Trimesh:
    """A copy turned about z and then shifted."""
    copy = mesh.copy()
    transform = trimesh.transformations.rotation_matrix(np.radians(turn_deg), [0, 0, 1])
    transform[:3, 3] = shift_mm
    copy.apply_transform(transform)
    return copy


def joined(*meshes: trimesh.Trimesh) -> trimesh.Trimesh:
    """Several bodies as one mesh."""
    mesh = trimesh.util.concatenate(meshes)
    assert isinstance(mesh, trimesh.Trimesh)
    return mesh
