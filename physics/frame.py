"""Bodies: what the engine must know of a solid. A body's frame is the principal frame at the centre of mass, where inertia is diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from meshes.solid import Solid
from physics import rotation
from physics.pose import Pose, Quaternion, Vector
from physics.rotation import Triple
from physics.units import INERTIA, LENGTH, MASS


@dataclass(frozen=True, slots=True, eq=False)
class BodyFrame:
    """Mass, inertia and frame of a solid, in world units.

    `centre` and `turn` carry points of the body frame to the piece frame; `inertia` is the diagonal in the body
    frame; `reach_mm` is the distance of the solid's farthest corner from its centre of mass.
    """

    mass: float
    inertia: tuple[float, float, float]
    centre: Triple
    turn: Quaternion
    reach_mm: float

    def local(self, points_mm: Vector) -> Vector:
        """(n, 3) points of the piece frame, mm, in the body frame, world units."""
        return rotation.rotated(rotation.inverses(np.array(self.turn)), points_mm * LENGTH - np.array(self.centre))

    def placed(self, pose: Pose) -> tuple[Triple, Quaternion]:
        """Place and rotation in the world of the body of a piece at `pose`."""
        x, y, z = rotation.turned(pose.rotation, self.centre)
        return (pose.x * LENGTH + x, pose.y * LENGTH + y, pose.z * LENGTH + z), rotation.product(pose.rotation, self.turn)

    def pose(self, place: Triple, turn: Quaternion) -> Pose:
        """The pose of the piece whose body is at `place`, so turned: what `placed` undoes."""
        a, b, c, d = self.turn
        piece_turn = rotation.product(turn, (-a, -b, -c, d))
        x, y, z = rotation.turned(piece_turn, self.centre)
        return Pose((place[0] - x) / LENGTH, (place[1] - y) / LENGTH, (place[2] - z) / LENGTH, piece_turn)


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
    centre_x, centre_y, centre_z = (solid.centre_mm * LENGTH).tolist()
    return BodyFrame(solid.mass_g * MASS, (x, y, z), (centre_x, centre_y, centre_z), rotation.from_matrix(axes), reach)
