"""What a show does with a fall: push a tower over that stands too long, and play the fall again."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from meshes.solid import build_solid
from physics.tower import Tower
from physics.track import PoseTrack
from physics.watch import KnockOver
from viewer.camera import Array
from viewer.items import Colour
from viewer.playback import LEAD_S, Playhead
from viewer.screens.fall_replay import fall_glows

LONGEST_S = 3.0
"""At most so much of a fall is shown again."""
AGAIN_S, MOST_SPEED = 6.0, 0.4
"""It is seen again for so long, but no faster than this share of real time."""
_LYING_MM, _FEW = 15.0, 0.2
_NEAR_MM = 130.0
"""Pieces farther away belong to the tower no more."""
_GRAVITY_N_KG = 9.81
_HIGH_SHARE = 0.6
"""What lies higher than this share of the height is the tallest part."""
_GENTLE_LOW, _GENTLE_WEIGHTS, _GENTLE_S = 0.3, 0.5, 0.25
"""The first push: at what share of the height, with how many times the weight of what lies higher, for how long. It takes along what stands there."""
_HARD_LOW, _HARD_WEIGHTS, _HARD_S = 0.25, 2.0, 0.05
"""Those that follow shove a whole layer."""


class Fall(Playhead):
    """A fall in slow motion. `tower`: all its pieces, as they stood before `track` begins."""

    def __init__(self, tower: Tower, track: PoseTrack, knock_over: KnockOver) -> None:
        self.knock_over, self.before, self._track = knock_over, tower, track
        self._begin = max(0.0, knock_over.first.seconds - LEAD_S)
        lasts = self._lasts()
        super().__init__(lasts, speed=min(MOST_SPEED, lasts / AGAIN_S))

    def tower(self) -> Tower:
        """What is seen now."""
        return self._at(self._begin + self.position)

    def end(self) -> Tower:
        """How everything lies when all is at rest."""
        return self._at(self._track.seconds)

    @property
    def glows(self) -> dict[int, Colour]:
        """The piece that lost its support first, and those that no longer carried it."""
        return fall_glows(self.knock_over)

    def _lasts(self) -> float:
        """Seconds until nearly all that falls has come to lie; what rolls on alone is of no interest."""
        fallen, step = [entry.piece for entry in self.knock_over.fallen], 0.1
        end = _places(self.end())[fallen]
        longest = min(self._track.seconds - self._begin, LONGEST_S)
        for seconds in np.arange(longest, step, -step):
            away = np.linalg.norm(_places(self._at(self._begin + float(seconds)))[fallen] - end, axis=1)
            if np.mean(away > _LYING_MM) > _FEW:
                return float(seconds) + step
        return max(step, longest)

    def _at(self, seconds: float) -> Tower:
        sample = self._track.sample(seconds)
        return self.before.with_poses([sample.get(index, laid.pose) for index, laid in enumerate(self.before.laid)])


def _places(tower: Tower) -> Array:
    return np.array([laid.pose.position for laid in tower.laid])


def height_mm(tower: Tower) -> float:
    """How high the highest piece lies."""
    return max(laid.pose.z for laid in tower.laid)


class Push(NamedTuple):
    """A push at a piece (its index in the tower)."""

    piece: int
    force_n: float
    heading_deg: float
    seconds: float


def push_for(tower: Tower, tries: int) -> Push:
    """How to topple a tower, or what is left of it: first gently under its tallest part; then, harder with each try, at its rim, inwards."""
    solids = [build_solid(tower.piece_set, tower.piece_type(index)) for index in range(len(tower.laid))]
    masses = np.array([solid.mass_g for solid in solids])
    centres = np.array([laid.pose.apply(np.asarray(solid.centre_mm).reshape(1, 3))[0] for laid, solid in zip(tower.laid, solids, strict=True)])
    near = np.linalg.norm(centres[:, :2] - np.median(centres[:, :2], axis=0), axis=1) < _NEAR_MM
    middle = masses[near] @ centres[near] / masses[near].sum()
    height = centres[near, 2].max()
    peak = centres[near & (centres[:, 2] >= _HIGH_SHARE * height)].mean(axis=0)
    low, weights, seconds = (_HARD_LOW, _HARD_WEIGHTS * tries, _HARD_S) if tries else (_GENTLE_LOW, _GENTLE_WEIGHTS, _GENTLE_S)
    layers_off = np.round(np.abs(centres[:, 2] - low * height) / tower.piece_set.thickness_mm)
    wanted = -np.linalg.norm((centres - middle)[:, :2], axis=1) if tries else np.linalg.norm((centres - peak)[:, :2], axis=1)
    piece = int(np.lexsort((wanted, layers_off, ~near))[0])
    heading = (middle - centres[piece]) if tries else (peak - middle)
    force = weights * masses[centres[:, 2] >= centres[piece, 2] - 1.0].sum() / 1000 * _GRAVITY_N_KG
    return Push(piece, float(force), math.degrees(math.atan2(heading[1], heading[0])), seconds)
