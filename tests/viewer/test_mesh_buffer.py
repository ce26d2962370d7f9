from __future__ import annotations

import numpy as np
import pytest

from meshes.piece_set import load_piece_set
from viewer.mesh_buffer import drawn_mesh


@pytest.mark.parametrize("name", ["classic", "square"])
def test_whole_set_is_light_enough(name: str) -> None:
    """All 66 pieces of a set together stay within 26 000 triangles."""
    piece_set = load_piece_set(name)
    assert sum(piece.count * len(drawn_mesh(piece_set, piece).triangles) for piece in piece_set.pieces) <= 26_000


@pytest.mark.parametrize("name", ["classic", "square"])
def test_normals_are_unit_and_point_outward(name: str) -> None:
    """Normals have length 1 and lie on the outer side of every triangle."""
    piece_set = load_piece_set(name)
    for piece in piece_set.pieces:
        mesh = drawn_mesh(piece_set, piece)
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-4)
        a, b, c = (mesh.places[mesh.triangles[:, corner]] for corner in range(3))
        outward = np.cross(b - a, c - a)
        for corner in range(3):
            assert (np.einsum("ij,ij->i", outward, mesh.normals[mesh.triangles[:, corner]]) > 0).all()


def test_round_wall_is_smooth_and_flats_are_level() -> None:
    """A UNI's wall has the normals of a true cylinder, its top and bottom are level up to the bevel's edge."""
    piece_set = load_piece_set("classic")
    mesh = drawn_mesh(piece_set, piece_set.by_name["UNI"])
    is_wall = np.abs(mesh.normals[:, 2]) < 1e-6
    radial = mesh.places[is_wall, :2] / np.linalg.norm(mesh.places[is_wall, :2], axis=1, keepdims=True)
    np.testing.assert_allclose(mesh.normals[is_wall, :2], radial, atol=1e-3)
    assert (np.abs(mesh.normals[~is_wall, 2]) > 1 - 1e-6).all()
    assert set(np.unique(mesh.places[~is_wall, 2].round(4))) == {0.0, piece_set.thickness_mm}


def test_concave_corner_stays_sharp() -> None:
    """In the notch of the square set's L, the two walls keep their own normals."""
    piece_set = load_piece_set("square")
    mesh = drawn_mesh(piece_set, piece_set.by_name["TRIO"])
    notch = np.linalg.norm(mesh.places[:, :2] - piece_set.radius_mm, axis=1) < 1e-3
    walls = mesh.normals[notch & (np.abs(mesh.normals[:, 2]) < 1e-6)]
    assert {tuple(normal) for normal in np.abs(walls).round(3)} == {(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)}
