"""Checking a mesh as a piece: what it weighs, where its nodes are, whether it prints and lies flat.

check = check_part(read_mesh_file("uni.stl").part(None), piece_set=load_piece_set("classic"))
check.sound, check.defects, check.to_json()
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray

from meshes.convexity import DENT_MM, is_convex
from meshes.errors import BadMesh, Defect, StakdError
from meshes.lattice import Cells
from meshes.mesh_file import MeshPart
from meshes.nodes import NodeReport, find_nodes, fit_nodes
from meshes.piece_mesh import MOST_FACES, PieceMesh
from meshes.piece_set import PieceSet, load_piece_set
from meshes.printable import Printable, printable
from meshes.solid import Solid, build_solid
from physics.drop_test import DropTest, drop_test


@dataclass(frozen=True, slots=True, eq=False)
class Weight:
    """A closed mesh of even density. mm, g, g·mm²; `inertia_g_mm2` (3, 3) about the centre of mass, axes of the file."""

    volume_mm3: float
    density_g_cm3: float
    centre_mm: NDArray[np.float64]
    inertia_g_mm2: NDArray[np.float64]

    @classmethod
    def of(cls, mesh: trimesh.Trimesh, density_g_cm3: float) -> Weight:
        """Exact for the mesh, be it however far from its origin: reckoned about its middle, as moments about a place far off swallow all digits."""
        middle = mesh.bounds.mean(axis=0)
        figures = trimesh.triangles.mass_properties(mesh.triangles - middle, density=density_g_cm3 / 1000)
        return cls(float(figures.volume), density_g_cm3, np.asarray(figures.center_mass) + middle, np.asarray(figures.inertia))

    @property
    def mass_g(self) -> float:
        """Volume times density."""
        return self.volume_mm3 * self.density_g_cm3 / 1000

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "volume_mm3": round(self.volume_mm3, 3),
            "density_g_cm3": self.density_g_cm3,
            "mass_g": round(self.mass_g, 4),
            "centre_mm": self.centre_mm.round(4).tolist(),
            "inertia_g_mm2": self.inertia_g_mm2.round(3).tolist(),
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PieceCheck:
    """What is known of a part. One that can't be a piece is not weighed, and nothing else is measured; then those are as they are by default.

    `convex_parts`: how many convex bodies collide in its place, 1 if it is convex itself. `defects` are all that make it unsound.
    """

    name: str
    triangles: int
    size_mm: tuple[float, float, float]
    watertight: bool
    weight: Weight | None = None
    is_convex: bool = False
    convex_parts: int = 0
    printable: Printable | None = None
    drop: DropTest | None = None
    nodes: NodeReport | None = None
    defects: tuple[Defect, ...]
    notes: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether it can be a piece as it is."""
        return not self.defects

    def to_json(self) -> dict[str, Any]:
        """Plain data, all that the table shows and more."""
        return {
            "name": self.name,
            "sound": self.sound,
            "triangles": self.triangles,
            "size_mm": [round(side, 4) for side in self.size_mm],
            "watertight": self.watertight,
            "weight": self.weight and self.weight.to_json(),
            "convex": self.is_convex,
            "convex_parts": self.convex_parts,
            "printable": self.printable and self.printable.to_json(),
            "drop": self.drop and self.drop.to_json(),
            "nodes": self.nodes and self.nodes.to_json(),
            "defects": [defect.to_json() for defect in self.defects],
            "notes": list(self.notes),
        }


def check_part(part: MeshPart, *, piece_set: PieceSet | None, cells: Cells | None = None) -> PieceCheck:
    """Check one part of a file. With a set its nodes are held against that, with `cells` too against these.

    Without a set it weighs as much as if made for the classic one. Any part gives a check.
    """
    mesh, stuff = part.mesh, piece_set or load_piece_set("classic")
    x, y, z = (float(side) for side in np.ptp(mesh.vertices, axis=0))
    if part.defects:
        return PieceCheck(
            name=part.name,
            triangles=len(mesh.faces),
            size_mm=(x, y, z),
            watertight=bool(mesh.is_watertight),
            defects=part.defects,
            notes=part.notes,
        )
    nodes = fit_nodes(mesh, piece_set, cells) if piece_set and cells else find_nodes(mesh, piece_set=piece_set)
    prints = printable(mesh)
    solid, refusal = _playable(mesh, stuff)
    drop, failure = _dropped(solid, stuff)
    notes = [*part.notes, *prints.notes]
    if len(mesh.faces) > MOST_FACES:
        notes.append(f"its {len(mesh.faces):,} triangles are made at most {MOST_FACES:,} for play and for the drop test")
    return PieceCheck(
        name=part.name,
        triangles=len(mesh.faces),
        size_mm=(x, y, z),
        watertight=True,
        weight=Weight.of(mesh, stuff.density_g_cm3),
        is_convex=solid is not None and len(solid.parts) == 1 and is_convex(solid.mesh),
        convex_parts=len(solid.parts) if solid else 0,
        printable=prints,
        drop=drop,
        nodes=nodes,
        defects=(*nodes.defects, *prints.defects, *refusal, *failure, *(drop.defects if drop else ())),
        notes=tuple(notes),
    )


def _playable(mesh: trimesh.Trimesh, stuff: PieceSet) -> tuple[Solid | None, tuple[Defect, ...]]:
    """The solid that would be played with, or why there is none."""
    try:
        own = PieceMesh.anywhere(mesh)
        return build_solid(stuff, replace(stuff.pieces[0], mesh=own)), ()
    except BadMesh as error:
        return None, error.defects


def _dropped(solid: Solid | None, stuff: PieceSet) -> tuple[DropTest | None, tuple[Defect, ...]]:
    """The drop test, or why there is none."""
    if solid is None:
        return None, ()
    try:
        return drop_test(solid, friction=stuff.friction, restitution=stuff.restitution), ()
    except StakdError as error:
        return None, (Defect("drop-failed", "", f"the drop test could not be done: {error}"),)


def convex_words(check: PieceCheck) -> str:
    """One phrase."""
    if check.is_convex:
        return f"convex (dents up to {DENT_MM:g} mm)"
    return f"concave, {check.convex_parts} convex parts"
