from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.camera import NEAREST_MM, Camera

_CLOUDS = st.lists(st.tuples(*[st.floats(-300, 300)] * 2, st.floats(0, 300)), min_size=1, max_size=20)
_CAMERAS = st.builds(Camera, azimuth_deg=st.floats(-180, 180), elevation_deg=st.floats(3, 90), fov_deg=st.floats(10, 60))


def _solved(camera: Camera, point: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Pixel of a point by way of the matrices a shader uses."""
    clip = camera.projection(size[0] / size[1]) @ camera.view @ np.append(point, 1.0)
    x, y = clip[:2] / clip[3]
    return np.array([(1 + x) / 2 * size[0], (1 - y) / 2 * size[1]])


@given(_CAMERAS, _CLOUDS, st.sampled_from([(1280, 720), (400, 600), (300, 300)]))
def test_frame_holds_every_point_and_is_tight(camera: Camera, cloud: list[tuple[float, float, float]], size: tuple[int, int]) -> None:
    """A framed camera shows all points within the margins and, unless that is nearer than 40 mm, touches two opposite margins."""
    points, margin = np.array(cloud), 0.1
    framed = camera.frame(points, aspect=size[0] / size[1], margin=margin)
    shares = framed.project(points, size) / size
    assert shares.min() >= margin - 1e-6
    assert shares.max() <= 1 - margin + 1e-6
    nearest = (framed.eye @ framed.axes[2] - points @ framed.axes[2]).min()
    assert nearest >= NEAREST_MM - 1e-6
    if nearest > NEAREST_MM + 1e-6:
        assert (np.ptp(shares, axis=0) > 1 - 2 * margin - 1e-6).any()
    assert (framed.azimuth_deg, framed.elevation_deg) == (camera.azimuth_deg, camera.elevation_deg)


def test_project_agrees_with_the_matrices() -> None:
    """`project` gives the pixel that view and projection matrices give."""
    camera, size = Camera((10.0, 20.0, 30.0), 500.0, 40.0, 35.0, 30.0), (640, 360)
    for point in np.random.default_rng(1).uniform(-80, 80, (20, 3)):
        np.testing.assert_allclose(camera.project(point[None], size)[0], _solved(camera, point, size), atol=1e-6)


def test_target_is_in_the_middle() -> None:
    """The target is seen in the middle of the picture, from its distance."""
    camera = Camera((5.0, -7.0, 40.0), 321.0, 77.0, 20.0)
    np.testing.assert_allclose(camera.project(np.array([camera.target]), (800, 600))[0], [400, 300], atol=1e-9)
    assert math.dist(camera.eye, camera.target) == pytest.approx(321.0)


def test_azimuth_and_elevation_place_the_eye() -> None:
    """Azimuth 0 looks from +x, 90 from +y; elevation 90 from straight above."""
    np.testing.assert_allclose(Camera((0, 0, 0), 100.0, 0.0, 30.0).eye, [100 * math.cos(math.pi / 6), 0, 50], atol=1e-9)
    np.testing.assert_allclose(Camera((0, 0, 0), 100.0, 90.0, 30.0).eye, [0, 100 * math.cos(math.pi / 6), 50], atol=1e-9)
    np.testing.assert_allclose(Camera((0, 0, 0), 100.0, 12.0, 90.0).eye, [0, 0, 100], atol=1e-9)


def test_ray_runs_through_what_is_seen_there() -> None:
    """The ray of a pixel runs from the eye through the points that are seen in it."""
    camera, size = Camera(), (640, 360)
    point = np.array([30.0, -20.0, 55.0])
    x, y = camera.project(point[None], size)[0].tolist()
    eye, direction = camera.ray(x, y, size)
    np.testing.assert_allclose(np.cross(direction, point - eye), 0, atol=1e-6)
    assert direction @ (point - eye) > 0


def test_eye_stays_above_the_table() -> None:
    """However low it is asked for, the eye stays above its target, because the table has no underside."""
    assert Camera((0, 0, 0), 100.0, 0.0, -40.0).eye[2] > 0
