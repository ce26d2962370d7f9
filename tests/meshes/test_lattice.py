"""Lattices: turning, snapping, recognising and counting shapes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshes.lattice import Cell, Cells, Lattice, moved, moved_to_origin
from meshes.piece_set import load_piece_set

LATTICES = st.sampled_from(list(Lattice))
CELLS = st.tuples(st.integers(-12, 12), st.integers(-12, 12))
SHAPES = st.sets(CELLS, min_size=1, max_size=8).map(lambda cells: tuple(sorted(cells)))
PITCHES = st.floats(5, 500)


def distance(lattice: Lattice, a: Cell, b: Cell, pitch_mm: float = 1.0) -> float:
    """Between the centres of two cells, in mm."""
    return math.dist(lattice.position(a, pitch_mm), lattice.position(b, pitch_mm))


@pytest.mark.parametrize(("lattice", "neighbours"), [(Lattice.HEX, 6), (Lattice.SQUARE, 4)])
def test_neighbours_are_the_cells_one_pitch_away(lattice: Lattice, neighbours: int) -> None:
    """Each cell has six (hex) or four (square) neighbours, counter-clockwise from +x, and nothing else is that near."""
    near = list(lattice.neighbours((2, -3)))
    around = [(q, r) for q in range(-2, 7) for r in range(-7, 2) if 0 < distance(lattice, (q, r), (2, -3)) < 1.01]
    assert sorted(near) == sorted(around)
    assert len(near) == neighbours
    centre = lattice.position((2, -3), 1)
    angles = [math.degrees(math.atan2(y - centre[1], x - centre[0])) % 360 for x, y in (lattice.position(cell, 1) for cell in near)]
    assert angles == pytest.approx([i * lattice.turn_deg for i in range(neighbours)], abs=1e-9)


def test_positions_are_the_stated_ones() -> None:
    """x = d(q + r/2), y = d(√3/2)r on the hexagonal lattice (RULES 1.3), plain columns and rows on the square one."""
    assert Lattice.HEX.position((2, 3), 30) == pytest.approx((105, 45 * math.sqrt(3)))
    assert Lattice.SQUARE.position((2, 3), 28) == (56, 84)


@pytest.mark.parametrize(("kind", "orientations"), [("UNI", 1), ("DUO", 3), ("TRIO", 2), ("QUAD", 3), ("BASE", 6)])
def test_orientations_of_the_classic_pieces(kind: str, orientations: int) -> None:
    """Distinct rotations: UNI 1, DUO 3, TRIO 2, QUAD 3, BASE 6 (RULES 1.3)."""
    piece_set = load_piece_set("classic")
    assert len(piece_set.lattice.orientations(piece_set.by_name[kind].cells)) == orientations


@pytest.mark.parametrize(("kind", "orientations"), [("UNI", 1), ("DUO", 2), ("TRIO", 4), ("QUAD", 1), ("BASE", 1)])
def test_orientations_of_the_square_pieces(kind: str, orientations: int) -> None:
    """A bar has two rotations on the square lattice, an L four, a square and a plus one."""
    piece_set = load_piece_set("square")
    assert len(piece_set.lattice.orientations(piece_set.by_name[kind].cells)) == orientations


@given(LATTICES, SHAPES, st.integers(-20, 20), PITCHES)
def test_turning_cells_turns_their_positions(lattice: Lattice, cells: Cells, turns: int, pitch_mm: float) -> None:
    """`turned` is the rotation of the plane by whole turns, counter-clockwise about cell (0, 0)."""
    angle = math.radians(turns * lattice.turn_deg)
    expected = sorted(
        (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
        for x, y in (lattice.position(cell, pitch_mm) for cell in cells)
    )
    turned = [lattice.position(cell, pitch_mm) for cell in lattice.turned(cells, turns)]
    for x, y in turned:
        assert min(math.dist((x, y), point) for point in expected) < 1e-9 * pitch_mm
    assert len(turned) == len(expected)


@given(LATTICES, SHAPES, st.integers(-10, 10), st.integers(-10, 10))
def test_turns_add_up(lattice: Lattice, cells: Cells, first: int, second: int) -> None:
    """Turning twice is turning by the sum, and a full circle of turns changes nothing."""
    assert lattice.turned(lattice.turned(cells, first), second) == lattice.turned(cells, first + second)
    assert lattice.turned(cells, lattice.turns) == cells


@given(LATTICES, CELLS, PITCHES, st.floats(0, 2 * math.pi), st.floats(0, 0.49))
def test_nearest_snaps_back_to_the_cell(lattice: Lattice, cell: Cell, pitch_mm: float, direction: float, off: float) -> None:
    """A point less than half a pitch from a cell's centre snaps to that cell, in every direction."""
    x, y = lattice.position(cell, pitch_mm)
    assert lattice.nearest(x + off * pitch_mm * math.cos(direction), y + off * pitch_mm * math.sin(direction), pitch_mm) == cell


