"""Orbit: a hand on the camera. It turns about its target, pans, zooms to the pointer and flies to views. Lengths in mm, angles in degrees."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from viewer.camera import LEAST_ELEVATION_DEG, Array, Camera

TURN_DEG = 0.3
"""A drag of one logical pixel turns so far."""
ZOOM_STEP = 0.88
"""One step of the wheel towards the tower leaves this share of the distance."""
FLIGHT_S = 0.7
_FOLLOW_PER_S = 18.0
"""How fast the camera comes up to where the hand has moved it."""
_STEER_DEG_PER_S, _STEER_ZOOM_PER_S = 75.0, 0.25
_SETTLED = 2e-4
_LEAST_EYE_MM = 6.0


class Steer(Enum):
    """What a held key does to the camera."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    NEARER = "nearer"
    FARTHER = "farther"


@dataclass(frozen=True, slots=True)
class Limits:
    """Where the camera may be: distances, and the box (lowest and highest corner) that its target stays in."""

    nearest_mm: float = 110.0
    farthest_mm: float = 1600.0
    low: tuple[float, float, float] = (-150.0, -150.0, 0.0)
    high: tuple[float, float, float] = (150.0, 150.0, 260.0)

    def hold(self, camera: Camera) -> Camera:
        """The nearest camera that is within the limits and above the table."""
        x, y, z = (float(part) for part in np.clip(camera.target, self.low, self.high))
        distance = min(max(camera.distance_mm, self.nearest_mm), self.farthest_mm)
        lowest = math.degrees(math.asin(min(1.0, max(-1.0, (_LEAST_EYE_MM - z) / distance))))
        elevation = min(90.0, max(camera.elevation_deg, LEAST_ELEVATION_DEG, lowest))
        return replace(camera, target=(x, y, z), distance_mm=distance, elevation_deg=elevation)


