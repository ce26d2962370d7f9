"""Changing piece sets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from meshes.errors import BadPieceSet
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import load_piece_set
from meshes.set_changes import with_mesh, with_sizes
from meshes.solid import build_solid


def test_sizes_change_and_nothing_else() -> None:
    """Another radius and friction are in the set and in its data; one that can't be built is refused."""
    classic = load_piece_set("classic")
    changed = with_sizes(classic, radius_mm=12.0, friction=0.6)
    assert (changed.radius_mm, changed.friction, changed.pitch_mm) == (12.0, 0.6, 30.0)
    assert changed.source["geometry"]["radius_mm"] == 12.0
    assert classic.source["geometry"]["radius_mm"] == 12.8
    with pytest.raises(BadPieceSet, match="outlines-overlap"):
        with_sizes(classic, radius_mm=15.0)


def test_a_mesh_takes_the_place_of_a_piece_with_its_cells() -> None:
    """The mesh of three nodes in a row in the TRIO's place is there with its cells; all other pieces and the name stay."""
    classic, row = load_piece_set("classic"), ((0, 0), (1, 0), (2, 0))
    mesh = PieceMesh.of(build_solid(classic, replace(classic.by_name["TRIO"], cells=row)).mesh)
    changed = with_mesh(classic, "TRIO", mesh, row)
    assert (changed.name, changed.by_name["TRIO"].mesh, changed.by_name["TRIO"].cells) == ("classic", mesh, row)
    assert [piece for piece in changed.pieces if piece.name != "TRIO"] == [piece for piece in classic.pieces if piece.name != "TRIO"]


def test_own_meshes_follow_thickness_and_pitch() -> None:
    """Thicker by a tenth a mesh weighs a tenth more; at a pitch a sixtieth wider its nodes are there and it weighs (61/60)² as much; another
    radius is not the mesh's, and is refused."""
    classic = load_piece_set("classic")
    with_own = with_mesh(classic, "TRIO", PieceMesh.of(build_solid(classic, classic.by_name["TRIO"]).mesh), classic.by_name["TRIO"].cells)
    before, thicker, wider = (
        build_solid(changed, changed.by_name["TRIO"]).mass_g
        for changed in (with_own, with_sizes(with_own, thickness_mm=11.0), with_sizes(with_own, pitch_mm=30.5))
    )
    assert thicker / before == pytest.approx(1.1, rel=1e-4)
    assert wider / before == pytest.approx((61 / 60) ** 2, rel=1e-4)
    with pytest.raises(BadPieceSet, match=r"radius 12\.80 mm, the set has 12\.2 mm"):
        with_sizes(with_own, radius_mm=12.2)


@pytest.mark.parametrize(("size", "value"), [("thickness_mm", 1e9), ("thickness_mm", -10.0), ("pitch_mm", 0.0), ("pitch_mm", 1e200)])
def test_sizes_that_can_not_be_are_told_of_a_set_with_own_meshes_too(size: str, value: float) -> None:
    """No mesh is stretched to a size beyond the limits of a set's file: what is told is the limit, not what would have become of the mesh."""
    classic = load_piece_set("classic")
    with_own = with_mesh(classic, "UNI", PieceMesh.of(build_solid(classic, classic.by_name["UNI"]).mesh), classic.by_name["UNI"].cells)
    with pytest.raises(BadPieceSet, match=f"geometry.{size}: must be a number from"):
        with_sizes(with_own, name="own", **{size: value})
