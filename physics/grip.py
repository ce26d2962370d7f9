"""The Grip: how a hand holds a piece, and how steady hands are.

The held piece stays a body like any other; the hand pulls it towards where it wants it, softly and with limited force. So it can
touch, push and topple what is in its way, and what is in its way can stop it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from physics.pose import Pose, Quaternion
from physics.rotation import Triple, product, turn_between, turned
from physics.units import DYNAMIC, GRAVITY_MM_S2
from physics.world import World


@dataclass(frozen=True, slots=True)
class Steadiness:
    """How a hand errs. All are standard deviations of normal errors unless they say otherwise.

    `tremor_mm`: where it lets go, along x and along y; a third of it wobbles. `turn_deg`: about the vertical. `lean_deg`: about x and y each.
    `drop_mm`: how far above its place it lets go (the mean; half of it is the deviation); at zero it lays the piece down and presses.
    `sag_mm`: by how much it misjudges the height at which it carries the piece over others on a tower (meant: `CLEAR_MM`).
    `speed_mm_s`: of carrying (fixed).
    """

    name: str
    tremor_mm: float
    turn_deg: float
    lean_deg: float
    drop_mm: float
    sag_mm: float
    speed_mm_s: float


EXACT = Steadiness("exact", 0.0, 0.0, 0.0, 0.0, 0.0, 120.0)
STEADY = Steadiness("steady", 0.25, 0.4, 0.3, 0.5, 1.5, 120.0)
NORMAL = Steadiness("normal", 0.5, 0.8, 0.8, 1.5, 3.8, 150.0)
SHAKY = Steadiness("shaky", 1.0, 1.8, 1.6, 3.0, 6.0, 200.0)
STEADINESS = {level.name: level for level in (EXACT, STEADY, NORMAL, SHAKY)}
"""The named levels."""

STRENGTH_N = 1.0
"""The force a careful hand uses at most, beyond what carries the piece."""
PRESS_N = 0.15
"""…and downwards."""
TWIST_NMM = 10.0
"""The greatest torque of the hand."""
FIRM_N_MM = 0.15
"""Stiffness of the hold: newtons for each mm by which the piece is off where the hand wants it."""
YIELD_N_MM = 0.02
"""…sideways and in turning once the hand feels the piece stand on something, so that bevels can guide it between its neighbours."""
FELT_N = 0.05
"""The hand feels the piece stand when it has to press down by this much."""
_ARM_MM = 10.0
"""Fingers at this distance from the middle hold the piece level: rotational stiffness is the stiffness times its square."""


class Motion(NamedTuple):
    """Where a piece is wanted: its pose in mm, and the velocity in mm/s at which that place moves."""

    position: Triple
    rotation: Quaternion
    velocity: Triple


class Grip:
    """A hand that holds one body of a world. Call `pull` or `lead` before each step; `velocity` (mm/s) is that of the first place to `lead`
    to; `pull` brings its own."""

    def __init__(self, world: World, body: int, *, velocity: Triple = (0.0, 0.0, 0.0)) -> None:
        self._world = world
        self._body = body
        self._frame = world.frame(body)
        self._mass = world.mass_g(body) * DYNAMIC
        self._inertia = min(world.inertia_g_mm2(body)) * DYNAMIC
        self._dt = 1 / world.settings.steps_per_second
        self._velocity = velocity
        self._led: Triple | None = None
        self.strain_n: Triple = (0.0, 0.0, 0.0)
        """The force of the last pull beyond what carries the piece: how the hand feels what the piece touches."""

    @property
    def feels_support(self) -> bool:
        """Whether the piece stands on something, as far as the hand can feel."""
        return self.strain_n[2] < -FELT_N

    def lead(self, wanted: Pose) -> None:
        """Pull the piece for one step towards a place that has come from where it was wanted in the step before."""
        place = (wanted.x, wanted.y, wanted.z)
        if self._led is not None:
            x, y, z = (now - before for now, before in zip(place, self._led, strict=True))
            self._velocity = x / self._dt, y / self._dt, z / self._dt
        self._led = place
        self.pull(Motion(place, wanted.rotation, self._velocity))

    def pull(self, wanted: Motion) -> None:
        """Pull the piece for one step towards where it is `wanted`.

        A spring and a damper that would bring it there without overshoot, reckoned at the end of the step so that no stiffness is too
        stiff, cut off at the strength of the hand.
        """
        centre, rotation, velocity, spin = self._world.motion(self._body)
        to_centre, to_axes = self._frame
        goal = turned(wanted.rotation, to_centre)
        turn = turn_between(rotation, product(wanted.rotation, to_axes))
        side = YIELD_N_MM if self.feels_support else FIRM_N_MM
        force = tuple(
            _drive(stiffness, self._mass, place + arm - now, speed - meant, self._dt)
            for stiffness, place, arm, now, speed, meant in zip(
                (side, side, FIRM_N_MM), wanted.position, goal, centre, velocity, wanted.velocity, strict=True
            )
        )
        torque = tuple(_drive(side * _ARM_MM**2, self._inertia, angle, rate, self._dt) for angle, rate in zip(turn, spin, strict=True))
        x, y, z = _limited(force, STRENGTH_N)
        self.strain_n = (x, y, max(z, -PRESS_N))
        self._world.push(self._body, (x, y, self.strain_n[2] + self._mass * GRAVITY_MM_S2), _limited(torque, TWIST_NMM))


def _drive(stiffness: float, inertia: float, error: float, speed: float, dt: float) -> float:
    """Force of a critically damped spring on a body, from its error and its speed, implicit in the step `dt`."""
    damping = 2 * math.sqrt(stiffness * inertia)
    return inertia * (stiffness * (error - speed * dt) - damping * speed) / (inertia + damping * dt + stiffness * dt * dt)


def _limited(force: tuple[float, ...], limit: float) -> Triple:
    size = math.hypot(*force)
    x, y, z = force if size <= limit else (value * limit / size for value in force)
    return x, y, z
