"""Sweeping: what a hand that carries its piece too low does to the laid pieces in its way.

A laid piece that is met is pushed along until the hand is where it wants to be: the friction that holds it is far less than the hand's
strength. It has been knocked over if it is pushed by half a pitch, as in `physics.watch`.
"""

from __future__ import annotations

import math

import numpy as np
import shapely

from meshes.placement import Placement
from physics.hand import HandPath
from physics.overlap import plan
from physics.pose import Pose
from physics.tower import Tower

RIDES_MM = 1.6
"""A piece that reaches less far below the top of another glides up over its edge, as both are beveled."""
_STEP_MM = 1.0


class Sweep:
    """The ways of hands over one tower to one placement."""

    def __init__(self, tower: Tower, placement: Placement) -> None:
        self._tower = tower
        self._piece = placement.piece
        self._tops = np.array([laid.pose.z for laid in tower.laid]) + tower.piece_set.thickness_mm

    def topples(self, path: HandPath) -> bool:
        """Whether the hand pushes a laid piece out of its place on its way."""
        begin, end = path.carrying
        low = np.flatnonzero(self._tops > begin.z - path.hangs_mm + RIDES_MM)
        return any(self._pushed_mm(index, begin, end) > self._tower.piece_set.pitch_mm / 2 for index in low.tolist())

    def _pushed_mm(self, index: int, begin: Pose, end: Pose) -> float:
        """How far the carried piece goes on after it has met laid piece `index`; 0 if it never does."""
        laid, piece_set = self._tower.laid[index], self._tower.piece_set
        other = plan(piece_set, laid.placement.piece, laid.pose)
        own = plan(piece_set, self._piece, Pose(0.0, 0.0, 0.0, begin.rotation))
        length = math.hypot(end.x - begin.x, end.y - begin.y)
        shares = np.linspace(0.0, 1.0, math.ceil(length / _STEP_MM) + 1)
        corners = shapely.get_coordinates(own.core)
        places = np.column_stack([begin.x + shares * (end.x - begin.x), begin.y + shares * (end.y - begin.y)])
        moved = shapely.set_coordinates(np.array([own.core] * len(places)), (places[:, None, :] + corners).reshape(-1, 2))
        shapely.prepare(other.core)
        met = np.flatnonzero(shapely.dwithin(other.core, moved, own.reach_mm + other.reach_mm))
        return float(length * (1 - shares[met[0]])) if len(met) else 0.0
