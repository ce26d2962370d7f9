"""Director: the camera of a show moves by itself."""

from __future__ import annotations

import numpy as np

from viewer.camera import Array, Camera
from viewer.director import Director

SMALL = np.array([(x, y, z) for x in (-60.0, 60.0) for y in (-60.0, 60.0) for z in (0.0, 30.0)])
TALL = SMALL * (1.0, 1.0, 8.0)


def fitted(points: Array, camera: Camera) -> Camera:
    """As a page with an aspect of 16:9 does."""
    return camera.frame(points, aspect=16 / 9)


def seen_whole(camera: Camera, points: Array) -> bool:
    """Whether all points are in the picture."""
    pixels = camera.project(points, (1600, 900))
    return bool((pixels > 0).all() and (pixels < (1600, 900)).all())


def test_it_goes_round_and_never_loses_the_tower() -> None:
    """In a minute the camera has been on the other side, and the tower was in the picture all the time."""
    director = Director(fitted, nearest_mm=300.0)
    cameras = [director.update(1 / 30, TALL) for _ in range(1800)]
    assert all(seen_whole(camera, TALL) for camera in cameras)
    assert min(abs((camera.azimuth_deg - cameras[0].azimuth_deg) % 360 - 180) for camera in cameras) < 5


def test_it_draws_back_smoothly_as_the_tower_grows() -> None:
    """A tower grown tall is seen whole soon, and the camera gets there without a jump."""
    director = Director(fitted, nearest_mm=300.0)
    before = director.update(1 / 30, SMALL)
    cameras = [director.update(1 / 30, TALL) for _ in range(150)]
    assert cameras[-1].distance_mm > 1.5 * before.distance_mm
    assert seen_whole(cameras[-1], TALL)
    steps = np.diff([camera.distance_mm for camera in (before, *cameras)])
    assert steps.max() < 0.1 * before.distance_mm


def test_it_comes_nearer_to_what_is_laid() -> None:
    """With a piece to look at, the camera comes nearer and turns its target towards it."""
    director, watcher = Director(fitted, nearest_mm=100.0), Director(fitted, nearest_mm=100.0)
    piece = np.array([60.0, 60.0, 240.0])
    for _ in range(150):
        plain, near = director.update(1 / 30, TALL), watcher.update(1 / 30, TALL, piece)
    assert near.distance_mm < plain.distance_mm
    assert np.linalg.norm(near.target - piece) < np.linalg.norm(plain.target - piece)


def test_a_still_one_never_glides() -> None:
    """With reduced motion the camera stands, and is at once where something else is to be seen."""
    director = Director(fitted, nearest_mm=300.0, still=True)
    first = [director.update(1 / 30, SMALL) for _ in range(60)]
    assert len(set(first)) == 1
    then = [director.update(1 / 30, TALL) for _ in range(60)]
    assert len(set(then)) == 1
    assert seen_whole(then[0], TALL)
