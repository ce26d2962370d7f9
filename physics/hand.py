"""Hands that move by themselves: how a piece is carried to its place, laid down and let go, with the errors of a stated steadiness."""

from __future__ import annotations

import math
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from meshes.placement import Placement
from physics.grip import Steadiness
from physics.nodes import TowerNodes
from physics.pose import Pose, Quaternion
from physics.rotation import Triple, from_turn, product
from physics.tower import Tower, exact_pose, height_span_mm
from physics.track import RATE_HZ

CLEAR_MM = 10.0
"""A hand means to carry a piece this high above whatever it passes."""
TAKEN_UP_MM = 1.0
"""However badly a hand errs, the lowest corner of the piece is so far above the layer, and above where it lets go, when it takes it up."""
LOWERING_MM_S = 60.0
"""Speed of lowering; over the last `LAST_MM` it is `LAST_MM_S`."""
LAST_MM, LAST_MM_S = 3.0, 20.0
PRESS_MM = 1.0
"""A hand that lays a piece right down means to go this far below its place, and so presses it home."""
PATIENCE_S = 0.25
"""How long a hand feels a piece stand, or presses it home, before it lets go."""
_INSTANT_S = 1e-4
_WOBBLES = ((0.35, 1.1), (0.25, 1.9), (0.08, 8.0))
"""Share of the tremor and frequency in hertz of each wobble."""


class _Phase(Enum):
    CARRYING = 1
    LOWERING = 2
    OPEN = 3


class Skipped(NamedTuple):
    """Where a hand goes on whose way so far is left out: the moment of the act in seconds, the pose of the piece, its velocity (mm/s)."""

    seconds: float
    pose: Pose
    velocity: Triple


