"""Nodes found in meshes: those of every piece, turned and shifted; those of foreign shapes; and mistaken claims refused with figures."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import shapely
import trimesh
from shapely import Point, Polygon, box

from meshes.lattice import Cells, Lattice
from meshes.lattice_fit import skeleton_outline
from meshes.nodes import NodeReport, find_nodes, fit_nodes, piece_frame_mesh
from meshes.piece_set import PieceSet, PieceType, load_piece_set
from meshes.solid import build_solid
from tests.meshes.piece_shapes import moved, peanut, plate

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")
PIECES = [pytest.param(piece_set, piece, id=f"{piece_set.name}-{piece.name}") for piece_set in (CLASSIC, SQUARE) for piece in piece_set.pieces]
RING: Cells = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def codes(report: NodeReport) -> list[str]:
    """The short names of its defects."""
    return [defect.code for defect in report.defects]


def off_mm(report: NodeReport, pitch_mm: float, turn_deg: float, shift_mm: tuple[float, float]) -> float:
    """The farthest any node was found from where it is, up to the turns that map the piece to itself."""
    true = [complex(*report.lattice.position(cell, pitch_mm)) for cell in report.cells]
    turn = complex(math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg)))
    there = np.array(true) * turn + complex(*shift_mm)
    found = np.array([complex(*node.centre_mm) for node in report.nodes])
    return float(np.abs(found[:, None] - there[None, :]).min(axis=1).max())


@pytest.mark.parametrize(("piece_set", "piece"), PIECES)
def test_nodes_of_every_piece_are_found_however_it_lies(piece_set: PieceSet, piece: PieceType) -> None:
    """At random turns and shifts all nodes come out within 0.1 mm, and pitch and radius are the set's, with and without naming the set."""
    rng = np.random.default_rng(5)
    mesh = build_solid(piece_set, piece).mesh
    for named in (piece_set, None, piece_set):
        turn, (x, y, z) = float(rng.uniform(-180, 180)), rng.uniform(-90, 90, 3).tolist()
        report = find_nodes(moved(mesh, turn, (x, y, z)), piece_set=named)
        assert report.defects == ()
        assert report.radius_mm == pytest.approx(piece_set.radius_mm, abs=0.02)
        assert report.thickness_mm == pytest.approx(10.0)
        assert len(report.nodes) == len(piece.cells)
        assert len(report.nodes) == 1 or report.pitch_mm == pytest.approx(piece_set.pitch_mm, abs=0.02)
        if named is not None:
            assert (report.piece, report.cells) == (piece.name, piece.cells)
            assert off_mm(report, piece_set.pitch_mm, turn, (x, y)) < 0.1
            back = piece_frame_mesh(moved(mesh, turn, (x, y, z)), report)
            missed = trimesh.proximity.closest_point(mesh, back.vertices)[1].max()
            assert missed < 0.1


@pytest.mark.parametrize(
    ("lattice", "cells"),
    [
        (Lattice.HEX, RING),
        (Lattice.SQUARE, ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0))),
        (Lattice.SQUARE, ((0, 0), (0, 1), (0, 2), (1, 0))),
        (Lattice.HEX, ((0, 0), (1, 0), (2, 0))),
    ],
    ids=["ring", "plus", "L", "row"],
)
def test_nodes_of_other_shapes(lattice: Lattice, cells: Cells) -> None:
    """Rings, pluses, Ls and rows of a size of their own are found without being told anything."""
    step = 31.3 * complex(math.cos(0.4), math.sin(0.4))
    report = find_nodes(plate(skeleton_outline(lattice, cells, step, 40 - 7j, 13.1), 9.0))
    assert report.defects == ()
    assert report.pitch_mm == pytest.approx(31.3, abs=0.05)
    assert report.radius_mm == pytest.approx(13.1, abs=0.05)
    assert lattice.turns_onto(report.cells, cells) or len({r for _, r in cells}) == 1
    assert len(report.cells) == len(cells)


def test_a_peanut_has_two_nodes() -> None:
    """Two discs with a narrow neck are a DUO of the set, the neck is no matter."""
    report = find_nodes(moved(plate(peanut()), 71.0, (11, 22, 0)), piece_set=CLASSIC)
    assert (report.piece, report.defects) == ("DUO", ())
    assert off_mm(report, 30.0, 71.0, (11, 22)) < 0.1


def test_a_tile_with_sharp_corners_has_nodes_where_discs_have_room() -> None:
    """A sharp-cornered tile of two squares carries two discs."""
    report = find_nodes(plate(box(0, 0, 56, 26)), piece_set=CLASSIC)
    assert len(report.nodes) == 2
    assert all(node.disc_mm > 12.0 for node in report.nodes)


def test_a_drilled_hole_costs_cover_only() -> None:
    """A UNI with a pin hole stays a UNI; the share of its disc that is gone is the hole's, exactly."""
    drilled = Point(0, 0).buffer(12.8, quad_segs=48).difference(box(-2, -2, 2, 2))
    report = find_nodes(plate(drilled), piece_set=CLASSIC)
    assert codes(report) == []
    assert report.nodes[0].cover_top == pytest.approx(1 - 16 / (math.pi * 12.0**2), abs=1e-9)


def test_deviations_from_the_set_are_told_with_figures() -> None:
    """Pitch, radius and thickness beyond the tolerances are named with what was measured and what the set has."""
    outline = skeleton_outline(Lattice.HEX, ((0, 0), (0, 1), (1, 0)), 28.4 + 0j, 0j, 12.2)
    report = find_nodes(plate(outline, 9.5), piece_set=CLASSIC)
    words = " ".join(str(defect) for defect in report.defects)
    assert codes(report)[:3] == ["pitch", "radius", "thickness"]
    assert all(figure in words for figure in ("28.40 mm", "30 mm", "12.20 mm", "12.8 mm", "9.50 mm", "10 mm"))


