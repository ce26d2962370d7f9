"""Plates taken apart by upright cuts: few parts, that fill the plate and close no hole."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
import trimesh
from manifold3d import Manifold
from scipy.spatial import ConvexHull
from shapely import LineString, MultiPoint, Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from meshes.cuts import plan_cuts
from meshes.manifolds import manifold_of
from meshes.plate_parts import plate_parts
from meshes.solid import prism

HEXAGON = [(30 * math.cos(math.radians(60 * k)), 30 * math.sin(math.radians(60 * k))) for k in range(6)]


def disc(x: float, y: float, radius: float = 12.8) -> Polygon:
    """A disc of 96 sides."""
    return Point(x, y).buffer(radius, quad_segs=24)


def bars(*ends: tuple[tuple[float, float], tuple[float, float]], half: float = 12.8) -> BaseGeometry:
    """Lines grown to round-ended bars."""
    return shapely.union_all([LineString(pair).buffer(half, quad_segs=24) for pair in ends])


STAR = [disc(0, 0), *(disc(*spot) for spot in HEXAGON), bars(*(((0, 0), spot) for spot in HEXAGON), half=5)]
SHAPES = {
    "L": (bars(((0, 0), (28, 0)), ((0, 0), (0, 28))), 2),
    "plus": (bars(((-28, 0), (28, 0)), ((0, -28), (0, 28))), 3),
    "peanut": (shapely.union_all([disc(0, 0), disc(30, 0), box(0, -4, 30, 4)]), 4),
    "ring of six": (bars(*zip(HEXAGON, HEXAGON[1:] + HEXAGON[:1], strict=True)), 7),
    "star of seven lobes": (shapely.union_all(STAR), 40),
    "comb": (shapely.union_all([box(0, 0, 60, 10), *(box(10 * k, 0, 10 * k + 5, 40) for k in range(6))]), 7),
    "drilled disc": (disc(0, 0).difference(disc(0, 0, 4)), 14),
}
"""Outlines, and into how many parts they are cut at most."""


def body(mesh: trimesh.Trimesh) -> Manifold:
    """A mesh for cutting."""
    made = manifold_of(mesh.vertices, mesh.faces)
    assert made is not None
    return made


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("turn_deg", [0.0, 17.3])
def test_parts_fill_the_plate(name: str, turn_deg: float) -> None:
    """Few parts, together of the plate's volume, none sticking out of its outline by as much as half a millimetre, all from bottom to top."""
    shape, most = SHAPES[name]
    outline = affinity.translate(affinity.rotate(shape, turn_deg, origin=(0, 0)), 40, -70)
    mesh = trimesh.creation.extrude_polygon(outline, 10)
    parts = plate_parts(body(mesh))
    assert parts is not None and 2 <= len(parts) <= most
    assert sum(ConvexHull(part).volume for part in parts) == pytest.approx(mesh.volume, rel=0.012)
    for part in parts:
        assert outline.buffer(0.5).covers(MultiPoint(part[:, :2]).convex_hull)
        assert (part[:, 2].min(), part[:, 2].max()) == pytest.approx((0, 10), abs=1e-5)


def test_convex_outlines_need_no_cut() -> None:
    """A convex outline is not cut, nor one with a dent of less than 0.4 mm or a hole of 2 mm."""
    nicked = box(0, 0, 60, 10).difference(Polygon([(20, 10), (30, 9.61), (40, 10)]))
    drilled = box(0, 0, 60, 30).difference(Point(30, 15).buffer(1))
    for outline in (disc(0, 0), nicked, drilled):
        rings = [np.asarray(orient(outline).exterior.coords)[:-1], *(np.asarray(ring.coords)[:-1] for ring in orient(outline).interiors)]
        assert plan_cuts(rings) is None


def test_what_is_no_plate_is_left_to_others() -> None:
    """A torus and a cup don't become convex by upright cuts along their outline, and nothing is made up."""
    cup = trimesh.boolean.difference([trimesh.creation.cylinder(12, 10), trimesh.creation.cylinder(9, 10).apply_translation([0, 0, 3])])
    for mesh in (trimesh.creation.torus(30, 8), cup):
        assert plate_parts(body(mesh)) is None


def test_bevels_are_kept() -> None:
    """Parts of a beveled L are as narrow at the bottom as the L is."""
    across = [np.array([[0, 0], [40, 0], [40, 12], [0, 12]], float), np.array([[0, 0], [12, 0], [12, 40], [0, 40]], float)]
    inset = [ring + np.where(ring == ring.min(axis=0), 1.0, -1.0) for ring in across]
    bodies = [body(prism([(small, 0.0), (ring, 1.0), (ring, 10.0)])) for ring, small in zip(across, inset, strict=True)]
    parts = plate_parts(bodies[0] + bodies[1])
    assert parts is not None and len(parts) == 2
    for part in parts:
        bottom = part[np.abs(part[:, 2]) < 1e-6]
        assert bottom[:, :2].min() == pytest.approx(1.0, abs=1e-5)
    assert max(part[np.abs(part[:, 2]) < 1e-6][:, 0].max() for part in parts) == pytest.approx(39.0, abs=1e-5)
