"""Meshes of a set's pieces: read from files beside the set's own or unpacked from its text, and held against the cells they claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from meshes.errors import BadPieceSet, Defect, DefectiveInput
from meshes.files import path_inside
from meshes.mesh_file import read_mesh_file
from meshes.mesh_units import Axis, Unit
from meshes.nodes import NodeReport, fit_nodes, piece_frame_mesh
from meshes.piece_mesh import MARK, PieceMesh
from meshes.piece_set import PieceSet, PieceType
from meshes.set_file import Piece

_OUT_OF_PLACE_MM = 0.5
"""A mesh kept in a set stands in the piece's frame already, but for as much as measuring it may err."""


class OwnMesh(NamedTuple):
    """A piece's mesh and what was inferred or changed when it was read, a sentence each."""

    mesh: PieceMesh
    notes: tuple[str, ...] = ()


def own_meshes(piece_set: PieceSet, entries: Mapping[str, Piece], folder: Path | None) -> dict[str, OwnMesh]:
    """The meshes of those pieces that bring one, by name, in the pieces' frames.

    `piece_set` is the set without them, `folder` holds the files; without it none is opened. Raises `BadPieceSet` listing every defect: files
    that can't be read, meshes that can't be pieces, nodes that are not where the cells say.
    """
    found: dict[str, OwnMesh] = {}
    defects: list[Defect] = []
    for name, entry in entries.items():
        if entry.mesh is None:
            continue
        try:
            found[name] = _own_mesh(piece_set, piece_set.by_name[name], entry, folder)
        except DefectiveInput as error:
            told = "" if entry.mesh.startswith(MARK) else f" ({entry.mesh[:80]})"
            defects += _placed(f"pieces.{name}.mesh{told}", error.defects)
    if defects:
        raise BadPieceSet(piece_set.name, defects)
    return found


def _own_mesh(piece_set: PieceSet, piece: PieceType, entry: Piece, folder: Path | None) -> OwnMesh:
    assert entry.mesh is not None
    if entry.mesh.startswith(MARK):
        kept = PieceMesh.from_json(entry.mesh)
        _check_kept(piece_set, piece, kept)
        return OwnMesh(kept)
    path = _inside(entry.mesh, folder)
    unit, up = (None if entry.unit is None else Unit(entry.unit)), (None if entry.up is None else Axis(entry.up))
    file = read_mesh_file(path, unit=unit, up=up)
    part = file.part(entry.part)
    if part.defects:
        raise BadPieceSet(path.name, part.defects)
    raw = PieceMesh.anywhere(part.mesh)
    report = _fitted(piece_set, piece, raw)
    inferred = [f"in {file.unit.value}" if file.unit_inferred else "", f"with {file.up.value} up" if file.up_inferred else ""]
    notes = [*file.notes, *part.notes, f"{path.name} is read {' '.join(filter(None, inferred))}" if any(inferred) else ""]
    if len(raw.faces) < len(part.mesh.faces):
        notes.append(f"{len(part.mesh.faces)} triangles are made {len(raw.faces)} for play")
    return OwnMesh(PieceMesh.of(piece_frame_mesh(raw.trimesh, report)), tuple(filter(None, notes)))


def _inside(name: str, folder: Path | None) -> Path:
    """The file `name` in `folder` or below; never one elsewhere."""
    if folder is None:
        raise _refused("mesh-no-file", "the mesh stands in a file, and no file is opened from here; load the set from its own file")
    path = path_inside(folder, name)
    if path is None:
        raise _refused("mesh-elsewhere", "the mesh must be in the set's folder or below it; copy it there")
    return path


def _fitted(piece_set: PieceSet, piece: PieceType, mesh: PieceMesh) -> NodeReport:
    report = _fit(mesh, piece_set, piece)
    if report.defects:
        raise BadPieceSet(piece.name, report.defects)
    return report


@lru_cache(maxsize=256)
def _fit(mesh: PieceMesh, piece_set: PieceSet, piece: PieceType) -> NodeReport:
    return fit_nodes(mesh.trimesh, piece_set, piece.cells)


def _check_kept(piece_set: PieceSet, piece: PieceType, mesh: PieceMesh) -> None:
    """That the mesh still carries its cells at this set's sizes, where it stands."""
    report = _fitted(piece_set, piece, mesh)
    nodes = piece_set.places_mm(piece.cells)
    cos, sin = np.cos(np.radians(report.turn_deg)), np.sin(np.radians(report.turn_deg))
    carried = nodes @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(report.shift_mm)
    off_mm = np.linalg.norm(carried[:, None] - nodes[None, :], axis=2).min(axis=1).max()
    if off_mm > _OUT_OF_PLACE_MM:
        raise _refused("mesh-out-of-place", f"the mesh kept in the set is {off_mm:.2f} mm off its cells; take it from the mesh's file again")


def _placed(where: str, defects: Iterable[Defect]) -> Iterator[Defect]:
    return (Defect(defect.code, " ".join(filter(None, (where, defect.where))), defect.message) for defect in defects)


def _refused(code: str, message: str) -> BadPieceSet:
    return BadPieceSet("own mesh", [Defect(code, "", message)])
