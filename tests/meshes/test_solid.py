"""Solids: closed, of the right shape, mass, centre and inertia, against closed forms and independent integrals."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
import shapely
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPoint, Polygon

from meshes.lattice import Cells, Lattice
from meshes.outline import outline
from meshes.piece_set import PieceSet, PieceType, load_piece_set, shipped_sets
from meshes.solid import COLLISION_SIDES, Solid, box, build_solid, prism
from tests.meshes.conftest import Maker

PIECES = [(name, piece.name) for name in shipped_sets() for piece in load_piece_set(name).pieces]
RING: Cells = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def piece_of(name: str, kind: str) -> tuple[PieceSet, PieceType]:
    """A shipped set and one of its pieces."""
    piece_set = load_piece_set(name)
    return piece_set, piece_set.by_name[kind]


def assert_closed(mesh: trimesh.Trimesh) -> None:
    """Watertight, all faces outward, no needles among them."""
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    assert mesh.area_faces.min() > 1e-4


@pytest.mark.parametrize(("name", "kind"), PIECES)
@pytest.mark.parametrize("sides", [12, 24, 40, 96])
def test_every_piece_is_closed_and_stands_on_its_bottom(name: str, kind: str, sides: int) -> None:
    """At every fineness each shipped piece is one closed body without holes, as long and wide as its outline and as high as its thickness."""
    piece_set, piece = piece_of(name, kind)
    mesh = build_solid(piece_set, piece, sides=sides).mesh
    assert_closed(mesh)
    assert mesh.euler_number == 2
    assert mesh.body_count == 1
    left, front, right, back = outline(piece_set, piece, sides=sides).bounds
    assert mesh.bounds == pytest.approx(np.array([[left, front, 0], [right, back, piece_set.thickness_mm]]), abs=1e-9)


def bevelled_volume(area_terms: tuple[float, float, float], piece_set: PieceSet) -> float:
    """Volume of a body whose section at reach r has area a + b·r + c·r²: the middle, and two bevels over which r grows as z."""
    radius, bevel = piece_set.radius_mm, piece_set.bevel_mm
    inner = radius - bevel
    full = sum(term * radius**n for n, term in enumerate(area_terms)) * (piece_set.thickness_mm - 2 * bevel)
    return full + 2 * sum(term * (radius ** (n + 1) - inner ** (n + 1)) / (n + 1) for n, term in enumerate(area_terms))


@pytest.mark.parametrize("kind", ["UNI", "DUO", "TRIO", "QUAD", "BASE"])
def test_volume_of_classic_pieces(kind: str) -> None:
    """Volume and mass of each convex piece by Steiner's A + P·r + π·r², integrated over the bevels; the UNI is a cylinder and two frustums."""
    piece_set, piece = piece_of("classic", kind)
    hull = MultiPoint([piece_set.lattice.position(cell, piece_set.pitch_mm) for cell in piece.cells]).convex_hull
    around = {"UNI": 0, "DUO": 2 * hull.length}.get(kind, hull.length)
    expected = bevelled_volume((hull.area, around, math.pi), piece_set)
    solid = build_solid(piece_set, piece)
    assert solid.mesh.volume == pytest.approx(expected, rel=0.0015)
    assert solid.mesh.volume < expected
    assert solid.mass_g == pytest.approx(expected * 0.7 / 1000, rel=0.0015)


def test_bevelled_disc_is_a_cylinder_and_two_frustums() -> None:
    """The UNI's volume and both moments of inertia from the school formulas of cylinder and cone."""
    piece_set, piece = piece_of("classic", "UNI")
    outer, bevel, height = piece_set.radius_mm, piece_set.bevel_mm, piece_set.thickness_mm
    inner, density = outer - bevel, 0.0007
    frustum = math.pi * bevel / 3 * (outer**2 + outer * inner + inner**2)
    assert build_solid(piece_set, piece).mass_g == pytest.approx(density * (math.pi * outer**2 * (height - 2 * bevel) + 2 * frustum), rel=0.0008)

    def cone(radius: float, apex_mm: float) -> tuple[float, float]:
        """Spin and tilt moments of a 45° cone about the disc's centre; its base `radius` wide is `apex_mm − radius` above it."""
        mass = density * math.pi / 3 * radius**3
        return 0.3 * mass * radius**2, mass * (0.15 * radius**2 + 0.0375 * radius**2 + (apex_mm - 0.75 * radius) ** 2)

    apex = height / 2 - bevel + outer
    cylinder = density * math.pi * outer**2 * (height - 2 * bevel)
    spin, tilt = (2 * (large - small) for large, small in zip(cone(outer, apex), cone(inner, apex), strict=True))
    spin += cylinder * outer**2 / 2
    tilt += cylinder * (outer**2 / 4 + (height - 2 * bevel) ** 2 / 12)
    assert build_solid(piece_set, piece).inertia_g_mm2 == pytest.approx(np.diag([tilt, tilt, spin]), rel=0.0015, abs=1e-6)


