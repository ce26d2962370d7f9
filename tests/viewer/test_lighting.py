from __future__ import annotations

import numpy as np
import pytest

from viewer.lighting import Studio, light_axes, light_matrix, pixel_shift, sky_direction


@pytest.mark.parametrize("count", [16, 48])
def test_lamp_is_sampled_evenly(count: int) -> None:
    """Points on the lamp are within its rim, their mean is its middle, half of them are within 0.71 of its radius."""
    studio = Studio()
    angles = np.array([np.degrees(np.arccos(studio.key_direction(number) @ studio.key_middle)) for number in range(count)])
    assert angles.max() <= studio.key_size_deg + 1e-6
    assert abs(np.mean(angles < studio.key_size_deg / np.sqrt(2)) - 0.5) <= 2 / count
    mean = np.mean([studio.key_direction(number) for number in range(count)], axis=0)
    assert np.degrees(np.linalg.norm(np.cross(mean, studio.key_middle))) < 0.2 * studio.key_size_deg


@pytest.mark.parametrize("normal", [(0, 0, 1), (1, 0, 0), (0, -1, 0), (0.6, 0, 0.8)])
def test_sky_gives_each_face_its_share(normal: tuple[float, float, float]) -> None:
    """An even sky lights a face by (1 + n·z) / 2, the closed form; 48 directions come within 4 %."""
    received = np.mean([2 * max(0.0, float(sky_direction(number) @ normal)) for number in range(48)])
    assert received == pytest.approx((1 + normal[2]) / 2, abs=0.04)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 12, 31])
def test_pixel_shifts_balance(count: int) -> None:
    """Sub-pixel shifts stay within 0.7 pixels, differ in both directions, and balance, so that a picture is not moved."""
    shifts = np.array([pixel_shift(number, count) for number in range(count)])
    assert np.abs(shifts).max() <= 0.7
    np.testing.assert_allclose(shifts.mean(axis=0), 0, atol=1e-9)
    assert all(len(np.unique(column.round(9))) == count for column in shifts.T)


def test_shadow_map_takes_in_casters_and_their_shadows() -> None:
    """All corners, and where their shadows fall on the table, are inside the clip cube; nearer to the light is less deep."""
    direction = Studio().key_middle
    points = np.random.default_rng(2).uniform((-90, -60, 0), (120, 80, 200), (50, 3))
    matrix = light_matrix(direction, points)
    on_table = points - direction * points[:, 2:] / direction[2]
    for cloud in (points, on_table):
        clip = cloud @ matrix[:3, :3].T + matrix[:3, 3]
        assert np.abs(clip).max() < 1
    nearer, farther = (np.append(points[0] + direction * step, 1) for step in (5, -5))
    assert (matrix @ nearer)[2] < (matrix @ farther)[2]


def test_light_axes_are_at_right_angles() -> None:
    """Axes are orthonormal for every direction, straight up included."""
    for direction in (np.array([0.0, 0.0, 1.0]), Studio().key_middle):
        axes = light_axes(direction)
        np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)
        np.testing.assert_allclose(axes[2], direction)