@given(LATTICES, PITCHES, st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_no_cell_is_nearer_than_the_nearest(lattice: Lattice, pitch_mm: float, x: float, y: float) -> None:
    """Anywhere on the table, also far from every centre, no neighbour of the cell found is nearer."""
    cell = lattice.nearest(x, y, pitch_mm)
    reach = math.dist(lattice.position(cell, pitch_mm), (x, y))
    around = [(cell[0] + dq, cell[1] + dr) for dq in (-1, 0, 1) for dr in (-1, 0, 1)]
    assert reach <= min(math.dist(lattice.position(near, pitch_mm), (x, y)) for near in around) + 1e-9 * pitch_mm


@given(LATTICES, SHAPES, st.integers(0, 5), CELLS)
def test_turns_onto_finds_the_way_back(lattice: Lattice, cells: Cells, turns: int, offset: Cell) -> None:
    """A shape turned and moved is recognised, and the turns and offset found carry it there, with the fewest turns."""
    target = tuple(sorted(moved(lattice.turned(cells, turns), *offset)))
    fit = lattice.turns_onto(cells, target)
    assert fit is not None
    found_turns, found_offset = fit
    assert moved(lattice.turned(cells, found_turns), *found_offset) == target
    assert found_turns <= turns % lattice.turns


@given(LATTICES, SHAPES, SHAPES)
def test_turns_onto_refuses_other_shapes(lattice: Lattice, cells: Cells, other: Cells) -> None:
    """Exactly the rotations of a shape are recognised as that shape."""
    is_rotation = moved_to_origin(other) in lattice.orientations(cells)
    assert (lattice.turns_onto(cells, other) is not None) == is_rotation


def test_mirror_image_is_another_shape() -> None:
    """Pieces turn but never flip: an S is not a Z."""
    s, z = ((0, 0), (1, 0), (1, 1), (2, 1)), ((0, 1), (1, 0), (1, 1), (2, 0))
    assert Lattice.SQUARE.turns_onto(s, z) is None


@given(LATTICES, SHAPES, CELLS)
def test_orientations_do_not_depend_on_place_or_turn(lattice: Lattice, cells: Cells, offset: Cell) -> None:
    """The same shape anywhere, turned anyhow, has the same set of orientations, each starting at (0, 0)."""
    orientations = lattice.orientations(cells)
    assert set(lattice.orientations(moved(lattice.turned(cells, 1), *offset))) == set(orientations)
    assert all(shape[0] == (0, 0) for shape in orientations)
    assert lattice.turns % len(orientations) == 0


@pytest.mark.parametrize(
    ("lattice", "cells", "edges", "faces"),
    [
        (Lattice.HEX, ((0, 0),), 0, 0),
        (Lattice.HEX, ((0, 0), (0, 1), (1, 0)), 3, 1),
        (Lattice.HEX, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)), 7, 3),
        (Lattice.HEX, ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)), 6, 0),
        (Lattice.HEX, ((-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)), 12, 6),
        (Lattice.SQUARE, ((0, 0), (0, 1), (1, 0)), 2, 0),
        (Lattice.SQUARE, ((0, 0), (0, 1), (1, 0), (1, 1)), 4, 1),
        (Lattice.SQUARE, ((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)), 4, 0),
    ],
)
def test_edges_and_faces_are_counted(lattice: Lattice, cells: Cells, edges: int, faces: int) -> None:
    """Neighbour pairs and enclosed faces of known shapes: dot, triangle, trapezoid, ring, full hexagon, L, square, plus."""
    assert len(lattice.edges(cells)) == edges
    assert len(lattice.faces(cells)) == faces
    assert all(distance(lattice, a, b) == pytest.approx(1) for a, b in lattice.edges(cells))


@given(LATTICES, SHAPES)
def test_connection_agrees_with_joining_cells_one_by_one(lattice: Lattice, cells: Cells) -> None:
    """A set of cells hangs together exactly if joining groups over every edge leaves one group."""
    group = {cell: cell for cell in cells}
    for a, b in lattice.edges(cells):
        old, new = group[a], group[b]
        group = {cell: new if name == old else name for cell, name in group.items()}
    assert lattice.is_connected(cells) == (len(set(group.values())) == 1)