class Orbit:
    """Holds the camera of a window: `camera` is where it is now, `goal` where it is going. Call `update` once a frame.

    Motion depends on time passed only, not on the number of frames.
    """

    def __init__(self, camera: Camera | None = None, *, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.camera = self.goal = self.limits.hold(camera or Camera())
        self._held: set[Steer] = set()
        self._flight: _Flight | None = None

    def turn(self, dx: float, dy: float) -> None:
        """Turn about the target by a drag of (dx, dy) logical pixels, right and down."""
        self._turn_by(-dx * TURN_DEG, dy * TURN_DEG)

    def pan(self, dx: float, dy: float, size: tuple[int, int]) -> None:
        """Move along with a drag of (dx, dy) pixels, right and down, in a picture of `size`: what is at the target stays under the pointer."""
        camera = self._taken()
        scale = camera.distance_mm * 2 * math.tan(math.radians(camera.fov_deg) / 2) / size[1]
        right, up, _ = camera.axes
        self.goal = self.limits.hold(replace(camera, target=_triple(np.array(camera.target) + scale * (dy * up - dx * right))))

    def zoom(self, steps: float, *, about: Array | None = None) -> None:
        """Come `steps` wheel steps nearer (farther if negative); the point `about` (3,) stays where it is in the picture, else the target does."""
        camera = self._taken()
        distance = min(max(camera.distance_mm * ZOOM_STEP**steps, self.limits.nearest_mm), self.limits.farthest_mm)
        target = np.array(camera.target)
        fixed = target if about is None else np.asarray(about)
        target = fixed + (target - fixed) * (distance / camera.distance_mm)
        self.goal = self.limits.hold(replace(camera, distance_mm=distance, target=_triple(target)))

    def hold(self, steer: Steer, pressed: bool) -> None:
        """A key that steers goes down or up; while it is down `update` moves the camera."""
        (self._held.add if pressed else self._held.discard)(steer)

    def release_all(self) -> None:
        """No key is held any longer (the window lost the keyboard)."""
        self._held.clear()

    def fly_to(self, camera: Camera, seconds: float = FLIGHT_S) -> None:
        """Fly to `camera`, smoothly and the short way round; any turn, pan or zoom ends the flight."""
        self.goal = self.limits.hold(camera)
        if seconds <= 0:
            self.camera, self._flight = self.goal, None
        else:
            self._flight = _Flight(self.camera, self.goal, seconds)

    def jump_to(self, camera: Camera) -> None:
        """Be at `camera` at once."""
        self.fly_to(camera, 0.0)

    def look_at(self, points: Array, *, aspect: float, margin: float = 0.3, seconds: float = FLIGHT_S) -> None:
        """Fly, without turning, to where (n, 3) `points` are in the middle of the picture, as large as `margin` and the limits let them."""
        self.fly_to(self.goal.frame(points, aspect=aspect, margin=margin), seconds)

    def keep_near(self, points: Array, *, margin_mm: float = 60.0) -> None:
        """The target stays within `margin_mm` of the box around (n, 3) `points`, and not lower than it might be before; distances scale with it."""
        if not len(points):
            self.limits = Limits()
            return
        low, high = points.min(axis=0) - margin_mm, points.max(axis=0) + margin_mm
        low[2] = self.limits.low[2]
        farthest = max(Limits().farthest_mm, 4 * float(np.linalg.norm(high - low)))
        self.limits = Limits(farthest_mm=farthest, low=_triple(low), high=_triple(high))

    def update(self, dt: float) -> bool:
        """Let `dt` seconds pass; whether the camera moved, or still has to."""
        before = self.camera
        self._steer(dt)
        if self._flight is not None:
            self.camera = self.limits.hold(self._flight.at(dt))
            if self._flight.done:
                self.camera, self._flight = self.goal, None
        elif self.camera != self.goal:
            self.camera = self.limits.hold(_between(self.camera, self.goal, 1 - math.exp(-_FOLLOW_PER_S * dt)))
            if _apart(self.camera, self.goal) < _SETTLED:
                self.camera = self.goal
        return self.camera != before or self.camera != self.goal

    @property
    def moving(self) -> bool:
        """Whether the next `update` will move the camera."""
        return self._flight is not None or bool(self._held) or self.camera != self.goal

    def _taken(self) -> Camera:
        """The camera a hand takes hold of: the goal, or in flight, which that ends, where it is now."""
        if self._flight is not None:
            self._flight, self.goal = None, self.camera
        return self.goal

    def _turn_by(self, azimuth_deg: float, elevation_deg: float) -> None:
        camera = self._taken()
        turned = replace(camera, azimuth_deg=camera.azimuth_deg + azimuth_deg, elevation_deg=camera.elevation_deg + elevation_deg)
        self.goal = self.limits.hold(turned)

    def _steer(self, dt: float) -> None:
        held = self._held
        across = (Steer.RIGHT in held) - (Steer.LEFT in held)
        along = (Steer.UP in held) - (Steer.DOWN in held)
        nearer = (Steer.NEARER in held) - (Steer.FARTHER in held)
        if across or along:
            self._turn_by(across * _STEER_DEG_PER_S * dt, along * _STEER_DEG_PER_S * dt)
        if nearer:
            self.zoom(nearer * dt * math.log(_STEER_ZOOM_PER_S) / math.log(ZOOM_STEP))


class _Flight:
    """On the way from one camera to another: slow at both ends."""

    def __init__(self, start: Camera, end: Camera, seconds: float) -> None:
        self._start, self._end, self._seconds = start, end, seconds
        self._time = 0.0

    @property
    def done(self) -> bool:
        return self._time >= self._seconds

    def at(self, dt: float) -> Camera:
        """The camera `dt` seconds later."""
        self._time += dt
        share = min(1.0, self._time / self._seconds)
        return _between(self._start, self._end, share * share * share * (share * (6 * share - 15) + 10))


def _between(a: Camera, b: Camera, share: float) -> Camera:
    """From `a` (0) to `b` (1): angles the short way, distances by factors."""
    turn = (b.azimuth_deg - a.azimuth_deg + 180.0) % 360.0 - 180.0
    target = np.array(a.target) + (np.array(b.target) - np.array(a.target)) * share
    return Camera(
        target=_triple(target),
        distance_mm=a.distance_mm * (b.distance_mm / a.distance_mm) ** share,
        azimuth_deg=a.azimuth_deg + turn * share,
        elevation_deg=a.elevation_deg + (b.elevation_deg - a.elevation_deg) * share,
        fov_deg=a.fov_deg + (b.fov_deg - a.fov_deg) * share,
    )


def _apart(a: Camera, b: Camera) -> float:
    """How far two cameras are apart, as a share of what fills the picture."""
    turn = (b.azimuth_deg - a.azimuth_deg + 180.0) % 360.0 - 180.0
    moved = float(np.linalg.norm(np.array(a.target) - np.array(b.target))) / b.distance_mm
    return moved + abs(a.distance_mm / b.distance_mm - 1) + math.radians(abs(turn) + abs(a.elevation_deg - b.elevation_deg))


def _triple(values: Array) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
