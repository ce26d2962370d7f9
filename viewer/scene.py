"""The 3D scene: items on a table in a studio, drawn with OpenGL 3.3 into any framebuffer. Knows no window.

A picture is the mean of samples. Each sample has its own point on the lamp, its own direction of the sky and its own sub-pixel shift, so
enough of them give true penumbras and smooth edges; a window can add a few samples a frame while nothing moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import moderngl
import numpy as np

from meshes.lattice import Lattice
from meshes.piece_set import PieceSet
from viewer.camera import Array, Camera
from viewer.glyphs import letter_atlas
from viewer.item_buffer import ItemBuffer
from viewer.items import Item
from viewer.lighting import Studio, pixel_shift, sky_direction
from viewer.sample_sum import SampleSum
from viewer.shader_source import build_program, columns, set_uniforms
from viewer.shadow_maps import REACHES_MM, HeightMaps, ShadowMap
from viewer.wood import TILE_MM, grain_texture


@dataclass(frozen=True, slots=True)
class Quality:
    """How a picture is sampled.

    `samples` are averaged; `shadow_pixels` is the side of a shadow map; `key_taps` shadow look-ups a pixel and sample, with more than one the
    penumbra is made within each sample; `traced_sky` shadows the sky in one direction a sample (needs 16 samples or more) instead of
    guessing from blurred heights.
    """

    samples: int
    shadow_pixels: int
    key_taps: int
    traced_sky: bool


STILL = Quality(samples=32, shadow_pixels=1024, key_taps=1, traced_sky=True)
QUICK = Quality(samples=4, shadow_pixels=768, key_taps=4, traced_sky=False)

_UNITS = {"item_data": 0, "wood": 1, "letters": 2, "key_map": 3, "key_depths": 4, "sky_map": 5, "near_heights": 6, "far_heights": 7}


class Scene:
    """Items of one piece set under one studio's light, drawn through `context`. Call `release` when done."""

    def __init__(self, context: moderngl.Context, piece_set: PieceSet, *, studio: Studio | None = None) -> None:
        self.context, self.piece_set, self.studio = context, piece_set, studio or Studio()
        self._item_program = build_program(context, "item", "item")
        self._table_program = build_program(context, "screen", "table")
        self._table = context.vertex_array(self._table_program, [])
        self._items = ItemBuffer(context, piece_set)
        self._heights = HeightMaps(context)
        self._key, self._sky = ShadowMap(context), ShadowMap(context)
        self._sum = SampleSum(context)
        self._wood, self._letters = _wood_texture(context), _letter_texture(context, self._items.letters)
        self._set_fixed_uniforms()

    def show(self, items: Sequence[Item]) -> None:
        """From now on show these items. Cheap if only poses changed since the last call."""
        self._items.update(items)
        self._heights.draw(self._items)
        reach, middle = _pool(self._items.corners_mm)
        self._set_both(pool=(*middle, reach), heights_frame=self._heights.frame)

    def draw(self, camera: Camera, target: moderngl.Framebuffer, *, quality: Quality = STILL) -> None:
        """Draw the whole picture into `target`, filling it."""
        self.begin(target.size)
        for number in range(quality.samples):
            self.add_sample(camera, number, quality)
        self.finish(target)

    def begin(self, size: tuple[int, int]) -> None:
        """Start a picture of `size` (width, height) pixels from nothing."""
        self._sum.begin(size)

    def add_sample(self, camera: Camera, number: int, quality: Quality) -> None:
        """Add sample `number` of the quality's count to the picture begun."""
        self._cast_shadows(number, quality)
        width, height = self._sum.size
        x, y = pixel_shift(number, quality.samples)
        self._set_both(
            eye=tuple(camera.eye),
            shift=(2 * x / width, 2 * y / height),
            turn=number * 0.618,
            key_taps=quality.key_taps,
            sky_traced=quality.traced_sky,
            blur_bias=-1.0 if quality.samples >= 16 else -0.5,
        )
        matrix = camera.projection(width / height) @ camera.view
        set_uniforms(self._item_program, camera_matrix=columns(matrix))
        set_uniforms(self._table_program, ray_matrix=columns(_ray_matrix(camera, width / height)))
        self._sum.use()
        self._draw_sample()
        self._sum.add()

    def finish(self, target: moderngl.Framebuffer) -> None:
        """Turn the samples added so far into a picture in `target`, which has the size begun with."""
        self._sum.finish(target, exposure=self.studio.exposure)

    def release(self) -> None:
        """Free everything the scene holds in the context."""
        parts = (self._items, self._heights, self._key, self._sky, self._sum, self._wood, self._letters, self._table)
        for part in (*parts, self._item_program, self._table_program):
            part.release()

    def _cast_shadows(self, number: int, quality: Quality) -> None:
        studio = self.studio
        key = studio.key_direction(number, quality.samples)
        self._key.draw(self._items, key, quality.shadow_pixels)
        width, height, depth = self._key.extent_mm
        spread = 2 * math.tan(math.radians(studio.key_size_deg)) * depth / max(width, height)
        self._set_both(
            key_direction=tuple(key),
            key_matrix=columns(self._key.matrix),
            key_spread=spread,
            key_texel=1.2 / quality.shadow_pixels,
            lift=0.2 + 0.9 * max(width, height) / quality.shadow_pixels,
        )
        if quality.traced_sky:
            sky = sky_direction(number, quality.samples)
            self._sky.draw(self._items, sky, quality.shadow_pixels)
            self._set_both(sky_direction=tuple(sky), sky_matrix=columns(self._sky.matrix))

    def _draw_sample(self) -> None:
        """Items, then table and backdrop wherever no item is."""
        self._wood.use(_UNITS["wood"])
        self._letters.use(_UNITS["letters"])
        self._key.use(_UNITS["key_map"], _UNITS["key_depths"])
        (self._sky if self._sky.is_drawn else self._key).use(_UNITS["sky_map"])
        self._heights.use(_UNITS["near_heights"], _UNITS["far_heights"])
        self.context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._items.render(self._item_program)
        self.context.depth_func = "<="
        self._table.render(moderngl.TRIANGLES, vertices=3)
        self.context.depth_func = "<"
        self.context.clear_samplers()

    def _set_fixed_uniforms(self) -> None:
        self._set_both(key_colour=self.studio.key_colour, wood_scale=1 / TILE_MM, reaches=REACHES_MM, **_UNITS)
        piece_set = self.piece_set
        set_uniforms(
            self._item_program,
            is_hex=piece_set.lattice is Lattice.HEX,
            pitch=piece_set.pitch_mm,
            node_radius=piece_set.radius_mm,
            letter_count=float(len(self._items.letters)),
        )

    def _set_both(self, **values: object) -> None:
        for program in (self._item_program, self._table_program):
            set_uniforms(program, **values)


def _wood_texture(context: moderngl.Context) -> moderngl.Texture:
    grain = grain_texture()
    texture = context.texture(grain.shape[:2], 4, grain.tobytes())
    texture.build_mipmaps()
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture


def _letter_texture(context: moderngl.Context, letters: str) -> moderngl.Texture:
    atlas = np.ascontiguousarray(letter_atlas(letters)[::-1])
    texture = context.texture((atlas.shape[1], atlas.shape[0]), 1, atlas.tobytes())
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    return texture


def _pool(corners: Array) -> tuple[float, tuple[float, float]]:
    """Radius and middle, mm, of the lit part of the table around the items."""
    if not len(corners):
        return 400.0, (0.0, 0.0)
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = (low + high) / 2
    return 260.0 + 0.75 * float(np.linalg.norm(high - low)), (float(middle[0]), float(middle[1]))


def _ray_matrix(camera: Camera, aspect: float) -> Array:
    """(4, 4): a place in the picture, −1 to 1, as (x, y, 1, 1) to the direction in which it is seen."""
    slope = math.tan(math.radians(camera.fov_deg) / 2)
    right, up, back = camera.axes
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3] = right * slope * aspect, up * slope, -back, 0.0
    return matrix
