"""Bodies: what the engine must know of a solid. A body's frame is the principal frame at the centre of mass, where inertia is diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from meshes.solid import Solid
from physics import rotation
from physics.pose import Vector
from physics.units import INERTIA, LENGTH, MASS


@dataclass(frozen=True, slots=True, eq=False)
class BodyFrame:
    """Mass, inertia and frame of a solid, in world units.

    `centre` (3,) and `turn` (4,) carry points of the body frame to the piece frame; `inertia` (3,) is the diagonal in the body
    frame; `reach_mm` is the distance of the solid's farthest corner from its centre of mass.
    """

    mass: float
    inertia: tuple[float, float, float]
    centre: Vector
    turn: Vector
    reach_mm: float

    def local(self, points_mm: Vector) -> Vector:
        """(n, 3) points of the piece frame, mm, in the body frame, world units."""
        return rotation.rotated(rotation.inverses(self.turn), points_mm * LENGTH - self.centre)

    def placed(self, pose: Vector) -> tuple[Vector, Vector]:
        """Position (3,) and quaternion (4,) in the world of the body of a piece whose pose is (7,): x, y, z in mm, quaternion."""
        return pose[:3] * LENGTH + rotation.rotated(pose[3:], self.centre), rotation.products(pose[3:], self.turn)


@lru_cache(maxsize=256)
def body_frame(solid: Solid) -> BodyFrame:
    """The principal frame of `solid`, right-handed and as near to the piece frame as it can be."""
    moments, axes = np.linalg.eigh(solid.inertia_g_mm2)
    order = max(permutations(range(3)), key=lambda columns: float(np.abs(np.diag(axes[:, columns])).sum()))
    axes = axes[:, order] * np.where(np.diag(axes[:, order]) < 0, -1.0, 1.0)
    if np.linalg.det(axes) < 0:
        axes[:, np.argmin(np.diag(axes))] *= -1.0
    x, y, z = (float(moments[column]) * INERTIA for column in order)
    reach = max(float(np.linalg.norm(part - solid.centre_mm, axis=1).max()) for part in solid.parts)
    return BodyFrame(solid.mass_g * MASS, (x, y, z), solid.centre_mm * LENGTH, np.array(rotation.from_matrix(axes)), reach)
