"""The picture of a tilted table: it turns the way gravity did, about its place, and comes back to level."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from viewer.camera import Camera
from viewer.lean import Lean

_SIZE = (800, 600)
_FOOT = np.array([10.0, -20.0, 0.0])


def leaning(deg: float, towards_deg: float) -> Lean:
    """A lean that is there already."""
    lean = Lean()
    lean.set(deg, towards_deg, about=_FOOT)
    lean.update(0.0, at_once=True)
    return lean


@pytest.mark.parametrize("towards_deg", [0.0, 75.0, 210.0])
def test_a_tilt_lowers_what_lies_downhill(towards_deg: float) -> None:
    """A point of the table downhill of its foot sinks by the sine of the tilt, the foot stays, and a camera sees both where they are."""
    lean, heading = leaning(20.0, towards_deg), math.radians(towards_deg)
    points = _FOOT + np.array([[0.0, 0.0, 0.0], [50 * math.cos(heading), 50 * math.sin(heading), 0.0]])
    placed = lean.placed(points)
    np.testing.assert_allclose(placed[0], _FOOT, atol=1e-9)
    assert placed[1, 2] == pytest.approx(-50 * math.sin(math.radians(20)))
    level = Camera((0.0, 0.0, 30.0), 500.0, -40.0, 45.0)
    np.testing.assert_allclose(lean.camera(level).project(points, _SIZE), level.project(placed, _SIZE), atol=1e-6)


def test_rays_of_a_tilted_camera_find_the_table() -> None:
    """The ray of the pixel in which a point of a tilted table is seen runs through that point, so picking stays right."""
    camera, point = leaning(25.0, 130.0).camera(Camera()), np.array([30.0, 12.0, 0.0])
    x, y = camera.project(point[None], _SIZE)[0]
    eye, ray = camera.ray(float(x), float(y), _SIZE)
    np.testing.assert_allclose(eye - ray * eye[2] / ray[2], point, atol=1e-6)


def test_the_table_is_never_seen_from_below() -> None:
    """A low camera that a tilt would bring under the table is raised until its eye is above it."""
    low = replace(Camera(), elevation_deg=6.0)
    for towards_deg in range(0, 360, 30):
        assert leaning(40.0, towards_deg).camera(low).eye[2] >= 6.0 - 1e-9


def test_a_lean_comes_back_to_level() -> None:
    """It follows smoothly, and a second after it was cleared it gives cameras back untouched."""
    lean = Lean()
    lean.set(15.0, 90.0, about=_FOOT)
    lean.update(1 / 60)
    assert 0 < lean.deg < 15
    lean.clear()
    for _ in range(60):
        lean.update(1 / 60)
    assert lean.camera(Camera()) == Camera()


def test_a_shifted_table_moves_in_the_picture() -> None:
    """A point of the table is seen where one as far to the side is seen of a table in its place."""
    lean, level, point = Lean(), Camera(), np.array([[5.0, 6.0, 7.0]])
    lean.shift(12.0, 90.0)
    np.testing.assert_allclose(lean.camera(level).project(point, _SIZE), level.project(point + np.array([0.0, 12.0, 0.0]), _SIZE), atol=1e-6)
