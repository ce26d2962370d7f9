"""Triangles as surfaces: corners welded, edges counted, shells told apart, windings agreed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from meshes.reading.scene import Faces, Vertices

Labels = NDArray[np.int64]

_MOST_NEIGHBOURS = 20_000_000


class Edges(NamedTuple):
    """The edges of faces (m, 3). Side s of face f is row 3 f + s of `of_side`."""

    of_side: Labels
    """(3 m,) which edge a side lies on"""
    ends: NDArray[np.int64]
    """(e, 2) lower and higher corner"""
    uses: NDArray[np.int64]
    """(e,) how many faces have the edge"""
    balance: NDArray[np.int64]
    """(e,) faces that run along it from the lower to the higher corner, less those that run back; 0 all over where closed"""


def edges_of(faces: Faces) -> Edges:
    """Every edge once, with who uses it."""
    sides = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    low, high = np.minimum(*sides.T), np.maximum(*sides.T)
    span = int(sides.max(initial=0)) + 1
    keys, of_side = np.unique(low * span + high, return_inverse=True)
    forward = np.where(sides[:, 0] == low, 1, -1)
    balance = np.rint(np.bincount(of_side, weights=forward, minlength=len(keys))).astype(np.int64)
    return Edges(of_side, np.column_stack((keys // span, keys % span)), np.bincount(of_side, minlength=len(keys)), balance)


def welded(vertices: Vertices, faces: Faces) -> tuple[Vertices, Faces]:
    """Corners at the same place made one, unused ones left out; corners stay in the order faces first name them."""
    used, corner = np.unique(faces, return_inverse=True)
    points = vertices[used] + 0.0  # -0 and 0 are one place
    order = np.lexsort(points.T)
    ordered = points[order]
    first = np.ones(len(points), dtype=bool)
    differ = ordered[1:] != ordered[:-1]
    first[1:] = differ[:, 0] | differ[:, 1] | differ[:, 2]
    place = np.empty(len(points), dtype=np.int64)
    place[order] = np.cumsum(first) - 1
    return compact(ordered[first], place[corner].reshape(-1, 3))


def compact(vertices: Vertices, faces: Faces) -> tuple[Vertices, Faces]:
    """Only the corners that faces use, in the order in which they first do."""
    used, first, corner = np.unique(faces, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(used), dtype=np.int64)
    rank[order] = np.arange(len(used))
    return vertices[used[order]], rank[corner].reshape(-1, 3)


def seams_closed(vertices: Vertices, faces: Faces, within: float) -> tuple[Vertices, Faces]:
    """Corners on open edges that are at most `within` apart made one, which closes seams; not where whole meshes are that small."""
    edges = edges_of(faces)
    rim = np.unique(edges.ends[edges.uses == 1])
    tree = cKDTree(vertices[rim]) if len(rim) else None
    if tree is None or not len(rim) < tree.count_neighbors(tree, within) < _MOST_NEIGHBOURS:
        return vertices, faces
    pairs = tree.query_pairs(within, output_type="ndarray")
    _, label = connected_components(coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(rim), len(rim))), directed=False)
    _, leader = np.unique(label, return_index=True)
    target = np.arange(len(vertices))
    target[rim] = rim[leader[label]]
    return compact(vertices, target[faces])


def without_needless(faces: Faces) -> tuple[Faces, int, int]:
    """Faces with three corners, each once; how many were no triangles, and how many were there twice.

    Two faces on the same corners that look opposite ways are a wall between two bodies that touch: both go.
    """
    real = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    turned = (np.argmin(real, axis=1)[:, None] + np.arange(3)) % 3
    rolled = np.take_along_axis(real, turned, axis=1)
    odd = rolled[:, 1] > rolled[:, 2]
    _, first, same, count = np.unique(np.sort(rolled, axis=1), axis=0, return_index=True, return_inverse=True, return_counts=True)
    if (count == 1).all():
        return real, len(faces) - len(real), 0
    odds = np.bincount(same.ravel(), weights=odd, minlength=len(count))
    walls = (odds > 0) & (odds < count)
    keep = np.sort(first[~walls])
    return real[keep], len(faces) - len(real), len(real) - len(keep)


def shell_labels(faces: Faces, edges: Edges) -> Labels:
    """(m,) which shell a face belongs to: faces that share an edge are of one; numbered by first face."""
    sides = np.arange(3 * len(faces))
    total = len(faces) + len(edges.uses)
    links = coo_matrix((np.ones(len(sides), dtype=np.int8), (sides // 3, len(faces) + edges.of_side)), shape=(total, total))
    label = connected_components(links, directed=False)[1][: len(faces)]
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def agreed(faces: Faces, edges: Edges) -> tuple[Faces, int, int]:
    """Windings that agree across edges, the fewest faces of each shell turned; how many were turned, and how many can't agree (one-sided)."""
    paired = np.flatnonzero(edges.uses == 2)
    if not edges.balance[paired].any():
        return faces, 0, 0
    order = np.argsort(edges.of_side, kind="stable")
    start = np.searchsorted(edges.of_side[order], paired)
    a, b = order[start] // 3, order[start + 1] // 3
    differ = edges.balance[paired] != 0
    # every face twice, as it is and turned; what agrees is linked, so that the two sides of a surface fall apart
    m = len(faces)
    links_from = np.concatenate((a, a + m))
    links_to = np.concatenate((np.where(differ, b + m, b), np.where(differ, b, b + m)))
    count, label = connected_components(coo_matrix((np.ones(len(links_from), np.int8), (links_from, links_to)), shape=(2 * m, 2 * m)), directed=False)
    kept, turned = label[:m], label[m:]
    votes = np.bincount(kept, minlength=count)
    flip = (votes[turned] > votes[kept]) | ((votes[turned] == votes[kept]) & (turned < kept))
    return np.where(flip[:, None], faces[:, ::-1], faces), int(flip.sum()), int((kept == turned).sum())


def volume(vertices: Vertices, faces: Faces) -> float:
    """Signed volume of a closed surface; below 0 where it looks inwards."""
    a, b, c = (vertices[faces[:, k]] - vertices[faces[0, 0]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def hole_count(ends: NDArray[np.int64]) -> int:
    """How many loops open edges (k, 2) make."""
    corners, compacted = np.unique(ends, return_inverse=True)
    pairs = compacted.reshape(-1, 2)
    links = coo_matrix((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(len(corners), len(corners)))
    return int(connected_components(links, directed=False)[0])
