"""The studio's lights: where they stand, how they are sampled and what their shadow maps must take in. Lengths in mm, angles in degrees."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_PLASTIC = 1.32471795724474602596
_LOWEST_SKY = 0.05


@dataclass(frozen=True, slots=True)
class Studio:
    """The key light and the exposure; the sky and what varnish mirrors are in `shaders/light.glsl`.

    `key_size_deg` is the angle from the middle of the lamp to its rim, `key_colour` linear light.
    """

    key_azimuth_deg: float = -132.0
    key_elevation_deg: float = 47.0
    key_size_deg: float = 2.6
    key_colour: tuple[float, float, float] = (1.66, 1.36, 1.02)
    exposure: float = 0.80

    @property
    def key_middle(self) -> Array:
        """(3,) towards the middle of the lamp."""
        azimuth, elevation = math.radians(self.key_azimuth_deg), math.radians(self.key_elevation_deg)
        return np.array([math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)])

    def key_direction(self, number: int) -> Array:
        """(3,) towards point `number` of a sequence that spreads evenly over the lamp, however early it is broken off."""
        middle = self.key_middle
        right, up, _ = light_axes(middle)
        share, turn = _spread(number)
        reach = math.tan(math.radians(self.key_size_deg)) * math.sqrt(share)
        direction = middle + reach * (math.cos(2 * math.pi * turn) * right + math.sin(2 * math.pi * turn) * up)
        unit: Array = direction / np.linalg.norm(direction)
        return unit


def sky_direction(number: int) -> Array:
    """(3,) direction `number` of a sequence that spreads evenly over the upper half of the sphere."""
    share, turn = _spread(number)
    height = max(share, _LOWEST_SKY)
    across = math.sqrt(1 - height * height)
    return np.array([across * math.cos(2 * math.pi * turn), across * math.sin(2 * math.pi * turn), height])


def pixel_shift(number: int, count: int) -> tuple[float, float]:
    """Sub-pixel shift (x, y) `number` of `count`, in pixels: a lattice that balances about the middle, bent to a tent filter 1.4 pixels wide."""
    stride = next(stride for stride in range(max(1, round(0.618 * count)), count + 1) if math.gcd(stride, count) == 1)
    column = number * stride % count
    row = column * stride % count
    return _tent((column + 0.5) / count), _tent((row + 0.5) / count)


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


def _spread(number: int) -> tuple[float, float]:
    """Point `number` of Roberts' R2 sequence in the unit square, whose beginnings of any length are even; the first is the middle."""
    return (0.5 + number / _PLASTIC) % 1.0, (0.5 + number / _PLASTIC**2) % 1.0


def _tent(share: float) -> float:
    """0–1, even, to −0.7–0.7, peaked in the middle."""
    return 0.7 * (math.sqrt(2 * share) - 1 if share < 0.5 else 1 - math.sqrt(2 - 2 * share))
