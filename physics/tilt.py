"""How far the table under a tower can be tilted, over all directions at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.polygon import orient

from physics.flat_system import LOAD, Block, FlatSystem, Indices
from physics.linear import Programme
from physics.pose import Vector

FRICTION_SIDES = 12
"""The friction cone becomes a pyramid of this many sides around it: exact along them, 3.5 % too strong halfway between."""

_PRECISION = 1e-8
_LARGE = 20
"""Blocks of so many loads and more are walked round from two sides at once; for smaller ones a second thread costs more than it saves."""


class Support(NamedTuple):
    """How far the tiltable set reaches along a direction: to `value`, first at `point` (2,); `prices`: the collapse that ends it there,
    empty if that is far enough.

    A tilt is the pair of horizontal components of gravity over its vertical one. `value` is −∞, without the rest, if no tilt at all is held.
    """

    value: float
    point: Vector
    prices: Vector


class LeastReach(NamedTuple):
    """The shortest way out of a tiltable set: along `direction` (2,), after `support.value`; below zero if level is outside."""

    direction: Vector
    support: Support


Walker = Callable[[Vector, float], Support]
"""Answers how far a tiltable set reaches along a unit vector (2,); need not look further than where it bears so much all round."""


def least_reach(walkers: Sequence[Walker], bound: float = math.inf) -> LeastReach | None:
    """The direction in which a table bears the least tilt, or None if all directions bear `bound`.

    The tilts a tower bears form a convex set. The hull of the points found lies inside it, so its sides nearest to level either prove
    the least reach found or show where to ask next. Stops as soon as level itself proves to be outside. Several `walkers` of the same set are
    asked at the same time, a side each.
    """
    best: LeastReach | None = None
    points: list[Vector] = []
    asked = _FIRST
    while len(asked):
        answers = _walked(walkers, asked, bound)
        points += [reach.support.point for reach in answers]
        best = min(filter(None, (best, *(reach for reach in answers if reach.support.value < bound))), key=_value, default=None)
        bound = min(bound, *map(_value, answers))
        if bound < -_PRECISION:
            break
        directions, inner = _sides(np.array(points))
        asked = directions[inner < bound - _PRECISION][: len(walkers)]
    return best


def _value(reach: LeastReach) -> float:
    return reach.support.value


def _walked(walkers: Sequence[Walker], directions: Vector, bound: float) -> list[LeastReach]:
    """The answers for (k, 2) directions, each walker having gone one stretch of them, up to where level proves to be outside."""

    def walk(walker: Walker, directions: Vector) -> list[LeastReach]:
        enough, found = bound, []
        for direction in directions:
            found.append(LeastReach(direction, walker(direction, enough)))
            enough = min(enough, _value(found[-1]))
            if enough < -_PRECISION:
                break
        return found

    if len(walkers) == 1:
        return walk(walkers[0], directions)
    with ThreadPoolExecutor(len(walkers)) as pool:  # the solver frees the interpreter while it works
        return list(chain.from_iterable(pool.map(walk, walkers, np.array_split(directions, len(walkers)))))


class FlatTilt(NamedTuple):
    """The least tilt that a flat system does not bear, and the `motion` (n, 5) it ends in, as `FlatSystem.motion` has it."""

    value: float
    direction: Vector
    motion: Vector


def least_flat_tilt(system: FlatSystem, friction: float) -> FlatTilt:
    """The least over sliding on the table, the fixed contacts, which need no programme, and all blocks."""
    least = FlatTilt(friction, np.array([1.0, 0.0]), np.tile([0.0, 0.0, 0.0, 1.0, 0.0], (len(system.centres), 1)))
    if system.fixed.members.size:
        least = min(_fixed_tilt(system, friction), least, key=lambda tilt: tilt.value)
    for block in system.blocks:
        if least.value < -_PRECISION:
            break
        tilts, *others = (_BlockTilts(block, friction) for _ in range(2 if block.signs.shape[1] >= _LARGE else 1))
        reach = least_reach([tilts.support, *(other.support for other in others)], least.value)
        if reach is not None:
            least = FlatTilt(reach.support.value, reach.direction, system.motion(block, tilts.rows, tilts.contact, reach.support.prices))
    return least


def stands_level(system: FlatSystem, friction: float) -> bool:
    """Whether some forces within the friction pyramids hold everything up while the table is level."""
    if system.fixed.members.size and _fixed_tilt(system, friction).value < -_PRECISION:
        return False
    reaches = (least_reach([_BlockTilts(block, friction).support], 0.0) for block in system.blocks)
    return all(reach is None or reach.support.value >= -_PRECISION for reach in reaches)


class _BlockTilts:
    """The tilts at which some forces within the friction pyramids balance a block.

    A polygon around those tilts that are enough spares the solver steps towards larger ones: its corners lie in the first directions asked.
    """

    def __init__(self, block: Block, friction: float) -> None:
        self.rows, self.contact = _rows(block, friction)
        level, tilted = _known_loads(block, self.rows, self.contact)
        height = LOAD * block.signs.shape[1]
        self._tilt_rows = np.array([height, height + 1], dtype=np.int32)
        self._fence = np.arange(len(level), len(level) + len(_FENCE), dtype=np.int32)
        columns = block.columns(self.rows, self.contact, tilted).extended(self._tilt_rows, -_FENCE)
        self._programme = Programme(columns, np.append(level, np.full(len(_FENCE), friction)), np.zeros(height + 2))

    def support(self, direction: Vector, enough: float) -> Support:
        """How far the set reaches along the unit vector `direction` (2,)."""
        self._programme.set_costs(self._fence, np.full(len(self._fence), enough))
        self._programme.set_right(self._tilt_rows, -direction)
        solution = self._programme.solve()
        if solution.value == -math.inf:
            return Support(-math.inf, np.zeros(2), np.zeros(len(self.rows)))
        prices = self._programme.variables()[: len(self.rows)] if solution.value < enough else np.empty(0)
        return Support(solution.value, -solution.dual[-2:], prices)


def _fixed_tilt(system: FlatSystem, friction: float) -> FlatTilt:
    rows, contact = _rows(system.fixed, friction)
    level, tilted = _known_loads(system.fixed, rows, contact)
    change = np.linalg.norm(tilted, axis=1)
    reach = np.where(level < -_PRECISION, -math.inf, level / np.maximum(change, _PRECISION))
    least = int(reach.argmin())
    prices = (np.arange(len(rows)) == least).astype(np.float64)
    return FlatTilt(float(reach[least]), -tilted[least] / change[least], system.motion(system.fixed, rows, contact, prices))


def _rows(block: Block, friction: float) -> tuple[Vector, Indices]:
    """(k, 5) rows on loads, above zero within the patches and the friction pyramids; and (k,) whose they are."""
    contacts = len(block.members)
    pyramid = np.hstack([np.tile([friction, 0.0, 0.0], (FRICTION_SIDES, 1)), -_FENCE])
    rows = np.concatenate([block.side_rows(), np.tile(pyramid, (contacts, 1))])
    return rows, np.concatenate([block.edges.contact, np.repeat(np.arange(contacts), FRICTION_SIDES)])


def _known_loads(block: Block, rows: Vector, contact: Indices) -> tuple[Vector, Vector]:
    """What the known loads give in each row: (k,) on a level table, (k, 2) added by tilting it along x and y."""
    level, along_x, along_y = (np.einsum("ki,ki->k", rows, load[contact]) for load in (block.own, *block.lean))
    return level, np.column_stack([along_x, along_y])


def _directions(first_deg: float) -> Vector:
    """(sides, 2) unit vectors, counter-clockwise, evenly spread."""
    angles = np.radians(first_deg + 360 / FRICTION_SIDES * np.arange(FRICTION_SIDES))
    return np.column_stack([np.cos(angles), np.sin(angles)])


_FIRST = _directions(180 / FRICTION_SIDES)
"""Asked first. Neighbours differ little, so walking round costs hardly more steps of the solver than a few directions far apart."""
_FENCE = _directions(0)
"""Normals of the fence and of the friction pyramids: their corners lie where is asked first, so nothing is left to refine there."""


def _sides(points: Vector) -> tuple[Vector, Vector]:
    """The directions (k, 2) across the sides of the hull of some points and how far (k,) it reaches along each, least first."""
    corners = _hull(points)
    sides = np.roll(corners, -1, axis=0) - corners
    candidates = [np.array([y, -x]) for x, y in sides.tolist()]
    if len(corners) <= 2:
        candidates += [*sides, -corners[0], np.array([1.0, 0.0])]
    directions = np.array([way / size for way in candidates if (size := math.hypot(*way)) > 0])
    reach = (directions @ corners.T).max(axis=1)
    order = np.argsort(reach, kind="stable")
    return directions[order], reach[order]


def _hull(points: Vector) -> Vector:
    """Corners of the convex hull, counter-clockwise; points nearer than the precision are one."""
    hull = shapely.convex_hull(shapely.MultiPoint(points.round(9) + 0.0))
    corners: Vector = shapely.get_coordinates(orient(hull))[:-1] if hull.geom_type == "Polygon" else shapely.get_coordinates(hull)
    return corners
