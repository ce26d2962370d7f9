"""The studio's lights: where they stand, how they are sampled and what their shadow maps must take in. Lengths in mm, angles in degrees."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_PLASTIC = 1.32471795724474602596


@dataclass(frozen=True, slots=True)
class Studio:
    """The key light and the exposure; the sky and what varnish mirrors are in `shaders/light.glsl`.

    `key_size_deg` is the angle from the middle of the lamp to its rim, `key_colour` linear light, `pool` how far the light reaches around
    the items, as a multiple of their own reach.
    """

    key_azimuth_deg: float = -132.0
    key_elevation_deg: float = 47.0
    key_size_deg: float = 2.6
    key_colour: tuple[float, float, float] = (1.66, 1.36, 1.02)
    exposure: float = 0.80

    def key_direction(self, number: int, count: int) -> Array:
        """(3,) towards point `number` of `count` spread evenly over the lamp; the middle if there is only one."""
        azimuth, elevation = math.radians(self.key_azimuth_deg), math.radians(self.key_elevation_deg)
        middle = np.array([math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)])
        right, up, _ = light_axes(middle)
        reach = math.tan(math.radians(self.key_size_deg)) * (math.sqrt((number + 0.5) / count) if count > 1 else 0.0)
        angle = number * _GOLDEN_ANGLE
        direction = middle + reach * (math.cos(angle) * right + math.sin(angle) * up)
        unit: Array = direction / np.linalg.norm(direction)
        return unit


def sky_direction(number: int, count: int) -> Array:
    """(3,) direction `number` of `count` spread evenly over the upper half of the sphere."""
    height = (number + 0.5) / count
    across, angle = math.sqrt(1 - height * height), number * _GOLDEN_ANGLE * 1.0 + 0.7
    return np.array([across * math.cos(angle), across * math.sin(angle), max(height, 0.05)])


def pixel_shift(number: int, count: int) -> tuple[float, float]:
    """Sub-pixel shift (x, y) in pixels: a low-discrepancy sequence bent to a tent filter 1.4 pixels wide; none if there is only one."""
    if count == 1:
        return 0.0, 0.0
    return _tent((0.5 + (number + 1) / _PLASTIC) % 1.0), _tent((0.5 + (number + 1) / _PLASTIC**2) % 1.0)


def light_axes(direction: Array) -> Array:
    """(3, 3): rows are right, up and `direction`, at right angles."""
    right = np.cross((0.0, 0.0, 1.0) if abs(direction[2]) < 0.99 else (0.0, 1.0, 0.0), direction)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(direction, right), direction])


def light_matrix(direction: Array, points: Array) -> Array:
    """(4, 4) table frame to the clip space of a shadow map that just takes in all `points` as seen from `direction`, nearest depth −1."""
    axes = light_axes(direction)
    seen = points @ axes.T
    low, high = seen.min(axis=0) - 1.0, seen.max(axis=0) + 1.0
    # Receivers on the table may lie far behind the last caster; the depth range ends where the lowest light ray meets the table.
    low[2] = min(low[2], -_reach_behind(direction, points))
    scale = 2 / (high - low)
    matrix = np.eye(4)
    matrix[:3, :3] = axes * scale[:, None]
    matrix[:3, 3] = -(high + low) / 2 * scale
    matrix[2] *= -1
    return matrix


def _reach_behind(direction: Array, points: Array) -> float:
    """Depth, along −direction from the origin, of the farthest shadow on the table."""
    to_table = points - direction * (points[:, 2:] / max(direction[2], 0.05))
    return float(-(to_table @ direction).min()) + 5.0


def _tent(share: float) -> float:
    """0–1, even, to −0.7–0.7, peaked in the middle."""
    return 0.7 * (math.sqrt(2 * share) - 1 if share < 0.5 else 1 - math.sqrt(2 - 2 * share))
