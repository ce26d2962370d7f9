"""Reading and checking a mesh file beside the window: what arrives, step by step, and in which words it is told."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from trimesh import Trimesh

from meshes.errors import Defect
from meshes.lattice import Cell
from meshes.mesh_file import MeshPart, read_mesh_file
from meshes.mesh_units import Axis, Unit
from meshes.node_rules import LEAST_ROOM, OFFSET_MM
from meshes.nodes import NodeReport, piece_frame_mesh
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet
from physics.piece_check import PieceCheck, check_part, convex_words

_MOST_SHOWN = 6000


class ShownMesh(PieceMesh):
    """Any mesh to be looked at, closed or not."""

    def __reduce__(self) -> tuple[Callable[..., PieceMesh], tuple[object, ...]]:
        return ShownMesh, (self.vertices_mm, self.faces, self.digest)

    @classmethod
    def of(cls, mesh: Trimesh) -> ShownMesh:
        """The mesh as it is, or coarser if it is very fine."""
        if len(mesh.faces) > _MOST_SHOWN:
            mesh = mesh.simplify_quadric_decimation(face_count=_MOST_SHOWN)
        vertices, faces = np.array(mesh.vertices, np.float64), np.array(mesh.faces, np.int32)
        return cls(vertices, faces, hashlib.sha256(vertices.tobytes() + faces.tobytes()).hexdigest())

    def drawn(self, off_mm: float, most: int) -> Trimesh:
        """As it is."""
        return Trimesh(self.vertices_mm, self.faces, process=False)


@dataclass(frozen=True, slots=True)
class Wish:
    """What to look at: a file, how to read it (None: inferred), which part of it, and the set to hold it against."""

    path: Path
    piece_set: PieceSet
    unit: Unit | None = None
    up: Axis | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True)
class FileSeen:
    """The file is read."""

    unit: Unit
    unit_inferred: bool
    up: Axis
    up_inferred: bool
    parts: tuple[str, ...]
    part: str
    notes: tuple[str, ...]
    shown: ShownMesh


@dataclass(frozen=True, slots=True)
class PieceSeen:
    """The part is checked. `shown` stands in the piece's frame if nodes were found; `own` is the mesh to play with, of a sound one."""

    check: PieceCheck
    shown: ShownMesh
    own: PieceMesh | None


def examine(tell: Callable[[FileSeen | PieceSeen], None], wish: Wish) -> None:
    """Read, then check, and tell either when it is done; for a `Worker`. Raises `BadMesh`."""
    file = read_mesh_file(wish.path, unit=wish.unit, up=wish.up)
    part = file.part(wish.part) if wish.part else _first(file.parts)
    names = tuple(entry.name for entry in file.parts)
    tell(FileSeen(file.unit, file.unit_inferred, file.up, file.up_inferred, names, part.name, file.notes, _centred(part.mesh)))
    check = check_part(part, piece_set=wish.piece_set)
    if check.nodes is None or not check.nodes.nodes:
        tell(PieceSeen(check, _centred(part.mesh), None))
        return
    framed = piece_frame_mesh(part.mesh, check.nodes)
    tell(PieceSeen(check, ShownMesh.of(framed), PieceMesh.of(framed) if check.sound else None))


def _first(parts: Sequence[MeshPart]) -> MeshPart:
    """The largest of the sound parts, or of all."""
    return max(parts, key=lambda part: (not part.defects, float(np.prod(part.mesh.extents))))


def _centred(mesh: Trimesh) -> ShownMesh:
    low, high = mesh.bounds
    return ShownMesh.of(Trimesh(mesh.vertices - [*(low[:2] + high[:2]) / 2, low[2]], mesh.faces, process=False))


class NodeMark(NamedTuple):
    """A node to be marked: its cell, its middle on the top face (mm, piece frame), and whether it is right."""

    cell: Cell
    middle: NDArray[np.float64]
    right: bool


def node_marks(check: PieceCheck, piece_set: PieceSet) -> list[NodeMark]:
    """Where to mark nodes on the mesh shown: right are those that are in place, have room for the set's disc, and have no defect."""
    report = check.nodes
    if report is None:
        return []
    turn = np.radians(report.turn_deg)
    turning = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    wrong = {defect.where for defect in report.defects}
    least_mm = LEAST_ROOM * piece_set.radius_mm
    fine = [node.offset_mm <= OFFSET_MM and node.disc_mm >= least_mm for node in report.nodes]
    right = [fits and f"node {node.cell[0]},{node.cell[1]}" not in wrong for node, fits in zip(report.nodes, fine, strict=True)]
    places = [np.array(node.centre_mm) @ turning + np.array(report.shift_mm) for node in report.nodes]
    return [NodeMark(node.cell, np.array([*place, report.thickness_mm]), fits) for node, place, fits in zip(report.nodes, places, right, strict=True)]


