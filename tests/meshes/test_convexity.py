"""Convex parts: convex meshes are one, concave ones several that fill them, the same each time and remembered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial import ConvexHull

from meshes import convexity
from meshes.cache import cache_folder
from meshes.convexity import convex_parts_of, is_convex
from meshes.errors import BadMesh
from meshes.piece_set import load_piece_set
from meshes.solid import build_solid
from tests.meshes.piece_shapes import joined


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("STAKD_HOME", str(tmp_path))
    return tmp_path


def test_convex_meshes_are_their_hull() -> None:
    """A box is its eight corners; so is a box with a sealed hollow, whose walls collide with nothing."""
    box, hollow = trimesh.creation.box((20, 20, 10)), trimesh.creation.icosphere(radius=3, subdivisions=1)
    hollow.invert()
    for mesh in (box, joined(box, hollow)):
        (part,) = convex_parts_of(mesh)
        assert sorted(map(tuple, part.tolist())) == sorted(map(tuple, box.vertices.tolist()))
    assert not cache_folder().exists()


def test_small_dents_are_convex_and_deep_ones_not() -> None:
    """A dent of 0.05 mm does not make a mesh concave, one of 2 mm does."""
    for depth, expected in ((0.05, True), (2.0, False)):
        box = trimesh.creation.box((20, 20, 10)).subdivide()
        vertices = box.vertices.copy()
        vertices[np.linalg.norm(vertices - (0, 0, 5), axis=1) < 0.1] -= (0, 0, depth)
        assert is_convex(trimesh.Trimesh(vertices, box.faces, process=False)) is expected


def test_an_l_is_taken_apart_and_remembered(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of an L fill it within 1 %, come out the same when reckoned anew, and are taken from the cache folder afterwards."""
    square = load_piece_set("square")
    mesh = build_solid(square, square.piece("TRIO")).mesh
    parts = convex_parts_of(mesh)
    assert len(parts) == 2
    assert sum(ConvexHull(part).volume for part in parts) == pytest.approx(mesh.volume, rel=0.01)
    (kept,) = (home / "cache" / "parts").iterdir()
    kept.write_bytes(b"damaged")
    again = convex_parts_of(mesh)
    monkeypatch.setattr(convexity, "_taken_apart", lambda _: pytest.fail("the cache was not used"))
    for one, other, third in zip(parts, again, convex_parts_of(mesh), strict=True):
        assert np.array_equal(one, other) and np.array_equal(one, third)


def test_a_cache_that_cannot_be_written_is_no_matter(home: Path) -> None:
    """Where the cache folder can't be made the parts come out all the same."""
    (home / "cache").write_text("in the way")
    step = trimesh.boolean.union([trimesh.creation.box((30, 10, 10)), trimesh.creation.box((10, 30, 10))])
    assert len(convex_parts_of(step)) >= 2


def test_a_flat_mesh_is_refused() -> None:
    """A mesh without volume is refused with advice."""
    sheet = trimesh.Trimesh([[0, 0, 0], [10, 0, 0], [0, 10, 0], [10, 10, 0]], [[0, 1, 2], [1, 3, 2]], process=False)
    with pytest.raises(BadMesh, match="give it thickness"):
        convex_parts_of(sheet)
