"""Rocking: whether the blow of a piece that is dropped on a tower tips over what stands without it.

The tower is taken as a rocker with one way to move: the collapse that statics finds when the new piece is made much heavier. Along it the
weight at first holds back and lets go once everything has been lifted over its edge; in between lies an energy that has to be brought in. The
blow brings in what momentum it has in that direction, all that moves sharing it (an inelastic blow):

    energy needed = G² / 2K     G: force that holds back, K: how fast it fades as bodies turn about their edge
    energy brought = SHARE · (m · v · w)² / 2I     m, v: mass and speed of the piece, w: speed of the place it strikes, I: inertia of all that moves

A piece that leans lands on its lower side and then slaps down on its other one, which strikes harder; so the blow counts a part of its half
width (`SLAP`) beyond its middle, away from the lower side. Both numbers are measured against Bullet (`python -m bench fall-chance`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.flat_system import FlatSystem
from physics.hand import LAST_MM_S, HandPath
from physics.pose import Vector
from physics.units import GRAVITY_MM_S2

SHARE = 0.8
"""Share of the energy of an inelastic blow that goes into rocking."""
SLAP = 0.5
"""Where the blow strikes: so many half widths from the middle, away from the side that lands first."""
_STILL = 1e-9


class Blow(NamedTuple):
    """What strikes: `mass_g`, the square of its speed (mm²/s²), and where, x and y in mm."""

    mass_g: float
    speed_squared: float
    place_mm: tuple[float, float]


def blow(path: HandPath, mass_g: float, half_width_mm: float) -> Blow:
    """The blow of a piece of this mass and half width at the end of a hand's way."""
    x, y, z, w = path.letting_go.rotation
    # the vertical of the piece leans to the side that lands first
    lean = (2 * (x * z + y * w), 2 * (y * z - x * w))
    size = math.hypot(*lean)
    aside = -SLAP * half_width_mm / size if size > _STILL else 0.0
    place = path.letting_go.x + aside * lean[0], path.letting_go.y + aside * lean[1]
    return Blow(mass_g, LAST_MM_S**2 + 2 * GRAVITY_MM_S2 * max(0.0, path.falls_mm), place)


class Rocker:
    """A tower that stands, as a rocker: its collapse under a heavier load."""

    def __init__(self, loaded: FlatSystem, motion: Vector, masses_g: Vector, centres_mm: Vector, inertias_g_mm2: Vector) -> None:
        """`motion`: of `physics.shrink.collapse`, of the tower `loaded` with a heavier piece. `masses_g`, `inertias_g_mm2`: (n,), about the centres,
        as they really are."""
        self._lift, self._turn, self._origin = motion[:, 0], motion[:, 1:3] / loaded.length_mm, loaded.origin_mm
        up = self._lift + np.einsum("ni,ni->n", self._turn, centres_mm[:, :2] - self._origin)
        turn = np.einsum("ni,ni->n", self._turn, self._turn)
        moving = (np.abs(up) > _STILL * np.abs(up).max()) | (turn > _STILL * turn.max())
        arm = np.where(moving, centres_mm[:, 2] - centres_mm[moving, 2].min(), 0.0)
        self.holding = GRAVITY_MM_S2 * float(masses_g @ up)
        self._arm, self._parts = arm, (masses_g, inertias_g_mm2, up, turn)

    def tips(self, blow: Blow, half_height_mm: float) -> bool:
        """Whether a blow on the new piece, the last of the bodies, tips the tower over. `half_height_mm`: of a piece's middle over its edge."""
        masses, inertias, up, turn = self._parts
        arm = self._arm + half_height_mm
        fading = GRAVITY_MM_S2 * float(masses @ (turn * arm))
        inertia = float(masses @ (up**2 + turn * arm**2) + inertias @ turn)
        speed = -float(self._lift[-1] + self._turn[-1] @ (np.array(blow.place_mm) - self._origin))
        if self.holding <= 0 or fading <= 0 or speed <= 0:
            return self.holding <= 0
        needed = self.holding**2 / (2 * fading)
        brought = SHARE * blow.mass_g**2 * blow.speed_squared * speed**2 / (2 * inertia)
        return brought > needed