class HandPath:
    """Where a hand wants the piece to be from moment to moment: in from the side, down, and open.

    All errors are drawn at once, so an act uses the generator alike however it goes.
    """

    def __init__(self, tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator) -> None:
        draws = rng.standard_normal(7).tolist()
        heading, *phases = rng.uniform(0, 2 * math.pi, 1 + 2 * len(_WOBBLES)).tolist()
        self._phases = list(zip(phases[::2], phases[1::2], strict=True))
        self._tremor_mm = steadiness.tremor_mm
        self._seconds = 0.0
        place = exact_pose(tower.piece_set, placement)
        self._goal = (place.x + draws[0] * steadiness.tremor_mm, place.y + draws[1] * steadiness.tremor_mm)
        self._rotation = _erring(place.rotation, draws[2] * steadiness.turn_deg, draws[3] * steadiness.lean_deg, draws[4] * steadiness.lean_deg)
        drop = max(0.0, steadiness.drop_mm * (1 + 0.5 * draws[5]))
        self._presses = drop == 0
        self._end_z: float = place.z - PRESS_MM if self._presses else place.z + drop
        self._slow_z: float = place.z + drop + LAST_MM
        start, top = _surroundings(tower, placement, heading)
        leaning = Pose(0.0, 0.0, 0.0, self._rotation)
        self._hangs_mm = -height_span_mm(tower.piece_set, tower.piece_set.by_name[placement.piece], leaning)[0]
        least = max(drop, self._hangs_mm) + TAKEN_UP_MM
        # laying on the table a hand sees its height and has no tower to reach over, so nobody knocks a BASE away with another (RULES S44)
        sag = draws[6] * steadiness.sag_mm if placement.layer else 0.0
        self._z: float = max(place.z + least, top + CLEAR_MM + sag)
        self._way = (start[0] - self._goal[0], start[1] - self._goal[1])
        self._carry_s: float = 1.5 * math.hypot(*self._way) / steadiness.speed_mm_s
        self._phase = _Phase.CARRYING
        self._ended_s = 0.0

    @property
    def start(self) -> Pose:
        """Where the piece is taken over, beside the tower."""
        return self._target(0.0)

    @property
    def carrying(self) -> tuple[Pose, Pose]:
        """The first and the last pose of the piece while it is carried, without the wobble."""
        (x, y), (way_x, way_y) = self._goal, self._way
        return Pose(x + way_x, y + way_y, self._z, self._rotation), Pose(x, y, self._z, self._rotation)

    @property
    def hangs_mm(self) -> float:
        """How far the lowest corner of the held piece is below its origin, as it leans."""
        return self._hangs_mm

    @property
    def letting_go(self) -> Pose:
        """Where the hand lets go of the piece if nothing is in the way, the wobble included; to be asked before the first `follow`."""
        (x, y), (off_x, off_y) = self._goal, self._wobble(self._lowered_s(self._end_z))
        return Pose(x + off_x, y + off_y, self._end_z, self._rotation)

    def rise_above(self, height_mm: float) -> None:
        """Take the piece up and carry it `CLEAR_MM` above `height_mm`; to be asked before the first `follow`, if there is no room at `start`."""
        self._z = max(self._z, height_mm + self._hangs_mm + CLEAR_MM)

    def skip_to(self, height_mm: float) -> Skipped:
        """Go on from where the hand comes down to this height, or from the look before (`RATE_HZ`); to be asked before the first `follow`. A hand
        that carries lower than that, or lets go higher, comes down to where it does."""
        seconds = self._lowered_s(min(self._z, max(height_mm, self._end_z)))
        self._seconds = max(self._carry_s, math.floor(seconds * RATE_HZ) / RATE_HZ)
        self._phase, self._z = _Phase.LOWERING, self._lowered_to(self._seconds)
        pose, before = self._target(self._seconds), self._target(self._seconds - _INSTANT_S)
        down = LAST_MM_S if self._z <= self._slow_z else LOWERING_MM_S
        return Skipped(self._seconds, pose, ((pose.x - before.x) / _INSTANT_S, (pose.y - before.y) / _INSTANT_S, -down))

    def follow(self, seconds: float, *, feels_support: bool) -> Pose | None:
        """Where the hand wants the piece at a moment of the act; None once it lets go."""
        if self._phase is _Phase.CARRYING and seconds >= self._carry_s:
            self._phase = _Phase.LOWERING
        if self._phase is _Phase.LOWERING:
            passed = seconds - self._seconds
            self._ended_s += passed if feels_support or self._z == self._end_z else 0.0
            self._z = max(self._end_z, self._z - passed * (LAST_MM_S if self._z <= self._slow_z else LOWERING_MM_S))
            if self._ended_s >= PATIENCE_S or (self._z == self._end_z and not self._presses):
                self._phase = _Phase.OPEN
        self._seconds = seconds
        return None if self._phase is _Phase.OPEN else self._target(seconds)

    def _lowered_s(self, height_mm: float) -> float:
        """When the hand, still carrying, will have come down to a height."""
        slow_z = min(self._z, max(height_mm, self._slow_z))
        return self._carry_s + (self._z - slow_z) / LOWERING_MM_S + max(0.0, slow_z - height_mm) / LAST_MM_S

    def _lowered_to(self, seconds: float) -> float:
        """How far the hand, still carrying, will have come down at a moment of lowering."""
        slow_z = min(self._z, self._slow_z)
        slow_s = self._lowered_s(slow_z)
        return self._z - (seconds - self._carry_s) * LOWERING_MM_S if seconds < slow_s else slow_z - (seconds - slow_s) * LAST_MM_S

    def _target(self, seconds: float) -> Pose:
        share = min(1.0, seconds / self._carry_s)
        left = 1 - share * share * (3 - 2 * share)
        (x, y), (way_x, way_y), (off_x, off_y) = self._goal, self._way, self._wobble(seconds)
        return Pose(x + left * way_x + off_x, y + left * way_y + off_y, self._z, self._rotation)

    def _wobble(self, seconds: float) -> tuple[float, float]:
        x = y = 0.0
        for (share, hertz), (phase_x, phase_y) in zip(_WOBBLES, self._phases, strict=True):
            angle = 2 * math.pi * hertz * seconds
            x += share * self._tremor_mm * math.sin(angle + phase_x)
            y += share * self._tremor_mm * math.sin(angle + phase_y)
        return x, y


def _erring(wanted: Quaternion, turn_deg: float, lean_x_deg: float, lean_y_deg: float) -> Quaternion:
    """The rotation `wanted`, then a turn about the vertical and a lean about x and y, all small."""
    return product(from_turn((math.radians(lean_x_deg), math.radians(lean_y_deg), math.radians(turn_deg))), wanted)


def _surroundings(tower: Tower, placement: Placement, heading: float) -> tuple[tuple[float, float], float]:
    """Where beside the layer a hand from direction `heading` starts, x and y in mm, and the height of what lies around the place."""
    piece_set = tower.piece_set
    cells = piece_set.places_mm(placement.cells)
    place = exact_pose(piece_set, placement)
    nodes = _nodes(tower)
    around = nodes.exact[nodes.exact[:, 2] >= place.z - 0.1]
    size = float(np.linalg.norm(cells - [place.x, place.y], axis=1).max()) + 2 * piece_set.pitch_mm
    reach = float(np.linalg.norm(around[:, :2] - [place.x, place.y], axis=1).max(initial=0.0))
    start = (place.x + (reach + size) * math.cos(heading), place.y + (reach + size) * math.sin(heading))
    top = float(around[:, 2].max()) + piece_set.thickness_mm if len(around) else place.z
    return start, top


@lru_cache(maxsize=4)
def _nodes(tower: Tower) -> TowerNodes:
    """The nodes of a tower; many hands may be asked for over one."""
    return TowerNodes.of(tower)
