"""The camera: it looks at a target from a distance and can be fitted to what must be seen. Lengths in mm, angles in degrees."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST_ELEVATION_DEG = 3.0
"""The camera never goes lower than this, because the table has no underside."""
NEAREST_MM = 40.0
"""`frame` comes no nearer to anything than this."""


def tilt_matrix(deg: float, towards_deg: float) -> Array:
    """(3, 3): turns the table's frame, tilted down towards a heading, into the level one."""
    tilt, heading = math.radians(deg), math.radians(towards_deg)
    cos, sin, x, y = math.cos(tilt), math.sin(tilt), math.cos(heading), math.sin(heading)
    bent = cos - 1.0
    return np.array([(1 + bent * x * x, bent * x * y, sin * x), (bent * x * y, 1 + bent * y * y, sin * y), (-sin * x, -sin * y, cos)])


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at `target` from `distance_mm` away; up is +z.

    `azimuth_deg` is the direction from the target to the eye, counter-clockwise from +x seen from above; `elevation_deg` the height of
    the eye above the horizon, 3–90°; `fov_deg` the whole vertical opening angle. If the table is tilted by `tilt_deg`, down towards
    `tilt_towards_deg`, the picture is level and the table leans in it.
    """

    target: tuple[float, float, float] = (0.0, 0.0, 30.0)
    distance_mm: float = 600.0
    azimuth_deg: float = -68.0
    elevation_deg: float = 24.0
    fov_deg: float = 32.0
    tilt_deg: float = 0.0
    tilt_towards_deg: float = 0.0

    @property
    def axes(self) -> Array:
        """(3, 3): rows are the unit vectors right, up and backward (from the target to the eye)."""
        azimuth, elevation = math.radians(self.azimuth_deg), math.radians(max(LEAST_ELEVATION_DEG, min(90.0, self.elevation_deg)))
        x, y, level, rise = math.cos(azimuth), math.sin(azimuth), math.cos(elevation), math.sin(elevation)
        axes = np.array([(-y, x, 0.0), (-rise * x, -rise * y, level), (level * x, level * y, rise)])
        return axes @ tilt_matrix(self.tilt_deg, self.tilt_towards_deg) if self.tilt_deg else axes

    @property
    def eye(self) -> Array:
        """(3,) mm."""
        eye: Array = np.array(self.target) + self.distance_mm * self.axes[2]
        return eye

    @property
    def view(self) -> Array:
        """(4, 4) table frame to camera frame (x right, y up, looking along −z)."""
        view = np.eye(4)
        view[:3, :3] = self.axes
        view[:3, 3] = -self.axes @ self.eye
        return view

    def projection(self, aspect: float) -> Array:
        """(4, 4) camera frame to clip space for a picture `aspect` times as wide as high."""
        near, far = self.distance_mm / 50, self.distance_mm * 20
        scale = 1 / math.tan(math.radians(self.fov_deg) / 2)
        projection = np.zeros((4, 4))
        projection[0, 0], projection[1, 1] = scale / aspect, scale
        projection[2, 2:] = -(far + near) / (far - near), -2 * far * near / (far - near)
        projection[3, 2] = -1
        return projection

    def project(self, points: Array, size: tuple[int, int]) -> Array:
        """(n, 3) points as (n, 2) pixels of a picture of `size`, x from the left and y from the top; points must be before the eye."""
        width, height = size
        seen = points @ self.axes.T - self.axes @ self.eye
        scale = height / (2 * math.tan(math.radians(self.fov_deg) / 2))
        return np.column_stack([width / 2 - scale * seen[:, 0] / seen[:, 2], height / 2 + scale * seen[:, 1] / seen[:, 2]])

    def ray(self, x: float, y: float, size: tuple[int, int]) -> tuple[Array, Array]:
        """The eye and the (3,) unit direction in which pixel position (x, y) of a picture of `size` is seen."""
        width, height = size
        scale = height / (2 * math.tan(math.radians(self.fov_deg) / 2))
        direction = self.axes.T @ np.array([(x - width / 2) / scale, (height / 2 - y) / scale, -1.0])
        return self.eye, direction / np.linalg.norm(direction)

    def frame(self, points: Array, *, aspect: float, margin: float = 0.1) -> Camera:
        """This camera moved, without turning, to where all (n, 3) `points` just fit, `margin` (a share of the picture) free on each side.

        Exact: in camera axes each side of the picture is a plane through the eye, so the two tightest points of each pair of opposite
        sides give the least distance, and the free direction is centred.
        """
        seen = points @ self.axes.T
        slope = math.tan(math.radians(self.fov_deg) / 2) * (1 - 2 * margin)
        slopes = np.array([slope * aspect, slope])
        over = (seen[:, :2] + seen[:, 2:] * slopes).max(axis=0)
        under = (-seen[:, :2] + seen[:, 2:] * slopes).max(axis=0)
        depth = max(float(((over + under) / (2 * slopes)).max()), float(seen[:, 2].max()) + NEAREST_MM)
        middle = (over - under) / 2
        distance = depth - float(np.median(seen[:, 2]))
        target = self.axes.T @ np.array([middle[0], middle[1], depth - distance])
        return replace(self, target=(float(target[0]), float(target[1]), float(target[2])), distance_mm=distance)
