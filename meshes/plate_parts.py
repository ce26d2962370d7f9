"""Convex parts of a plate: cut by upright planes where its outline has notches and holes, so that its flats stay flat. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from meshes.cuts import SAW_MM, Cut, plan_cuts
from meshes.manifolds import corners_and_faces

FILLED_SHARE = 0.02
"""The hulls of the parts may fill this much more than the body does; else it is no plate."""

_THIN_MM = 0.2
"""Thinner parts are crumbs of cutting and left out."""
_STEP_MM = 1e-6

Points = NDArray[np.float64]


def plate_parts(body: Manifold) -> list[Points] | None:
    """(n, 3) corners of convex bodies that together fill a closed body; None if upright cuts don't make it convex."""
    bits = [bit for shell in body.decompose() for piece in _split(shell, _plan(shell)) for bit in piece.decompose()]
    hulls = [bit.hull() for bit in bits]
    if sum(hull.volume() for hull in hulls) > (1 + FILLED_SHARE) * body.volume():
        return None
    return list(_corners(hulls)) or None


def _plan(shell: Manifold) -> Cut | None:
    """The cuts that its outline at half height demands."""
    _, _, low, _, _, high = shell.bounding_box()
    return plan_cuts([np.asarray(ring) for ring in shell.slice((low + high) / 2).to_polygons()])


def _split(body: Manifold, cut: Cut | None) -> list[Manifold]:
    if cut is None or body.is_empty():
        return [body]
    x, y = cut.normal
    ahead = body.trim_by_plane((x, y, 0.0), cut.offset_mm + SAW_MM)
    behind = body.trim_by_plane((-x, -y, 0.0), SAW_MM - cut.offset_mm)
    return _split(ahead, cut.ahead) + _split(behind, cut.behind)


def _corners(hulls: list[Manifold]) -> Iterator[Points]:
    for hull in hulls:
        points = np.round(corners_and_faces(hull)[0] / _STEP_MM) * _STEP_MM + 0.0
        if _width(points) > _THIN_MM:
            yield np.unique(points, axis=0)


def _width(points: Points) -> float:
    """How thick the hull of the points is where it is thinnest."""
    try:
        planes = np.unique(ConvexHull(points).equations.round(9), axis=0)
    except (QhullError, ValueError):
        return 0.0
    return float((-(planes[:, :3] @ points.T + planes[:, 3:]).min(axis=1)).min())
