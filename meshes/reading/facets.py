"""Flat faces of a closed surface: triangles that lie in one plane and hang together, taken as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from meshes.reading.scene import Faces, Vertices
from meshes.reading.surface import Edges, Labels


@dataclass(frozen=True, eq=False)
class Facets:
    """The flat faces (n) of a surface; their planes are `normals` · place = `offsets`. Without area one has no normal, and nothing is off it."""

    label: Labels
    """(m,) which flat face a triangle is of"""
    at_edge: Labels
    """(e, 2) the flat faces on either side of an edge; the same twice where the edge is within one"""
    normals: NDArray[np.float64]
    offsets: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    corners: NDArray[np.int64]
    """every corner of every face once, as `corner * n + face`, in order"""

    def has_corner(self, facet: Labels, corner: Labels) -> NDArray[np.bool_]:
        """(k,) whether a corner is one of a face."""
        key = corner * len(self.offsets) + facet
        found: NDArray[np.bool_] = self.corners[np.minimum(np.searchsorted(self.corners, key), len(self.corners) - 1)] == key
        return found


def facets_of(vertices: Vertices, faces: Faces, edges: Edges, *, within: float) -> Facets:
    """The flat faces of a closed surface: no corner is more than `within` off the plane of its face."""
    points = vertices[faces]
    doubled = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    area = np.linalg.norm(doubled, axis=1)
    normals = doubled / np.where(area > 0, area, 1.0)[:, None]
    sides = _sides(edges)
    label = _flat_together(points, normals, sides, edges.uses == 2, within)
    plane = _largest(label, area)
    off = np.abs(np.einsum("ijk,ik->ij", points - points[plane[label], :1], normals[plane[label]])).max(axis=1)
    label = _numbered(label, np.isin(label, label[off > within]))
    plane = _largest(label, area)
    order = np.argsort(label, kind="stable")
    starts = np.searchsorted(label[order], np.arange(len(plane)))
    low, high = np.minimum.reduceat(points.min(axis=1)[order], starts), np.maximum.reduceat(points.max(axis=1)[order], starts)
    corners = np.unique(faces * len(plane) + label[:, None])
    return Facets(label, label[sides], normals[plane], np.einsum("ij,ij->i", normals[plane], points[plane, 0]), low, high, corners)


def _sides(edges: Edges) -> Labels:
    """(e, 2) the first and the last triangle at each edge."""
    order = np.argsort(edges.of_side, kind="stable") // 3
    ends = np.cumsum(edges.uses)
    return np.column_stack((order[ends - edges.uses], order[ends - 1]))


def _flat_together(points: NDArray[np.float64], normals: NDArray[np.float64], sides: Labels, paired: NDArray[np.bool_], within: float) -> Labels:
    """(m,) triangles that go on flat across an edge with two faces have one label."""
    a, b = sides[paired].T
    off = [np.abs(np.einsum("ijk,ik->ij", points[one] - points[other, :1], normals[other])).max(axis=1) for one, other in ((a, b), (b, a))]
    flat = (off[0] <= within) & (off[1] <= within) & (np.einsum("ij,ij->i", normals[a], normals[b]) > 0)
    links = coo_matrix((np.ones(int(flat.sum()), np.int8), (a[flat], b[flat])), shape=(len(points),) * 2)
    label: Labels = connected_components(links, directed=False)[1].astype(np.int64)
    return label


def _largest(label: Labels, area: NDArray[np.float64]) -> Labels:
    """The largest triangle of each label."""
    order = np.lexsort((area, label))
    last: Labels = order[np.flatnonzero(np.diff(label[order], append=-1))]
    return last


def _numbered(label: Labels, alone: NDArray[np.bool_]) -> Labels:
    """Labels numbered anew, some triangles each on its own: those of a bent surface, which seemed flat step by step."""
    own = np.where(alone, label.max() + 1 + np.arange(len(label)), label)
    numbered: Labels = np.unique(own, return_inverse=True)[1].ravel()
    return numbered
