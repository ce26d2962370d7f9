"""Outlines: the skeleton grown by the radius, whatever the shape; convex parts; the gap between neighbours."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPoint, Polygon, affinity

from meshes.lattice import Cells, Lattice, moved
from meshes.outline import convex_parts, outline, outline_rings, whole_sides
from meshes.piece_set import PieceSet, PieceType, load_piece_set, shipped_sets
from tests.meshes.conftest import Maker

PIECES = [(name, piece.name) for name in shipped_sets() for piece in load_piece_set(name).pieces]
RING: Cells = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def true_area(piece_set: PieceSet, cells: Cells, reach_mm: float) -> float:
    """Area of a convex skeleton grown by true arcs: A + P·r + π·r² (Steiner)."""
    hull = MultiPoint([piece_set.lattice.position(cell, piece_set.pitch_mm) for cell in cells]).convex_hull
    return float(hull.area + (2 * hull.length if hull.area == 0 else hull.length) * reach_mm + math.pi * reach_mm**2)


@pytest.mark.parametrize("kind", ["UNI", "DUO", "TRIO", "QUAD", "BASE"])
@pytest.mark.parametrize("inset_mm", [0, 0.8, 5])
def test_classic_outline_is_the_hull_grown(kind: str, inset_mm: float) -> None:
    """Area and reach of each classic piece are those of its hull grown by the radius, short by the stated polygon error only (RULES 1.3)."""
    piece_set = load_piece_set("classic")
    piece = piece_set.by_name[kind]
    reach_mm = piece_set.radius_mm - inset_mm
    area = outline(piece_set, piece, inset_mm=inset_mm).area
    arc_error = math.pi * reach_mm**2 * (2 * math.pi**2 / 3) / 96**2
    assert area == pytest.approx(true_area(piece_set, piece.cells, reach_mm) - arc_error, rel=1e-5)
    assert area == pytest.approx(true_area(piece_set, piece.cells, reach_mm), rel=0.0015)


def test_l_and_plus_have_the_areas_of_their_bars() -> None:
    """Two bars at a right angle: twice a bar less what they share (a square and three quarter discs for the L, a square for the plus)."""
    piece_set = load_piece_set("square")
    d, r = piece_set.pitch_mm, piece_set.radius_mm
    bar_area = [2 * r * length + math.pi * r**2 for length in (d, 2 * d)]
    assert outline(piece_set, piece_set.by_name["TRIO"]).area == pytest.approx(2 * bar_area[0] - r**2 - 3 / 4 * math.pi * r**2, rel=0.0015)
    assert outline(piece_set, piece_set.base).area == pytest.approx(2 * bar_area[1] - 4 * r**2, rel=0.0015)


@settings(max_examples=60)
@given(st.data())
def test_any_shape_is_its_skeleton_grown(maker: type[Maker], data: st.DataObject) -> None:
    """For any connected shape, concave or with holes, the outline stays within the grown skeleton and misses it by the polygon error at most."""
    lattice, cells = maker.shape(data)
    piece_set = maker.set_of(lattice, cells)
    found = outline(piece_set, piece_set.base)
    skeleton = maker.skeleton(piece_set, piece_set.base.cells)
    sagitta_mm = piece_set.radius_mm * (1 - math.cos(math.pi / 96))
    assert skeleton.buffer(piece_set.radius_mm + 1e-3, quad_segs=100).covers(found)
    assert found.buffer(1e-6).covers(skeleton.buffer(piece_set.radius_mm - sagitta_mm, quad_segs=100))
    assert found.is_valid


@settings(max_examples=60)
@given(st.data())
def test_parts_are_convex_and_make_the_whole(maker: type[Maker], data: st.DataObject) -> None:
    """Every part's nodes are in the piece, its own grown skeleton is convex, none is idle, and together they are the whole skeleton."""
    lattice, cells = maker.shape(data)
    piece_set = maker.set_of(lattice, cells)
    piece = piece_set.base
    parts = convex_parts(piece_set, piece)
    skeletons = [maker.skeleton(piece_set, part) for part in parts]
    assert set().union(*parts) == set(piece.cells)
    assert all(list(part) == sorted(set(part)) for part in parts)
    assert all(part.convex_hull.difference(part.buffer(1e-6)).is_empty for part in skeletons)
    whole = maker.skeleton(piece_set, piece.cells)
    assert shapely.union_all(skeletons).buffer(1e-6).covers(whole)
    for i in range(len(parts)):
        others = shapely.union_all(skeletons[:i] + skeletons[i + 1 :])
        assert not others.buffer(1e-6).covers(whole)


@settings(max_examples=30)
@given(st.data(), st.integers(1, 5))
def test_outline_turns_with_its_cells(maker: type[Maker], data: st.DataObject, turns: int) -> None:
    """A turned shape has exactly the turned outline: no direction of the lattice is cut differently by the polygon."""
    lattice, cells = maker.shape(data)
    piece_set = maker.set_of(lattice, cells)
    turned = replace(piece_set.base, cells=lattice.turned(piece_set.base.cells, turns))
    expected = affinity.rotate(outline(piece_set, piece_set.base), turns * lattice.turn_deg, origin=(0, 0))
    assert outline(piece_set, turned).symmetric_difference(expected).area < 1e-6


