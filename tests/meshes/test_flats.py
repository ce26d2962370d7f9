"""Flats and sections of meshes: their areas against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from shapely import Point, Polygon, box

from meshes.flats import covered, flat_bottom, flat_top, section
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import load_piece_set
from meshes.solid import build_solid
from tests.meshes.piece_shapes import joined, moved, plate


def test_flats_of_a_drilled_plate_have_its_hole() -> None:
    """Bottom, top and section of a plate with a square hole are the plate less the hole, turned and shifted or not."""
    mesh = moved(plate(box(0, 0, 60, 40).difference(box(20, 10, 30, 20))), 33.0, (7, -5, 4))
    for area in (flat_bottom(mesh), flat_top(mesh), section(mesh)):
        assert area.area == pytest.approx(60 * 40 - 100, rel=1e-6)
        assert [len(part.interiors) for part in area.geoms] == [1]


def test_a_dome_has_a_bottom_and_no_top() -> None:
    """A half ball stands on its cut and has hardly any flat at its top."""
    ball = trimesh.creation.icosphere(radius=12, subdivisions=4)
    dome = trimesh.intersections.slice_mesh_plane(ball, [0, 0, 1], [0, 0, 0], cap=True)
    assert flat_bottom(dome).area == pytest.approx(Point(0, 0).buffer(12).area, rel=0.01)
    assert flat_top(dome).area < 5


def test_a_section_of_several_columns_has_several_parts() -> None:
    """A table cut at half its height shows its legs."""
    legs = [trimesh.creation.box((4, 4, 10), transform=trimesh.transformations.translation_matrix((x, y, 5))) for x in (0, 30) for y in (0, 30)]
    table = joined(*legs, trimesh.creation.box((40, 40, 2), transform=trimesh.transformations.translation_matrix((15, 15, 11))))
    assert [part.area for part in section(table).geoms] == pytest.approx([16.0] * 4)


def test_a_rough_flat_is_whole_and_what_is_told_is_what_stacks() -> None:
    """A disc of thin triangles whose corners lie up to 0.04 mm apart in height keeps its whole flats; in play it has the same ones."""
    square = load_piece_set("square")
    smooth = build_solid(square, square.piece("UNI"), sides=300).mesh
    rough = smooth.copy()
    rough.vertices = rough.vertices + np.column_stack(
        [np.zeros((len(rough.vertices), 2)), np.random.default_rng(2).uniform(0, 0.04, len(rough.vertices))]
    )
    own = PieceMesh.of(rough)
    for flat, played in ((flat_bottom, own.bottom), (flat_top, own.top)):
        assert flat(rough).area == pytest.approx(flat(smooth).area, rel=1e-3)
        assert sum(part.area for part in played) == pytest.approx(flat(rough).area, rel=2e-3)


@pytest.mark.parametrize("seed", [10, 72, 166])
def test_a_fan_of_thin_triangles_covers_its_middle(seed: int) -> None:
    """Hundreds of triangles about one point, whose sides run together there: that has no pinholes, and the area of the ring around them."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(370, 800))
    angles, radius = np.sort(rng.uniform(0, 2 * np.pi, count)), rng.uniform(5, 30)
    ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    middle = np.tile(rng.uniform(-1, 1, 2), (count, 1))
    whole = covered(np.stack([middle, ring, np.roll(ring, -1, axis=0)], axis=1))
    assert [len(part.interiors) for part in whole.geoms] == [0]
    assert whole.area == pytest.approx(Polygon(ring).area, rel=1e-4)
