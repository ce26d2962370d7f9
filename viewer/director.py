"""The camera of a show: by itself it goes slowly round the tower, comes nearer to what is being laid and draws back as the tower grows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from viewer.camera import Array, Camera

Framing = Callable[[Array, Camera], Camera]
"""Moves a camera, without turning it, to where (n, 3) points are seen whole."""

TURN_DEG_PER_S = 5.0
_FOLLOW_PER_S = 1.5
"""How fast it comes up to where it should be."""
_NEARER, _TOWARDS = 0.82, 0.4
"""Looking at a piece leaves this share of the distance and goes this share of the way to it."""
_SWAY_DEG, _SWAY_S = 4.0, 17.0


class Director:
    """Call `update` once a frame. A `still` one never glides: it stands until something else is to be seen, and is there at once."""

    def __init__(self, frame: Framing, *, nearest_mm: float, still: bool = False) -> None:
        self._frame, self._nearest, self._still = frame, nearest_mm, still
        self.azimuth_deg, self.elevation_deg = -68.0, 24.0
        self.turning = 1.0
        """How fast it goes round, as a factor."""
        self._time = 0.0
        self._camera: Camera | None = None
        self._seen: Array | None = None

    def cut(self, azimuth_deg: float, elevation_deg: float, *, turning: float = 1.0) -> None:
        """Look from elsewhere, at once."""
        self.azimuth_deg, self.elevation_deg, self.turning = azimuth_deg, elevation_deg, turning
        self._camera = None

    def update(self, seconds: float, points: Array, focus: Array | None = None) -> Camera:
        """Where the camera is `seconds` later, to see all `points` (n, 3) and above all `focus` (3,)."""
        if self._still:
            if self._camera is None or self._seen is not points:
                self._seen, self._camera = points, self._aimed(points, None, 0.0)
            return self._camera
        self._time += seconds
        self.azimuth_deg = (self.azimuth_deg + TURN_DEG_PER_S * self.turning * seconds) % 360.0
        goal = self._aimed(points, focus, _SWAY_DEG * math.sin(2 * math.pi * self._time / _SWAY_S))
        self._camera = goal if self._camera is None else _nearer(self._camera, goal, 1 - math.exp(-_FOLLOW_PER_S * seconds))
        return self._camera

    def _aimed(self, points: Array, focus: Array | None, sway_deg: float) -> Camera:
        camera = self._frame(points, Camera(azimuth_deg=self.azimuth_deg, elevation_deg=max(4.0, self.elevation_deg + sway_deg)))
        camera = replace(camera, distance_mm=max(camera.distance_mm, self._nearest))
        if focus is None:
            return camera
        target = np.array(camera.target) + _TOWARDS * (focus - np.array(camera.target))
        return replace(camera, target=_triple(target), distance_mm=max(camera.distance_mm * _NEARER, 0.8 * self._nearest))


def _nearer(now: Camera, goal: Camera, share: float) -> Camera:
    """On the way to `goal`; it is turned as the goal is."""
    target = np.array(now.target) + share * (np.array(goal.target) - np.array(now.target))
    return replace(goal, target=_triple(target), distance_mm=now.distance_mm * (goal.distance_mm / now.distance_mm) ** share)


def _triple(values: Array) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
