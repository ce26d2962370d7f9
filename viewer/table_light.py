"""What light arrives at the table, as a map: for pictures in motion, which then ask no shadow map for the largest part of what they show."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.lighting import Array
from viewer.shader_source import build_program, set_uniforms

_PIXELS = 256
_MARGIN_MM = 90.0


class TableLight:
    """Share of the lamp's light that arrives and share of the sky that is open. `frame`: corner x, y in mm and 1 / sides."""

    def __init__(self, context: moderngl.Context) -> None:
        self.frame = (0.0, 0.0, 1.0, 1.0)
        self._soften_program = build_program(context, "screen", "soften")
        self._soften = context.vertex_array(self._soften_program, [])
        self._raw, self._soft = (context.texture((_PIXELS, _PIXELS), 2) for _ in range(2))
        for texture in (self._raw, self._soft):
            texture.filter, texture.repeat_x, texture.repeat_y = (moderngl.LINEAR, moderngl.LINEAR), False, False
        self._raw_target, self._soft_target = (context.framebuffer([texture]) for texture in (self._raw, self._soft))

    def take_in(self, corners: Array, key: Array) -> None:
        """Frame all `corners` (n, 3) and the shadows they throw, seen from the lamp in direction `key` (3,)."""
        if len(corners):
            shadows = corners[:, :2] - key[:2] * (corners[:, 2:] / key[2])
            low = np.minimum(corners[:, :2].min(axis=0), shadows.min(axis=0)) - _MARGIN_MM
            sides = np.maximum(corners[:, :2].max(axis=0), shadows.max(axis=0)) + _MARGIN_MM - low
            self.frame = (float(low[0]), float(low[1]), 1 / float(sides[0]), 1 / float(sides[1]))

    def begin(self) -> None:
        """Make the map the target to draw into; end with `soften`."""
        self._raw_target.use()

    def soften(self) -> None:
        """Make what was drawn ready for use."""
        self._soft_target.use()
        self._raw.use(0)
        set_uniforms(self._soften_program, source=0)
        self._soften.render(moderngl.TRIANGLES, vertices=3)

    def use(self, unit: int) -> None:
        """Bind the map."""
        self._soft.use(unit)

    def release(self) -> None:
        """Free the map."""
        for part in (self._raw_target, self._soft_target, self._raw, self._soft, self._soften, self._soften_program):
            part.release()
