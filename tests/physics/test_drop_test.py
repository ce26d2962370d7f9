"""The drop test: flat pieces lie flat and still, what has no flat bottom does not."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import trimesh

from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet, load_piece_set
from meshes.solid import Solid, box, build_solid
from physics.drop_test import DropTest, drop_test

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")


def dropped(solid: Solid) -> DropTest:
    """The test with the usual surfaces."""
    return drop_test(solid, friction=0.45, restitution=0.25)


def own(mesh: trimesh.Trimesh) -> Solid:
    """A mesh as a solid to play with."""
    return build_solid(CLASSIC, replace(CLASSIC.pieces[0], mesh=PieceMesh.of(mesh)))


@pytest.mark.parametrize("piece_set", [CLASSIC, SQUARE], ids=["classic", "square"])
def test_every_piece_lies_flat_and_still(piece_set: PieceSet) -> None:
    """Level or leaning, each piece of both sets comes to rest flat where it was let go."""
    for piece in piece_set.pieces:
        found = dropped(build_solid(piece_set, piece))
        assert found.lies_flat and found.defects == ()
        assert all(drop.seconds < 1 and drop.moved_mm < 5 for drop in found.drops)


def test_a_cup_on_its_dome_does_not_lie() -> None:
    """A half ball upside down rocks to a lean or never rests: named, with the lean."""
    ball = trimesh.creation.icosphere(radius=12, subdivisions=3)
    cup = trimesh.intersections.slice_mesh_plane(ball, [0, 0, -1], [0, 0, 0], cap=True)
    found = dropped(own(cup))
    assert [defect.code for defect in found.defects] == ["drop"]
    assert not found.lies_flat


def test_a_hook_tips_over() -> None:
    """A piece whose centre of mass is beyond its foot falls over: it rests at more than 10°."""
    foot, arm = trimesh.creation.box((6, 20, 10)), trimesh.creation.box((50, 20, 4))
    foot.apply_translation((0, 0, 5))
    arm.apply_translation((22, 0, 12))
    found = dropped(own(trimesh.boolean.union([foot, arm])))
    assert all(drop.tilt_deg > 10 for drop in found.drops)
    assert "in 4 of 4 falls: it came to rest leaning by" in found.defects[0].message


def test_the_same_solid_falls_the_same_way() -> None:
    """Two tests of one solid give the same figures to the last digit."""
    solid = box(40, 20, 10, 0.7)
    assert dropped(solid) == dropped(solid)
    assert all(math.isfinite(drop.tilt_deg) for drop in dropped(solid).drops)
