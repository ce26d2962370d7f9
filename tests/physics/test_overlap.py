"""Overlaps: laid pieces that can't be where they are said to be."""

import math

import numpy as np
import pytest

from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.judge import overlap_words, piece_names
from physics.overlap import tower_overlaps
from physics.pose import Pose
from physics.rotation import from_turn
from physics.tower import Tower

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")


def tower_at(*poses: Pose, name: str = "UNI") -> Tower:
    """Pieces of one kind at any poses."""
    piece = CLASSIC.piece(name)
    return Tower.exact(CLASSIC, [Placement(name, 0, piece.cells)] * len(poses)).with_poses(poses)


def test_two_pieces_in_one_place_overlap_by_their_thickness() -> None:
    """Two UNIs at the same pose cut into each other; the shortest way out is up, a whole thickness."""
    assert tower_overlaps(tower_at(Pose(5, 5, 0), Pose(5, 5, 0))) == ((0, 1, pytest.approx(10.0)),)


def test_depth_is_the_shortest_way_out() -> None:
    """Side by side the depth is two radii less the distance; one sunk 3 mm into another has to go up by 3 mm."""
    beside = tower_overlaps(tower_at(Pose(0, 0, 0), Pose(2 * CLASSIC.radius_mm - 4, 0, 0), Pose(90, 0, 0)))
    assert beside == ((0, 1, pytest.approx(4.0)),)
    assert tower_overlaps(tower_at(Pose(0, 0, 0), Pose(0, 0, 7))) == ((0, 1, pytest.approx(3.0)),)


def test_legal_towers_and_touching_pieces_do_not_overlap() -> None:
    """Exact neighbours, nested corner pieces, a piece on another and pieces pushed against each other by hand are no overlap."""
    nested = Tower.exact(SQUARE, [p for text in ("TRIO 0 0,0 0,1 1,0", "TRIO 0 1,1 1,2 2,1", "UNI 1 0,0") if (p := Placement.parse(text))])
    assert tower_overlaps(nested) == ()
    assert tower_overlaps(tower_at(Pose(0, 0, 0), Pose(2 * CLASSIC.radius_mm, 0, 0))) == ()
    assert tower_overlaps(tower_at(Pose(0, 0, 0), Pose(3, 0, 10))) == ()


def test_pieces_below_the_table_are_told() -> None:
    """A piece that reaches below the table, flat or leaning, is told with how far; one that sank by a tenth of a mm is not."""
    lean = math.radians(20)
    leaning = Pose(200, 0, 0, from_turn((0.0, lean, 0.0)))
    found = tower_overlaps(tower_at(Pose(0, 0, -4), leaning, Pose(100, 0, -0.1)))
    # the lower rim of a leaning disc: the bevelled bottom face reaches r − b from the middle
    deepest = max((CLASSIC.radius_mm - CLASSIC.bevel_mm) * math.sin(lean), CLASSIC.radius_mm * math.sin(lean) - CLASSIC.bevel_mm * math.cos(lean))
    assert found == ((-1, 0, pytest.approx(4.0)), (-1, 1, pytest.approx(deepest, rel=1e-6)))


def test_overlaps_do_not_depend_on_order_or_turn() -> None:
    """The same pieces turned and moved together overlap as deep, whichever is laid first."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        (x, y), yaw = rng.uniform(-20, 20, 2), float(rng.uniform(-180, 180))
        one, two = Pose.flat(0, 0, 0, 30), Pose.flat(x, y, 0, yaw)
        there, back = (tower_overlaps(tower_at(*poses, name="DUO")) for poses in ((one, two), (two, one)))
        assert [depth for *_, depth in there] == pytest.approx([depth for *_, depth in back])


def test_what_acts_leave_behind_is_no_overlap() -> None:
    """A piece put back by up to a millimetre comes that much nearer to one laid beside it; twice as much can't be."""
    near, wrong = (tower_overlaps(tower_at(Pose(0, 0, 0), Pose(2 * CLASSIC.radius_mm - cut, 0, 0))) for cut in (0.9, 2.0))
    assert near == ()
    assert [pair[:2] for pair in wrong] == [(0, 1)]


def test_overlaps_in_words() -> None:
    """Each overlap is one sentence that names both pieces, or the table."""
    tower = tower_at(Pose(0, 0, -2), Pose(0, 0, 5))
    assert overlap_words(tower_overlaps(tower), piece_names(tower)) == ["UNI 0 cuts 2.0 mm into the table.", "UNI 1 cuts 3.0 mm into UNI 0."]
