"""Scenes: what is recorded, what is frozen and what wakes."""

import numpy as np
import pytest

from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.bullet import pybullet
from physics.engine import BRISK
from physics.pose import Pose
from physics.rotation import from_turn
from physics.scene import HOVER_S, Scene
from physics.settle import settle
from physics.tower import Tower
from physics.track import RATE_HZ
from physics.world import BelowTable

CLASSIC = load_piece_set("classic")


def tower_of(*texts: str) -> Tower:
    """A tower with these placements, exactly placed."""
    return Tower.exact(CLASSIC, [placement for text in texts if (placement := Placement.parse(text))])


def leaning_tower() -> Tower:
    """A UNI that leans against the edge of a BASE."""
    tower = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "UNI 0 -2,0")
    lean = from_turn((0.0, float(np.radians(30)), 0.0))
    return tower.with_poses([tower.laid[0].pose, Pose(-24.0, 0.0, 12.0, lean)])


def test_everything_that_moves_stays_recorded() -> None:
    """Where pieces lean nothing can be frozen, and all that happens from the first moment on is kept, however long it takes."""
    with Scene(leaning_tower(), frozen=True) as scene:
        assert scene.all_awake
        scene.run((HOVER_S + 2) * scene.world.settings.steps_per_second)
        assert scene.times[0] == 0.0
        assert len(scene.times) == (HOVER_S + 2) * 60 + 1
        assert 1 in scene.track().pieces


def test_quiet_minutes_are_forgotten() -> None:
    """While nothing moves only the last seconds are kept, and they end now."""
    with Scene(tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0"), frozen=True) as scene:
        scene.run((HOVER_S + 2) * scene.world.settings.steps_per_second)
        assert scene.times[-1] == pytest.approx(HOVER_S + 2)
        assert scene.times[0] == pytest.approx(2, abs=0.02)


def engines() -> int:
    """How many engines are open in this process."""
    return sum(bool(pybullet.getConnectionInfo(client)["isConnected"]) for client in range(1024))


def test_pieces_below_the_table_are_refused_and_nothing_is_left_open() -> None:
    """A tower with a piece far below the table is refused with the piece's number; no engine is left behind, however often."""
    sunk = tower_of("UNI 0 0,0", "UNI 0 2,0").with_poses([Pose(0, 0, 0), Pose(60, 0, -40)])
    settle(tower_of("UNI 0 0,0"))
    before = engines()
    for _ in range(3):
        with pytest.raises(BelowTable, match="body 1"):
            settle(sunk)
    assert engines() == before


def test_pieces_in_one_place_are_pushed_apart_gently() -> None:
    """Two pieces at one pose, or one sunk a few mm into the table, do not fly away: the answer is a tower on the table."""
    for poses in ((Pose(0, 0, 0), Pose(0, 0, 0)), (Pose(0, 0, -4), Pose(60, 0, 0))):
        after = settle(tower_of("UNI 0 0,0", "UNI 0 2,0").with_poses(poses))
        assert all(abs(piece.pose.x) < 200 and abs(piece.pose.y) < 200 and -1 < piece.pose.z < 60 for piece in after.tower.laid)


def test_haste_keeps_time_and_what_stands() -> None:
    """Once something falls the scene goes on in coarser steps: frames stay 1/60 s apart, a column beside it stands on; waking all ends it."""
    column = [f"{name} {layer} {cells}" for layer in range(1, 9) for name, cells in (("UNI", "0,0"),)]
    with Scene(tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", *column), frozen=False) as scene:
        fine = scene.world.settings
        scene.run(480)
        scene.hasten()
        scene.hasten()
        assert scene.world.settings == BRISK
        scene.run(BRISK.steps_per_second)
        assert scene.seconds == pytest.approx(1.5)
        assert np.diff(scene.times) == pytest.approx(1 / 60)
        assert np.abs(scene.frames[-1] - scene.frames[0])[:, :3].max() < 0.5
        scene.wake_all()
        assert scene.world.settings == fine
        scene.run(fine.steps_per_second // 2)
        assert scene.seconds == pytest.approx(2.0)
        assert np.diff(scene.times) == pytest.approx(1 / 60)


@pytest.mark.parametrize("speed_mm_s", [120.0, 200.0, 300.0])
def test_frozen_pieces_take_a_blow_as_awake_ones_do(speed_mm_s: float) -> None:
    """A UNI that strikes the end of a DUO on a UNI turns it as fast, within a fifth, whether the tower was frozen until then or
    awake for a while: what wakes only once it is struck takes less than half of it."""
    tower = tower_of("UNI 0 0,0").with_poses([Pose(9.0, 0.0, 0.0)]).with_piece(Placement("DUO", 1, ((0, 0), (1, 0))))

    def spin(frozen: bool) -> float:
        with Scene(tower, frozen=frozen) as scene:
            scene.run(480)
            body = scene.take_up(CLASSIC.piece("UNI"), Pose(30.0, 0.0, 20.8))
            scene.world.throw(body, (0.0, 0.0, -speed_mm_s))
            scene.let_go()
            scene.run(12)
            return float(np.linalg.norm(scene.world.motion(1)[3]))

    assert spin(frozen=True) == pytest.approx(spin(frozen=False), rel=0.2)
    assert spin(frozen=True) > 1.0


def test_an_emptied_engine_works_like_a_new_one() -> None:
    """A scene repeats to the last bit in an engine that has been used for another one before."""

    def frames() -> np.ndarray:
        with Scene(leaning_tower(), frozen=False) as scene:
            scene.run(200)
            return np.array(scene.frames)

    first = frames()
    with Scene(tower_of("UNI 0 0,0", "DUO 1 0,0 1,0"), frozen=False) as scene:
        scene.run(50)
    assert (frames() == first).all()


def test_a_new_piece_that_came_to_rest_wakes_with_what_it_lies_on() -> None:
    """A UNI laid on another one and frozen there wakes when the lower one does: whatever rests on a piece that wakes keeps loading it."""
    with Scene(tower_of("UNI 0 0,0"), frozen=True) as scene:
        body = scene.take_up(CLASSIC.piece("UNI"), Pose(0.0, 0.0, 10.0))
        scene.let_go()
        scene.run(60)
        scene.freeze_apart(set(scene.awake))
        scene.wake(0)
        assert set(scene.awake) == {0, body}


def test_the_new_piece_can_be_frozen_and_woken_again() -> None:
    """The piece of an act that has come to rest is frozen while others still move; one of them may touch it again."""
    with Scene(tower_of("UNI 0 0,0"), frozen=True) as scene:
        body = scene.take_up(CLASSIC.piece("UNI"), Pose(60.0, 0.0, 0.0))
        scene.let_go()
        scene.freeze_apart({body})
        assert scene.awake == ()
        scene.wake(body)
        assert scene.awake == (body,)


def test_frames_are_what_the_world_says() -> None:
    """Whatever wakes, falls and is frozen meanwhile: every frame holds where all pieces are at that moment, those that sleep too."""
    tower = tower_of("UNI 0 0,0", "DUO 1 0,0 1,0", "UNI 2 1,0", "UNI 0 5,0")
    with Scene(tower, frozen=True) as scene:
        scene.take_up(CLASSIC.piece("UNI"), Pose(60.0, 0.0, 40.0))
        scene.let_go()
        for number in range(120):
            scene.run(scene.world.settings.steps_per_second // RATE_HZ)
            assert np.array_equal(scene.frames[-1], scene.world.states())
            if number == 20:
                scene.wake(0)
            if number == 60:
                scene.freeze_apart(set(scene.awake))
            if number == 80:
                scene.wake_all()
        assert len(scene.frames) > 120