@pytest.mark.parametrize(
    ("lattice", "cells", "sizes"),
    [
        (Lattice.HEX, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)), [5]),
        (Lattice.HEX, RING, [2] * 6),
        (Lattice.HEX, tuple(sorted((*RING, (0, 0)))), [7]),
        (Lattice.HEX, ((0, 0), (1, 0), (2, 0), (3, 0)), [4]),
        (Lattice.HEX, ((0, 0), (1, 0), (1, 1)), [2, 2]),
        (Lattice.SQUARE, ((0, 0), (0, 1), (1, 0)), [2, 2]),
        (Lattice.SQUARE, ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)), [3, 3]),
        (Lattice.SQUARE, tuple((q, r) for q in range(3) for r in range(4)), [12]),
        (Lattice.SQUARE, tuple((q, r) for q in range(3) for r in range(3) if (q, r) != (1, 1)), [3, 3, 3, 3]),
        (Lattice.SQUARE, tuple((q, r) for q in range(3) for r in range(3) if (q, r) != (2, 2)), [6, 6]),
    ],
)
def test_parts_of_known_shapes(maker: type[Maker], lattice: Lattice, cells: Cells, sizes: list[int]) -> None:
    """Trapezoid, ring, full hexagon, bar, bent bar, L, plus, block, square ring and notched square fall into the fewest convex parts."""
    piece_set = maker.set_of(lattice, cells)
    assert [len(part) for part in convex_parts(piece_set, piece_set.base)] == sizes


def test_classic_pieces_are_one_part_each() -> None:
    """All five classic pieces are convex (RULES 1.3)."""
    piece_set = load_piece_set("classic")
    assert [convex_parts(piece_set, piece) for piece in piece_set.pieces] == [(piece.cells,) for piece in piece_set.pieces]


def test_ring_has_a_hole_of_the_right_width(maker: type[Maker]) -> None:
    """Six nodes around an empty cell leave a hole; the largest peg through its middle has radius 0.866 pitch − node radius."""
    piece_set = maker.set_of(Lattice.HEX, RING)
    found = outline(piece_set, piece_set.base)
    (hole,) = found.interiors
    assert Polygon(hole).contains(shapely.Point(0, 0))
    assert found.distance(shapely.Point(0, 0)) == pytest.approx(30 * math.sqrt(3) / 2 - 12.8)


@pytest.mark.parametrize(("asked", "used"), [(1, 12), (12, 12), (24, 24), (29, 24), (31, 36), (40, 36), (96, 96), (100, 96)])
def test_sides_are_a_multiple_of_twelve(asked: int, used: int) -> None:
    """A circle has the nearest multiple of 12 sides, at least 12."""
    piece_set = load_piece_set("classic")
    assert whole_sides(asked) == used
    assert len(outline(piece_set, piece_set.by_name["UNI"], sides=asked).exterior.coords) - 1 == used


@pytest.mark.parametrize(("name", "kind"), PIECES)
def test_rings_correspond_at_every_inset(name: str, kind: str) -> None:
    """Each point of an inset ring lies the inset away from its partner on the full ring; both run counter-clockwise."""
    piece_set = load_piece_set(name)
    piece = piece_set.by_name[kind]
    for full, inset in zip(outline_rings(piece_set, piece), outline_rings(piece_set, piece, inset_mm=0.8), strict=True):
        assert np.linalg.norm(full - inset, axis=1) == pytest.approx(0.8)
        assert shapely.LinearRing(full).is_ccw
        assert Polygon(full).contains(Polygon(inset))


def neighbour_pairs(piece_set: PieceSet) -> list[tuple[PieceType, PieceType]]:
    """Every piece in every orientation beside every other, on disjoint cells, some of which are neighbours or next but one."""
    lattice = piece_set.lattice
    oriented = [replace(piece, cells=cells) for piece in piece_set.pieces for cells in lattice.orientations(piece.cells)]
    pairs = []
    for first, second in itertools.product(oriented, repeat=2):
        near = {step for cell in first.cells for step in lattice.neighbours(cell)}
        near |= {step for cell in near for step in lattice.neighbours(cell)}
        offsets = {(q - cell[0], r - cell[1]) for q, r in near for cell in second.cells}
        places = (tuple(sorted(moved(second.cells, *offset))) for offset in sorted(offsets))
        pairs += [(first, replace(second, cells=cells)) for cells in places if not set(cells) & set(first.cells)]
    return pairs


@settings(max_examples=60)
@given(st.data())
def test_any_two_pieces_keep_the_gap(maker: type[Maker], data: st.DataObject) -> None:
    """Whatever two shapes lie side by side, one in a notch or a hole of the other or not, the lattice's least gap holds."""
    lattice, cells = maker.shape(data)
    piece_set = maker.set_of(lattice, cells)
    first = piece_set.base
    beside = sorted({near for cell in first.cells for near in lattice.neighbours(cell)} - set(first.cells))
    second = {data.draw(st.sampled_from(beside), "first cell beside")}
    for _ in range(data.draw(st.integers(0, 6), "further cells beside")):
        free = sorted({near for cell in second for near in lattice.neighbours(cell)} - second - set(first.cells))
        if free:
            second.add(data.draw(st.sampled_from(free), "cell beside"))
    other = outline(piece_set, replace(first, cells=tuple(sorted(second))), sides=24)
    promised_mm = lattice.least_gap * piece_set.pitch_mm - 2 * piece_set.radius_mm
    assert outline(piece_set, first, sides=24).distance(other) > promised_mm - 1e-8


@pytest.mark.parametrize("name", shipped_sets())
def test_neighbours_keep_the_stated_gap(name: str) -> None:
    """Over all orientations of all pieces side by side, outlines keep the gap the set's sizes promise, and some pair keeps no more."""
    piece_set = load_piece_set(name)
    promised_mm = piece_set.lattice.least_gap * piece_set.pitch_mm - 2 * piece_set.radius_mm
    pairs = neighbour_pairs(piece_set)
    distances = shapely.distance(*([outline(piece_set, pair[side], sides=24) for pair in pairs] for side in (0, 1)))
    assert len(pairs) > 1500
    assert distances.min() == pytest.approx(promised_mm, abs=1e-8)
    assert promised_mm >= 0.3
