"""Convex parts: any closed mesh as a few convex bodies, which is all a physics engine can collide. Lengths in mm."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import trimesh
from manifold3d import Manifold
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull, QhullError

from meshes.cache import cache_folder
from meshes.errors import BadMesh, Defect, UnwritableFile
from meshes.files import write_atomically
from meshes.manifolds import corners_and_faces, manifold_of
from meshes.plate_parts import plate_parts

DENT_MM = 0.1
"""A mesh whose dents are nowhere deeper…"""
MISSING_SHARE = 0.005
"""…and which fills its hull up to this share counts as convex."""
CONCAVITY = 0.05
"""How concave a part may stay, as coacd measures it: a share of the size of the whole."""
FINEST_FACES = 3000
"""A finer mesh is simplified before coacd takes it apart…"""
MOST_PARTS = 32
"""…and into no more parts."""

_OFF_MM = 0.05
_CACHE_FORM = "2"
"""To be raised whenever other parts come out, so that old ones are not taken."""

Points = NDArray[np.float64]


def convex_parts_of(mesh: trimesh.Trimesh) -> tuple[Points, ...]:
    """(n, 3) corners of convex bodies that together fill `mesh` (mm); one, its hull, if it is convex within `DENT_MM` and `MISSING_SHARE`.

    Sealed hollows don't count. A concave plate is cut by upright planes, anything else is left to coacd, which takes some seconds; the same way
    each time, and remembered in the cache folder. Raises `BadMesh` if it is flat or can't be taken apart.
    """
    outside = _outside(mesh)
    hull = _hull(outside.vertices)
    if _fills_hull(outside, hull):
        return (hull.points[hull.vertices],)
    path = _cache_path(mesh)
    kept = _kept(path)
    if kept is None:
        kept = _taken_apart(outside)
        _keep(path, kept)
    return tuple(kept)


def is_convex(mesh: trimesh.Trimesh) -> bool:
    """Whether a closed mesh is convex within `DENT_MM` and `MISSING_SHARE`, sealed hollows aside. Raises `BadMesh` if it is flat."""
    outside = _outside(mesh)
    return _fills_hull(outside, _hull(outside.vertices))


def _outside(mesh: trimesh.Trimesh) -> trimesh.Trimesh:
    """The mesh without the walls of sealed hollows."""
    edges = np.concatenate([mesh.faces[:, :2], mesh.faces[:, 1:]])
    count, of_corner = connected_components(coo_matrix((np.ones(len(edges), np.int8), edges.T), shape=(len(mesh.vertices),) * 2), directed=False)
    labels = of_corner[mesh.faces[:, 0]]
    triangles = mesh.triangles
    outward = np.bincount(labels, np.einsum("ij,ij->i", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])), count) > 0
    if outward[labels].all() or not outward.any():
        return mesh
    outside = trimesh.Trimesh(mesh.vertices, mesh.faces[outward[labels]], process=False)
    outside.remove_unreferenced_vertices()
    return outside


def _hull(points: Points) -> ConvexHull:
    try:
        return ConvexHull(points)
    except QhullError as error:
        raise _refused("flat", "it has no volume: all its corners lie in one plane; give it thickness") from error


def _fills_hull(mesh: trimesh.Trimesh, hull: ConvexHull) -> bool:
    if mesh.volume < hull.volume * (1 - MISSING_SHARE):
        return False
    planes = np.unique(hull.equations.round(6), axis=0)
    inner = np.setdiff1d(np.arange(len(hull.points)), hull.vertices)
    return all((planes[:, :3] @ part.T + planes[:, 3:]).max(axis=0).min() >= -DENT_MM for part in _chunks(hull.points[inner], len(planes)))


def _chunks(points: Points, planes: int) -> list[Points]:
    """So few at a time that no more than some 16 MB are needed."""
    count = max(1, len(points) * planes // 2_000_000)
    return [chunk for chunk in np.array_split(points, count) if len(chunk)]


def _taken_apart(mesh: trimesh.Trimesh) -> list[Points]:
    body = manifold_of(mesh.vertices, mesh.faces)
    if body is None:
        return _by_coacd(np.asarray(mesh.vertices), np.asarray(mesh.faces), is_manifold=False)
    plain = body.simplify(_OFF_MM)
    return plate_parts(plain) or _by_coacd(*_coarse(plain))


def _coarse(body: Manifold) -> tuple[Points, NDArray[np.int64], bool]:
    """Corners and faces, few of them, and whether they are still closed."""
    corners, faces = corners_and_faces(body)
    if len(faces) <= FINEST_FACES:
        return corners, faces, True
    coarse = trimesh.Trimesh(corners, faces, process=False).simplify_quadric_decimation(face_count=FINEST_FACES)
    return np.asarray(coarse.vertices), np.asarray(coarse.faces), bool(coarse.is_watertight)


def _by_coacd(vertices: Points, faces: NDArray[np.int64], is_manifold: bool) -> list[Points]:
    import coacd  # only what is neither convex nor a plate needs it

    coacd.set_log_level("error")
    parts = coacd.run_coacd(
        coacd.Mesh(vertices, faces),
        threshold=CONCAVITY,
        max_convex_hull=MOST_PARTS,
        preprocess_mode="off" if is_manifold else "on",
        mcts_iterations=60,
        mcts_nodes=10,
        mcts_max_depth=2,
        resolution=1000,
        seed=1,
    )
    if not parts:
        raise _refused("no-parts", "it can't be taken apart into convex bodies; mend it in a modelling program")
    corners = (np.asarray(points, np.float64) for points, _ in parts)
    return [points[_hull(points).vertices] for points in corners]


def _cache_path(mesh: trimesh.Trimesh) -> Path:
    shape = np.ascontiguousarray(mesh.vertices, np.float64).tobytes() + np.ascontiguousarray(mesh.faces, np.int64).tobytes()
    return cache_folder() / "parts" / f"{hashlib.sha256(_CACHE_FORM.encode() + shape).hexdigest()}.npz"


def _kept(path: Path) -> list[Points] | None:
    """What the cache holds; a file that is damaged is as good as none."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return [np.asarray(file[f"arr_{n}"], np.float64).reshape(-1, 3) for n in range(len(file.files))]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None


def _keep(path: Path, parts: Sequence[Points]) -> None:
    content = io.BytesIO()
    np.savez_compressed(content, *parts)
    with suppress(OSError, UnwritableFile):  # without a cache it only takes longer the next time
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content.getvalue())


def _refused(code: str, message: str) -> BadMesh:
    return BadMesh("of a piece", [Defect(code, "", message)])
