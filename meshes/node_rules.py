"""When nodes are wrong: how far a mesh may part from its set, and the words for it. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import shapely
from shapely import MultiPolygon, Polygon

from meshes.errors import Defect
from meshes.flats import FLAT_MM
from meshes.lattice import Lattice
from meshes.node_surface import SurfaceProbe
from meshes.piece_set import PieceSet

if TYPE_CHECKING:
    from meshes.nodes import NodeFit

PITCH_MM = 0.2
RADIUS_MM = 0.3
THICKNESS_MM = 0.15
OFFSET_MM = 0.5
FLATNESS_MM = 0.1
LEAST_COVER = 0.9
"""Share of a node's disc that must be flat: facets of 12 sides a circle and a drilled hole are fine."""
LEAST_ROOM = 0.95
"""Share of the radius for which there must be room about a node."""
LEAST_FLAT = 0.3
"""Share of the outline that must be flat for a mesh to have a flat at all."""
LEAST_THICKNESS_MM = 1.0


def shape_defects(probe: SurfaceProbe) -> Iterator[Defect]:
    """Without a flat bottom and top nothing stacks; what is thinner than `LEAST_THICKNESS_MM` is a card."""
    if probe.height_mm < LEAST_THICKNESS_MM:
        yield Defect(
            "too-thin", "", f"it is {probe.height_mm:.2f} mm thick, at least {LEAST_THICKNESS_MM:g} mm are needed; check the unit, or thicken it"
        )
    whole = max(probe.outline.area, 1e-9)
    for side, flat in (("bottom", probe.bottom), ("top", probe.top)):
        share = float(flat.area) / whole
        if share < LEAST_FLAT:
            point = "lowest" if side == "bottom" else "highest"
            message = f"only {share:.0%} of it lie within {FLAT_MM:g} mm of its {point} point; flatten the {side}, or name the axis that is up"
            yield Defect(f"no-flat-{side}", "", message)


def set_defects(piece_set: PieceSet, lattice: Lattice, pitch_mm: float | None, radius_mm: float | None, thickness_mm: float) -> Iterator[Defect]:
    """Where the whole parts from the set; what is None was not measured."""
    if pitch_mm is not None and lattice is not piece_set.lattice:
        yield Defect("lattice", "", f"its nodes lie on a {lattice.value} lattice, the set's is {piece_set.lattice.value}; lay them out anew")
    for code, measured, wanted, most in (
        ("pitch", pitch_mm, piece_set.pitch_mm, PITCH_MM),
        ("radius", radius_mm, piece_set.radius_mm, RADIUS_MM),
        ("thickness", thickness_mm, piece_set.thickness_mm, THICKNESS_MM),
    ):
        if measured is not None and abs(measured - wanted) > most:
            yield Defect(
                code, "", f"{code} {measured:.2f} mm, the set has {wanted:g} mm (± {most:g} mm); {_advice(code, wanted / max(measured, 1e-9))}"
            )


def node_defects(probe: SurfaceProbe, nodes: Sequence[NodeFit], radius_mm: float, *, pitch_is_wrong: bool) -> Iterator[Defect]:
    """Where single nodes are wrong; how far they are off is not said again if the pitch is."""
    flat = {side: float(area.area) >= LEAST_FLAT * probe.outline.area for side, area in (("bottom", probe.bottom), ("top", probe.top))}
    for node in nodes:
        where = f"node {node.cell[0]},{node.cell[1]}"
        if node.offset_mm > OFFSET_MM and not pitch_is_wrong:
            yield Defect("node-offset", where, f"it is {node.offset_mm:.2f} mm off its place, at most {OFFSET_MM:g} mm are fine; move it there")
        if node.disc_mm < LEAST_ROOM * radius_mm and not pitch_is_wrong:
            yield Defect(
                "node-room", where, f"the largest disc there has a radius of {node.disc_mm:.2f} mm, it should be {radius_mm:g} mm; widen the outline"
            )
        for side, cover in (("bottom", node.cover_bottom), ("top", node.cover_top)):
            if flat[side] and cover < LEAST_COVER:
                yield Defect("node-cover", where, f"{cover:.0%} of its disc are flat at the {side}, at least {LEAST_COVER:.0%} must be; fill it up")
        if all(flat.values()) and node.flatness_mm > FLATNESS_MM:
            yield Defect(
                "node-flat", where, f"its faces are {node.flatness_mm:.2f} mm off the flats, at most {FLATNESS_MM:g} mm are fine; level them"
            )


def room_defects(probe: SurfaceProbe, room: Polygon | MultiPolygon) -> Iterator[Defect]:
    """Where the mesh reaches beyond what its cells give it, so that neighbours would touch it."""
    flat = probe.mesh.vertices[:, :2]
    beyond = flat[~shapely.contains_xy(room, flat[:, 0], flat[:, 1])]
    out_mm = float(shapely.distance(room, shapely.points(beyond)).max(initial=0.0))
    if out_mm > RADIUS_MM:
        message = (
            f"it reaches {out_mm:.2f} mm beyond the room its cells have, at most {RADIUS_MM:g} mm are fine; neighbours would touch it: cut that off"
        )
        yield Defect("sticks-out", "", message)


def _advice(code: str, factor: float) -> str:
    if code == "thickness":
        return f"scale the height by {factor:.4f}"
    return f"scale the outline by {factor:.4f}" if code == "pitch" else "make the round ends as wide as the set's"
