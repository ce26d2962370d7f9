"""The judge: verdicts on pieces put anywhere."""

import json
import math

import numpy as np
import pytest

from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from physics.judge import covered_share, judge
from physics.pose import Pose
from physics.tower import ALIGN_TOLERANCE, Tower, exact_pose

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")
UNI, DUO, TRIO = (CLASSIC.by_name[name] for name in ("UNI", "DUO", "TRIO"))


def _placement(text: str) -> Placement:
    placement = Placement.parse(text)
    assert placement is not None
    return placement


def _tower(piece_set: PieceSet, *texts: str) -> Tower:
    return Tower.exact(piece_set, [_placement(text) for text in texts])


def _pose(piece_set: PieceSet, text: str, *, x: float = 0.0, y: float = 0.0, yaw: float = 0.0) -> Pose:
    """The exact pose of a placement, shifted (mm) and turned (degrees) on the spot."""
    exact = exact_pose(piece_set, _placement(text))
    return Pose.flat(exact.x + x, exact.y + y, exact.z, exact.yaw_deg + yaw)


BASE = "BASE 0 0,0 0,1 1,0 1,1 2,0"


def test_thousand_turns_stay_aligned() -> None:
    """A node exactly over a node is aligned and covered at 1000 random turns, wherever they meet; half a millimetre off it never is."""
    rng = np.random.default_rng(1)
    for yaw in rng.uniform(-180, 180, 1000):
        x, y = rng.uniform(-500, 500, 2).tolist()
        below = _tower(CLASSIC, "UNI 0 0,0").with_poses([Pose.flat(x, y, 0.0, rng.uniform(-180, 180))])
        exact = judge(below, UNI, Pose.flat(x, y, 10.0, yaw), margins=False)
        assert exact.aligned and not exact.overhanging and exact.stable
        way = rng.uniform(0, 2 * math.pi)
        off = judge(below, UNI, Pose.flat(x + 0.5 * math.cos(way), y + 0.5 * math.sin(way), 10.0, yaw), margins=False)
        assert not off.aligned and off.overhanging and off.within_tolerance


def test_turned_tower_keeps_every_node_aligned() -> None:
    """A DUO over two nodes of a BASE is aligned when both are turned together about any point by any angle."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        angle, centre = rng.uniform(-180, 180), rng.uniform(-500, 500, 2)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        base, duo = (
            Pose.flat(cos * pose.x - sin * pose.y + centre[0], sin * pose.x + cos * pose.y + centre[1], pose.z, pose.yaw_deg + angle)
            for pose in (_pose(CLASSIC, BASE), _pose(CLASSIC, "DUO 1 0,1 1,0"))
        )
        verdict = judge(_tower(CLASSIC, BASE).with_poses([base]), DUO, duo, margins=False)
        assert verdict.aligned and not verdict.overhanging


def test_spot_inside_a_piece_is_refused_and_the_spot_beside_it_is_not() -> None:
    """2 mm inside a laid piece overlaps it by 2 mm, before any physics; beside it nothing overlaps. The tower is as before."""
    tower = _tower(CLASSIC, BASE, "UNI 1 0,0")
    two_radii = 2 * CLASSIC.radius_mm
    inside = judge(tower, UNI, Pose.flat(two_radii - 2.0, 0.0, 10.0), layer=1)
    assert [overlap.piece for overlap in inside.overlaps] == [1] and inside.overlapping
    assert inside.overlaps[0].depth_mm == pytest.approx(2.0)
    beside = judge(tower, UNI, Pose.flat(two_radii + 0.01, 0.0, 10.0), layer=1)
    assert not beside.overlapping
    assert tower == _tower(CLASSIC, BASE, "UNI 1 0,0")


def test_notch_of_a_corner_piece_is_free() -> None:
    """Two L-shaped TRIOs nested in each other don't overlap though their hulls do; pushed together by 1 mm each way they do."""
    tower = _tower(SQUARE, "TRIO 0 0,0 0,1 1,0")
    nested = "TRIO 0 1,1 1,2 2,1"
    assert not judge(tower, SQUARE.by_name["TRIO"], _pose(SQUARE, nested), layer=0).overlapping
    assert judge(tower, SQUARE.by_name["TRIO"], _pose(SQUARE, nested, x=-1, y=-1), layer=0).overlapping


