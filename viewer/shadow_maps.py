"""Shadow maps and maps of heights: the items as a light sees them, or as an eye straight above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import moderngl
import numpy as np

from viewer.item_buffer import ItemBuffer
from viewer.lighting import Array, light_matrix
from viewer.mesh_buffer import Level
from viewer.shader_source import build_program, columns, set_uniforms

_HEIGHT_PIXELS = 128
_MARGIN_MM = 90.0
_FAR_MM = 1e5
"""An eye so far away sees things as a lamp does."""
_TO_TILE = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1]])
REACHES_MM = (7.0, 30.0)
"""Deviations of the two blurs of the map of heights."""


class ShadowMap:
    """Depths of the items seen along several directions, a square tile each, side by side.

    `matrices` are (4, 4), table frame to the tile, 0–1; `extent_mm` (3,) is what the first tile spans, `texel_mm` the larger side of its texels.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self.matrices: list[Array] = []
        self.extent_mm: Array = np.ones(3)
        self.texel_mm = 1.0
        self._widest = int(context.info["GL_MAX_TEXTURE_SIZE"])
        self._program = build_program(context, "depth", "depth")
        self._plain = context.sampler(filter=(moderngl.NEAREST, moderngl.NEAREST), repeat_x=False, repeat_y=False)
        self._shape = (0, 0)

    def draw(self, items: ItemBuffer, directions: Sequence[Array], pixels: int) -> None:
        """Draw the items as seen from each of `directions` (3,) into tiles `pixels` wide and high, or as many as the graphics card allows."""
        for _ in self.draw_steps(items, directions, pixels):
            pass

    def draw_steps(self, items: ItemBuffer, directions: Sequence[Array], pixels: int, *, smooth: bool = True) -> Iterator[None]:
        """As `draw`, in steps of a tile; between them others may use the context.

        Looking things up in a map that is not `smooth` is quicker; its texels show unless many maps are averaged.
        """
        pixels = min(pixels, self._widest // len(directions))
        self._allot((len(directions), pixels))
        self._depths.filter = (moderngl.LINEAR, moderngl.LINEAR) if smooth else (moderngl.NEAREST, moderngl.NEAREST)
        corners = items.corners_mm if len(items.corners_mm) else np.zeros((1, 3))
        clips = [light_matrix(direction, corners) for direction in directions]
        self.matrices = [_TO_TILE @ clip for clip in clips]
        self.extent_mm = 2 / np.linalg.norm(clips[0][:3, :3], axis=1)
        self.texel_mm = float(self.extent_mm[:2].max()) / pixels
        for number, clip in enumerate(clips):
            items.sort(_FAR_MM * directions[number])
            self._target.scissor = self._target.viewport = (number * pixels, 0, pixels, pixels)
            self._target.use()
            self._target.clear(depth=1.0)
            self.context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
            set_uniforms(self._program, camera_matrix=columns(clip))
            items.render(self._program, Level.COARSE)
            yield

    def use(self, unit: int, plain_unit: int) -> None:
        """Bind the map for comparing at `unit` and for reading plain depths at `plain_unit`."""
        self._depths.use(unit)
        self._depths.use(plain_unit)
        self._plain.use(plain_unit)

    def release(self) -> None:
        """Free the map."""
        self._release_target()
        self._program.release()
        self._plain.release()

    def _allot(self, shape: tuple[int, int]) -> None:
        """Make a map of (tiles, pixels), if it is not what there is."""
        if shape == self._shape:
            return
        self._release_target()
        self._shape = shape
        tiles, pixels = shape
        self._depths = self.context.depth_texture((tiles * pixels, pixels))
        self._depths.repeat_x = self._depths.repeat_y = False
        self._depths.compare_func = "<="
        self._target = self.context.framebuffer([], self._depths)

    def _release_target(self) -> None:
        if self._shape != (0, 0):
            self._target.release()
            self._depths.release()
            self._shape = (0, 0)


class HeightMaps:
    """Mean height and mean square height around each place, at two reaches. `frame`: corner x, y in mm and 1 / sides."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self.frame = (0.0, 0.0, 1.0, 1.0)
        self._program = build_program(context, "depth", "height")
        self._blur_program = build_program(context, "screen", "blur")
        self._blur = context.vertex_array(self._blur_program, [])
        self._depth = context.depth_renderbuffer((_HEIGHT_PIXELS, _HEIGHT_PIXELS))
        self._maps = [context.texture((_HEIGHT_PIXELS, _HEIGHT_PIXELS), 2, dtype="f4") for _ in range(5)]
        for texture in self._maps:
            texture.repeat_x = texture.repeat_y = False
        raw, *blurred = self._maps
        groups = (blurred[:2], blurred[2:])
        self._targets = [context.framebuffer([raw], self._depth), *(context.framebuffer(group) for group in groups)]

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
            set_uniforms(self._program, camera_matrix=columns(_from_above(low, high)))
            self.context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
            items.sort(_FAR_MM * np.array([0.0, 0.0, 1.0]))
            items.render(self._program, Level.COARSE)
        self._blur_into(1, self._maps[:1] * 2, (self.frame[2] / 3, 0.0))
        self._blur_into(2, self._maps[1:3], (0.0, self.frame[3] / 3))

    def use(self, near_unit: int, far_unit: int) -> None:
        """Bind the two blurred maps."""
        self._maps[3].use(near_unit)
        self._maps[4].use(far_unit)

    def release(self) -> None:
        """Free the maps."""
        for target in self._targets:
            target.release()
        for texture in self._maps:
            texture.release()
        for part in (self._depth, self._blur, self._blur_program, self._program):
            part.release()

    def _blur_into(self, number: int, sources: Sequence[moderngl.Texture], step: tuple[float, float]) -> None:
        """Blur a map for each reach, along `step` (a third of a mm in texture coordinates), into the two of target `number`."""
        self.context.enable_only(moderngl.NOTHING)
        self._targets[number].use()
        for unit, source in enumerate(sources):
            source.use(unit)
        near, far = ((step[0] * reach, step[1] * reach) for reach in REACHES_MM)
        set_uniforms(self._blur_program, near=0, far=1, near_stride=near, far_stride=far)
        self._blur.render(moderngl.TRIANGLES, vertices=3)


def _from_above(low: Array, high: Array) -> Array:
    """(4, 4) to clip space looking down, the highest nearest."""
    scale = 2 / (high - low)
    matrix = np.diag([*scale, 1.0])
    matrix[:3, 3] = -(high + low) / 2 * scale
    matrix[2] *= -1
    return matrix
