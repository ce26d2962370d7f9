"""Piece meshes of several shells: what they cover weighs once, hollows are empty, and what is in a hollow is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import shapely
import trimesh
from shapely import Point

from meshes.errors import BadMesh
from meshes.mesh_file import read_mesh_file
from meshes.mesh_units import Unit
from meshes.piece_mesh import PieceMesh
from tests.meshes.piece_shapes import joined, peanut, plate


def _cube(side: float, *, inward: bool = False, at: Sequence[float] = (0.0, 0.0, 0.0)) -> trimesh.Trimesh:
    """A cube round `at`."""
    cube: trimesh.Trimesh = trimesh.creation.box((side, side, side))
    cube.apply_translation(at)
    if inward:
        cube.invert()
    return cube


def _volume(*shells: trimesh.Trimesh) -> float:
    mesh = PieceMesh.of(joined(*shells))
    assert PieceMesh.from_json(mesh.to_json()) == mesh
    return float(mesh.trimesh.volume)


def test_a_hollow_is_empty() -> None:
    """A cube of 40 mm with a hollow of 30 mm has the volume of both less."""
    assert _volume(_cube(40), _cube(30, inward=True)) == pytest.approx(40**3 - 30**3)


def test_a_body_in_a_hollow_is_there() -> None:
    """Cubes in each other, every other one a hollow, weigh what is between them, however they follow one another."""
    shells = [_cube(40), _cube(30, inward=True), _cube(20), _cube(10, inward=True)]
    for order in (shells, shells[::-1]):
        assert _volume(*order) == pytest.approx(40**3 - 30**3 + 20**3 - 10**3)


def test_a_hollow_of_one_body_is_filled_by_another() -> None:
    """A hollow of 10 mm is half filled by a smaller cube that reaches into it from the wall, and both count once."""
    # the cube of 15 mm spans x from 0 to 15: in the hollow it fills x from 0 to 5
    assert _volume(_cube(40), _cube(10, inward=True), _cube(15, at=(7.5, 0, 0))) == pytest.approx(40**3 - 10**3 / 2)


def test_a_file_and_a_piece_empty_the_same_hollows(tmp_path: Path) -> None:
    """A body in a hollow of a body in a hollow, and a hollow half filled by a second body, weigh the same read from a file and as a piece."""
    nested = [_cube(40), _cube(30, inward=True), _cube(20), _cube(10, inward=True)]
    filled = [_cube(40), _cube(10, inward=True), _cube(15, at=(7.5, 0, 0))]
    for name, shells in (("nested.stl", nested), ("filled.stl", filled)):
        joined(*shells).export(tmp_path / name)
        read = sum(float(part.mesh.volume) for part in read_mesh_file(tmp_path / name, unit=Unit.MM).parts)
        assert read == pytest.approx(_volume(*shells))


def test_a_mesh_out_of_reach_is_refused_with_the_reason() -> None:
    """A mesh that should stand in the piece's frame and lies 300 m off is told so; its corners did not fit into whole steps and became one."""
    far = _cube(10, at=(300_000.0, 0, 0))
    with pytest.raises(BadMesh, match="more than 100 m from its origin"):
        PieceMesh.of(far)
    assert PieceMesh.anywhere(far).trimesh.volume == pytest.approx(1000)


def test_a_hollow_of_two_bodies_together_is_empty() -> None:
    """A hollow across the seam of two cubes that overlap is taken out of both."""
    assert _volume(_cube(40), _cube(40, at=(30, 0, 0)), _cube(20, inward=True, at=(15, 0, 0))) == pytest.approx(40**2 * 70 - 20**3)


@pytest.mark.parametrize("neck_mm", [2.0, 6.0, 11.0])
@pytest.mark.parametrize("turn_deg", [0.0, 17.0, 121.0])
def test_the_silhouette_is_the_outline_that_was_drawn(neck_mm: float, turn_deg: float) -> None:
    """Seen from above a plate is its drawing, whatever long thin triangles it is made of: it does not fall apart at a neck."""
    drawn = shapely.affinity.rotate(peanut(neck_mm=neck_mm), turn_deg, origin=(0.0, 0.0))
    seen = PieceMesh.of(plate(drawn)).silhouette
    assert seen.symmetric_difference(drawn).area < 1e-3 * drawn.area


def test_the_silhouette_of_a_ring_has_its_hole() -> None:
    """A ring lets see through its middle."""
    ring = Point(0.0, 0.0).buffer(20.0, quad_segs=24).difference(Point(0.0, 0.0).buffer(8.0, quad_segs=24))
    seen = PieceMesh.of(plate(ring)).silhouette
    assert len(seen.interiors) == 1
    assert seen.symmetric_difference(ring).area < 1e-3 * ring.area
