"""Moving the table: falls begin where closed forms and statics say."""

from __future__ import annotations

import math

import pytest

from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from meshes.set_changes import with_sizes
from physics.pose import as_pose
from physics.table_motion import MotionKind, MovedTable, move_table, tilt_limit, tilt_limits
from physics.tower import Tower
from physics.units import GRAVITY_MM_S2

UNI = Placement("UNI", 0, ((0, 0),))


def changed(**sizes: float) -> PieceSet:
    """The classic set with other sizes or another friction."""
    return with_sizes(load_piece_set("classic"), name="changed", **sizes)


@pytest.mark.parametrize("friction", [0.2, 0.45])
def test_a_single_disc_slides_at_the_angle_of_friction(friction: float) -> None:
    """It begins to slide at atan μ, whichever way the table tilts; statics, whose friction is a pyramid, says so within 0.3°."""
    tower, angle = Tower.exact(changed(friction=friction), [UNI]), math.degrees(math.atan(friction))
    moved = move_table(tower, MotionKind.TILT, heading_deg=37.0)
    assert moved.first == 0
    assert moved.amount == pytest.approx(angle, abs=0.8)
    assert moved.foretold == pytest.approx(angle, abs=0.3)


def test_a_tall_disc_tips_over_its_edge() -> None:
    """With friction enough it tips at atan(width / height): its flat reaches 12 mm out, at a corner of its shape; its centre is 30 mm up."""
    moved = move_table(Tower.exact(changed(thickness_mm=60.0, friction=1.0), [UNI]), MotionKind.TILT)
    assert moved.amount == pytest.approx(math.degrees(math.atan(12 / 30)), abs=0.4)
    assert moved.foretold == pytest.approx(math.degrees(math.atan(12 / 30)), abs=0.1)


def test_a_tower_falls_where_statics_foretells() -> None:
    """A column of three leaning out step by step: the simulation falls within 1° of what statics says, and both name what goes first."""
    classic = load_piece_set("classic")
    tower = Tower.exact(classic, [Placement("DUO", 0, ((0, 0), (1, 0))), Placement("DUO", 1, ((1, 0), (2, 0)))])
    tower = tower.with_piece(Placement("UNI", 2, ((1, 0),)))
    limit = tilt_limit(tower, 180.0)
    moved = move_table(tower, MotionKind.TILT, heading_deg=180.0)
    assert limit is not None
    assert moved.amount == pytest.approx(limit.deg, abs=1.0)
    assert moved.first == limit.first


def test_a_column_of_twenty_tips_over_its_edge() -> None:
    """Twenty discs tip as one at atan(12 / 100), as far as their loads are found through twenty layers: within 1°."""
    moved = move_table(Tower.exact(load_piece_set("classic"), [Placement("UNI", layer, ((0, 0),)) for layer in range(20)]), MotionKind.TILT)
    assert moved.amount == pytest.approx(math.degrees(math.atan(12 / 100)), abs=1.0)


def test_limits_of_many_headings_are_those_of_each() -> None:
    """All headings together have the limits that each has when its falls are sought by halving, which is exact to 0.02°."""
    classic, headings = load_piece_set("classic"), (0.0, 70.0, 180.0)
    tower = Tower.exact(classic, [Placement("DUO", 0, ((0, 0), (1, 0))), Placement("DUO", 1, ((1, 0), (2, 0)))])
    tower = tower.with_piece(Placement("UNI", 2, ((1, 0),)))
    alone = [tilt_limit(tower, heading) for heading in headings]
    assert list(tilt_limits(tower, headings)) == pytest.approx([limit.deg for limit in alone if limit], abs=0.03)


def test_what_does_not_stand_has_no_limit() -> None:
    """A piece that hangs out too far falls from a level table already, so there is nothing to foretell."""
    classic = load_piece_set("classic")
    tower = Tower.exact(classic, [UNI, Placement("QUAD", 1, ((0, 0), (0, 1), (1, 0), (1, 1)))])
    assert tilt_limit(tower, 0.0) is None


def test_a_bump_moves_a_disc_as_far_as_friction_lets_it() -> None:
    """A blow of 300 mm/s to the table leaves a disc behind by what half a sine of 30 ms against friction gives, stepped by hand."""
    moved = move_table(Tower.exact(load_piece_set("classic"), [UNI]), MotionKind.BUMP, most=300.0)
    speed = lag = 0.0
    for step in range(200_000):
        now = step * 1e-6 * 2
        table = 300 * math.pi / (2 * 0.03) * math.sin(math.pi * now / 0.03) if now < 0.03 else 0.0
        grip = 0.45 * GRAVITY_MM_S2
        speed = max(0.0, speed + (table - grip) * 2e-6)
        lag += speed * 2e-6
    assert moved.amount is None
    assert -float(moved.track.states[-1, 0, 0]) == pytest.approx(lag, rel=0.05)


def test_what_rocks_back_has_left_its_place() -> None:
    """A tall disc that a blow rocks by more than 10° (RULES S42) and that stands again soon counts as fallen; after a softer one it does not."""

    def blown(speed: float) -> tuple[MovedTable, list[float]]:
        tilts: list[float] = []
        tower = Tower.exact(changed(thickness_mm=60.0, friction=1.0), [UNI])
        moved = move_table(tower, MotionKind.BUMP, most=speed, onlooker=lambda seconds, amount, states: tilts.append(as_pose(states[0]).tilt_deg))
        return moved, tilts

    moved, tilts = blown(300.0)
    assert max(tilts) > 10 > 1 > tilts[-1]
    assert (moved.first, moved.amount) == (0, 300.0)
    moved, tilts = blown(220.0)
    assert 1 < max(tilts) < 10
    assert moved.first is None


def test_shaking_grows_until_the_tower_falls() -> None:
    """A tall disc rocks over soon after the table's acceleration reaches what tips it standing still: width / height in gravities."""
    moved = move_table(Tower.exact(changed(thickness_mm=60.0, friction=1.0), [UNI]), MotionKind.SHAKE)
    assert moved.foretold == pytest.approx(12 / 30, abs=0.01)
    assert moved.amount is not None
    assert 12 / 30 <= moved.amount < 2 * 12 / 30


def test_an_onlooker_sees_the_table_tilt_on() -> None:
    """Whoever shows it gets the angle and all poses sixty times a second, the angle never going back."""
    seen: list[tuple[float, float, int]] = []
    moved = move_table(
        Tower.exact(load_piece_set("classic"), [UNI]), MotionKind.TILT, most=2.0, onlooker=lambda at, deg, states: seen.append((at, deg, len(states)))
    )
    assert moved.amount is None
    assert moved.reached == pytest.approx(2.0, abs=0.02)
    assert [deg for _, deg, _ in seen] == sorted(deg for _, deg, _ in seen)
    assert {count for _, _, count in seen} == {1}
