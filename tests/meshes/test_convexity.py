"""Convex parts of meshes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial import ConvexHull
from shapely import box

from meshes import convexity
from meshes.convexity import convex_parts_of, is_convex


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, empty at first."""
    monkeypatch.setenv("STAKD_HOME", str(tmp_path))
    convexity._parts.cache_clear()
    return tmp_path / "cache" / "parts"


def plus() -> trimesh.Trimesh:
    """Two crossed bars of 60 × 20 × 10 mm."""
    bars = box(-30, -10, 30, 10).union(box(-10, -30, 10, 30))
    return trimesh.creation.extrude_polygon(bars, 10)


def test_convex_mesh_is_its_hull() -> None:
    """A box is convex and its own only part."""
    brick = trimesh.creation.box((30, 20, 10))
    assert is_convex(brick)
    (part,) = convex_parts_of(brick)
    assert ConvexHull(part).volume == pytest.approx(6000)


def test_parts_fill_a_concave_mesh() -> None:
    """The parts of a plus, which its hull overfills by more than a third, hold as much as it does and lie in it."""
    mesh = plus()
    assert not is_convex(mesh) and mesh.volume == pytest.approx((2 * 60 * 20 - 20 * 20) * 10)
    parts = convex_parts_of(mesh)
    assert sum(ConvexHull(part).volume for part in parts) == pytest.approx(mesh.volume, rel=0.02)
    assert np.concatenate(parts).min(axis=0) == pytest.approx(mesh.bounds[0], abs=0.2)


def test_parts_are_kept_and_damage_is_mended(own_cache: Path) -> None:
    """What was found is read from disk the next time; a damaged file there is found anew and replaced."""
    first = convex_parts_of(plus())
    (file,) = own_cache.glob("*.npz")
    for content in (file.read_bytes(), b"nonsense", file.read_bytes()[:-40]):
        file.write_bytes(content)
        convexity._parts.cache_clear()
        again = convex_parts_of(plus())
        assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
        assert file.stat().st_size > 200
