"""Shadow maps and maps of heights: the items as a light sees them, or as an eye straight above."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.item_buffer import ItemBuffer
from viewer.lighting import Array, light_matrix
from viewer.shader_source import build_program, columns, set_uniforms

_HEIGHT_PIXELS = 256
_MARGIN_MM = 90.0
REACHES_MM = (7.0, 30.0)
"""Deviations of the two blurs of the map of heights."""


class ShadowMap:
    """Depths of the items seen along one direction. `matrix` is (4, 4), table frame to the map, 0–1; `extent_mm` (3,) what the map spans."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self.matrix: Array = np.eye(4)
        self.extent_mm: Array = np.ones(3)
        self._program = build_program(context, "depth", "depth")
        self._plain = context.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST), repeat_x=False, repeat_y=False)
        self._depths: moderngl.Texture | None = None
        self._target: moderngl.Framebuffer | None = None

    def draw(self, items: ItemBuffer, direction: Array, pixels: int) -> None:
        """Draw the items as seen from `direction` (3,) into a map `pixels` wide and high."""
        target = self._sized(pixels)
        target.use()
        target.clear(depth=1.0)
        if not len(items.corners_mm):
            return
        matrix = light_matrix(direction, items.corners_mm)
        self.extent_mm = 2 / np.linalg.norm(matrix[:3, :3], axis=1)
        half = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1]])
        self.matrix = half @ matrix
        set_uniforms(self._program, light_matrix=columns(matrix))
        self.context.enable_only(moderngl.DEPTH_TEST)
        items.render(self._program)

    @property
    def is_drawn(self) -> bool:
        """Whether there is a map to bind."""
        return self._depths is not None

    def use(self, unit: int, plain_unit: int | None = None) -> None:
        """Bind the map for comparing at `unit` and, for reading plain depths, at `plain_unit`."""
        assert self._depths is not None, "draw comes first"
        self._depths.use(unit)
        if plain_unit is not None:
            self._depths.use(plain_unit)
            self._plain.use(plain_unit)

    def release(self) -> None:
        """Free the map."""
        for part in (self._target, self._depths, self._program, self._plain):
            if part is not None:
                part.release()

    def _sized(self, pixels: int) -> moderngl.Framebuffer:
        if self._target is None or self._target.width != pixels:
            if self._target is not None and self._depths is not None:
                self._target.release()
                self._depths.release()
            self._depths = self.context.depth_texture((pixels, pixels))
            self._depths.repeat_x = self._depths.repeat_y = False
            self._depths.compare_func = "<="
            self._depths.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._target = self.context.framebuffer([], self._depths)
        return self._target


class HeightMaps:
    """Mean height and mean square height around each place, at two reaches. `frame`: corner x, y in mm and 1 / sides."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self.frame = (0.0, 0.0, 1.0, 1.0)
        self._program = build_program(context, "depth", "height")
        self._blur_program = build_program(context, "screen", "blur")
        self._blur = context.vertex_array(self._blur_program, [])
        self._depth = context.depth_renderbuffer((_HEIGHT_PIXELS, _HEIGHT_PIXELS))
        self._maps = [context.texture((_HEIGHT_PIXELS, _HEIGHT_PIXELS), 2, dtype="f4") for _ in range(4)]
        for texture in self._maps:
            texture.repeat_x = texture.repeat_y = False
        raw, *rest = self._maps
        self._targets = [context.framebuffer([raw], self._depth), *(context.framebuffer([texture]) for texture in rest)]

    def draw(self, items: ItemBuffer) -> None:
        """Draw and blur the heights of the items."""
        raw_target = self._targets[0]
        raw_target.use()
        raw_target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        if len(items.corners_mm):
            low, high = items.corners_mm.min(axis=0), items.corners_mm.max(axis=0)
            low[:2] -= _MARGIN_MM
            high[:2] += _MARGIN_MM
            width, depth = (float(side) for side in (high - low)[:2])
            self.frame = (float(low[0]), float(low[1]), 1 / width, 1 / depth)
            set_uniforms(self._program, light_matrix=columns(_from_above(low, high)))
            self.context.enable_only(moderngl.DEPTH_TEST)
            items.render(self._program)
        self._blur_into(1, REACHES_MM[0])
        self._blur_into(3, REACHES_MM[1])

    def use(self, near_unit: int, far_unit: int) -> None:
        """Bind the two blurred maps."""
        self._maps[1].use(near_unit)
        self._maps[3].use(far_unit)

    def release(self) -> None:
        """Free the maps."""
        for part in (*self._targets, *self._maps, self._depth, self._blur, self._blur_program, self._program):
            part.release()

    def _blur_into(self, number: int, reach_mm: float) -> None:
        """Blur map 0 across into map 2 and on, along, into map `number`."""
        self.context.enable_only(moderngl.NOTHING)
        x, y = reach_mm / 3 * self.frame[2], reach_mm / 3 * self.frame[3]
        for source, target, stride in ((0, 2, (x, 0.0)), (2, number, (0.0, y))):
            self._targets[target].use()
            self._maps[source].use(0)
            set_uniforms(self._blur_program, source=0, stride=stride)
            self._blur.render(moderngl.TRIANGLES, vertices=3)


def _from_above(low: Array, high: Array) -> Array:
    """(4, 4) to clip space looking down, the highest nearest."""
    scale = 2 / (high - low)
    matrix = np.diag([*scale, 1.0])
    matrix[:3, 3] = -(high + low) / 2 * scale
    matrix[2] *= -1
    return matrix
