"""Nodes of a mesh: where they are, and whether they obey a set. The mesh lies with z up; it may be turned and shifted as it likes.

    report = find_nodes(mesh, piece_set=classic)
    for defect in report.defects: print(defect)

Lengths in mm, angles in degrees.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import trimesh
from shapely import affinity

from meshes.errors import Defect
from meshes.lattice import Cell, Cells, Lattice, moved, moved_to_origin
from meshes.lattice_fit import Complexes, LatticeFit, fit_lattice, heading_deg, points_of, skeleton_outline, with_pitch
from meshes.node_rules import node_defects, room_defects, set_defects, shape_defects
from meshes.node_surface import NodeSurface, SurfaceProbe
from meshes.piece_set import PieceSet

EDGE_SHARE = 0.0625
"""Share of the radius that a node's flats may be drawn in by a bevel, where no set says how wide that is."""

_TRIED_TURNS = 72


@dataclass(frozen=True, slots=True)
class NodeFit:
    """One node. `cell` is the piece's, `centre_mm` where the node was measured, in the file's frame, `offset_mm` how far that is from where the
    lattice wants it.

    `disc_mm`: radius of the largest disc there within the outline. `cover_bottom`, `cover_top`: share, 0–1, of the disc (radius less bevel) that is
    flat. `flatness_mm`: how far nine tenths of the disc are at most off the flats; `thickness_mm`: between its bottom and top.
    """

    cell: Cell
    centre_mm: tuple[float, float]
    offset_mm: float
    disc_mm: float
    cover_bottom: float
    cover_top: float
    flatness_mm: float
    thickness_mm: float

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        figures = ("offset_mm", "disc_mm", "cover_bottom", "cover_top", "flatness_mm", "thickness_mm")
        rounded = {name: round(getattr(self, name), 4) for name in figures}
        return {"cell": list(self.cell), "centre_mm": [round(value, 4) for value in self.centre_mm], **rounded}


@dataclass(frozen=True, slots=True)
class NodeReport:
    """The nodes of a mesh; none if there are no flats or no lattice fits, and then `defects` say so.

    `pitch_mm`: as measured; of a single node the set's, None without a set. `thickness_mm` is the whole height. Turned by `turn_deg` and then
    shifted by `shift_mm` the file's frame becomes the piece's: cell (0, 0) at x = y = 0, the lattice along +x. `piece`: the set's piece with
    these cells, if any.
    """

    lattice: Lattice
    pitch_mm: float | None
    radius_mm: float
    thickness_mm: float
    turn_deg: float
    shift_mm: tuple[float, float]
    nodes: tuple[NodeFit, ...]
    defects: tuple[Defect, ...]
    piece: str | None = None

    @property
    def cells(self) -> Cells:
        """The nodes' cells."""
        return tuple(node.cell for node in self.nodes)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "lattice": self.lattice.value,
            "pitch_mm": None if self.pitch_mm is None else round(self.pitch_mm, 4),
            "radius_mm": round(self.radius_mm, 4),
            "thickness_mm": round(self.thickness_mm, 4),
            "turn_deg": round(self.turn_deg, 4),
            "shift_mm": [round(value, 4) for value in self.shift_mm],
            "piece": self.piece,
            "nodes": [node.to_json() for node in self.nodes],
            "defects": [defect.to_json() for defect in self.defects],
        }


def find_nodes(mesh: trimesh.Trimesh, *, piece_set: PieceSet | None = None) -> NodeReport:
    """The nodes of a closed mesh, found from its flats and its outline alone.

    A set says which lattice to name where both fit and what radius to look for in a shape without round ends; pitch, radius and thickness are
    then compared with it. Any shape gives a report.
    """
    probe = SurfaceProbe(mesh)
    fit = _fit(probe, piece_set)
    if fit is None:
        return _nothing(probe, piece_set)
    frame = _named_frame(fit, piece_set)
    return _report(probe, frame, piece_set, ())


