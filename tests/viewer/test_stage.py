from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from meshes.piece_set import PieceSet, load_piece_set
from meshes.set_changes import with_sizes
from physics.pose import Pose
from physics.tower import Tower
from viewer.camera import Camera
from viewer.context import headless_context
from viewer.fitting import fitted_camera
from viewer.items import Item, tower_items
from viewer.picture import Darkroom
from viewer.scene import STILL
from viewer.stage import Stage

SIZE = (320, 180)
ABOVE = Camera((0.0, 0.0, 0.0), 250.0, -90.0, 89.0, 30.0)


@pytest.fixture(scope="module")
def context() -> Iterator[moderngl.Context]:
    """A context that all stages of this file share."""
    context = headless_context()
    yield context
    context.release()


@pytest.fixture
def stage(context: moderngl.Context, classic: PieceSet) -> Iterator[Stage]:
    """A stage with nothing on it, generous with time, so that pictures in motion are large on slow machines too."""
    with context:
        stage = Stage(context, classic, budget_s=10.0)
        yield stage
        stage.release()


def _pixels(stage: Stage) -> np.ndarray:
    """(height, width, 3) of what the stage shows, 0–255, from the top."""
    width, height = stage.texture.size
    return np.frombuffer(stage.texture.read(), np.uint8).reshape(height, width, 4)[::-1, :, :3].astype(float)


def _live(stage: Stage, *, now: float) -> np.ndarray:
    """A picture in motion, at full size: the camera trembles until the stage has found that it has the time."""
    for number in range(40):
        stage.camera = replace(stage.camera, azimuth_deg=stage.camera.azimuth_deg + (-1) ** number * 1e-3)
        stage.render(SIZE, now=now + number * 1e-3)
    assert stage.texture.size == SIZE
    return _pixels(stage)


def _refined(stage: Stage, *, now: float) -> np.ndarray:
    stage.render(SIZE, now=now)
    while stage.render(SIZE, now=now + 1.0):
        pass
    return _pixels(stage)


def test_picture_at_rest_is_like_a_still(stage: Stage, random_tower: Callable[[int, str], Tower]) -> None:
    """Left alone the stage shows, at full size, what `picture` saves, but for the noise of a few samples less."""
    tower = random_tower(7, "classic")
    camera = fitted_camera(tower, SIZE)
    with Darkroom(tower.piece_set, SIZE) as darkroom:
        still = np.asarray(darkroom.shoot(tower_items(tower), camera, STILL), float)
    with stage.context:
        stage.camera = camera
        stage.show(tower_items(tower))
        refined = _refined(stage, now=0.0)
    assert refined.shape == still.shape
    assert np.abs(refined - still).mean() < 1.5


def test_picture_in_motion_is_as_bright_as_at_rest(stage: Stage, random_tower: Callable[[int, str], Tower]) -> None:
    """When motion ends nothing flashes: brightness and colour stay the same, overall and in each ninth of the picture."""
    tower = random_tower(7, "classic")
    stage.camera = fitted_camera(tower, SIZE)
    stage.show(tower_items(tower))
    live, refined = _live(stage, now=0.0), _refined(stage, now=10.0)
    assert np.abs(live.mean(axis=(0, 1)) - refined.mean(axis=(0, 1))).max() < 2.5
    for rows in np.array_split(np.arange(SIZE[1]), 3):
        for columns in np.array_split(np.arange(SIZE[0]), 3):
            part = np.ix_(rows, columns)
            assert np.abs(live[part].mean(axis=(0, 1)) - refined[part].mean(axis=(0, 1))).max() < 6.0
    assert np.abs(live - refined).mean() < 6.0


def test_nothing_is_drawn_when_nothing_changed(stage: Stage, uni: Tower) -> None:
    """A refined stage says that it needs no call, draws no triangle, and keeps its picture (TRIALS V04)."""
    stage.show(tower_items(uni))
    before = _refined(stage, now=0.0)
    version, query = stage.version, stage.context.query(primitives=True)
    with query:
        assert not any(stage.render(SIZE, now=5.0 + number) for number in range(20))
    assert query.primitives == 0
    assert stage.version == version
    np.testing.assert_array_equal(_pixels(stage), before)


def test_refining_never_shows_half_a_picture(stage: Stage, uni: Tower) -> None:
    """While the picture is refined the last one stays up; then it changes twice, first to one of full size, then to the refined one."""
    stage.show(tower_items(uni))
    stage.render(SIZE, now=0.0)
    shown, version = _pixels(stage), stage.version
    changes = []
    while stage.render(SIZE, now=1.0, slice_s=0.0):
        if stage.version == version:
            np.testing.assert_array_equal(_pixels(stage), shown)
        else:
            shown, version = _pixels(stage), stage.version
            changes.append(shown)
    sharp, refined = changes
    assert sharp.shape == refined.shape == (SIZE[1], SIZE[0], 3)
    assert 0 < np.abs(sharp - refined).mean() < 6.0


