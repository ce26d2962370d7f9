"""Checks of parts: weights against closed forms and against admesh, shapes, verdicts."""

from __future__ import annotations

import json
import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import trimesh
from shapely import Point, box

from meshes.errors import Defect
from meshes.mesh_file import MeshPart, read_mesh_file
from meshes.piece_set import PieceSet, load_piece_set
from meshes.solid import build_solid
from physics.check_files import part_rows
from physics.piece_check import Weight, check_part
from tests.meshes.piece_shapes import moved, plate

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")


def test_weight_of_a_box() -> None:
    """Volume, mass, centre and inertia of a box are the closed form, wherever it lies."""
    weight = Weight.of(moved(trimesh.creation.box((60, 30, 10)), 0.0, (7, -9, 5)), 0.7)
    mass = 60 * 30 * 10 * 0.7 / 1000
    assert (weight.volume_mm3, weight.mass_g) == pytest.approx((18000, mass))
    assert weight.centre_mm == pytest.approx([7, -9, 5])
    expected = np.diag([30**2 + 10**2, 60**2 + 10**2, 60**2 + 30**2]) * mass / 12
    assert np.allclose(weight.inertia_g_mm2, expected)


@pytest.mark.parametrize("away", [1e6, 1e8])
def test_weight_far_from_the_origin(away: float) -> None:
    """A kilometre or a hundred from its file's origin a box has the inertia of the closed form; it came out negative."""
    weight = Weight.of(moved(trimesh.creation.box((60, 30, 10)), 0.0, (away, -away, 5)), 0.7)
    expected = np.diag([30**2 + 10**2, 60**2 + 10**2, 60**2 + 30**2]) * 12.6 / 12
    assert np.allclose(weight.inertia_g_mm2, expected, rtol=1e-6, atol=1e-3)
    assert weight.centre_mm == pytest.approx([away, -away, 5])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("away", [3e5, 1e7])
def test_a_piece_far_from_the_origin_is_sound(away: float) -> None:
    """Where a mesh lies in its file does not matter: beyond 214 m it was called flat."""
    mesh = moved(build_solid(CLASSIC, CLASSIC.piece("DUO")).mesh, 0.0, (away, away / 2, 0))
    assert check_part(MeshPart("far", mesh), piece_set=CLASSIC).defects == ()


def test_weight_of_a_cylinder() -> None:
    """A disc of 720 sides is within 0.01 % of the closed form of a cylinder."""
    radius, height = 12.8, 10.0
    weight = Weight.of(plate(Point(0, 0).buffer(radius, quad_segs=180), height), 0.7)
    mass = math.pi * radius**2 * height * 0.7 / 1000
    upright, across = mass * radius**2 / 2, mass * (3 * radius**2 + height**2) / 12
    assert weight.mass_g == pytest.approx(mass, rel=1e-4)
    assert np.diag(weight.inertia_g_mm2) == pytest.approx([across, across, upright], rel=2e-4)


def test_weight_of_a_plate_with_a_hole() -> None:
    """A plate with a square hole weighs, balances and turns like the plate less the hole (Steiner)."""
    weight = Weight.of(plate(box(-30, -20, 30, 20).difference(box(10, -5, 20, 5))), 1.0)
    whole, hole = 24.0, 1.0
    mass = whole - hole
    centre = -hole * 15 / mass
    upright = whole * (60**2 + 40**2) / 12 + whole * centre**2 - hole * (10**2 + 10**2) / 12 - hole * (15 - centre) ** 2
    assert weight.mass_g == pytest.approx(mass)
    assert weight.centre_mm == pytest.approx([centre, 0, 5], abs=1e-9)
    assert weight.inertia_g_mm2[2, 2] == pytest.approx(upright)


@pytest.mark.parametrize("name", ["BASE", "TRIO"])
def test_volume_is_what_admesh_says(name: str, tmp_path: Path) -> None:
    """For a convex and a concave piece admesh finds the same volume and the same number of facets in the file."""
    path = tmp_path / "piece.stl"
    build_solid(SQUARE, SQUARE.piece(name)).mesh.export(path)
    said = subprocess.run(["admesh", str(path)], capture_output=True, text=True, check=True).stdout
    check = check_part(read_mesh_file(path).part(None), piece_set=SQUARE)
    (volume,), (facets,) = re.findall(r"Volume\s*:\s*([\d.]+)", said), re.findall(r"Number of facets\s*:\s*(\d+)", said)
    assert float(volume) == pytest.approx(check.weight.volume_mm3, rel=1e-5)
    assert int(facets) == check.triangles


@pytest.mark.parametrize(("piece_set", "name", "parts"), [(CLASSIC, "BASE", 1), (CLASSIC, "UNI", 1), (SQUARE, "TRIO", 2)])
def test_pieces_are_sound(piece_set: PieceSet, name: str, parts: int) -> None:
    """Pieces of both sets are sound, with their convex parts, and weigh what the set's report says."""
    piece = piece_set.piece(name)
    solid = build_solid(piece_set, piece)
    check = check_part(MeshPart(name, moved(solid.mesh, 31.0, (3, 4, 0))), piece_set=piece_set, cells=piece.cells)
    assert check.sound and check.nodes.defects == ()
    assert (check.convex_parts, check.is_convex) == (parts, parts == 1)
    assert check.weight.mass_g == pytest.approx(solid.mass_g)
    assert check.drop.lies_flat and check.printable.thinnest_mm == pytest.approx(10, abs=0.01)


def test_a_mistaken_claim_is_unsound() -> None:
    """A DUO claimed to be a TRIO is unsound for its cells."""
    mesh = build_solid(CLASSIC, CLASSIC.piece("DUO")).mesh
    check = check_part(MeshPart("DUO", mesh), piece_set=CLASSIC, cells=CLASSIC.piece("TRIO").cells)
    assert not check.sound and check.defects[0].code == "cells"


def test_a_broken_part_is_not_measured() -> None:
    """A part with defects keeps them and gets no weight; its rows say that it is not closed."""
    defects = (Defect("open", "", "6 edges have one face"),)
    box = trimesh.creation.box((1, 1, 1))
    check = check_part(MeshPart("hole", trimesh.Trimesh(box.vertices, box.faces[1:], process=False), defects, ()), piece_set=None)
    assert (check.sound, check.weight, check.defects) == (False, None, defects)
    assert ("watertight", "no") in part_rows(check)


def test_a_fine_mesh_is_checked_with_a_note() -> None:
    """A piece of some 5 000 triangles is sound; a note says that it is simplified for play."""
    fine = build_solid(CLASSIC, CLASSIC.piece("DUO"), sides=600).mesh
    assert len(fine.faces) > 4500
    check = check_part(MeshPart("fine", fine), piece_set=CLASSIC)
    assert check.sound and any("4,000" in note for note in check.notes)


def test_a_check_is_plain_data() -> None:
    """A check as data passes through JSON and holds what the table shows."""
    check = check_part(MeshPart("UNI", build_solid(CLASSIC, CLASSIC.piece("UNI")).mesh), piece_set=CLASSIC)
    data = json.loads(json.dumps(check.to_json()))
    assert data["sound"] and data["watertight"] and data["nodes"]["piece"] == "UNI"
    assert data["weight"]["mass_g"] == pytest.approx(check.weight.mass_g, abs=1e-3)
    assert len(data["weight"]["inertia_g_mm2"]) == 3
