"""When pieces land, and how hard, from where they are from frame to frame: what makes a falling tower clack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from meshes.piece_set import PieceSet
from meshes.solid import build_solid
from physics.pose import Vector

LEAST_MM_S = 80.0
"""Slower landings are not told: a hand lowers a piece at 60 mm/s."""
SHORTEST_S, LONGEST_S = 0.004, 0.25
"""Frames nearer together are passed over; a longer gap, or time that runs back, starts anew."""


class Impact(NamedTuple):
    """A piece of so many nodes came to a stop from this speed downwards."""

    nodes: int
    speed_mm_s: float


class Impacts:
    """Watches pieces fall. A piece lands when it has lost half of the speed it had gathered; what it keeps is not counted again.

    The speed is the mean over the last frame of free fall, so up to one and a half frames' worth of gravity below that of the landing itself.
    """

    def __init__(self, piece_set: PieceSet, pieces: Sequence[str]) -> None:
        """`pieces` are the names of all pieces that will be watched, in the order of their states."""
        types = [piece_set.by_name[name] for name in pieces]
        self._nodes = [len(piece.cells) for piece in types]
        self._centres = np.array([build_solid(piece_set, piece).centre_mm for piece in types]).reshape(-1, 3)
        self._seconds = 0.0
        self._last: Vector = np.zeros(0)
        self._speeds = np.zeros(0)
        self._peaks = np.zeros(0)

    def update(self, states: Vector, seconds: float, *, held: int | None = None) -> list[Impact]:
        """What has landed since the last frame. `states`: (n, 7) x, y, z in mm and a unit quaternion x, y, z, w, of the first n pieces at
        `seconds` of the act's own time, so that slow motion sounds as hard. The piece `held` in a hand never lands."""
        heights = self._heights(states)
        passed = seconds - self._seconds
        if len(self._last) != len(heights) or not 0 <= passed <= LONGEST_S:
            self._restart(seconds, heights)
            return []
        if passed < SHORTEST_S:
            return []
        speeds = (self._last - heights) / passed
        # only what still gathers speed falls: the frame in which it stops and those after don't
        self._peaks = np.where(speeds > self._speeds, np.maximum(self._peaks, speeds), self._peaks)
        if held is not None and held < len(speeds):
            self._peaks[held] = 0.0
        landed = (self._peaks > LEAST_MM_S) & (speeds < self._peaks / 2)
        impacts = [Impact(self._nodes[i], float(self._peaks[i])) for i in np.flatnonzero(landed)]
        self._peaks[landed | (speeds <= 0)] = 0.0
        self._seconds, self._last, self._speeds = seconds, heights, speeds
        return impacts

    def _restart(self, seconds: float, heights: Vector) -> None:
        self._seconds, self._last = seconds, heights
        self._speeds = np.zeros(len(heights))
        self._peaks = np.zeros(len(heights))

    def _heights(self, states: Vector) -> Vector:
        """(n,) heights of the centres of mass: a piece that tips over falls though its edge rests."""
        x, y, z, w = states[:, 3:].T
        upwards = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=1)
        heights: Vector = states[:, 2] + np.einsum("nc,nc->n", upwards, self._centres[: len(states)])
        return heights
