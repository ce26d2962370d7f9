"""What a show does with a fall: push a tower over that stands too long, and play the fall again."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from meshes.solid import build_solid
from physics.tower import Tower
from physics.track import PoseTrack
from physics.watch import KnockOver
from viewer.items import Colour
from viewer.playback import LEAD_S, Playhead, lost_carriers
from viewer.screens.fall_replay import CARRIER_GOLD, FIRST_RED

SEEN_S = 1.9
"""So much of a fall is shown again after the first support is lost; what still rolls then is of no interest."""
SLOW = 0.3
PUSH_S = 0.05
_GRAVITY_N_KG = 9.81
_LOW = 0.2
"""A push goes at a piece this share of the height up…"""
_WEIGHTS = 2.0
"""…with so many times the weight of what lies there and above: enough to shove its whole layer."""


class Fall(Playhead):
    """A fall in slow motion. `tower`: all its pieces, as they stood before `track` begins."""

    def __init__(self, tower: Tower, track: PoseTrack, knock_over: KnockOver) -> None:
        self.knock_over, self.before, self._track = knock_over, tower, track
        self._begin = max(0.0, knock_over.first.seconds - LEAD_S)
        super().__init__(max(0.1, min(track.seconds, knock_over.first.seconds + SEEN_S) - self._begin), speed=SLOW)

    def tower(self) -> Tower:
        """What is seen now."""
        return self._at(self._begin + self.position)

    def end(self) -> Tower:
        """How everything lies when all is at rest."""
        return self._at(self._track.seconds)

    @property
    def glows(self) -> dict[int, Colour]:
        """The piece that lost its support first, and those that no longer carried it."""
        return {**dict.fromkeys(lost_carriers(self.knock_over), CARRIER_GOLD), self.knock_over.first.piece: FIRST_RED}

    def _at(self, seconds: float) -> Tower:
        sample = self._track.sample(seconds)
        return self.before.with_poses([sample.get(index, laid.pose) for index, laid in enumerate(self.before.laid)])


class Push(NamedTuple):
    """A push at a piece (its index in the tower)."""

    piece: int
    force_n: float
    heading_deg: float


def push_for(tower: Tower, tries: int) -> Push:
    """How to topple a tower: at a low piece on the rim, towards the middle; another piece and harder if that was tried before."""
    layer = min(max(1, round(tower.layers * _LOW)), tower.layers - 1)
    solids = [build_solid(tower.piece_set, tower.piece_type(index)) for index in range(len(tower.laid))]
    masses = np.array([solid.mass_g for solid in solids])
    centres = np.array([laid.pose.apply(np.asarray(solid.centre_mm).reshape(1, 3))[0] for laid, solid in zip(tower.laid, solids, strict=True)])
    inwards = (masses @ centres / masses.sum() - centres)[:, :2]
    there = [index for index, laid in enumerate(tower.laid) if laid.placement.layer == layer]
    there.sort(key=lambda index: -float(np.linalg.norm(inwards[index])))
    piece = there[tries % len(there)]
    above = sum(masses[index] for index, laid in enumerate(tower.laid) if laid.placement.layer >= layer)
    force = _WEIGHTS * (1 + tries) * float(above) / 1000 * _GRAVITY_N_KG
    return Push(piece, force, math.degrees(math.atan2(inwards[piece][1], inwards[piece][0])))
