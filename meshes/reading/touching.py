"""Closed surfaces that lie on one another: told apart where they share edges or whole faces, by the order in which their faces were written."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from meshes.reading.limits import FLAT_SHARE
from meshes.reading.scene import Faces, Vertices
from meshes.reading.surface import Edges, Labels


def closed_alone(vertices: Vertices, faces: Faces, edges: Edges) -> Labels:
    """(m,) which closed surface of its own a face belongs to, numbered by first face; -1 for faces of none.

    Where more than two faces meet at an edge, those written one after the other belong together if they run along it opposite ways: programs
    write bodies one by one. Only what is closed by this, looks one way and encloses something counts.
    """
    order = np.argsort(edges.of_side, kind="stable")
    edge = edges.of_side[order]
    place = np.arange(len(order)) - np.searchsorted(edge, edge)
    first = np.flatnonzero((place[:-1] % 2 == 0) & (edge[1:] == edge[:-1]))
    a, b = order[first], order[first + 1]
    ends = np.stack((faces, np.roll(faces, -1, axis=1)), axis=2).reshape(-1, 2)
    fits = (edges.uses[edge[first]] == 2) | (ends[a, 0] == ends[b, 1])
    pair = np.ones(int(fits.sum()), np.int8), (a[fits] // 3, b[fits] // 3)
    label = connected_components(coo_matrix(pair, shape=(len(faces),) * 2), directed=False)[1]
    good = _closed(label, edges, ends) & _encloses(label, vertices, faces)
    _, firsts = np.unique(label, return_index=True)
    rank = np.full(len(firsts), -1)
    kept = np.flatnonzero(good)
    rank[kept[np.argsort(firsts[kept])]] = np.arange(len(kept))
    numbered: Labels = rank[label]
    return numbered


def _closed(label: Labels, edges: Edges, ends: Labels) -> np.ndarray:
    """Of each label: whether two of its faces, which look the same way, meet at each of its edges."""
    owner = np.repeat(label, 3)
    _, key = np.unique(owner * len(edges.uses) + edges.of_side, return_inverse=True)
    forward = np.where(ends[:, 0] < ends[:, 1], 1, -1)
    odd = (np.bincount(key) != 2) | (np.bincount(key, weights=forward) != 0)
    bad = np.zeros(int(label.max()) + 1, dtype=bool)
    bad[owner[odd[key]]] = True
    return ~bad


def _encloses(label: Labels, vertices: Vertices, faces: Faces) -> np.ndarray:
    corners = vertices[faces] - vertices.mean(axis=0)
    volumes = np.bincount(label, weights=np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6
    enough: np.ndarray = np.abs(volumes) > FLAT_SHARE * float(np.ptp(vertices, axis=0).max()) ** 3
    return enough
