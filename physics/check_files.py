"""Checking mesh files one after the other: what is told of each, as data and as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from meshes.errors import DefectiveInput, harmless
from meshes.mesh_file import MeshFile, read_mesh_file
from meshes.mesh_units import Axis, Unit
from meshes.nodes import NodeReport
from meshes.piece_set import PieceSet
from physics.piece_check import PieceCheck, Weight, check_part, convex_words

SOUND, UNSOUND, UNREADABLE = 0, 1, 2
"""Exit statuses."""


@dataclass(frozen=True, slots=True, eq=False)
class FileCheck:
    """One file: its checks, or why nothing could be read (`error`)."""

    path: Path
    file: MeshFile | None
    checks: tuple[PieceCheck, ...]
    error: str | None = None

    @property
    def status(self) -> int:
        """What checking it gives back to the shell."""
        return UNREADABLE if self.error is not None else SOUND if all(check.sound for check in self.checks) else UNSOUND

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        file = self.file
        read = file and {"unit": file.unit.value, "unit_inferred": file.unit_inferred, "up": file.up.value, "up_inferred": file.up_inferred}
        return {
            "file": str(self.path),
            "error": self.error,
            **(read or {}),
            "sound": self.status == SOUND,
            "notes": list(file.notes) if file else [],
            "parts": [check.to_json() for check in self.checks],
        }


def check_files(
    paths: Sequence[Path], *, piece_set: PieceSet | None = None, unit: Unit | None = None, up: Axis | None = None, part: str | None = None
) -> Iterator[FileCheck]:
    """Check each file with all its parts, or the one called `part`; a file that can't be read does not stop the others."""
    for path in paths:
        try:
            file = read_mesh_file(path, unit=unit, up=up)
            parts = file.parts if part is None else (file.part(part),)
            yield FileCheck(path, file, tuple(check_part(one, piece_set=piece_set) for one in parts))
        except DefectiveInput as error:
            yield FileCheck(path, None, (), str(error))


def worst(checks: Sequence[FileCheck]) -> int:
    """The exit status of them all."""
    return max((check.status for check in checks), default=SOUND)


def files_json(checks: Sequence[FileCheck]) -> dict[str, Any]:
    """All as plain data."""
    return {"sound": worst(checks) == SOUND, "files": [check.to_json() for check in checks]}


def file_view(checked: FileCheck) -> RenderableType:
    """A file for people: how it was read, then a table for each part."""
    file = checked.file
    if file is None:
        return Text(f"{_shown(checked.path)}: {harmless(checked.error)}", style="red")
    inferred = " (inferred)"
    read = f"in {file.unit.value}{inferred * file.unit_inferred}, {file.up.value} up{inferred * file.up_inferred}"
    lines = [Text(f"{_shown(checked.path)}: read {read}"), *(Text(f"  {note}") for note in file.notes)]
    return Group(*lines, *(_part_view(check) for check in checked.checks))


def _shown(path: Path | str) -> str:
    """A path on one line."""
    return harmless(path).replace("\n", " ")


def summary_view(checks: Sequence[FileCheck]) -> Table:
    """One line a part of all files."""
    table = Table(title="all files")
    for heading in ("file", "part", "verdict"):
        table.add_column(heading, overflow="fold")
    for checked in checks:
        if checked.error is not None:
            table.add_row(_shown(checked.path.name), "", "unreadable")
        for check in checked.checks:
            codes = dict.fromkeys(defect.code for defect in check.defects)
            table.add_row(_shown(checked.path.name), check.name, "sound" if check.sound else f"unsound: {', '.join(codes)}")
    return table


def _part_view(check: PieceCheck) -> RenderableType:
    table = Table(title=f"{check.name}: {'sound' if check.sound else 'unsound'}", show_header=False, title_justify="left")
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in part_rows(check):
        table.add_row(name, value)
    views: list[RenderableType] = [table]
    if check.nodes is not None and check.nodes.nodes:
        views.append(_node_table(check.nodes))
    views += [Text(f"  ✗ {defect}", style="red") for defect in check.defects]
    views += [Text(f"  · {note}") for note in check.notes]
    return Group(*views)


def part_rows(check: PieceCheck) -> list[tuple[str, str]]:
    """What a check found, a name and a phrase each."""
    size = " × ".join(f"{side:.2f}" for side in check.size_mm)
    rows = [("triangles", f"{check.triangles:,}"), ("size", f"{size} mm"), ("watertight", "yes" if check.watertight else "no")]
    if check.weight is not None:
        rows += _weight_rows(check.weight)
    if check.convex_parts:
        rows.append(("shape", convex_words(check)))
    if check.printable is not None:
        prints = check.printable
        rows.append(("thinnest wall", "none found" if prints.thinnest_mm is None else f"{prints.thinnest_mm:.2f} mm"))
        rows.append(("steepest overhang", f"{prints.overhang_deg:.0f}° from the vertical"))
    if check.drop is not None:
        flat = sum(drop.lies_flat for drop in check.drop.drops)
        rows.append(("drop test", f"lies flat and still in {flat} of {len(check.drop.drops)} falls"))
    if check.nodes is not None:
        rows.append(("nodes", _nodes_words(check.nodes)))
    return rows


def _weight_rows(weight: Weight) -> list[tuple[str, str]]:
    centre = ", ".join(f"{value + 0.0:.2f}" for value in weight.centre_mm.round(2))
    moments = np.diag(weight.inertia_g_mm2)
    products = weight.inertia_g_mm2[[0, 0, 1], [1, 2, 2]]
    return [
        ("volume", f"{weight.volume_mm3 / 1000:.3f} cm³"),
        ("mass", f"{weight.mass_g:.2f} g at {weight.density_g_cm3:g} g/cm³"),
        ("centre of mass", f"{centre} mm"),
        ("inertia xx, yy, zz", ", ".join(f"{value:.1f}" for value in moments) + " g·mm²"),
        ("inertia xy, xz, yz", ", ".join(f"{value + 0.0:.1f}" for value in products.round(1)) + " g·mm²"),
    ]


def _nodes_words(nodes: NodeReport) -> str:
    if not nodes.nodes:
        return "none found"
    pitch = "" if nodes.pitch_mm is None else f", pitch {nodes.pitch_mm:.2f} mm"
    name = f" ({nodes.piece})" if nodes.piece else ""
    return f"{len(nodes.nodes)}{name}, {nodes.lattice.value} lattice{pitch}, radius {nodes.radius_mm:.2f} mm, thickness {nodes.thickness_mm:.2f} mm"


def _node_table(nodes: NodeReport) -> Table:
    table = Table()
    for heading in ("node", "offset mm", "disc mm", "flat bottom", "flat top", "flatness mm", "thickness mm"):
        table.add_column(heading, justify="right")
    for node in nodes.nodes:
        lengths = (f"{node.offset_mm:.2f}", f"{node.disc_mm:.2f}")
        covers = (f"{node.cover_bottom:.1%}", f"{node.cover_top:.1%}")
        table.add_row(f"{node.cell[0]},{node.cell[1]}", *lengths, *covers, f"{node.flatness_mm:.3f}", f"{node.thickness_mm:.2f}")
    return table