class Sign(Enum):
    """What stands before a line of the report."""

    GOOD = "good"
    BAD = "bad"
    NOTE = "note"
    HEAD = "head"


class Line(NamedTuple):
    """One line of a report."""

    sign: Sign
    words: str


def file_lines(file: FileSeen) -> list[Line]:
    """How it was read."""
    unit = f"read in {file.unit.value}" + (" (inferred)" if file.unit_inferred else "")
    up = f"{file.up.value} is up" + (" (inferred)" if file.up_inferred else "")
    return [Line(Sign.NOTE, f"{unit}, {up}"), *(Line(Sign.NOTE, note) for note in file.notes)]


def check_lines(check: PieceCheck, piece_set: PieceSet) -> list[Line]:
    """The whole report in plain words: the verdict, what is wrong, then the figures."""
    verdict = Line(Sign.GOOD, f"A sound piece for {piece_set.title}.") if check.sound else Line(Sign.BAD, _faults(len(check.defects)))
    lines = [verdict, *(Line(Sign.BAD, _defect_words(defect)) for defect in check.defects)]
    if check.nodes is not None:
        lines += _node_lines(check.nodes)
    if check.weight is not None:
        weight = check.weight
        x, y, z = weight.centre_mm
        lines.append(Line(Sign.HEAD, "Body"))
        lines.append(Line(Sign.GOOD, f"closed, {check.triangles:,} triangles; {convex_words(check)}"))
        lines.append(Line(Sign.NOTE, f"{weight.mass_g:.2f} g at {weight.density_g_cm3:g} g/cm³, {weight.volume_mm3 / 1000:.2f} cm³"))
        lines.append(Line(Sign.NOTE, f"centre of mass {z:.2f} mm high, at {x:.2f}, {y:.2f} in the file"))
        moments = " · ".join(f"{value:.0f}" for value in np.linalg.eigvalsh(weight.inertia_g_mm2))
        lines.append(Line(Sign.NOTE, f"inertia {moments} g·mm²"))
    lines += _use_lines(check)
    return lines + [Line(Sign.NOTE, note) for note in check.notes]


def _faults(count: int) -> str:
    return "One thing is wrong:" if count == 1 else f"{count} things are wrong:"


def _defect_words(defect: Defect) -> str:
    return f"{defect.where}: {defect.message}" if defect.where else defect.message


def _node_lines(report: NodeReport) -> Iterator[Line]:
    if not report.nodes:
        return
    yield Line(Sign.HEAD, "Nodes")
    shape = f"the shape of {report.piece}" if report.piece else "a shape the set does not have"
    nodes = "1 node" if len(report.nodes) == 1 else f"{len(report.nodes)} nodes"
    yield Line(Sign.GOOD if report.piece else Sign.NOTE, f"{nodes} on a {report.lattice.value} lattice: {shape}")
    pitch = "" if report.pitch_mm is None else f"pitch {report.pitch_mm:.2f}, "
    yield Line(Sign.NOTE, f"{pitch}radius {report.radius_mm:.2f}, {report.thickness_mm:.2f} mm thick")
    for node in report.nodes:
        flat = f"flat {node.cover_bottom:.0%} below, {node.cover_top:.0%} above"
        yield Line(Sign.NOTE, f"{node.cell[0]},{node.cell[1]}: {node.offset_mm:.2f} mm off, disc {node.disc_mm:.1f} mm, {flat}")


def _use_lines(check: PieceCheck) -> Iterator[Line]:
    if check.printable is None:
        return
    yield Line(Sign.HEAD, "In use")
    if check.drop is not None:
        words = "dropped four times it lay flat and still" if check.drop.lies_flat else "dropped, it does not come to lie flat and still"
        yield Line(Sign.GOOD if check.drop.lies_flat else Sign.BAD, words)
    wall = check.printable.thinnest_mm
    size = " × ".join(f"{side:.1f}" for side in check.printable.size_mm)
    thinnest = "" if wall is None else f", thinnest wall {wall:.1f} mm"
    yield Line(Sign.BAD if check.printable.defects else Sign.GOOD, f"prints: {size} mm{thinnest}")
