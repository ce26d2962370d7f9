"""How far the table under a tower can be tilted, over all directions at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
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


def least_reach(support: Callable[[Vector, float], Support], bound: float = math.inf, *, known: Sequence[LeastReach] = ()) -> LeastReach | None:
    """The direction in which a table bears the least tilt, or None if all directions bear `bound`.

    The tilts a tower bears form a convex set; `support(direction, enough)` answers how far it reaches along a unit vector, and need
    not look further than where it bears `enough` all round. The hull of the points found lies inside the set, so its side nearest to
    level either proves the least reach found or shows where to ask next. Stops as soon as level itself proves to be outside.
    `known` are answers for all of `_FIRST` if they were asked before.
    """
    best: LeastReach | None = None
    points: list[Vector] = [reach.support.point for reach in known]
    for reach in known:
        if reach.support.value < bound:
            bound, best = reach.support.value, reach
    while best is None or bound >= -_PRECISION:
        if len(points) < len(_FIRST):
            direction = _FIRST[len(points)]
        else:
            direction, inner = _nearest_side(np.array(points))
            if inner >= bound - _PRECISION:
                break
        answer = support(direction, bound)
        points.append(answer.point)
        if answer.value < bound:
            bound, best = answer.value, LeastReach(direction, answer)
    return best


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
        tilts = _BlockTilts(block, friction)
        if least.value < -_PRECISION:
            break
        known = _walked(tilts, _BlockTilts(block, friction), least.value) if block.signs.shape[1] >= _LARGE else ()
        reach = least_reach(tilts.support, least.value, known=known)
        if reach is not None:
            least = FlatTilt(reach.support.value, reach.direction, system.motion(block, tilts.rows, tilts.contact, reach.support.prices))
    return least


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


def _walked(here: _BlockTilts, there: _BlockTilts, enough: float) -> list[LeastReach]:
    """The answers for `_FIRST`, half of them found by a second walker at the same time: the solver frees the interpreter while it works.
    Both are of the same block."""

    def walk(tilts: _BlockTilts, directions: Vector) -> list[LeastReach]:
        bound, found = enough, []
        for direction in directions:
            found.append(LeastReach(direction, tilts.support(direction, bound)))
            bound = min(bound, found[-1].support.value)
        return found

    half = len(_FIRST) // 2
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(walk, there, _FIRST[half:])
        return [*walk(here, _FIRST[:half]), *other.result()]


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


def _nearest_side(points: Vector) -> tuple[Vector, float]:
    """The direction in which the hull of (k, 2) points reaches least far from the origin, and how far."""
    corners = _hull(points)
    sides = np.roll(corners, -1, axis=0) - corners
    candidates = [np.array([y, -x]) for x, y in sides.tolist()]
    if len(corners) <= 2:
        candidates += [*sides, -corners[0], np.array([1.0, 0.0])]
    directions = np.array([way / size for way in candidates if (size := math.hypot(*way)) > 0])
    reach = (directions @ corners.T).max(axis=1)
    best = int(reach.argmin())
    return directions[best], float(reach[best])


def _hull(points: Vector) -> Vector:
    """Corners of the convex hull, counter-clockwise; points nearer than the precision are one."""
    hull = shapely.convex_hull(shapely.MultiPoint(points.round(9) + 0.0))
    corners: Vector = shapely.get_coordinates(orient(hull))[:-1] if hull.geom_type == "Polygon" else shapely.get_coordinates(hull)
    return corners
