"""The Bullet world: rigid bodies on a table, in the units of the table.

Every `World` has an engine of its own and shares nothing with another, so a thread may own one. Build a fresh world for each thing
to be simulated, or `rewind` one: either repeats bit for bit, whereas a state that the engine saved and restored does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import NamedTuple

import numpy as np

from meshes.errors import StakdError
from meshes.solid import Solid
from physics.bullet import pybullet
from physics.contact import TABLE
from physics.engine import DEFAULT, Settings, close_engine, open_engine, set_engine
from physics.frame import BodyFrame, body_frame
from physics.pose import Pose, Quaternion, Vector
from physics.rotation import Triple
from physics.shape import make_shape
from physics.units import FORCE, GRAVITY_MM_S2, INERTIA, LENGTH, MASS, TORQUE

SUNK_MM = 2.0
"""A centre of mass lower than this below the table is an error."""
ASIDE_MM = 10_000.0
"""So far from the table, and from each other, bodies meet nothing."""


class Touch(NamedTuple):
    """One contact point of bodies `a` and `b`.

    `point` is on the surface of `b`, mm; `normal` points from `b` to `a`; `gap_mm` is negative where they press into each
    other; `force_n` is the normal force of the last step.
    """

    a: int
    b: int
    point: tuple[float, float, float]
    normal: tuple[float, float, float]
    gap_mm: float
    force_n: float


class Press(NamedTuple):
    """One contact point of an `awake` body and a `frozen` one: the `rise` of its normal, 0 (sideways) to 1, and the normal force."""

    awake: int
    frozen: int
    rise: float
    force_n: float


class BelowTable(StakdError):
    """A body is below the table: it was put there, or the simulation failed."""

    def __init__(self, body: int, z_mm: float) -> None:
        self.body, self.z_mm = body, z_mm
        super().__init__(f"body {body} is at z = {z_mm:.1f} mm, below the table; start it above the table and clear of other bodies")


class World:
    """Rigid bodies on a table, the plane z = 0, under gravity. Lengths in mm, forces in newtons, torques in N·mm, seconds.

    Bodies are numbered from 0 in the order they are added. Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        *,
        table_friction: float = 0.45,
        table_restitution: float = 0.25,
        tilt_deg: float = 0.0,
        tilt_heading_deg: float = 0.0,
        settings: Settings | None = None,
    ) -> None:
        """The table tilts by `tilt_deg` downwards towards `tilt_heading_deg` (from +x, counter-clockwise); its frame tilts with it."""
        self.settings = settings or DEFAULT
        self._down = _downwards(math.radians(tilt_deg), math.radians(tilt_heading_deg))
        self.steps_done = 0
        """With the present settings."""
        self._before_s = 0.0
        self._bodies: list[int] = []
        self._numbers: dict[int, int] = {}
        self._frames: list[BodyFrame] = []
        self._frozen_handles: set[int] = set()
        self._shapes: dict[Solid, int] = {}
        self._ramp_start = 0
        self._thawed = False
        self._client = open_engine(self.settings)
        plane = pybullet.createCollisionShape(pybullet.GEOM_PLANE, physicsClientId=self._client)
        self._table: int = pybullet.createMultiBody(0, plane, useMaximalCoordinates=True, physicsClientId=self._client)
        self._numbers[self._table] = TABLE
        self._set_surface(self._table, table_friction, table_restitution)
        pybullet.changeDynamics(self._table, -1, activationState=pybullet.ACTIVATION_STATE_SLEEP, physicsClientId=self._client)

    def __enter__(self) -> World:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Give the engine and all its shapes back. Closing twice does no harm."""
        if self._client >= 0:
            close_engine(self._client)
            self._client = -1

    def __len__(self) -> int:
        return len(self._bodies)

    @property
    def seconds(self) -> float:
        """Simulated time so far."""
        return self._before_s + self.steps_done / self.settings.steps_per_second

    def change_settings(self, settings: Settings) -> None:
        """Go on with other steps and iterations. Gravity stays as it is: a ramp that is not over ends at once."""
        self._before_s, self.steps_done, self.settings = self.seconds, 0, settings
        set_engine(self._client, settings)
        self.skip_ramp()

    def add(self, solid: Solid, pose: Pose, *, friction: float, restitution: float, frozen: bool = False) -> int:
        """Put a body of `solid` at `pose` and return its number. Nothing is checked against other bodies: ask `overlaps` first."""
        shape, frame = self._shape(solid)
        place, turn = frame.placed(pose)
        body: int = pybullet.createMultiBody(
            frame.mass,
            shape,
            basePosition=place,
            baseOrientation=turn,
            useMaximalCoordinates=True,
            physicsClientId=self._client,
        )
        self._numbers[body] = len(self._bodies)
        self._bodies.append(body)
        self._frames.append(frame)
        self._set_surface(body, friction, restitution)
        number = len(self._bodies) - 1
        self.thaw(number)
        if frozen:
            self.freeze(number)
        return number

    def put(self, body: int, pose: Pose) -> None:
        """Move `body` to `pose`, at rest. Nothing is checked against other bodies: ask `overlaps` first."""
        place, turn = self._frames[body].placed(pose)
        pybullet.resetBasePositionAndOrientation(self._bodies[body], place, turn, physicsClientId=self._client)
        self.throw(body, (0.0, 0.0, 0.0))

    def rewind(self, poses: Sequence[Pose]) -> None:
        """Begin anew with the first bodies frozen at `poses`, with full gravity; the others wait aside, frozen, until they are `put` somewhere.

        All rewound worlds with the same bodies repeat bit for bit, whatever happened before: the engine forgets contacts once the bodies have been
        awake apart from each other for a step. From a fresh world they differ in the last digits.
        """
        for body in range(len(self)):
            self.thaw(body)
            self.put(body, Pose(ASIDE_MM * (body + 1), 0.0, ASIDE_MM))
        self.step()
        for body in range(len(self)):
            self.freeze(body)
        for body, pose in enumerate(poses):
            self.put(body, pose)
        self.steps_done, self._before_s = 0, 0.0
        self.skip_ramp()

    def freeze(self, body: int) -> None:
        """Make `body` immovable where it is."""
        handle = self._bodies[body]
        pybullet.resetBaseVelocity(handle, (0, 0, 0), (0, 0, 0), physicsClientId=self._client)
        # Asleep as well: contacts among bodies that all sleep cost nothing.
        pybullet.changeDynamics(handle, -1, mass=0, activationState=pybullet.ACTIVATION_STATE_SLEEP, physicsClientId=self._client)
        self._frozen_handles.add(handle)

    def thaw(self, body: int) -> None:
        """Let `body` move again, from rest."""
        # Mass and inertia in one call: inertia alone would be taken together with a stale mass.
        frame = self._frames[body]
        pybullet.changeDynamics(
            self._bodies[body],
            -1,
            mass=frame.mass,
            localInertiaDiagonal=frame.inertia,
            linearDamping=self.settings.damping,
            angularDamping=self.settings.damping,
            activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=self._client,
        )
        self._frozen_handles.discard(self._bodies[body])
        self._thawed = True

    def is_frozen(self, body: int) -> bool:
        """Whether `body` is immovable."""
        return self._bodies[body] in self._frozen_handles

    def damp(self, body: int, damping: float) -> None:
        """Make `body` lose `damping` of its speed in a second from now on (0–1), until it is thawed anew."""
        pybullet.changeDynamics(self._bodies[body], -1, linearDamping=damping, angularDamping=damping, physicsClientId=self._client)

    @property
    def gravity_mm_s2(self) -> Vector:
        """(3,) how everything is pulled once gravity is full."""
        return self._down * GRAVITY_MM_S2

    def reach_mm(self, body: int) -> float:
        """Distance of the farthest corner of `body` from its centre of mass."""
        return self._frames[body].reach_mm

    def pull(self, gravities: Sequence[float]) -> None:
        """From the next step on let everything be pulled by (3,) `gravities`, in multiples of gravity, in the table's frame: (0, 0, −1) is a table
        at rest, and one that is moved pulls the other way by its own acceleration."""
        self._down = np.array(gravities, dtype=np.float64)
        self._thawed = True

    def ramp_gravity(self) -> None:
        """Let gravity grow from nothing again, from the next step on; for bodies at rest that take up their load anew."""
        self._ramp_start = self.steps_done

    def skip_ramp(self) -> None:
        """Let gravity be full from the next step on."""
        self._ramp_start = self.steps_done - round(self.settings.ramp_s * self.settings.steps_per_second)

    def step(self, steps: int = 1) -> None:
        """Simulate `steps` fixed steps."""
        ramp = round(self.settings.ramp_s * self.settings.steps_per_second)
        for _ in range(steps):
            # The engine gives gravity to the bodies awake at that moment, so those just thawed still lack it.
            if (taken := self.steps_done - self._ramp_start) <= ramp or self._thawed:
                x, y, z = self._down * (GRAVITY_MM_S2 * LENGTH * min(1.0, (taken + 1) / (ramp + 1)))
                pybullet.setGravity(x, y, z, physicsClientId=self._client)
                self._thawed = False
            pybullet.stepSimulation(physicsClientId=self._client)
            self.steps_done += 1

    def push(self, body: int, force_n: Sequence[float], torque_nmm: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Apply a force (3,) at the centre of mass and a torque (3,) for the next step."""
        fx, fy, fz = (value * FORCE for value in force_n)
        place = pybullet.getBasePositionAndOrientation(self._bodies[body], physicsClientId=self._client)[0]
        pybullet.applyExternalForce(self._bodies[body], -1, (fx, fy, fz), place, pybullet.WORLD_FRAME, physicsClientId=self._client)
        if any(torque_nmm):
            tx, ty, tz = (value * TORQUE for value in torque_nmm)
            pybullet.applyExternalTorque(self._bodies[body], -1, (tx, ty, tz), pybullet.WORLD_FRAME, physicsClientId=self._client)

    def throw(self, body: int, velocity_mm_s: Sequence[float]) -> None:
        """Give `body` a velocity (3,), without spin."""
        velocity = tuple(value * LENGTH for value in velocity_mm_s)
        pybullet.resetBaseVelocity(self._bodies[body], velocity, (0, 0, 0), physicsClientId=self._client)

    def states(self) -> Vector:
        """(n, 7) poses of all bodies: x, y, z of the piece's origin in mm, quaternion. Raises `BelowTable`."""
        return self.states_of(range(len(self._bodies)))

    def states_of(self, bodies: Sequence[int]) -> Vector:
        """(len(bodies), 7) poses as in `states`. Raises `BelowTable`."""
        poses = map(self.pose, bodies)
        return np.array([(pose.x, pose.y, pose.z, *pose.rotation) for pose in poses]).reshape(-1, 7)

    def pose(self, body: int) -> Pose:
        """Pose of one body. Raises `BelowTable`."""
        place, turn = pybullet.getBasePositionAndOrientation(self._bodies[body], physicsClientId=self._client)
        if not place[2] > -SUNK_MM * LENGTH:
            raise BelowTable(body, place[2] / LENGTH)
        return self._frames[body].pose(place, turn)

    def motion(self, body: int) -> tuple[Triple, Quaternion, Triple, Triple]:
        """Centre of mass in mm, rotation of the principal axes, velocity in mm/s and angular velocity in radians/s of `body`."""
        (x, y, z), turn = pybullet.getBasePositionAndOrientation(self._bodies[body], physicsClientId=self._client)
        (u, v, w), spin = pybullet.getBaseVelocity(self._bodies[body], physicsClientId=self._client)
        return (x / LENGTH, y / LENGTH, z / LENGTH), turn, (u / LENGTH, v / LENGTH, w / LENGTH), spin

    def frame(self, body: int) -> tuple[Triple, Quaternion]:
        """Centre of mass (mm) and rotation of the principal axes of `body`, both in the piece frame."""
        frame = self._frames[body]
        x, y, z = frame.centre
        return (x / LENGTH, y / LENGTH, z / LENGTH), frame.turn

    def speed(self, body: int) -> float:
        """An upper bound of the speed of every point of `body`, mm/s."""
        (x, y, z), (a, b, c) = pybullet.getBaseVelocity(self._bodies[body], physicsClientId=self._client)
        return math.hypot(x, y, z) / LENGTH + math.hypot(a, b, c) * self._frames[body].reach_mm

    def mass_g(self, body: int) -> float:
        """Mass of `body`, frozen or not."""
        return self._frames[body].mass / MASS

    def inertia_g_mm2(self, body: int) -> tuple[float, float, float]:
        """Principal moments of inertia of `body`, frozen or not."""
        x, y, z = (value / INERTIA for value in self._frames[body].inertia)
        return x, y, z

    def touches(self, body: int | None = None) -> list[Touch]:
        """Contact points of the last step, of all bodies or of one (then `a` is that one)."""
        numbers = self._numbers
        chosen = {} if body is None else {"bodyA": self._bodies[body]}
        raw = pybullet.getContactPoints(physicsClientId=self._client, **chosen) or ()
        return [Touch(numbers[c[1]], numbers[c[2]], _mm(c[6]), c[7], c[8] / LENGTH, c[9] / FORCE) for c in raw]

    def presses(self) -> Iterator[Press]:
        """What awake bodies and frozen ones did to each other in the last step. Acts ask at every step, so it takes the least time."""
        frozen, table = self._frozen_handles, self._table
        for contact in pybullet.getContactPoints(physicsClientId=self._client) or ():
            if (contact[1] in frozen) != (contact[2] in frozen) and table not in (contact[1], contact[2]):
                awake, other = (2, 1) if contact[1] in frozen else (1, 2)
                yield Press(self._numbers[contact[awake]], self._numbers[contact[other]], abs(contact[7][2]), contact[9] / FORCE)

    def near(self, body: int, reach_mm: float) -> list[Touch]:
        """The nearest points of frozen bodies no farther than `reach_mm` from `body`, as all are now."""
        handle, ask = self._bodies[body], {"physicsClientId": self._client}
        low, high = (np.array(corner) for corner in pybullet.getAABB(handle, **ask))
        room = reach_mm * LENGTH
        others = {other for other, _ in pybullet.getOverlappingObjects(low - room, high + room, **ask) or ()} & self._frozen_handles - {handle}
        points = [point for other in sorted(others) for point in pybullet.getClosestPoints(handle, other, room, **ask)]
        return [Touch(body, self._numbers[p[2]], _mm(p[6]), p[7], p[8] / LENGTH, 0.0) for p in points]

    def overlaps(self, solid: Solid, pose: Pose, *, tolerance_mm: float = 0.1) -> list[int]:
        """Bodies (`TABLE` among them) that `solid` at `pose` would reach into by more than the tolerance. Needs no step first."""
        shape, frame = self._shape(solid)
        place, turn = frame.placed(pose)
        found = []
        for number, handle in [*enumerate(self._bodies), (TABLE, self._table)]:
            points = pybullet.getClosestPoints(
                bodyA=-1,
                bodyB=handle,
                distance=0.0,
                collisionShapeA=shape,
                collisionShapePositionA=place,
                collisionShapeOrientationA=turn,
                physicsClientId=self._client,
            )
            if any(point[8] < -tolerance_mm * LENGTH for point in points):
                found.append(number)
        return found

    def _set_surface(self, handle: int, friction: float, restitution: float) -> None:
        """Bullet multiplies the two bodies' values, so each gets the square root."""
        pybullet.changeDynamics(
            handle, -1, lateralFriction=math.sqrt(friction), restitution=math.sqrt(restitution), frictionAnchor=1, physicsClientId=self._client
        )

    def _shape(self, solid: Solid) -> tuple[int, BodyFrame]:
        """The engine's shape of `solid`, made once in each world, and its body frame."""
        if solid not in self._shapes:
            self._shapes[solid] = make_shape(self._client, solid)
        return self._shapes[solid], body_frame(solid)


def _downwards(tilt: float, heading: float) -> Vector:
    return np.array([math.sin(tilt) * math.cos(heading), math.sin(tilt) * math.sin(heading), -math.cos(tilt)])


def _mm(point: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = point
    return x / LENGTH, y / LENGTH, z / LENGTH
