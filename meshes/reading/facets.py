"""Flat faces of a closed surface: triangles that lie in one plane and hang together, taken as one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from meshes.reading.scene import Faces, Vertices
from meshes.reading.surface import Edges, Labels

_ROUGH = 0.05
"""Neighbours at a larger angle are never flat, however badly needles tell their planes."""

_ONE_WAY = 0.99
"""Of the area of a flat face so much is left when all of it is added as vectors."""

Mask = NDArray[np.bool_]


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
    order: Labels
    """all triangles, those of a face one after the other"""
    starts: Labels
    """(n + 1,) where those of a face begin in `order`"""

    def has_corner(self, facet: Labels, corner: Labels) -> NDArray[np.bool_]:
        """(k,) whether a corner is one of a face."""
        key = corner * len(self.offsets) + facet
        found: NDArray[np.bool_] = self.corners[np.minimum(np.searchsorted(self.corners, key), len(self.corners) - 1)] == key
        return found


def facets_of(vertices: Vertices, faces: Faces, edges: Edges, *, within: float) -> Facets:
    """The flat faces of a closed surface: no corner is more than `within` off the plane of its face."""
    points = vertices[faces]
    doubled = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    sides = _sides(edges)
    label = np.zeros(len(faces), dtype=np.int64)
    bent = np.ones(len(faces), dtype=bool)
    # needles tell their planes badly, so they go by the rough planes first; what then turns out bent goes by exact ones, and at last each alone
    for links in _flat_links(points, doubled, sides[edges.uses == 2], within):
        label[bent] = label.max() + 1 + _together(links, len(faces))[bent]
        label = np.unique(label, return_inverse=True)[1].ravel()
        normals, offsets, flat = _planes(points, doubled, label)
        off = np.abs(np.einsum("ijk,ik->ij", points, normals[label]) - offsets[label][:, None]).max(axis=1)
        bent = np.isin(label, label[(off > within) | ~flat[label]])
    order = np.argsort(label, kind="stable")
    starts = np.searchsorted(label[order], np.arange(len(offsets) + 1))
    low, high = np.minimum.reduceat(points.min(axis=1)[order], starts[:-1]), np.maximum.reduceat(points.max(axis=1)[order], starts[:-1])
    corners = np.unique(faces * len(offsets) + label[:, None])
    return Facets(label, label[sides], normals, offsets, low, high, corners, order, starts)


def _sides(edges: Edges) -> Labels:
    """(e, 2) the first and the last triangle at each edge."""
    order = np.argsort(edges.of_side, kind="stable") // 3
    ends = np.cumsum(edges.uses)
    return np.column_stack((order[ends - edges.uses], order[ends - 1]))


def _flat_links(points: NDArray[np.float64], doubled: NDArray[np.float64], sides: Labels, within: float) -> Iterator[Labels]:
    """(k, 2) neighbours that go on flat across their edge, as far as their planes can be told; by their planes alone; and none."""
    area = np.linalg.norm(doubled, axis=1)
    normals = doubled / np.where(area > 0, area, 1.0)[:, None]
    length = np.linalg.norm(points - np.roll(points, 1, axis=1), axis=2).max(axis=1)
    slant = np.minimum(within * length / np.where(area > 0, area, np.inf), _ROUGH)
    alike = np.einsum("ij,ij->i", normals[sides[:, 0]], normals[sides[:, 1]]) > 0
    rough, exact = alike.copy(), alike
    for one, other in (sides.T, sides.T[::-1]):
        off = np.abs(np.einsum("ijk,ik->ij", points[one] - points[other, :1], normals[other])).max(axis=1)
        exact = exact & (off <= within)
        rough &= off <= within + slant[other] * (length[one] + length[other])
    yield sides[rough]
    yield sides[exact]
    yield sides[:0]


def _together(links: Labels, count: int) -> Labels:
    """(count,) one label for all that is linked."""
    pairs = coo_matrix((np.ones(len(links), np.int8), (links[:, 0], links[:, 1])), shape=(count, count))
    label: Labels = connected_components(pairs, directed=False)[1].astype(np.int64)
    return label


def _planes(points: NDArray[np.float64], doubled: NDArray[np.float64], label: Labels) -> tuple[NDArray[np.float64], NDArray[np.float64], Mask]:
    """The plane of each label, by all its area: normal and offset; and whether the area looks one way, which what closes on itself does not."""
    area = np.linalg.norm(doubled, axis=1)
    total = np.bincount(label, weights=area)
    summed, middle = (
        np.column_stack([np.bincount(label, weights=values[:, k]) for k in range(3)]) for values in (doubled, area[:, None] * points.mean(axis=1))
    )
    size = np.linalg.norm(summed, axis=1)
    normals = summed / np.where(size > 0, size, 1.0)[:, None]
    return normals, np.einsum("ij,ij->i", normals, middle) / np.where(total > 0, total, 1.0), size >= _ONE_WAY * total