def test_l_and_plus_count_shared_volume_once() -> None:
    """Two bars less what they share: a square and three quarter discs for the L, a square for the plus, at every height."""
    piece_set, l_piece = piece_of("square", "TRIO")
    d = piece_set.pitch_mm
    l_volume = bevelled_volume((0, 4 * d, 2 * math.pi - 1 - 3 / 4 * math.pi), piece_set)
    plus_volume = bevelled_volume((0, 8 * d, 2 * math.pi - 4), piece_set)
    assert build_solid(piece_set, l_piece).mesh.volume == pytest.approx(l_volume, rel=0.0015)
    assert build_solid(piece_set, piece_set.base).mesh.volume == pytest.approx(plus_volume, rel=0.0015)


class Moments(NamedTuple):
    """Mass in g, centre in mm, inertia about the centre in g·mm²."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray


def measured(maker: type[Maker], piece_set: PieceSet, piece: PieceType, step_mm: float = 0.2) -> Moments:
    """The piece as a forest of square columns, each as high as the bevel lets it be at its distance from the skeleton; no mesh is involved."""
    skeleton = maker.skeleton(piece_set, piece.cells)
    left, front, right, back = skeleton.buffer(piece_set.radius_mm + step_mm).bounds
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(left, right, step_mm), np.arange(front, back, step_mm)))
    off = shapely.distance(skeleton, shapely.points(x, y))
    cover = np.clip((piece_set.radius_mm - off) / step_mm + 0.5, 0, 1)
    height = piece_set.thickness_mm - 2 * np.clip(off - piece_set.radius_mm + piece_set.bevel_mm, 0, piece_set.bevel_mm)
    mass = cover * height * step_mm**2 * piece_set.density_g_cm3 / 1000
    centre = np.array([np.average(x, weights=mass), np.average(y, weights=mass), piece_set.thickness_mm / 2])
    x, y = x - centre[0], y - centre[1]
    xx, yy, xy, zz = (float((mass * square).sum()) for square in (x * x, y * y, x * y, height**2 / 12))
    return Moments(float(mass.sum()), centre, np.array([[yy + zz, -xy, 0], [-xy, xx + zz, 0], [0, 0, xx + yy]]))


def assert_moments(solid: Solid, expected: Moments) -> None:
    """Agreement within the polygon error and the grid's."""
    assert solid.mass_g == pytest.approx(expected.mass, rel=0.001)
    assert solid.centre_mm == pytest.approx(expected.centre, abs=0.005)
    assert solid.inertia_g_mm2 == pytest.approx(expected.inertia, rel=0.0018, abs=0.0001 * expected.inertia[2, 2])


@pytest.mark.parametrize(("name", "kind"), PIECES)
def test_mass_centre_and_inertia_of_every_shipped_piece(maker: type[Maker], name: str, kind: str) -> None:
    """Against a fine integral over columns that knows only the distance from the skeleton, concave pieces too."""
    piece_set, piece = piece_of(name, kind)
    assert_moments(build_solid(piece_set, piece), measured(maker, piece_set, piece))


def test_ring_keeps_its_hole_open(maker: type[Maker]) -> None:
    """A ring of six is a torus, weighs what its six overlapping arms weigh together once, and a peg a UNI wide passes without touching."""
    piece_set = maker.set_of(Lattice.HEX, RING)
    solid = build_solid(piece_set, piece_set.base)
    assert_closed(solid.mesh)
    assert solid.mesh.euler_number == 0
    assert_moments(solid, measured(maker, piece_set, piece_set.base))
    peg = build_solid(piece_set, piece_set.by_name["OTHER"])
    assert trimesh.boolean.intersection([solid.mesh, peg.mesh]).is_empty
    assert all(flat.distance(shapely.Point(0, 0)) > piece_set.radius_mm for flat in solid.footprint)
    arms = [MultiPoint(part[:, :2]).convex_hull for part in solid.parts]
    assert len(arms) == 6
    assert all(arm.distance(shapely.Point(0, 0)) > piece_set.radius_mm for arm in arms)


@settings(max_examples=40)
@given(st.data(), st.sampled_from([0.0, 0.5, 3.0]))
def test_any_shape_becomes_one_closed_body(maker: type[Maker], data: st.DataObject, bevel_mm: float) -> None:
    """Any connected shape, bevelled or not, gives one closed body with a handle for each hole of its outline and the outline's volume."""
    piece_set = maker.set_of(*maker.shape(data), bevel_mm=bevel_mm)
    solid = build_solid(piece_set, piece_set.base, sides=24)
    full = outline(piece_set, piece_set.base, sides=24)
    assert_closed(solid.mesh)
    assert solid.mesh.body_count == 1
    assert solid.mesh.euler_number == 2 - 2 * len(full.interiors)
    flat = outline(piece_set, piece_set.base, inset_mm=bevel_mm, sides=24)
    middle = outline(piece_set, piece_set.base, inset_mm=bevel_mm / 2, sides=24)
    simpson = bevel_mm / 3 * (full.area + 4 * middle.area + flat.area)
    assert solid.mesh.volume == pytest.approx(full.area * (10 - 2 * bevel_mm) + simpson, rel=1e-6)


