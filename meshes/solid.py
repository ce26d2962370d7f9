"""Solids: watertight beveled meshes of pieces with their mass, centre and inertia. Lengths in mm, masses in g, bottom face on z = 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import trimesh
from manifold3d import Manifold, OpType
from numpy.typing import NDArray
from shapely import Polygon

from meshes.manifolds import corners_and_faces, manifold_of
from meshes.mesh_parts import mesh_parts
from meshes.outline import Ring, outline_rings
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet, PieceType

COLLISION_SIDES = 24
"""Sides of a full circle in collision parts and footprints; their arcs reach up to 0.9 % of the radius less far than the true one."""

_NEEDLE_MM = 1e-6
"""Triangles thinner than this, left where sides of two parts lie on one line, are merged away."""

Points = NDArray[np.float64]
Level = tuple[Ring, float]
"""A ring and its height z in mm."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A body of even density in its own frame: z = 0 is the bottom face, a piece's cell (0, 0) is at x = y = 0. Treat as read-only; it is shared."""

    mesh: trimesh.Trimesh
    mass_g: float
    centre_mm: Points
    """(3,) centre of mass."""
    inertia_g_mm2: Points
    """(3, 3) about the centre of mass, axes of the frame."""
    parts: tuple[Points, ...]
    """(n, 3) corners of convex bodies that together fill the solid, for collision; together their flats are its footprint and its top."""
    footprint: tuple[Polygon, ...]
    """The flat bottom face as polygons that may overlap: where it can touch what is below. Of a piece with a mesh they may be concave."""
    top: tuple[Polygon, ...]
    """The flat top face alike: where it can touch what is above."""
    height_mm: float


@lru_cache(maxsize=256)
def build_solid(piece_set: PieceSet, piece: PieceType, *, sides: int = 96) -> Solid:
    """The piece as a solid whose top and bottom edges are beveled at 45°; `sides` as in `outline`.

    Parts are united before anything is measured, so nothing counts twice where they overlap. Polygon error at 96 sides: volume and mass of a
    disc 0.07 % short, its inertia 0.14 %; less for larger pieces, whose straight sides are exact. At 36 sides a disc has 284 triangles
    and 0.5 % less volume. A piece with a mesh of its own is what that is, and `sides` does not matter.
    """
    if piece.mesh is not None:
        return _own_solid(piece.mesh, piece_set.density_g_cm3)
    height, bevel = piece_set.thickness_mm, piece_set.bevel_mm

    def part_levels(sides: int) -> list[list[Level]]:
        full, inset = (outline_rings(piece_set, piece, inset_mm=inset_mm, sides=sides) for inset_mm in (0.0, bevel))
        return [_beveled_levels(*rings, height, bevel) for rings in zip(full, inset, strict=True)]

    mesh = _united([prism(levels) for levels in part_levels(sides)])
    return _weighed(mesh, piece_set.density_g_cm3, part_levels(COLLISION_SIDES))


def box(length_mm: float, width_mm: float, height_mm: float, density_g_cm3: float) -> Solid:
    """A sharp-edged box, length along x and width along y, the middle of its bottom face at the origin; exact."""
    x, y = length_mm / 2, width_mm / 2
    ring = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    levels = [(ring, 0.0), (ring, height_mm)]
    return _weighed(prism(levels), density_g_cm3, [levels])


def prism(levels: Sequence[Level]) -> trimesh.Trimesh:
    """A closed mesh through convex rings of equally many corresponding points, lowest first, flat at both ends."""
    count = len(levels[0][0])
    vertices = np.concatenate([_lifted(level) for level in levels])
    here = np.arange(count)
    there = np.roll(here, -1)
    faces = [_cap(count)[:, ::-1]]
    for low in range(0, count * (len(levels) - 1), count):
        high = low + count
        faces += [np.column_stack([here + low, there + low, there + high]), np.column_stack([here + low, there + high, here + high])]
    faces.append(_cap(count) + count * (len(levels) - 1))
    return trimesh.Trimesh(vertices, np.concatenate(faces), process=False)


def _cap(count: int) -> NDArray[np.int64]:
    """(count − 2, 3) triangles of a convex ring, counter-clockwise, as a strip that zigzags across it (a fan would give needles)."""
    left, right, faces = 0, 1, []
    for step in range(count - 2):
        if step % 2 == 0:
            following = (left - 1) % count
            faces.append((left, right, following))
            left = following
        else:
            faces.append((left, right, right + 1))
            right += 1
    return np.array(faces)


def _lifted(level: Level) -> Points:
    ring, z = level
    return np.column_stack([ring, np.full(len(ring), z)])


def _beveled_levels(full: Ring, inset: Ring, height_mm: float, bevel_mm: float) -> list[Level]:
    if bevel_mm == 0:
        return [(full, 0.0), (full, height_mm)]
    return [(inset, 0.0), (full, bevel_mm), (full, height_mm - bevel_mm), (inset, height_mm)]


def _united(meshes: Sequence[trimesh.Trimesh]) -> trimesh.Trimesh:
    """One closed mesh that fills what any of `meshes` fills. In double precision, which trimesh's own union has not."""
    if len(meshes) == 1:
        return meshes[0]
    bodies = [body for mesh in meshes if (body := manifold_of(mesh.vertices, mesh.faces)) is not None]
    assert len(bodies) == len(meshes), "prisms are closed"
    united = Manifold.batch_boolean(bodies, OpType.Add)
    united = united.as_original()  # forgets which body a face came from, else faces of two bodies are never merged
    return trimesh.Trimesh(*corners_and_faces(united.simplify(_NEEDLE_MM)), process=False)


@lru_cache(maxsize=256)
def _own_solid(own: PieceMesh, density_g_cm3: float) -> Solid:
    mesh = own.trimesh.copy()
    return _solid(mesh, density_g_cm3, mesh_parts(own), own.bottom, own.top, own.height_mm)


def _weighed(mesh: trimesh.Trimesh, density_g_cm3: float, parts: Sequence[Sequence[Level]]) -> Solid:
    corners = [np.concatenate([_lifted(level) for level in levels]) for levels in parts]
    flat = tuple(Polygon(levels[0][0]) for levels in parts)
    return _solid(mesh, density_g_cm3, corners, flat, flat, parts[0][-1][1])


def _solid(
    mesh: trimesh.Trimesh, density_g_cm3: float, parts: Sequence[Points], bottom: tuple[Polygon, ...], top: tuple[Polygon, ...], height_mm: float
) -> Solid:
    mesh.density = density_g_cm3 / 1000
    weighed = mesh.mass_properties
    return Solid(
        mesh=mesh,
        mass_g=float(_rounded(np.array([weighed.mass]))[0]),
        centre_mm=_frozen(_rounded(weighed.center_mass)),
        inertia_g_mm2=_frozen(_rounded(weighed.inertia)),
        parts=tuple(_frozen(part) for part in parts),
        footprint=bottom,
        top=top,
        height_mm=height_mm,
    )


def _rounded(values: Points) -> Points:
    """To 12 digits of the largest: the last digits of sums differ between machines, and towers must not."""
    unit = 10.0 ** (math.floor(math.log10(np.abs(values).max())) - 11)
    rounded: Points = np.round(values / unit) * unit + 0.0
    return rounded


def _frozen(values: Points) -> Points:
    copy = np.array(values, dtype=np.float64)
    copy.setflags(write=False)
    return copy
