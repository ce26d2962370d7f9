import math
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from meshes.piece_set import PieceSet, build_piece_set, load_piece_set
from meshes.solid import Solid, box, build_solid
from physics.contact import TABLE
from physics.engine import FINE, Settings
from physics.pose import Pose, Vector
from physics.shape import MOST_CORNERS, TooManyCorners
from physics.world import BelowTable, World

CLASSIC = load_piece_set("classic")
SQUARE = load_piece_set("square")
SECOND = 960


def add(world: World, solid: Solid, pose: Pose, *, friction: float = 0.45, frozen: bool = False) -> int:
    """Add a body of beech."""
    return world.add(solid, pose, friction=friction, restitution=0.25, frozen=frozen)


def solid_of(piece_set: PieceSet, name: str) -> Solid:
    """The solid of a piece by its name."""
    return build_solid(piece_set, piece_set.by_name[name])


def slid_mm(friction: float, tilt_deg: float, heading_deg: float) -> float:
    """How far a block slides in 1.5 s on a tilted table."""
    with World(table_friction=friction, tilt_deg=tilt_deg, tilt_heading_deg=heading_deg) as world:
        add(world, box(50, 50, 10, 0.7), Pose(0, 0, 0), friction=friction)
        world.step(3 * SECOND // 2)
        return math.hypot(world.pose(0).x, world.pose(0).y)


def leans_deg(length: float, height: float, tilt_deg: float) -> float:
    """How far a box leans after 2 s on a rough table tilted across its length."""
    with World(table_friction=2.0, tilt_deg=tilt_deg) as world:
        add(world, box(length, length, height, 0.7), Pose(0, 0, 0), friction=2.0)
        world.step(2 * SECOND)
        return world.pose(0).tilt_deg


@pytest.mark.parametrize("friction", [0.2, 0.45, 0.8])
def test_blocks_slide_at_the_angle_of_friction(friction: float) -> None:
    """A block starts to slide within 0.3° of atan(µ), whichever way the table tilts (a stuck one creeps less than 0.1 mm)."""
    angle = math.degrees(math.atan(friction))
    for heading in (0, 45):
        assert slid_mm(friction, angle - 0.3, heading) < 0.1
        assert slid_mm(friction, angle + 0.3, heading) > 0.5


@pytest.mark.parametrize(("length", "height"), [(20, 60), (25, 40)])
def test_boxes_tip_at_the_angle_of_their_diagonal(length: float, height: float) -> None:
    """A box tips within 0.3° of atan(length / height)."""
    angle = math.degrees(math.atan(length / height))
    assert leans_deg(length, height, angle - 0.3) < 0.1
    assert leans_deg(length, height, angle + 0.3) > 45


def test_overhang_falls_beyond_half_a_length() -> None:
    """A block on the edge of another stands with its middle 0.5 % of its length inside the edge and falls 0.5 % outside."""
    for out, stands in ((49.5, True), (50.5, False)):
        with World() as world:
            add(world, box(100, 50, 20, 0.7), Pose(0, 0, 0))
            top = add(world, box(100, 50, 20, 0.7), Pose(out, 0, 20))
            world.step(3 * SECOND // 2)
            assert (world.pose(top).tilt_deg < 0.1) is stands


def test_free_fall_is_that_of_the_table() -> None:
    """After half a second of free fall under full gravity a piece has fallen g·t²/2 and has the speed g·t, in mm."""
    with World(settings=Settings(damping=0.0)) as world:
        world.skip_ramp()
        body = add(world, solid_of(CLASSIC, "UNI"), Pose(0, 0, 2000))
        world.step(SECOND // 2)
        _, _, (_, _, speed), _ = world.motion(body)
        assert 2000 - world.pose(body).z == pytest.approx(9806.65 / 8, rel=0.003)
        assert -speed == pytest.approx(9806.65 / 2, rel=0.003)


def test_other_steps_change_neither_time_nor_fall() -> None:
    """A body that falls a quarter of a second in fine and one in coarse steps falls as far as in fine ones alone, and time goes on."""
    with World(settings=Settings(damping=0.0)) as world:
        world.skip_ramp()
        body = add(world, solid_of(CLASSIC, "UNI"), Pose(0, 0, 2000))
        world.step(SECOND // 4)
        world.change_settings(Settings(steps_per_second=SECOND // 2, damping=0.0))
        assert world.seconds == pytest.approx(0.25)
        world.step(SECOND // 8)
        assert world.seconds == pytest.approx(0.5)
        assert 2000 - world.pose(body).z == pytest.approx(9806.65 / 8, rel=0.005)


def test_table_carries_the_weight() -> None:
    """The contact forces on the table add up to the weight of what stands on it, in newtons."""
    with World() as world:
        for layer in range(3):
            add(world, solid_of(CLASSIC, "BASE"), Pose(0, 0, 10 * layer))
        world.step(SECOND)
        weight = 3 * solid_of(CLASSIC, "BASE").mass_g * 9.80665e-3
        forces = []
        for _ in range(20):
            world.step()
            forces.append(sum(touch.force_n for touch in world.touches() if TABLE in (touch.a, touch.b)))
        assert np.mean(forces) == pytest.approx(weight, rel=0.05)


def test_push_moves_a_free_body_as_newton_says() -> None:
    """A force of 0.5 N for a tenth of a second gives 35 g (a 50 × 50 × 20 mm block of beech) a speed of F·t/m."""
    with World(settings=Settings(damping=0.0)) as world:
        block = box(50, 50, 20, 0.7)
        body = add(world, block, Pose(0, 0, 500))
        for _ in range(96):
            world.push(body, (0.5, 0.0, 0.0))
            world.step()
        _, _, (speed, _, _), spin = world.motion(body)
        assert speed == pytest.approx(0.5 * 0.1 / (block.mass_g * 1e-3) * 1000, rel=1e-6)
        assert np.abs(spin).max() < 1e-9


def test_torque_turns_a_free_body_as_newton_says() -> None:
    """A torque of 1 N·mm for a tenth of a second gives a block M·t/J about the vertical."""
    with World(settings=Settings(damping=0.0)) as world:
        block = box(60, 40, 20, 0.7)
        body = add(world, block, Pose(0, 0, 500))
        for _ in range(96):
            world.push(body, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
            world.step()
        inertia = block.mass_g * (60**2 + 40**2) / 12 * 1e-6
        assert world.motion(body)[3][2] == pytest.approx(0.1 / inertia, rel=1e-3)


def test_turned_pieces_keep_their_poses() -> None:
    """A pose put in comes out again, for a piece whose centre of mass is not its origin, turned any way."""
    pose = Pose(12, -7, 200, (0.5, -0.1, 0.7, 0.5))
    unit = np.array(pose.rotation) / np.linalg.norm(pose.rotation)
    pose = Pose(12, -7, 200, (float(unit[0]), float(unit[1]), float(unit[2]), float(unit[3])))
    for piece_set, name in ((CLASSIC, "QUAD"), (SQUARE, "TRIO")):
        with World() as world:
            out = world.pose(add(world, solid_of(piece_set, name), pose))
        assert out.position == pytest.approx(pose.position, abs=1e-6)
        assert abs(np.dot(out.rotation, pose.rotation)) == pytest.approx(1, abs=1e-9)


def test_column_of_twenty_discs_stands() -> None:
    """Twenty of the smallest pieces piled in line stand for ten seconds with everything awake, none more than 0.5 mm aside,
    and the pile is 20 thicknesses high within 0.2 mm a layer."""
    with World(settings=FINE) as world:
        for layer in range(20):
            add(world, solid_of(CLASSIC, "UNI"), Pose(0, 0, 10 * layer))
        for _ in range(20):
            world.step(SECOND // 2)
            states = world.states()
            assert np.hypot(states[:, 0], states[:, 1]).max() < 0.5
        assert np.abs(states[:, 2] - 10 * np.arange(20)).max() < 0.5


@pytest.mark.parametrize(("piece_set", "name"), [(CLASSIC, "QUAD"), (SQUARE, "BASE"), (SQUARE, "UNI")], ids=["convex", "concave", "disc"])
def test_piles_are_as_high_as_their_pieces(piece_set: PieceSet, name: str) -> None:
    """No collision margin makes pieces fatter: ten layers are right to 0.02 mm a layer, convex or concave."""
    with World() as world:
        for layer in range(10):
            add(world, solid_of(piece_set, name), Pose(0, 0, 10 * layer))
        world.step(SECOND)
        assert np.abs(world.states()[:, 2] - 10 * np.arange(10)).max() < 0.2


def test_neighbours_in_a_layer_leave_each_other_alone() -> None:
    """Two BASEs laid edge to edge stay where they were put."""
    with World() as world:
        base = solid_of(CLASSIC, "BASE")
        add(world, base, Pose(0, 0, 0))
        add(world, base, Pose.flat(30 * (4 + 0.5), 30 * math.sqrt(3) / 2, 0, 180))
        assert world.overlaps(base, world.pose(1)) == [1]
        start = world.states()
        world.step(SECOND)
        assert np.abs(world.states() - start)[:, :3].max() < 0.01


def test_two_ls_fit_into_each_other() -> None:
    """Two L pieces whose hulls overlap, but not their shapes, lie in one layer and neither moves."""
    with World() as world:
        trio = solid_of(SQUARE, "TRIO")
        add(world, trio, Pose(0, 0, 0))
        other = Pose.flat(2 * 28.0, 28.0, 0, 180)
        assert world.overlaps(trio, other) == []
        add(world, trio, other)
        world.step(SECOND)
        assert world.pose(0).position == pytest.approx([0, 0, 0], abs=0.02)
        assert world.pose(1).position == pytest.approx(other.position, abs=0.02)


def test_ring_keeps_its_hole() -> None:
    """A ring of six nodes dropped on a BASE rests on it, and a thin peg falls through its hole onto the BASE."""
    data = {**CLASSIC.source, "pieces": dict(CLASSIC.source["pieces"])}
    cells = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]]
    data["pieces"]["RING"] = {"cells": cells, "count": 1, "colour": "#ffffff", "letter": "R"}
    ring = solid_of(build_piece_set("ring", data), "RING")
    with World() as world:
        add(world, solid_of(CLASSIC, "BASE"), Pose(-30, 0, 0))
        top = add(world, ring, Pose(0, 0, 20))
        world.step(SECOND)
        assert world.pose(top).z == pytest.approx(10, abs=0.2)
        peg = add(world, box(10, 10, 15, 0.7), Pose(0, 4, 30))
        world.step(SECOND)
        assert world.pose(peg).z == pytest.approx(10, abs=0.2)
        assert world.pose(top).z == pytest.approx(10, abs=0.2)


def test_overlap_is_known_before_any_step() -> None:
    """A spot 2 mm inside a piece or below the table is refused at once, the spot beside and the place on top are not."""
    with World() as world:
        duo = solid_of(CLASSIC, "DUO")
        add(world, duo, Pose(0, 0, 0))
        assert world.overlaps(duo, Pose(0, 0, 8)) == [0]
        assert world.overlaps(duo, Pose(0, 0, 10)) == []
        assert world.overlaps(duo, Pose(60, 0, 0)) == []
        assert world.overlaps(duo, Pose(60, 0, -2)) == [TABLE]
        assert world.overlaps(solid_of(CLASSIC, "UNI"), Pose(-23.6, 0, 0)) == [0]
        assert world.seconds == 0


def test_body_below_the_table_is_an_error() -> None:
    """Nothing falls out of the world unnoticed."""
    with World() as world:
        body = add(world, solid_of(CLASSIC, "UNI"), Pose(0, 0, -60), frozen=True)
        world.step()
        with pytest.raises(BelowTable) as caught:
            world.states()
        assert caught.value.body == body


def test_too_fine_a_part_is_refused() -> None:
    """A collision part with too many corners for the engine is refused with the limit, never loaded in part."""
    rng = np.random.default_rng(1)
    points = rng.standard_normal((MOST_CORNERS + 1, 3))
    fine = replace(box(20, 20, 20, 0.7), parts=(points / np.linalg.norm(points, axis=1, keepdims=True),))
    with World() as world, pytest.raises(TooManyCorners, match=str(MOST_CORNERS)):
        add(world, fine, Pose(0, 0, 20))


def test_frozen_bodies_carry_and_thawed_ones_fall() -> None:
    """A frozen body hangs in the air and carries a piece; thawed, it falls with its own weight like any other."""
    with World() as world:
        shelf = add(world, box(60, 60, 10, 0.7), Pose(0, 0, 100), frozen=True)
        rider = add(world, solid_of(CLASSIC, "UNI"), Pose(0, 0, 110))
        world.step(SECOND // 2)
        assert world.pose(shelf) == Pose(0, 0, 100)
        assert world.pose(rider).z == pytest.approx(110, abs=0.05)
        world.thaw(shelf)
        world.step(SECOND // 10)
        assert world.pose(shelf).z == pytest.approx(100 - 9806.65 * 0.1**2 / 2, abs=1.5)
        world.freeze(shelf)
        z = world.pose(shelf).z
        world.step(SECOND // 10)
        assert world.pose(shelf).z == z


def leaning_stack(world: World) -> Iterator[np.ndarray]:
    """A stack that sways and falls, as poses every tenth of a second."""
    for layer in range(6):
        add(world, solid_of(SQUARE, "TRIO"), Pose.flat(4.0 * layer, 2.0 * layer, 10 * layer, 90 * layer))
    for _ in range(10):
        world.step(SECOND // 10)
        yield world.states()


def test_fresh_worlds_repeat_bit_for_bit() -> None:
    """The same bodies in a fresh world move the same, to the last bit."""
    with World() as first:
        once = list(leaning_stack(first))
    with World() as second:
        again = list(leaning_stack(second))
    assert all(np.array_equal(a, b) for a, b in zip(once, again, strict=True))


def test_rewound_worlds_repeat_bit_for_bit() -> None:
    """Whatever happened in a world, once it is rewound its bodies move the same, to the last bit; to within a millimetre as in a fresh one."""

    def fall(world: World, throw: Sequence[float]) -> Vector:
        world.rewind([Pose(0, 0, 0), Pose(9, 0, 10.4)])
        world.thaw(0)
        world.thaw(1)
        world.throw(1, throw)
        world.step(SECOND // 4)
        return world.states()

    with World() as world:
        solid = solid_of(CLASSIC, "UNI")
        add(world, solid, Pose(0, 0, 0))
        add(world, solid, Pose(9, 0, 10.4))
        world.skip_ramp()
        world.throw(1, (30.0, 0.0, 0.0))
        world.step(SECOND // 4)
        fresh = world.states()
        first = fall(world, (30.0, 0.0, 0.0))
        fall(world, (-200.0, 50.0, 300.0))
        again = fall(world, (30.0, 0.0, 0.0))
    assert np.array_equal(first, again)
    assert np.allclose(first, fresh, atol=1.0)


def test_worlds_share_nothing() -> None:
    """A world goes on as if alone when another with other gravity and friction is opened beside it and closed."""
    with World() as alone:
        expected = list(leaning_stack(alone))
    other = World(table_friction=0.0, tilt_deg=20)
    add(other, solid_of(CLASSIC, "UNI"), Pose(0, 0, 0), friction=0.0)
    with World() as world:
        steps = leaning_stack(world)
        got = [next(steps) for _ in range(5)]
        other.step(SECOND // 2)
        other.close()
        other.close()
        got += list(steps)
    assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True))


def test_worlds_in_threads() -> None:
    """Worlds in two threads at once give what each gives alone."""
    with World() as alone:
        expected = list(leaning_stack(alone))
    results: list[list[np.ndarray]] = []

    def run() -> None:
        with World() as world:
            results.append(list(leaning_stack(world)))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    assert all(np.array_equal(a, b) for got in results for a, b in zip(expected, got, strict=True))


REBUILDS = """
import resource
from meshes.piece_set import load_piece_set
from meshes.solid import build_solid
from physics.pose import Pose
from physics.world import World

def rebuild():
    with World() as world:
        for piece_set in (load_piece_set("classic"), load_piece_set("square")):
            for layer, piece in enumerate(piece_set.pieces):
                world.add(build_solid(piece_set, piece), Pose(0, 0, 20 * layer), friction=0.45, restitution=0.25)
        world.step(10)

def peak_kb(times):
    for _ in range(times):
        rebuild()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

print(-peak_kb(20) + peak_kb(60))
"""


def test_closed_worlds_leave_no_memory_behind() -> None:
    """Sixty fresh worlds after the first twenty add less than 4 MB to a process (500 may add 50)."""
    grown = subprocess.run([sys.executable, "-c", REBUILDS], capture_output=True, text=True, check=True)
    assert int(grown.stdout.split()[-1]) < 4 * 1024
