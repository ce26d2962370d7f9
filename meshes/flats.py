"""Flats and sections of a mesh that lies with z up: what it stands on, what can lie on it, and its outline. Lengths in mm."""

from __future__ import annotations

import numpy as np
import shapely
import trimesh
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon

FLAT_MM = 0.05
"""What lies this near to the lowest or highest point belongs to the flat there."""
FACING = 0.5
"""…if it looks down or up rather than aside (within 60°): the small faces of a rough flat point anywhere near."""

_SNAP_MM = 1e-5
_ROUGH_SNAP_MM = 1e-3
_SCRAP_MM2 = 0.01
_SPECK_MM2 = 1e-5
_SCRAPS = 0.002
"""A rim that encloses so much more or less than its faces cover crosses itself."""

Points = NDArray[np.float64]


def flat_bottom(mesh: trimesh.Trimesh) -> MultiPolygon:
    """The flat a closed mesh stands on, seen from above, perhaps with holes; empty if there is none."""
    return _flat(mesh, float(mesh.vertices[:, 2].min()), -1.0)


def flat_top(mesh: trimesh.Trimesh) -> MultiPolygon:
    """The flat at its highest point."""
    return _flat(mesh, float(mesh.vertices[:, 2].max()), 1.0)


def covered(triangles: Points) -> MultiPolygon:
    """What triangles (n, 3, 2) cover together, however they lie; slow."""
    snapped = shapely.union_all(shapely.polygons(triangles[_sizes(triangles) > _SPECK_MM2]), grid_size=_ROUGH_SNAP_MM)
    # snapping may leave slits between long thin triangles, through which the whole falls apart
    whole = snapped.buffer(2 * _ROUGH_SNAP_MM, join_style="mitre").buffer(-2 * _ROUGH_SNAP_MM, join_style="mitre")
    return MultiPolygon([_without_pinholes(part) for part in shapely.get_parts(whole) if isinstance(part, Polygon) and part.area > _SCRAP_MM2])


def _without_pinholes(part: Polygon) -> Polygon:
    return Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area > _SCRAP_MM2])


def section(mesh: trimesh.Trimesh) -> MultiPolygon:
    """What a level plane at half its height cuts out of a closed mesh."""
    above = mesh.vertices[:, 2] - (mesh.vertices[:, 2].min() + mesh.vertices[:, 2].max()) / 2
    above = np.where(np.abs(above) < _SNAP_MM, _SNAP_MM, above)  # no corner in the plane itself
    sides = above[mesh.faces] > 0
    crossing = np.flatnonzero(sides.any(axis=1) & ~sides.all(axis=1))
    faces, sides = mesh.faces[crossing], sides[crossing]
    # the corner alone on its side goes first
    alone = np.where(sides.sum(axis=1) == 1, sides.argmax(axis=1), (~sides).argmax(axis=1))
    first, second, third = (np.take_along_axis(faces, ((alone + step) % 3)[:, None], axis=1)[:, 0] for step in range(3))
    ends = [_between(mesh.vertices, above, first, other) for other in (second, third)]
    return _area(np.stack(ends, axis=1))


def _between(vertices: Points, above: Points, a: NDArray[np.int64], b: NDArray[np.int64]) -> Points:
    """Where the edges a–b meet the plane, (n, 2); the same for an edge whichever face it is asked for."""
    a, b = np.minimum(a, b), np.maximum(a, b)
    share = (above[a] / (above[a] - above[b]))[:, None]
    met: Points = vertices[a, :2] * (1 - share) + vertices[b, :2] * share
    return met


def _flat(mesh: trimesh.Trimesh, level_mm: float, up: float) -> MultiPolygon:
    near = np.abs(mesh.vertices[:, 2] - level_mm) <= FLAT_MM
    faces = mesh.faces[near[mesh.faces].all(axis=1)].astype(np.int64)
    sides = mesh.vertices[faces]
    normals = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    faces = faces[normals[:, 2] * up > FACING * np.linalg.norm(normals, axis=1)]
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    numbers, counts = np.unique(edges[:, 0] * len(mesh.vertices) + edges[:, 1], return_counts=True)
    rim = np.stack(np.divmod(numbers[counts == 1], len(mesh.vertices)), axis=1)
    area = _area(mesh.vertices[rim][:, :, :2])
    triangles = mesh.vertices[faces][:, :, :2]
    size = float(_sizes(triangles).sum())
    return area if abs(area.area - size) <= _SCRAPS * size else covered(triangles)


def _sizes(triangles: Points) -> Points:
    return np.asarray(shapely.area(shapely.polygons(triangles)))


def _area(segments: Points) -> MultiPolygon:
    """What closed lines made of (n, 2, 2) `segments` enclose: of two, one within the other, the space between."""
    snapped = np.round(segments / _SNAP_MM) * _SNAP_MM
    snapped = snapped[(snapped[:, 0] != snapped[:, 1]).any(axis=1)]
    if not len(snapped):
        return MultiPolygon()
    lines = shapely.multilinestrings(shapely.linestrings(snapped))
    try:
        area = shapely.build_area(lines)
    except shapely.GEOSException:  # lines of a rough mesh may cross
        area = shapely.build_area(shapely.node(shapely.set_precision(lines, _ROUGH_SNAP_MM)))
    parts = [part for part in shapely.get_parts(area) if part.area > _SCRAP_MM2]
    return MultiPolygon(parts)
