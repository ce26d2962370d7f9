"""Mesh files from any program: read, measured, mended and told apart into parts.

    file = read_mesh_file("uni.stl")
    part = file.part(None)
    if not part.defects: ...

STL, OBJ, GLB, glTF, PLY, OFF and 3MF are read. What they may ask for at most stands in `meshes.reading.limits`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import trimesh
from numpy.typing import NDArray

from meshes.errors import BadMesh, Defect
from meshes.mesh_units import Axis, Unit
from meshes.reading.bodies import Body, bodies_of
from meshes.reading.gltf import read_glb, read_gltf
from meshes.reading.limits import FARTHEST, LARGEST_MM, MOST_PARTS, SMALLEST_MM, THINNEST_MM, WELD_MM
from meshes.reading.obj import read_obj
from meshes.reading.off import read_off
from meshes.reading.placing import likely_unit, likely_up
from meshes.reading.ply import read_ply
from meshes.reading.scene import Scene, Shape, Unreadable, check_faces, together
from meshes.reading.source import Source, opened
from meshes.reading.stl import read_stl
from meshes.reading.surface import welded
from meshes.reading.text import clean_name
from meshes.reading.three_mf import read_3mf

ALL_TOGETHER = "*"
"""Stands for all parts of a file as one piece; what overlaps is united."""
_UNIT_ADVICE = "give the unit it was drawn in, such as --unit mm for a GLB that is not in metres"

_READERS: dict[str, Callable[[Source], Scene]] = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".glb": read_glb,
    ".gltf": read_gltf,
    ".ply": read_ply,
    ".off": read_off,
    ".3mf": read_3mf,
}


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    """One body of a file. Compared by identity.

    `mesh` is in mm with z up, its lowest point at z = 0, x and y as in the file. `defects` tell why it can't be a piece (empty: it is sound),
    `notes` what was mended.
    """

    name: str
    mesh: trimesh.Trimesh
    defects: tuple[Defect, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MeshFile:
    """A mesh file with its parts, at least one. What is inferred can be given to `read_mesh_file` instead."""

    path: Path
    unit: Unit
    unit_inferred: bool
    up: Axis
    up_inferred: bool
    parts: tuple[MeshPart, ...]
    notes: tuple[str, ...] = ()
    _shapes: tuple[Shape, ...] = field(default=(), repr=False)

    def part(self, name: str | None) -> MeshPart:
        """The part of that name; None: the only one; `*`: all together as one piece, be it one or many. Raises `BadMesh` with the names there are."""
        if name == ALL_TOGETHER:
            return self.parts[0] if len(self.parts) == 1 else _whole(self.path, self._shapes)
        found = [part for part in self.parts if name in (None, part.name)]
        if len(found) == 1:
            return found[0]
        names = ", ".join(part.name for part in self.parts)
        if name is None:
            choice = f"choose one by its name, or {ALL_TOGETHER} for all together: {names}"
            raise BadMesh(self.path.name, [Defect("several-parts", "", f"it has {len(self.parts)} parts; {choice}")])
        raise BadMesh(self.path.name, [Defect("no-such-part", "", f"it has no part {name}; it has {names}")])


def read_mesh_file(path: str | Path, *, unit: Unit | None = None, up: Axis | None = None) -> MeshFile:
    """The parts of a mesh file.

    Without `unit` it is the one the file or its format states, else the one in which the largest body has the size of a piece. Without `up` the
    largest flat face is the bottom, where several are as large the one that is usual for the format. The same file gives the same answer every
    time. Raises `BadMesh` listing what is wrong if nothing can be made of the file; a part that can't be a piece is listed with its defects.
    """
    path = Path(path)
    try:
        source = opened(path)
        scene = _READERS[source.ending](source)
        return _measured(path, scene, unit, up)
    except Unreadable as error:
        raise BadMesh(path.name or str(path), error.defects) from error


def _measured(path: Path, scene: Scene, unit: Unit | None, up: Axis | None) -> MeshFile:
    _check(scene)
    raw = [Shape(shape.name, *welded(shape.vertices, shape.faces)) for shape in scene.shapes]
    known = unit or scene.unit
    scale = known or likely_unit(raw)
    shapes = [Shape(shape.name, shape.vertices * scale.mm, shape.faces) for shape in raw]
    axis = up or likely_up(shapes, scene.up or Axis.Z_UP)
    turned = [Shape(shape.name, shape.vertices @ axis.rotation.T, shape.faces) for shape in shapes]
    parts = tuple(_named(_name_of(path), turned))
    notes = (*scene.notes, *_coarse_notes(scene, scale))
    return MeshFile(path, scale, known is None, axis, up is None, parts, notes, tuple(turned))


def _check(scene: Scene) -> None:
    check_faces(sum(len(shape.faces) for shape in scene.shapes))
    bad = sum(int((~np.isfinite(shape.vertices)).any(axis=1).sum()) for shape in scene.shapes if not np.isfinite(shape.vertices).all())
    if bad:
        corners = "1 corner is" if bad == 1 else f"{bad} corners are"
        raise Unreadable("not-finite", f"{corners} nowhere: a coordinate is not a number or infinite; export the mesh again")
    far = sum(int((np.abs(shape.vertices) > FARTHEST).any(axis=1).sum()) for shape in scene.shapes)
    if far:
        corners = "1 corner is" if far == 1 else f"{far} corners are"
        raise Unreadable("too-far", f"{corners} more than {FARTHEST:g} from the origin; move the mesh to it and export it again")


def _coarse_notes(scene: Scene, unit: Unit) -> Iterator[str]:
    """Where the numbers of a file are single precision and so far from the origin that they are coarser than matters."""
    places = np.concatenate([shape.vertices for shape in scene.shapes])
    far = float(np.abs(places).max())
    step_mm = float(np.spacing(np.float32(far))) * unit.mm
    # whole numbers in a text are meant as they stand
    meant = step_mm < unit.mm and (places == np.rint(places)).all()
    if step_mm > WELD_MM and not meant and (places == places.astype(np.float32)).all():
        away = f"up to {far * unit.mm / 1000:.4g} m from its origin"
        yield f"it lies {away}, where its numbers go in steps of {step_mm:.2g} mm; move it to the origin and export it again"


def _named(stem: str, shapes: Sequence[Shape]) -> Iterator[MeshPart]:
    """The parts of all shapes, every name once."""
    bodies: list[tuple[str, Body]] = []
    for shape in shapes:
        found = bodies_of(shape)
        name = shape.name or stem
        bodies += [(name if len(found) == 1 else f"{name} {k}", body) for k, body in enumerate(found, 1)]
    if len(bodies) > MOST_PARTS:
        raise Unreadable("too-many-parts", f"it has {len(bodies):,} parts, the most is {MOST_PARTS}; save them in several files")
    seen: Counter[str] = Counter()
    for name, body in bodies:
        seen[name] += 1
        yield _part(name if seen[name] == 1 else f"{name} ({seen[name]})", body)


def _name_of(path: Path) -> str:
    """What a part without a name of its own is called."""
    return clean_name(path.stem) or "mesh"


def _whole(path: Path, shapes: Sequence[Shape]) -> MeshPart:
    """All shapes as one part, with a defect if they don't hang together."""
    stem = _name_of(path)
    try:
        bodies = bodies_of(Shape(stem, *together(shapes)))
    except Unreadable as error:
        raise BadMesh(path.name, error.defects) from error
    if len(bodies) == 1:
        return _part(stem, bodies[0])
    apart = Defect("several-bodies", "", f"it is {len(bodies)} bodies that don't touch; choose one of them")
    defects = [defect for body in bodies for defect in body.defects]
    return _part(stem, Body(*together(bodies), (apart, *defects), bodies[0].notes))


def _part(name: str, body: Body) -> MeshPart:
    vertices = body.vertices - np.array([0.0, 0.0, body.vertices[:, 2].min()])
    mesh = trimesh.Trimesh(vertices, body.faces, process=False)
    told = {defect.code for defect in body.defects}
    sizes = [defect for defect in _size_defects(np.ptp(vertices, axis=0)) if defect.code not in told]
    return MeshPart(name, mesh, (*body.defects, *sizes), body.notes)


def _size_defects(extents: NDArray[np.float64]) -> Iterator[Defect]:
    size = " × ".join(f"{side:.4g}" for side in extents)
    if extents.max() > LARGEST_MM:
        yield Defect("too-large", "", f"it is {size} mm, a piece is at most {LARGEST_MM:g} mm across; {_UNIT_ADVICE}")
    if extents.max() < SMALLEST_MM:
        yield Defect("too-small", "", f"it is {size} mm, a piece is at least {SMALLEST_MM:g} mm across; {_UNIT_ADVICE}")
    elif extents.min() < THINNEST_MM:
        yield Defect("flat", "", f"it is {size} mm, so it has no thickness; check the scale of its node or object")
