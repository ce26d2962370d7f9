"""Pose: where a piece really is. Position in mm, rotation as a unit quaternion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w; of length 1."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Place and rotation of a piece: its own origin (cell (0, 0) of its type, on the bottom face) at (x, y, z) mm.

    A piece that lies flat on layer n has z = n · thickness.
    """

    x: float
    y: float
    z: float
    rotation: Quaternion = (0.0, 0.0, 0.0, 1.0)

    @classmethod
    def flat(cls, x: float, y: float, z: float, yaw_deg: float = 0.0) -> Pose:
        """A level pose turned counter-clockwise by `yaw_deg` about its origin."""
        half = math.radians(yaw_deg) / 2
        return cls(x, y, z, (0.0, 0.0, math.sin(half), math.cos(half)))

    @property
    def position(self) -> Vector:
        """(3,) mm."""
        return np.array([self.x, self.y, self.z])

    @property
    def matrix(self) -> Vector:
        """(3, 3) rotation matrix."""
        x, y, z, w = self.rotation
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )

    @property
    def transform(self) -> Vector:
        """(4, 4) homogeneous matrix, piece frame to table frame, mm."""
        transform = np.eye(4)
        transform[:3, :3], transform[:3, 3] = self.matrix, self.position
        return transform

    @property
    def tilt_deg(self) -> float:
        """Angle between the piece's own up and the table's up, 0–180°."""
        x, y, _, _ = self.rotation
        return math.degrees(math.acos(max(-1.0, min(1.0, 1 - 2 * (x * x + y * y)))))

    @property
    def yaw_deg(self) -> float:
        """Turn about the vertical, −180 to 180°; meant for poses that lie flat."""
        x, y, z, w = self.rotation
        return math.degrees(math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))

    def apply(self, points: Vector) -> Vector:
        """(n, 3) points of the piece frame, in the table frame, mm."""
        moved: Vector = points @ self.matrix.T + self.position
        return moved


def as_pose(row: Vector) -> Pose:
    """The pose of a row (7,): x, y, z in mm, then the quaternion."""
    x, y, z, a, b, c, d = (float(value) for value in row)
    return Pose(x, y, z, (a, b, c, d))


def as_array(pose: Pose) -> Vector:
    """A pose as such a row (7,)."""
    return np.array([pose.x, pose.y, pose.z, *pose.rotation])
