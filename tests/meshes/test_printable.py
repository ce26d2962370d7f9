"""Printing: walls and overhangs of known shapes."""

from __future__ import annotations

import math

import pytest
import trimesh
from shapely import Polygon

from meshes.piece_set import load_piece_set
from meshes.printable import printable
from meshes.solid import build_solid
from tests.meshes.piece_shapes import joined

CLASSIC = load_piece_set("classic")


def shell(wall_mm: float) -> trimesh.Trimesh:
    """A sealed box, 30 × 30 × 10 mm outside, with walls of that thickness."""
    outside, inside = trimesh.creation.box((30, 30, 10)), trimesh.creation.box((30 - 2 * wall_mm, 30 - 2 * wall_mm, 10 - 2 * wall_mm))
    inside.invert()
    return joined(outside, inside)


@pytest.mark.parametrize(("wall_mm", "fine"), [(0.5, False), (0.79, False), (0.85, True), (2.0, True)])
def test_walls_of_a_shell_are_measured(wall_mm: float, fine: bool) -> None:
    """The wall of a hollow box comes out to a hundredth; below 0.8 mm it is a defect with the figure."""
    found = printable(shell(wall_mm))
    assert found.thinnest_mm == pytest.approx(wall_mm, abs=0.01)
    assert [defect.code for defect in found.defects] == ([] if fine else ["thin-wall"])
    assert fine or f"{wall_mm:.2f} mm" in found.defects[0].message


@pytest.mark.parametrize(("edge_deg", "fine"), [(20.0, False), (45.0, True), (60.0, True)])
def test_edges_are_no_walls(edge_deg: float, fine: bool) -> None:
    """A rim of 45° all round and the corners of a triangular tile are edges as any; a blade of 20° is too thin along its edge."""
    corners = [(0.0, 0.0), (60.0, 0.0), (60 * math.cos(math.radians(edge_deg)), 60 * math.sin(math.radians(edge_deg)))]
    found = printable(trimesh.creation.extrude_polygon(Polygon(corners), 10))
    assert [defect.code for defect in found.defects] == ([] if fine else ["thin-wall"])


@pytest.mark.parametrize("half_deg", [30.0, 44.0, 56.0])
def test_a_cone_on_its_tip_overhangs_by_its_angle(half_deg: float) -> None:
    """The sides of a cone that stands on its tip lean by half its opening; supports are asked for beyond 50°, for the area of its side."""
    height, radius = 20.0, 20.0 * math.tan(math.radians(half_deg))
    cone = trimesh.creation.cone(radius, height, sections=128)
    cone.apply_transform(trimesh.transformations.rotation_matrix(math.pi, [1, 0, 0]))
    found = printable(cone)
    assert found.overhang_deg == pytest.approx(half_deg, abs=0.1)
    side = math.pi * radius * math.hypot(radius, height)
    assert found.overhang_mm2 == pytest.approx(side if half_deg > 50 else 0.0, rel=0.01)
    assert bool(found.notes) is (half_deg > 50)


def test_pieces_print_without_supports() -> None:
    """A beveled piece lies as it prints: the bevel leans by 45°, the thinnest wall is its thickness, and the size is that of the outline."""
    found = printable(build_solid(CLASSIC, CLASSIC.piece("DUO")).mesh)
    assert found.size_mm == pytest.approx((55.6, 25.6, 10.0), abs=0.05)
    assert found.overhang_deg == pytest.approx(45, abs=0.1)
    assert found.thinnest_mm == pytest.approx(10, abs=0.01)
    assert (found.defects, found.notes) == ((), ())


def test_what_is_larger_than_a_plate_is_told() -> None:
    """A bar longer than a usual print plate gets a note."""
    assert "print plate" in printable(trimesh.creation.box((250, 20, 10))).notes[0]
