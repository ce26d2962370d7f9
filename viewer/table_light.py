"""What light arrives at the table, as a map: for pictures in motion, which then ask no shadow map for the largest part of what they show."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.lighting import Array

_PIXELS = 320
_MARGIN_MM = 90.0


class TableLight:
    """Share of the lamp's light that arrives and share of the sky that is open. `frame`: corner x, y in mm and 1 / sides."""

    def __init__(self, context: moderngl.Context) -> None:
        self.frame = (0.0, 0.0, 1.0, 1.0)
        self._map = context.texture((_PIXELS, _PIXELS), 2)
        self._map.filter, self._map.repeat_x, self._map.repeat_y = (moderngl.LINEAR, moderngl.LINEAR), False, False
        self.target = context.framebuffer([self._map])

    def take_in(self, corners: Array, key: Array) -> None:
        """Frame all `corners` (n, 3) and the shadows they throw, seen from the lamp in direction `key` (3,)."""
        if len(corners):
            shadows = corners[:, :2] - key[:2] * (corners[:, 2:] / key[2])
            low = np.minimum(corners[:, :2].min(axis=0), shadows.min(axis=0)) - _MARGIN_MM
            sides = np.maximum(corners[:, :2].max(axis=0), shadows.max(axis=0)) + _MARGIN_MM - low
            self.frame = (float(low[0]), float(low[1]), 1 / float(sides[0]), 1 / float(sides[1]))

    def use(self, unit: int) -> None:
        """Bind the map."""
        self._map.use(unit)

    def release(self) -> None:
        """Free the map."""
        self.target.release()
        self._map.release()
