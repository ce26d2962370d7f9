import numpy as np
import pytest

from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.grip import EXACT, FELT_N, NORMAL, PRESS_N, SHAKY, STEADINESS, STEADY, STRENGTH_N, Grip, Motion
from physics.hand import HandPath
from physics.pose import Pose
from physics.tower import Tower, exact_pose
from physics.world import World

CLASSIC = load_piece_set("classic")
LEVEL = (0.0, 0.0, 0.0, 1.0)
STILL = (0.0, 0.0, 0.0)


def hold(world: World, name: str, pose: Pose) -> tuple[int, Grip]:
    """A piece in a hand."""
    world.skip_ramp()
    body = world.add(build_solid(CLASSIC, CLASSIC.by_name[name]), pose, friction=0.45, restitution=0.25)
    return body, Grip(world, body)


def test_hand_holds_still() -> None:
    """A held piece hangs where the hand wants it, within 0.01 mm, however heavy it is."""
    for name in ("UNI", "BASE"):
        with World() as world:
            body, grip = hold(world, name, Pose(5, 0, 100))
            for _ in range(960):
                grip.pull(Motion((5, 0, 100), LEVEL, STILL))
                world.step()
            assert world.pose(body).position == pytest.approx([5, 0, 100], abs=0.01)


def test_piece_follows_a_steady_hand_closely() -> None:
    """A piece carried at 200 mm/s lags behind by less than half a millimetre and stays level."""
    with World() as world:
        body, grip = hold(world, "QUAD", Pose(0, 0, 50))
        for step in range(960):
            x = 200 * step / 960
            grip.pull(Motion((x, 0, 50), LEVEL, (200.0, 0, 0)))
            world.step()
        assert abs(world.pose(body).x - 200) < 0.5
        assert world.pose(body).tilt_deg < 0.2


def test_force_of_the_hand_is_limited() -> None:
    """A hand that wants a piece far away pulls with its full strength and no more: the piece gains speed by F/m."""
    with World() as world:
        body, grip = hold(world, "BASE", Pose(0, 0, 50))
        for _ in range(20):
            grip.pull(Motion((1000, 0, 50), LEVEL, STILL))
            world.step()
        speed = world.motion(body)[2][0]
        assert speed == pytest.approx(STRENGTH_N / (world.mass_g(body) * 1e-6) * 20 / 960, rel=0.01)


def test_hand_feels_the_table_and_presses_gently() -> None:
    """A hand that lowers a piece below the table's face feels it stand, and presses with no more than its limit."""
    with World() as world:
        body, grip = hold(world, "TRIO", Pose(0, 0, 5))
        for step in range(960):
            z = max(-10.0, 5 - 20 * step / 960)
            grip.pull(Motion((0, 0, z), LEVEL, (0, 0, -20.0)))
            world.step()
        assert grip.feels_support
        assert FELT_N < -grip.strain_n[2] <= PRESS_N
        assert sum(touch.force_n for touch in world.touches(body)) == pytest.approx(PRESS_N, rel=0.05)


def test_bevels_guide_a_piece_between_its_neighbours() -> None:
    """A UNI lowered 0.9 mm off its place, more than the gap to its neighbour, finds its way down beside it."""
    with World() as world:
        wall = build_solid(CLASSIC, CLASSIC.by_name["BASE"])
        world.add(wall, Pose(0, 0, 0), friction=0.45, restitution=0.25, frozen=True)
        place = exact_pose(CLASSIC, Placement("UNI", 0, ((-1, 1),)))
        body, grip = hold(world, "UNI", Pose(place.x + 0.78, place.y - 0.45, 13))
        for step in range(1200):
            z = max(-1.0, 13 - 20 * step / 960)
            grip.pull(Motion((place.x + 0.78, place.y - 0.45, z), LEVEL, (0, 0, -20.0 if z > -1 else 0.0)))
            world.step()
        assert world.pose(body).z == pytest.approx(0, abs=0.1)
        assert world.pose(body).tilt_deg < 0.5


def test_levels_grow_in_every_error() -> None:
    """The named levels of steadiness run from exact, without any error, to shaky, each worse than the one before in every way."""
    levels = [EXACT, STEADY, NORMAL, SHAKY]
    assert list(STEADINESS.values()) == levels
    errors = np.array([[s.tremor_mm, s.turn_deg, s.lean_deg, s.drop_mm, s.sag_mm] for s in levels])
    assert (errors[0] == 0).all()
    assert (np.diff(errors, axis=0) > 0).all()


def test_path_ends_above_the_place_with_the_stated_errors() -> None:
    """A hand lets go with the tremor, turn and drop height its steadiness states (mean and deviation over 300 acts)."""
    placement = Placement("DUO", 1, ((0, 0), (1, 0)))
    tower = Tower.exact(CLASSIC, [Placement("BASE", 0, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))])
    ends = []
    for seed in range(300):
        path = HandPath(tower, placement, NORMAL, np.random.default_rng(seed))
        pose, seconds = path.start, 0.0
        while wanted := path.follow(seconds, feels_support=False):
            pose, seconds = wanted, seconds + 1 / 240
        ends.append((pose.x, pose.y, pose.z - 10, pose.yaw_deg))
    values = np.array(ends)
    assert np.abs(values[:, :2].mean(axis=0)).max() < 0.12
    assert np.hypot(*values[:, :2].std(axis=0)) == pytest.approx(NORMAL.tremor_mm * np.sqrt(2), rel=0.15)
    assert values[:, 3].std() == pytest.approx(NORMAL.turn_deg, rel=0.15)
    assert values[:, 2].mean() == pytest.approx(NORMAL.drop_mm, rel=0.15)
    assert values[:, 2].min() >= -1


def test_exact_hand_presses_the_piece_home() -> None:
    """The exact hand goes straight to its place and a little below, and lets go once it has pressed the piece home."""
    tower = Tower.exact(CLASSIC, [Placement("BASE", 0, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))])
    path = HandPath(tower, Placement("UNI", 1, ((1, 0),)), EXACT, np.random.default_rng(3))
    pose, seconds = path.start, 0.0
    while wanted := path.follow(seconds, feels_support=False):
        pose, seconds = wanted, seconds + 1 / 240
    assert (pose.x, pose.y) == pytest.approx((30, 0))
    assert 8 < pose.z < 10


def test_errors_do_not_depend_on_how_the_act_goes() -> None:
    """Two acts with equal generators leave them equal, so that a game repeats from its seed."""
    tower = Tower.exact(CLASSIC, [Placement("BASE", 0, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))])
    one, two = np.random.default_rng(1), np.random.default_rng(1)
    HandPath(tower, Placement("UNI", 1, ((1, 0),)), EXACT, one)
    HandPath(tower, Placement("DUO", 1, ((0, 0), (1, 0))), SHAKY, two)
    assert one.random() == two.random()