@pytest.mark.parametrize("distance", [0.0, 0.7, 5.0, 12.8, 20.0, 25.6, 30.0])
def test_uncovered_share_is_the_lens(distance: float) -> None:
    """A node off by d leaves what two circles' lens leaves uncovered; counted on a fine grid of points as outside witness."""
    radius = CLASSIC.radius_mm
    grid = np.stack(np.meshgrid(*[np.linspace(-radius, radius, 801)] * 2), axis=-1).reshape(-1, 2)
    disc = grid[np.hypot(*grid.T) <= radius]
    counted = float((np.hypot(disc[:, 0] - distance, disc[:, 1]) <= radius).mean())
    assert covered_share(distance, radius) == pytest.approx(counted, abs=2e-3)
    verdict = judge(_tower(CLASSIC, "UNI 0 0,0"), UNI, Pose.flat(0.0, distance, 10.0), layer=1, margins=False)
    assert verdict.nodes[0].uncovered == pytest.approx(1 - counted, abs=2e-3)
    assert verdict.nodes[0].error_mm == pytest.approx(distance)


def test_tolerance_is_a_share_of_the_radius() -> None:
    """A piece counts as placed up to 15 % of the node radius off, whichever node is worst; the nearest placement is named with the offset."""
    tower, limit = _tower(CLASSIC, BASE), 0.15 * CLASSIC.radius_mm
    assert ALIGN_TOLERANCE == 0.15
    near = judge(tower, DUO, _pose(CLASSIC, "DUO 1 0,0 1,0", x=0.99 * limit))
    far = judge(tower, DUO, _pose(CLASSIC, "DUO 1 0,0 1,0", x=1.01 * limit))
    assert near.within_tolerance and not near.aligned and not far.within_tolerance
    assert near.placement == far.placement == _placement("DUO 1 0,0 1,0")
    assert near.offset_mm == pytest.approx(0.99 * limit) and near.turn_deg == pytest.approx(0)
    turned = judge(tower, DUO, _pose(CLASSIC, "DUO 1 0,0 1,0", yaw=3.0))
    assert turned.turn_deg == pytest.approx(3.0)
    assert turned.nodes[1].error_mm == pytest.approx(2 * 30 * math.sin(math.radians(1.5)))


def test_half_over_two_nodes_overhangs() -> None:
    """A node midway over two nodes of one piece is not covered by either (S14), though the piece between them carries it."""
    verdict = judge(_tower(CLASSIC, "DUO 0 0,0 1,0"), UNI, Pose.flat(15.0, 0.0, 10.0))
    assert verdict.overhanging and not verdict.within_tolerance and verdict.stable
    assert verdict.nodes[0].uncovered == pytest.approx(1 - 2 * covered_share(15.0, CLASSIC.radius_mm))


def test_beyond_the_edge_it_falls() -> None:
    """A UNI whose middle stands beyond the edge of what is below falls, and the words say so; its tower was fine."""
    tower = _tower(CLASSIC, BASE)
    verdict = judge(tower, UNI, Pose.flat(-12.2, 0.0, 10.0))
    assert verdict.layer == 1 and verdict.overhanging and verdict.stable is False
    assert verdict.stability is not None and verdict.stability.fall is not None and verdict.stability.fall.first == 1
    assert any("would fall, first the new UNI" in line for line in verdict.words())


def test_layer_is_the_highest_surface_below() -> None:
    """Without a layer the piece lies on the highest top under its discs: the table, a piece, a piece on a piece; its own z does not count."""
    tower = _tower(CLASSIC, BASE, "UNI 1 0,0")
    layers = [judge(tower, DUO, _pose(CLASSIC, f"DUO 0 {cells}"), margins=False).layer for cells in ("5,5 6,5", "1,0 2,0", "0,0 1,0")]
    assert layers == [0, 1, 2]