def test_another_lattice_is_told() -> None:
    """A square QUAD held against the hexagonal set is refused for its lattice."""
    mesh = build_solid(SQUARE, SQUARE.piece("QUAD")).mesh
    assert "lattice" in codes(find_nodes(mesh, piece_set=CLASSIC))


@pytest.mark.parametrize("name", [piece.name for piece in CLASSIC.pieces])
def test_right_claims_hold_and_mistaken_ones_are_refused(name: str) -> None:
    """A piece's own cells are accepted, those of every other piece refused with both counts named."""
    mesh = moved(build_solid(CLASSIC, CLASSIC.piece(name)).mesh, 123.0, (4, 5, 6))
    for other in CLASSIC.pieces:
        report = fit_nodes(mesh, CLASSIC, other.cells)
        if other.name == name:
            assert report.defects == ()
            continue
        first = report.defects[0]
        assert first.code == "cells"
        assert f"{len(CLASSIC.piece(name).cells)} node" in first.message and f"{len(other.cells)} node" in first.message
        assert report.cells == other.cells


def test_a_claim_too_many_says_which_nodes_have_no_room() -> None:
    """Claiming a TRIO of a DUO names a node without room and the disc there is."""
    report = fit_nodes(build_solid(CLASSIC, CLASSIC.piece("DUO")).mesh, CLASSIC, CLASSIC.piece("TRIO").cells)
    assert {"cells", "node-room"} <= set(codes(report))


def test_domes_are_named() -> None:
    """A half ball has no flat top, its twin upside down no flat bottom, a ball neither; none of them raises."""
    ball = trimesh.creation.icosphere(radius=12.8, subdivisions=4)
    dome = trimesh.intersections.slice_mesh_plane(ball, [0, 0, 1], [0, 0, 0], cap=True)
    cup = dome.copy()
    cup.apply_transform(trimesh.transformations.rotation_matrix(math.pi, [1, 0, 0]))
    found = [{code for code in codes(find_nodes(mesh)) if code.startswith("no-flat")} for mesh in (dome, cup, ball)]
    assert found == [{"no-flat-top"}, {"no-flat-bottom"}, {"no-flat-bottom", "no-flat-top"}]


def test_a_bump_and_a_card_are_named() -> None:
    """A disc with a groove is not flat there; a sheet of half a millimetre is too thin."""
    groove = [trimesh.creation.box((11, 40, 1.0), transform=trimesh.transformations.translation_matrix((0, 0, 9.5)))]
    disc = plate(Point(0, 0).buffer(12.8, quad_segs=24))
    grooved = trimesh.boolean.difference([disc, *groove])
    assert {"node-cover", "node-flat"} <= set(codes(find_nodes(grooved, piece_set=CLASSIC)))
    assert "too-thin" in codes(find_nodes(plate(Point(0, 0).buffer(12.8), 0.5)))


def test_shapes_without_nodes_get_a_report() -> None:
    """A shape no lattice fits has no nodes and says what to do; a claim on it is refused."""
    shape = Polygon([(0, 0), (50, 3), (45, 20), (60, 44), (20, 30), (-3, 50)])
    report = find_nodes(plate(shape))
    assert (report.nodes, codes(report)) == ((), ["no-nodes"])
    assert codes(fit_nodes(plate(shape), CLASSIC, CLASSIC.piece("UNI").cells))[0] == "cells"


def test_reports_are_plain_data() -> None:
    """A report as data holds every figure of every node and nothing that is not plain."""
    data = json.loads(json.dumps(find_nodes(plate(peanut()), piece_set=CLASSIC).to_json()))
    assert [node["cell"] for node in data["nodes"]] == [[0, 0], [1, 0]]
    assert data["piece"] == "DUO" and shapely.Point(data["nodes"][0]["centre_mm"]).is_valid


def test_what_reaches_beyond_its_cells_is_told() -> None:
    """A tile with sharp corners has its nodes at the set's pitch, but its corners are where neighbours want to lie: named with the figure."""
    report = find_nodes(plate(box(0, 0, 55.6, 25.6)), piece_set=CLASSIC)
    assert (report.piece, codes(report)) == ("DUO", ["sticks-out"])
    assert f"{12.8 * (math.sqrt(2) - 1):.2f} mm" in report.defects[0].message
    flanged = trimesh.boolean.union([plate(Point(0, 0).buffer(12.8, quad_segs=24)), plate(Point(0, 0).buffer(14.0, quad_segs=24), 1.0)])
    assert codes(find_nodes(flanged, piece_set=CLASSIC)) == ["sticks-out"]


@pytest.mark.parametrize("sides", [12, 24, 96, 300])
@pytest.mark.parametrize("name", ["BASE", "DUO", "UNI"])
def test_coarse_fine_and_rough_meshes(name: str, sides: int) -> None:
    """However finely a piece is modelled, and if its corners are rounded to hundredths of a millimetre or scattered as much, its nodes are found."""
    rng = np.random.default_rng(sides)
    mesh = moved(build_solid(SQUARE, SQUARE.piece(name), sides=sides).mesh, 37.0, (3.3, -8.8, 0))
    rounded, scattered = mesh.copy(), mesh.copy()
    rounded.vertices = rounded.vertices.round(2)
    scattered.vertices = scattered.vertices + np.column_stack([rng.normal(0, 0.01, (len(mesh.vertices), 2)), np.zeros(len(mesh.vertices))])
    for rough in (mesh, rounded, scattered):
        report = find_nodes(rough, piece_set=SQUARE)
        assert (report.piece, report.defects) == (name, ())
        assert off_mm(report, 28.0, 37.0, (3.3, -8.8)) < 0.1