@pytest.mark.parametrize(("name", "kind"), PIECES)
def test_collision_parts_fill_the_solid_and_no_more(name: str, kind: str) -> None:
    """The convex parts together are the solid at collision fineness: a concave piece does not become its hull, and no part sticks out."""
    piece_set, piece = piece_of(name, kind)
    solid = build_solid(piece_set, piece)
    hulls = [trimesh.convex.convex_hull(part) for part in solid.parts]
    for part, hull in zip(solid.parts, hulls, strict=True):
        assert len(hull.vertices) == len(part)
    together = trimesh.boolean.union(hulls) if len(hulls) > 1 else hulls[0]
    assert together.volume == pytest.approx(build_solid(piece_set, piece, sides=COLLISION_SIDES).mesh.volume, rel=1e-5)
    assert 0.985 < together.volume / solid.mesh.volume < 1
    points = shapely.points(np.concatenate(solid.parts)[:, :2])
    assert shapely.distance(outline(piece_set, piece), points).max() < 1e-9


@pytest.mark.parametrize(("name", "kind"), PIECES)
def test_footprint_is_the_flat_of_each_part(name: str, kind: str) -> None:
    """The footprint's polygons are the bottoms and tops of the collision parts, and together the outline drawn in by the bevel."""
    piece_set, piece = piece_of(name, kind)
    solid = build_solid(piece_set, piece)
    assert solid.height_mm == piece_set.thickness_mm
    for part, flat in zip(solid.parts, solid.footprint, strict=True):
        for z in (0, piece_set.thickness_mm):
            assert Polygon(part[part[:, 2] == z][:, :2]).equals(flat)
        assert flat.equals(flat.convex_hull)
    drawn_in = outline(piece_set, piece, inset_mm=piece_set.bevel_mm, sides=COLLISION_SIDES)
    assert shapely.union_all(solid.footprint).symmetric_difference(drawn_in).area < 1e-9


def test_low_side_disc_is_light_to_draw() -> None:
    """A UNI at 40 sides has at most 330 triangles."""
    piece_set, piece = piece_of("classic", "UNI")
    assert len(build_solid(piece_set, piece, sides=40).mesh.faces) <= 330


@given(st.floats(1, 500), st.floats(1, 500), st.floats(1, 500), st.floats(0.1, 20))
def test_box_has_the_school_moments(length_mm: float, width_mm: float, height_mm: float, density: float) -> None:
    """m = ρ·l·w·h, I = m/12 (w² + h²) about each axis, centre half-way up."""
    solid = box(length_mm, width_mm, height_mm, density)
    mass = density / 1000 * length_mm * width_mm * height_mm
    x, y, z = length_mm**2, width_mm**2, height_mm**2
    assert_closed(solid.mesh)
    assert solid.mass_g == pytest.approx(mass, rel=1e-9)
    assert solid.centre_mm == pytest.approx([0, 0, height_mm / 2], abs=1e-7)
    largest = mass * max(x, y, z)
    assert solid.inertia_g_mm2 == pytest.approx(mass / 12 * np.diag([y + z, x + z, x + y]), rel=1e-7, abs=1e-9 * largest)
    (part,), (flat,) = solid.parts, solid.footprint
    assert len(part) == 8
    assert flat.area == pytest.approx(length_mm * width_mm)
    assert solid.height_mm == height_mm


@pytest.mark.parametrize(("name", "kind"), PIECES)
def test_parallel_axes(maker: type[Maker], name: str, kind: str) -> None:
    """Inertia about the piece's own origin, by the parallel-axis theorem from the solid's, agrees with the integral about that origin."""
    piece_set, piece = piece_of(name, kind)
    solid, expected = build_solid(piece_set, piece), measured(maker, piece_set, piece)

    def about_origin(mass: float, centre: np.ndarray, inertia: np.ndarray) -> np.ndarray:
        moved: np.ndarray = inertia + mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        return moved

    found = about_origin(solid.mass_g, solid.centre_mm, solid.inertia_g_mm2)
    assert found == pytest.approx(about_origin(*expected), rel=0.0018, abs=0.0002 * found[2, 2])


def test_prism_of_one_ring_pair_is_exact() -> None:
    """A plain prism over a triangle: half of base times height, times length."""
    ring = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
    mesh = prism([(ring, 1.0), (ring, 6.0)])
    assert_closed(mesh)
    assert mesh.volume == pytest.approx(30)
    assert len(mesh.faces) == 8


def test_solids_are_built_once_and_not_changed_by_accident() -> None:
    """The same piece gives the same object, and its numbers refuse to be written to."""
    piece_set, piece = piece_of("classic", "DUO")
    solid = build_solid(piece_set, piece)
    assert build_solid(load_piece_set("classic"), piece) is solid
    for values in (solid.centre_mm, solid.inertia_g_mm2, *solid.parts):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1.0