@pytest.mark.parametrize("change", ["camera", "items", "size"])
def test_a_change_interrupts_refining(stage: Stage, uni: Tower, change: str) -> None:
    """In the midst of refining, a new camera, pose or size is shown by the very next call."""
    stage.show(tower_items(uni))
    stage.render(SIZE, now=0.0)
    for _ in range(3):
        stage.render(SIZE, now=1.0, slice_s=0.0)
    before, size = stage.version, SIZE
    if change == "camera":
        stage.camera = ABOVE
    elif change == "items":
        stage.show([Item(uni.piece_type(0), Pose.flat(30, 0, 0), 0)])
    else:
        size = (200, 160)
    assert stage.render(size, now=1.1)
    assert stage.version == before + 1
    assert stage.texture.size[0] / stage.texture.size[1] == pytest.approx(size[0] / size[1], rel=0.02)


def test_told_that_something_moves_it_does_not_refine(stage: Stage, uni: Tower) -> None:
    """With `moving` the stage waits for the next change, however long; without, a short rest is enough."""
    stage.show(tower_items(uni))
    stage.render(SIZE, now=0.0)
    version = stage.version
    assert all(stage.render(SIZE, now=float(now), moving=True) for now in range(1, 30))
    assert stage.version == version
    assert stage.render(SIZE, now=29.1)
    while stage.render(SIZE, now=29.3):
        pass
    assert stage.version > version


def test_slow_pictures_are_drawn_smaller(context: moderngl.Context, classic: PieceSet, uni: Tower) -> None:
    """With no time at all pictures in motion get small, but not too small, and still fill the window's shape."""
    with context:
        stage = Stage(context, classic, budget_s=0.0)
        stage.show(tower_items(uni))
        for number in range(40):
            stage.camera = replace(stage.camera, azimuth_deg=float(number))
            stage.render((400, 200), now=number * 0.01)
        assert stage.texture.size == (140, 70)
        stage.release()


def test_ghost_shows_in_its_colour_and_throws_no_shadow(stage: Stage, classic: PieceSet) -> None:
    """In motion and at rest alike a green ghost tints the table green, lets it through, and darkens nothing beside it."""
    stage.camera = Camera((0.0, 0.0, 0.0), 420.0, -90.0, 80.0, 30.0)
    ghost = Item(classic.by_name["UNI"], Pose.flat(0, 0, 40), 3, highlight=(40, 220, 90), ghost=True)
    solid = Item(classic.by_name["UNI"], Pose.flat(0, 0, 40), 3)
    lamp_side = np.array([[0.0, 0.0, 50.0], [36.0, 24.0, 0.0]])
    (x, y), _ = stage.camera.project(lamp_side, SIZE).astype(int)
    for picture in (_live, _refined):
        shots = []
        for number, items in enumerate(([], [ghost], [solid])):
            stage.show([*items, Item(classic.by_name["UNI"], Pose.flat(90, 0, 0), 4)], lit=np.zeros((1, 3)))
            shots.append(picture(stage, now=number * 10.0))
        bare, ghostly, real = shots
        tint = ghostly[y - 2 : y + 2, x + 6 : x + 9].mean(axis=(0, 1)) - bare[y - 2 : y + 2, x + 6 : x + 9].mean(axis=(0, 1))
        assert tint[1] > tint[0] + 25
        off = np.abs(ghostly - bare).max(axis=2) > 12
        shadow = (bare - real).min(axis=2) > 12
        assert off.sum() < 0.7 * (off | shadow).sum()
        assert 50 < off.sum() < 900


def test_stage_picks_and_projects_through_its_camera(stage: Stage, uni: Tower) -> None:
    """A point of the piece, projected, is where that piece is picked and where the plane at its height is met."""
    stage.camera = fitted_camera(uni, SIZE)
    stage.show(tower_items(uni))
    ((x, y),) = stage.project(np.array([[0.0, 0.0, 10.0]]), SIZE)
    hit = stage.pick(x, y, SIZE)
    assert hit is not None
    assert hit.id == 0
    np.testing.assert_allclose(hit.point, (0, 0, 10), atol=1e-6)
    met = stage.ground(x, y, SIZE, 10.0)
    assert met is not None
    np.testing.assert_allclose(met, (0, 0, 10), atol=1e-6)


def test_a_stage_goes_over_to_other_sizes_as_if_made_for_them(context: moderngl.Context, classic: PieceSet) -> None:
    """After a set's radius changed the picture is the one a new stage draws; a set of other letters needs a new one."""
    slim = with_sizes(classic, radius_mm=9.0)
    piece = slim.pieces[1]
    pictures = []
    with context:
        for first in (classic, slim):
            stage = Stage(context, first)
            stage.show([Item(classic.pieces[1], Pose.flat(0, 0, 0), 1)])
            stage.render(SIZE, now=0.0)
            assert stage.resize(slim)
            stage.show([Item(piece, Pose.flat(0, 0, 0), 1)])
            stage.render(SIZE, now=0.0)
            pictures.append(stage.texture.read())
            assert not stage.resize(load_piece_set("square"))
            stage.release()
    assert pictures[0] == pictures[1]