def test_first_base_on_the_table() -> None:
    """On the table alignment is to the lattice, nothing overhangs and everything stands."""
    verdict = judge(Tower(CLASSIC), CLASSIC.base, _pose(CLASSIC, BASE, x=1.0))
    assert verdict.layer == 0 and verdict.placement == _placement(BASE) and verdict.stable
    assert [node.error_mm for node in verdict.nodes] == pytest.approx([1.0] * 5)
    assert not verdict.overhanging and not verdict.aligned and verdict.within_tolerance


def test_nothing_below() -> None:
    """A piece asked for on a layer with nothing below has no error to measure, hangs over wholly and falls."""
    verdict = judge(_tower(CLASSIC, BASE), UNI, Pose.flat(0.0, 0.0, 0.0), layer=2)
    node = verdict.nodes[0]
    assert node.error_mm is None and node.uncovered == 1 and not node.within_tolerance and verdict.stable is False


def test_layer_four_of_an_empty_table() -> None:
    """A piece asked for high over an empty table, or below it, is judged like any other: it falls, in words and as JSON."""
    for layer in (4, -1):
        verdict = judge(Tower(CLASSIC), UNI, Pose.flat(0.0, 0.0, 0.0), layer=layer)
        assert verdict.stable is False and verdict.stability is not None and verdict.stability.fall is not None
        assert verdict.stability.fall.moving == (0,) and not verdict.within_tolerance
        assert any("would fall, first the new UNI" in line for line in verdict.words())
        assert json.loads(json.dumps(verdict.to_json(), allow_nan=False))["stability"]["stable"] is False


def test_leaning_piece_is_reported() -> None:
    """A leaning pose is named as leaning and gets no verdict by statics instead of a wrong one."""
    half = math.radians(4.0)
    verdict = judge(_tower(CLASSIC, BASE), UNI, Pose(0.0, 0.0, 10.8, (0.0, math.sin(half), 0.0, math.cos(half))))
    assert verdict.leaning == (1,) and verdict.stability is None and verdict.stable is None
    assert any("the new UNI does not lie flat" in line for line in verdict.words())


def test_verdict_as_json_and_words() -> None:
    """A verdict survives JSON and speaks in whole sentences; an exact one says so first."""
    tower = _tower(CLASSIC, BASE, "TRIO 1 0,0 0,1 1,0")
    verdict = judge(tower, DUO, _pose(CLASSIC, "DUO 2 0,0 1,0"))
    data = json.loads(json.dumps(verdict.to_json(), allow_nan=False))
    assert data["placement"] == "DUO 2 0,0 1,0" and data["aligned"] and data["stability"]["stable"]
    assert data["stability"]["tilt"]["deg"] > 5 and data["stability"]["shrink"]["mm"] > 10
    words = verdict.words()
    assert words[0] == "The DUO lies exactly in its place on layer 2." and all(line.endswith(".") for line in words)
    worst = judge(tower, DUO, Pose.flat(-20.0, 3.0, 10.0, 9.0), layer=1)
    assert len(worst.words()) >= 4 and json.dumps(worst.to_json(), allow_nan=False)


def test_settling_agrees() -> None:
    """Asked as second witness, Bullet finds a well placed piece standing and one far over the edge falling, as statics does."""
    tower = _tower(CLASSIC, BASE)
    for pose, stands in ((_pose(CLASSIC, "DUO 1 0,0 1,0"), True), (Pose.flat(-16.0, 0.0, 10.0, 90.0), False)):
        verdict = judge(tower, DUO, pose, layer=1, margins=False, settle=True)
        assert verdict.stable == stands and verdict.agreement is True and verdict.settled is not None
        assert verdict.to_json()["settled"]["stands"] == stands
