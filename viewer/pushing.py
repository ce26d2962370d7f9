"""Pushing towers over: where to push one that stands too long, so that a fall is seen."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from meshes.solid import build_solid
from physics.knock import Knocked, knock
from physics.tower import Tower
from physics.units import GRAVITY_MM_S2

_NEAR_MM = 130.0
"""Pieces farther away belong to the tower no more."""
_HIGH_SHARE = 0.6
"""What lies higher than this share of the height is the tallest part."""
_GENTLE_LOW, _GENTLE_WEIGHTS, _GENTLE_S = 0.3, 0.5, 0.25
"""The first push: at what share of the height, with how many times the weight of what lies higher, for how long. It takes along what stands there."""
_HARD_LOW, _HARD_WEIGHTS, _HARD_S = 0.25, 2.0, 0.05
"""Those that follow shove a whole layer."""
_MOST_PUSHES = 4


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
    force = weights * masses[centres[:, 2] >= centres[piece, 2] - 1.0].sum() * GRAVITY_MM_S2 / 1e6
    return Push(piece, float(force), math.degrees(math.atan2(heading[1], heading[0])), seconds)


def topple(tower: Tower) -> Knocked | None:
    """Push a tower, harder each time, until it falls; None if it withstands even that."""
    for tries in range(_MOST_PUSHES):
        push = push_for(tower, tries)
        knocked = knock(tower, push.piece, force_n=push.force_n, heading_deg=push.heading_deg, seconds=push.seconds)
        if knocked.knock_over is not None:
            return knocked
    return None
