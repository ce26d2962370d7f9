"""Blows: which frozen bodies a moving one is about to strike."""

from __future__ import annotations

import math

import numpy as np

from physics.world import World


def struck_soon(world: World, body: int, seconds: float, *, falling: bool, least_mm_s: float) -> set[int]:
    """The frozen bodies that `body` will strike within so short a time, faster than `least_mm_s`, if it goes on as it moves. `falling`: nothing
    carries it, so that it gets faster."""
    _, _, velocity, spin = world.motion(body)
    pull = world.gravity_mm_s2 if falling else np.zeros(3)
    turning = math.hypot(*spin) * world.reach_mm(body)
    reach = (math.hypot(*velocity) + turning) * seconds + math.hypot(*pull) * seconds**2 / 2
    found = set()
    for touch in world.near(body, reach):
        towards, gap = -np.array(touch.normal), max(0.0, touch.gap_mm)
        speed, gain = max(0.0, float(towards @ velocity) + turning), float(towards @ pull)
        meets = speed * seconds + gain * seconds**2 / 2 >= gap
        if meets and speed**2 + 2 * gain * gap > least_mm_s**2:
            found.add(touch.b)
    return found