def fit_nodes(mesh: trimesh.Trimesh, piece_set: PieceSet, cells: Cells) -> NodeReport:
    """The nodes of a closed mesh if they are where `cells` of the set claim; a mistaken claim has defects with the figures."""
    probe, cells = SurfaceProbe(mesh), tuple(sorted(cells))
    fit = _fit(probe, piece_set)
    if fit is not None and (frame := _frame_onto(fit, cells, piece_set.lattice)) is not None:
        return _report(probe, frame, piece_set, ())
    found = "no nodes were found in the mesh" if fit is None else f"the mesh has {_listed(fit.lattice, fit.cells)}"
    claim = Defect("cells", "", f"{found}, the claim is {_listed(piece_set.lattice, cells)}; correct the cells, or shape the mesh after them")
    if probe.outline.is_empty:
        return _nothing(probe, piece_set)
    return _report(probe, _laid_over(probe, piece_set, cells, fit), piece_set, (claim,))


def piece_frame_mesh(mesh: trimesh.Trimesh, report: NodeReport) -> trimesh.Trimesh:
    """A copy of the mesh turned and shifted into the piece's frame: its bottom on z = 0, cell (0, 0) at x = y = 0."""
    turn = cmath.rect(1.0, math.radians(report.turn_deg))
    flat = (mesh.vertices[:, 0] + 1j * mesh.vertices[:, 1]) * turn + complex(*report.shift_mm)
    vertices = np.column_stack([flat.real, flat.imag, mesh.vertices[:, 2] - mesh.vertices[:, 2].min()])
    return trimesh.Trimesh(vertices, mesh.faces, process=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """A fit told in a piece's cells: lattice place z lies at `step`·z + `origin` in the file."""

    fit: LatticeFit
    cells: Cells
    step: complex
    origin: complex
    piece: str | None = None


def _fit(probe: SurfaceProbe, piece_set: PieceSet | None) -> LatticeFit | None:
    if probe.outline.is_empty:
        return None
    if piece_set is None:
        return fit_lattice(probe.outline)
    return fit_lattice(probe.outline, radius_mm=piece_set.radius_mm, pitch_mm=piece_set.pitch_mm, prefer=piece_set.lattice)


def _named_frame(fit: LatticeFit, piece_set: PieceSet | None) -> _Frame:
    """As the set's piece of that shape has it, else turned least, with the first cell at the origin."""
    for piece in piece_set.pieces if piece_set else ():
        assert piece_set is not None
        frame = _frame_onto(fit, piece.cells, piece_set.lattice)
        if frame is not None:
            return _Frame(frame.fit, frame.cells, frame.step, frame.origin, piece.name)
    frames = [_frame_onto(fit, moved_to_origin(cells), fit.lattice) for cells in fit.lattice.orientations(fit.cells)]
    return min((frame for frame in frames if frame), key=lambda frame: abs(heading_deg(frame.step)))


def _frame_onto(fit: LatticeFit, cells: Cells, lattice: Lattice) -> _Frame | None:
    """The frame in which the fit has just these cells, that of the least turn; None if there is none."""
    if lattice is not fit.lattice or len(cells) != len(fit.cells):
        return None
    frames = []
    for turn in range(lattice.turns):
        turned = lattice.turned(fit.cells, turn)
        shift = (cells[0][0] - turned[0][0], cells[0][1] - turned[0][1])
        if moved(turned, *shift) == cells:
            step = fit.step * cmath.rect(1.0, -math.radians(turn * lattice.turn_deg))
            frames.append(_Frame(fit, cells, step, fit.origin - step * complex(*lattice.position(shift, 1.0))))
    return min(frames, key=lambda frame: (round(abs(heading_deg(frame.step)), 3), heading_deg(frame.step)), default=None)


def _laid_over(probe: SurfaceProbe, piece_set: PieceSet, cells: Cells, fit: LatticeFit | None) -> _Frame:
    """Cells that don't fit, laid over the outline so that as much as possible is common to both."""
    model = skeleton_outline(piece_set.lattice, cells, piece_set.pitch_mm, 0j, piece_set.radius_mm)
    middle = complex(model.centroid.x, model.centroid.y)
    centre = complex(probe.outline.centroid.x, probe.outline.centroid.y)
    thin = probe.outline.simplify(0.05)

    def likeness(turn: complex) -> float:
        laid = affinity.affine_transform(model, [turn.real, -turn.imag, turn.imag, turn.real, *_xy(centre - turn * middle)])
        return float(laid.intersection(thin).area)

    turns = [cmath.rect(1.0, 2 * math.pi * k / _TRIED_TURNS) for k in range(_TRIED_TURNS)]
    best = max(turns, key=lambda turn: round(likeness(turn), 3))
    step, origin = best * piece_set.pitch_mm, centre - best * middle
    seen = np.zeros(0, np.complex128) if fit is None else points_of(fit.lattice, fit.cells) * fit.step + fit.origin
    return _Frame(LatticeFit(piece_set.lattice, step, origin, piece_set.radius_mm, cells, seen, 0.0), cells, step, origin)


def _report(probe: SurfaceProbe, frame: _Frame, piece_set: PieceSet | None, claim: tuple[Defect, ...]) -> NodeReport:
    fit, measured_mm = frame.fit, abs(frame.step)
    radius = piece_set.radius_mm if piece_set else fit.radius_mm
    step, origin = with_pitch(fit.lattice, frame.cells, frame.step, frame.origin, piece_set.pitch_mm if piece_set else measured_mm)
    probe_mm = radius - piece_set.bevel_mm if piece_set else radius * (1 - EDGE_SHARE)
    sites = points_of(fit.lattice, frame.cells) * step + origin
    surfaces = probe.at(np.column_stack([sites.real, sites.imag]), radius, probe_mm)
    nodes = tuple(
        _node(cell, complex(site), _nearest(site, fit.seen, abs(step) / 3), surface)
        for cell, site, surface in zip(frame.cells, sites, surfaces, strict=True)
    )
    turn = step.conjugate() / abs(step)
    is_measured = len(frame.cells) > 1
    report = NodeReport(
        lattice=fit.lattice,
        pitch_mm=measured_mm if is_measured else (piece_set.pitch_mm if piece_set else None),
        radius_mm=fit.radius_mm,
        thickness_mm=probe.height_mm,
        turn_deg=heading_deg(turn) + 0.0,
        shift_mm=_xy(-origin * turn),
        nodes=nodes,
        defects=(),
        piece=frame.piece,
    )
    rules = [*claim, *shape_defects(probe)]
    if piece_set is not None:
        rules += set_defects(
            piece_set, fit.lattice, measured_mm if is_measured and not claim else None, None if claim else fit.radius_mm, probe.height_mm
        )
    rules += node_defects(probe, nodes, radius, pitch_is_wrong=any(defect.code == "pitch" for defect in rules))
    if piece_set is not None and not {"cells", "pitch", "radius", "lattice"} & {defect.code for defect in rules}:
        rules += room_defects(probe, skeleton_outline(fit.lattice, frame.cells, step, origin, radius))
    return replace(report, defects=tuple(rules))


def _node(cell: Cell, site: complex, seen: complex | None, surface: NodeSurface) -> NodeFit:
    centre = site if seen is None else seen
    offset = float(abs(centre - site)) if seen is not None else surface.off_mm
    return NodeFit(cell, _xy(centre), offset, surface.disc_mm, surface.cover_bottom, surface.cover_top, surface.flatness_mm, surface.thickness_mm)


def _nearest(site: complex, seen: Complexes, most_mm: float) -> complex | None:
    if not len(seen):
        return None
    near = complex(seen[np.abs(seen - site).argmin()])
    return near if abs(near - site) <= most_mm else None


def _nothing(probe: SurfaceProbe, piece_set: PieceSet | None) -> NodeReport:
    message = "no lattice fits its outline; give the nodes round ends of the set's radius, one pitch apart"
    if piece_set is not None:
        message += f" ({piece_set.radius_mm:g} and {piece_set.pitch_mm:g} mm)"
    defects = (*shape_defects(probe), Defect("no-nodes", "", message))
    lattice = piece_set.lattice if piece_set else Lattice.HEX
    return NodeReport(lattice, None, 0.0, probe.height_mm, 0.0, (0.0, 0.0), (), defects)


def _listed(lattice: Lattice, cells: Cells) -> str:
    places = " ".join(f"{q},{r}" for q, r in moved_to_origin(tuple(sorted(cells))))
    return f"{len(cells)} node{'s'[: len(cells) > 1]} at {places} ({lattice.value})"


def _xy(spot: complex) -> tuple[float, float]:
    return float(spot.real) + 0.0, float(spot.imag) + 0.0
