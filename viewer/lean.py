"""Lean: how a moved table lies before the camera. It follows what it is told smoothly. Lengths in mm, angles in degrees."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from viewer.camera import LEAST_ELEVATION_DEG, Array, Camera, tilt_matrix

_FOLLOW_PER_S = 9.0
_SETTLED_DEG = 0.02
_LEAST_EYE_MM = 6.0
"""The eye stays so far above the table's plane."""


class Lean:
    """The table is tilted about a place on it and shifted level. Level and in its place until it is told otherwise."""

    def __init__(self) -> None:
        self._goal = self._now = np.zeros(2)
        self._about = self._shift = np.zeros(3)

    @property
    def deg(self) -> float:
        """How far the table is seen to be tilted."""
        return math.hypot(*self._now)

    @property
    def towards_deg(self) -> float:
        """The heading that is downhill, counter-clockwise from +x."""
        return math.degrees(math.atan2(self._now[1], self._now[0]))

    def set(self, deg: float, towards_deg: float, *, about: Array) -> None:
        """Go over to a tilt about the place (3,)."""
        self._goal, self._shift = deg * _way(towards_deg)[:2], np.zeros(3)
        if not self._now.any():
            self._about = about

    def shift(self, mm: float, towards_deg: float) -> None:
        """Go back to level, but be so far off at once."""
        self._goal, self._shift = np.zeros(2), mm * _way(towards_deg)

    def clear(self) -> None:
        """Go back to level and in place."""
        self._goal, self._shift = np.zeros(2), np.zeros(3)

    def update(self, seconds: float, *, at_once: bool = False) -> bool:
        """Follow a tilt for so long, or `at_once` all the way; whether that changed."""
        before = self._now
        away = self._goal - before
        near = at_once or math.hypot(*away) < _SETTLED_DEG
        self._now = self._goal if near else before + away * (1 - math.exp(-_FOLLOW_PER_S * seconds))
        return not np.array_equal(before, self._now)

    def placed(self, points: Array) -> Array:
        """(n, 3) or (3,) points of the table to where they are in the level frame."""
        if not self._now.any():
            return points + self._shift
        turned: Array = (points - self._about) @ tilt_matrix(self.deg, self.towards_deg).T + self._about + self._shift
        return turned

    def camera(self, camera: Camera) -> Camera:
        """A camera of the level frame as one of the table's, raised if it would look at the table from below."""
        if not self._now.any():
            return camera if not self._shift.any() else replace(camera, target=_triple(np.array(camera.target) - self._shift))
        turn = tilt_matrix(self.deg, self.towards_deg)
        camera = self._raised(camera, turn[:, 2])
        target = turn.T @ (np.array(camera.target) - self._about - self._shift) + self._about
        return replace(camera, target=_triple(target), tilt_deg=self.deg, tilt_towards_deg=self.towards_deg)

    def _raised(self, camera: Camera, normal: Array) -> Camera:
        """This camera, but no lower than where its eye is above the table that has this `normal`."""
        azimuth = math.radians(camera.azimuth_deg)
        along = float(normal[0] * math.cos(azimuth) + normal[1] * math.sin(azimuth))
        height = float(normal @ (np.array(camera.target) - self._about - self._shift))
        least = max(math.sin(math.radians(LEAST_ELEVATION_DEG)), (_LEAST_EYE_MM - height) / camera.distance_mm)
        slope = math.asin(min(1.0, least / math.hypot(along, normal[2])))
        lowest = math.degrees(slope - math.atan2(along, normal[2]))
        return replace(camera, elevation_deg=min(90.0, max(camera.elevation_deg, lowest)))


def _way(heading_deg: float) -> Array:
    heading = math.radians(heading_deg)
    return np.array([math.cos(heading), math.sin(heading), 0.0])


def _triple(values: Array) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
