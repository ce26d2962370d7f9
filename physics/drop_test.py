"""The drop test: does a piece lie flat and still? It is let go a little above the table, level and leaning, and watched by Bullet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from meshes.errors import Defect
from meshes.solid import Solid
from physics.engine import BRISK
from physics.pose import Pose, as_pose
from physics.watch import QUIET_MM_S
from physics.world import World

HEIGHT_MM = 3.0
"""How high above the table its lowest point is let go."""
LEAN_DEG = 4.0
FLAT_DEG = 1.0
"""A piece that rests at a greater tilt does not lie flat."""

_HEADINGS_DEG = (None, 20.0, 140.0, 260.0)
_LIMIT_S = 3.0
_LOOK_STEPS = 24
_LOOKS = 3


@dataclass(frozen=True, slots=True)
class Drop:
    """One fall: how it leaned when let go (`heading_deg` None: level) and how it ended after `seconds`. `still`: it came to rest."""

    heading_deg: float | None
    tilt_deg: float
    moved_mm: float
    still: bool
    seconds: float

    @property
    def lies_flat(self) -> bool:
        """Whether it came to rest on its bottom."""
        return self.still and self.tilt_deg <= FLAT_DEG


@dataclass(frozen=True, slots=True)
class DropTest:
    """Several falls of one piece."""

    drops: tuple[Drop, ...]

    @property
    def lies_flat(self) -> bool:
        """Whether it came to rest on its bottom every time."""
        return all(drop.lies_flat for drop in self.drops)

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Why it does not lie."""
        bad = [drop for drop in self.drops if not drop.lies_flat]
        if not bad:
            return ()
        worst = max(bad, key=lambda drop: drop.tilt_deg)
        how = f"came to rest leaning by {worst.tilt_deg:.1f}°" if worst.still else f"did not come to rest in {_LIMIT_S:g} s"
        message = f"let go {HEIGHT_MM:g} mm above the table it did not lie flat in {len(bad)} of {len(self.drops)} falls: it {how}"
        return (Defect("drop", "", f"{message}; give it a flat bottom that reaches well around its centre of mass"),)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        drops = [
            {
                "lean_deg": 0.0 if drop.heading_deg is None else LEAN_DEG,
                "heading_deg": drop.heading_deg,
                "tilt_deg": round(drop.tilt_deg, 3),
                "moved_mm": round(drop.moved_mm, 3),
                "still": drop.still,
                "seconds": round(drop.seconds, 3),
            }
            for drop in self.drops
        ]
        return {"lies_flat": self.lies_flat, "drops": drops}


def drop_test(solid: Solid, *, friction: float, restitution: float) -> DropTest:
    """Let go of a solid level, then leaning by `LEAN_DEG` in three directions. The same solid falls the same way every time."""
    # all in one world, far from each other: opening an engine takes longer than a fall
    apart = 3.0 * max(float(np.abs(part).max()) for part in solid.parts)
    starts = [_let_go(solid, heading, number * apart) for number, heading in enumerate(_HEADINGS_DEG)]
    limit, steps = round(_LIMIT_S * BRISK.steps_per_second), 0
    with World(table_friction=friction, table_restitution=restitution, settings=BRISK) as world:
        bodies = [world.add(solid, start, friction=friction, restitution=restitution) for start in starts]
        world.skip_ramp()
        calm = np.zeros(len(bodies), np.int64)
        rested = np.full(len(bodies), limit)
        while steps < limit and not (calm >= _LOOKS).all():
            world.step(_LOOK_STEPS)
            steps += _LOOK_STEPS
            calm = np.where([world.speed(body) < QUIET_MM_S for body in bodies], calm + 1, 0)
            rested = np.where(calm >= _LOOKS, np.minimum(rested, steps), limit)
        ends = [as_pose(state) for state in world.states()]
    return DropTest(
        tuple(
            Drop(heading, end.tilt_deg, _moved(solid, start, end), bool(still >= _LOOKS), float(when) / BRISK.steps_per_second)
            for heading, start, end, still, when in zip(_HEADINGS_DEG, starts, ends, calm, rested, strict=True)
        )
    )


def _moved(solid: Solid, start: Pose, end: Pose) -> float:
    """How far its centre of mass went sideways."""
    return math.dist(start.apply(solid.centre_mm[None])[0, :2], end.apply(solid.centre_mm[None])[0, :2])


def _let_go(solid: Solid, heading_deg: float | None, x_mm: float) -> Pose:
    """The pose in which its lowest point is at the height, leaning towards the heading."""
    half = 0.0 if heading_deg is None else math.radians(LEAN_DEG) / 2
    heading = math.radians(heading_deg or 0.0)
    rotation = (-math.sin(heading) * math.sin(half), math.cos(heading) * math.sin(half), 0.0, math.cos(half))
    corners = np.concatenate(solid.parts)
    lowest = float(Pose(0.0, 0.0, 0.0, rotation).apply(corners)[:, 2].min())
    return Pose(x_mm, 0.0, HEIGHT_MM - lowest, rotation)
