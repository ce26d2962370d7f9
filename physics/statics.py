"""Statics: whether rigid bodies stand, how far from falling they are, and what would fall first.

Begin with `tower_stability`; `equilibrium` is for bodies and contacts of your own. A body stands if *some* forces balance it, none of
them pulling; friction lies within a pyramid around the cone of `physics.tilt.FRICTION_SIDES` sides. That is a necessary condition, and for
rigid bodies the best there is without knowing how they were put down.

Which form is used when:

- Flat patches (all towers of flat-lying pieces): first vertical forces alone, which is exact without friction. Level patches need
  no friction to carry a level load, so friction can only rescue towers that vertical forces don't hold: a bridge may tie two
  overhanging neighbours together. Those are asked again with friction, and `needs_friction` says so, as such ties are shaky.
  The shrink margin is that of vertical forces; the tilt margin always has friction. The force method of
  `physics.flat_system` leaves out twisting about the vertical.
- Any other contacts (leaning bodies): `physics.point_system`, all six balances, friction at each point; no shrink margin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from physics.bodies import Bodies, tower_bodies
from physics.contact import Contact, tower_contacts
from physics.flat_system import FlatSystem, Unsupported, flat_system
from physics.point_system import PointSystem
from physics.pose import Vector
from physics.shrink import InsetMemory, collapsed, holds_upright, inset_motion, largest_inset
from physics.tilt import least_flat_tilt, least_reach
from physics.tower import Tower

_PRECISION = 1e-8
_STILL = 1e-6
_DOWN = (0.0, 0.0, -1.0)


class Fall(NamedTuple):
    """A collapse. `first`: the lowest body that moves, of several the one that moves most; the one that loses its support.
    `moving`: all bodies that move at once with it, in order."""

    first: int
    moving: tuple[int, ...]


class Shrink(NamedTuple):
    """By how many mm every patch could be drawn in all round before vertical forces no longer hold everything; below zero: by how much all
    would have to grow. `fall`: what would then fall."""

    mm: float
    fall: Fall


class Tilt(NamedTuple):
    """How far the table can be tilted, in the direction that bears least: `towards_deg`, counter-clockwise from +x, is then downhill.
    `fall`: what would then fall or slide."""

    deg: float
    towards_deg: float
    fall: Fall


@dataclass(frozen=True, slots=True)
class Stability:
    """The answer of statics. Margins are None if not asked for; `tilt` also for what does not stand, `shrink` for other than flat patches
    and for bodies that nothing carries. `fall` is what falls now, None if everything stands."""

    stable: bool
    needs_friction: bool
    fall: Fall | None
    shrink: Shrink | None = None
    tilt: Tilt | None = None


def tower_stability(tower: Tower, *, margins: bool = True) -> Stability:
    """Whether a tower of flat-lying pieces stands, on its real poses. Raises `NotFlat` if a piece leans.

    Without margins about a third of the time with them.
    """
    return equilibrium(tower_bodies(tower), tower_contacts(tower), friction=tower.piece_set.friction, margins=margins)


def equilibrium(
    bodies: Bodies, contacts: Sequence[Contact], *, friction: float, gravity: tuple[float, float, float] = _DOWN, margins: bool = True
) -> Stability:
    """Whether `bodies` stand on `contacts` under a gravity of the given direction. Margins are for gravity straight down only."""
    if not len(bodies):
        return Stability(True, False, None)
    if not contacts:
        return Stability(False, False, _bare_fall(bodies, contacts, range(len(bodies))))
    pull = np.array(gravity) / np.linalg.norm(gravity)
    level = bool(np.allclose(pull, _DOWN, rtol=0.0, atol=_PRECISION))
    try:
        system = flat_system(bodies, contacts) if level else None
    except Unsupported as error:
        return Stability(False, False, _bare_fall(bodies, contacts, error.bodies))
    if system is not None:
        return _flat_stability(bodies, contacts, system, friction, margins)
    return _point_stability(bodies, contacts, friction, pull, margins and level)


def _flat_stability(bodies: Bodies, contacts: Sequence[Contact], system: FlatSystem, friction: float, margins: bool) -> Stability:
    if not margins and holds_upright(system):
        return Stability(True, False, None)
    with ThreadPoolExecutor(1) as pool:  # the solver frees the interpreter while it works
        other = pool.submit(shrink_margin, bodies, contacts, system)
        least = least_flat_tilt(system, friction)
        shrink = other.result()
    holds = shrink.mm >= -_PRECISION * system.length_mm
    stable = holds or least.value >= -_PRECISION
    fall = None if stable else shrink.fall
    if not margins:
        return Stability(stable, stable, fall)
    tilt = _tilt(least.value, least.direction, _fall(system.centres, least.motion)) if stable else None
    return Stability(stable, stable and not holds, fall, shrink, tilt)


def shrink_margin(bodies: Bodies, contacts: Sequence[Contact], system: FlatSystem, *, memory: InsetMemory | None = None) -> Shrink:
    """The shrink margin of `bodies` on `contacts`, prepared as `system`; `memory` as in `largest_inset`.

    A patch of which nothing is left is no contact any more, so the rest may bear more without it.
    """
    inset = largest_inset(system, memory=memory)
    margin_mm = inset.value * system.length_mm
    gone = set(collapsed(inset).tolist())
    if not gone:
        return Shrink(margin_mm, _fall(system.centres, inset_motion(system, inset)))
    left = [contact for k, contact in enumerate(contacts) if k not in gone]
    bare = {contact.upper for contact in contacts}.difference(contact.upper for contact in left)
    if bare:
        return Shrink(margin_mm, _bare_fall(bodies, left, sorted(bare)))
    rest = flat_system(bodies, left)
    assert rest is not None, "patches that were flat still are"
    without = shrink_margin(bodies, left, rest, memory=memory)
    return without._replace(mm=max(margin_mm, without.mm))


def _point_stability(bodies: Bodies, contacts: Sequence[Contact], friction: float, gravity: Vector, margins: bool) -> Stability:
    system = PointSystem(bodies, contacts, friction, gravity)
    collapse = system.collapse()
    if collapse is not None:
        return Stability(False, False, _fall(system.centres, collapse))
    needs_friction = PointSystem(bodies, contacts, 0.0, gravity).collapse() is not None
    if not margins:
        return Stability(True, needs_friction, None)
    reach = least_reach([system.support])
    assert reach is not None, "the search has no bound"
    return Stability(
        True, needs_friction, None, tilt=_tilt(reach.support.value, reach.direction, _fall(system.centres, system.motion(reach.support)))
    )


def _tilt(value: float, direction: Vector, fall: Fall) -> Tilt:
    x, y = direction.tolist()
    return Tilt(math.degrees(math.atan(max(0.0, value))), math.degrees(math.atan2(y, x)), fall)


def _fall(centres: Vector, motion: Vector) -> Fall:
    """Who moves in a collapse: (n, 5) of a flat system or (n, 6) of a point system."""
    speed = _speeds(centres, motion)
    moving = np.flatnonzero(speed > _STILL * speed.max())
    lowest = moving[centres[moving, 2] < centres[moving, 2].min() + _STILL]
    return Fall(int(lowest[speed[lowest].argmax()]), tuple(moving.tolist()))


def _bare_fall(bodies: Bodies, contacts: Sequence[Contact], bare: Sequence[int]) -> Fall:
    """The fall of bodies that nothing carries, and of those that only falling ones carry."""
    carriers: dict[int, set[int]] = {}
    for contact in contacts:
        carriers.setdefault(contact.upper, set()).add(contact.lower)
    falling, grown = set(bare), True
    while grown:
        after = falling | {upper for upper, lowers in carriers.items() if lowers <= falling}
        grown, falling = after != falling, after
    return Fall(min(bare, key=lambda body: float(bodies.centre_mm[body, 2])), tuple(sorted(falling)))


def _speeds(centres: Vector, motion: Vector) -> Vector:
    if motion.shape[1] == 6:
        moving, turning = motion[:, :3], motion[:, 3:]
    else:
        turning = motion[:, 1:3]
        up = motion[:, 0] + np.einsum("ni,ni->n", turning, centres[:, :2])
        moving = np.column_stack([up, motion[:, 3:5] - turning * centres[:, 2:]])
    speeds: Vector = np.linalg.norm(moving, axis=1) + np.linalg.norm(turning, axis=1)
    return speeds
