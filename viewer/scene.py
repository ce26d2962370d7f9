"""The 3D scene: items on a table in a studio, drawn with OpenGL 3.3 into any framebuffer. Knows no window.

A picture is the mean of samples. Each sample has its own points on the lamp, its own directions of the sky and its own sub-pixel shift, so
enough of them give true penumbras and smooth edges; a window can add a sample a frame while nothing moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import moderngl
import numpy as np

from meshes.piece_set import PieceSet
from viewer.camera import Array, Camera
from viewer.item_buffer import ItemBuffer
from viewer.items import Item
from viewer.lighting import Studio, pixel_shift, sky_direction
from viewer.sample_sum import SampleSum
from viewer.shader_source import build_program, columns, set_uniforms
from viewer.shadow_maps import HeightMaps, ShadowMap
from viewer.surfaces import Shading, Surfaces


@dataclass(frozen=True, slots=True)
class Quality:
    """How a picture is sampled: `samples` are averaged, each shaded as `shading` says; `shadow_pixels` is the side of a shadow map.

    A traced sky needs 32 lights or more over all samples.
    """

    samples: int
    shading: Shading
    shadow_pixels: int


STILL = Quality(samples=12, shading=Shading(lights=4, taps=1, traced_sky=True), shadow_pixels=768)
QUICK = Quality(samples=3, shading=Shading(lights=1, taps=4, traced_sky=False), shadow_pixels=640)

_LARGEST_POOL_MM = 400.0


class Scene:
    """Items of one piece set under one studio's light, drawn through `context`. Call `release` when done."""

    def __init__(self, context: moderngl.Context, piece_set: PieceSet, *, studio: Studio | None = None) -> None:
        self.context, self.piece_set, self.studio = context, piece_set, studio or Studio()
        self._items = ItemBuffer(context, piece_set)
        self._depth_program = build_program(context, "depth", "depth")
        self._surfaces = Surfaces(context, piece_set, self.studio)
        self._heights, self._shadows = HeightMaps(context), ShadowMap(context)
        self._sum = SampleSum(context)
        self._pool = (0.0, 0.0, 400.0)

    def show(self, items: Sequence[Item], *, lit: Array | None = None) -> None:
        """From now on show these items, with the lamp's pool of light around the points `lit` (n, 3), or around the items.

        Cheap if only poses changed since the last call.
        """
        self._items.update(items)
        self._heights.draw(self._items)
        self._pool = _pool(self._items.corners_mm if lit is None else lit)

    def draw(self, camera: Camera, target: moderngl.Framebuffer, *, quality: Quality = STILL) -> None:
        """Draw the whole picture into `target`, filling it. Depth test, culling and blending are off afterwards."""
        self.begin(target.size)
        for number in range(quality.samples):
            self.add_sample(camera, number, quality)
        self.finish(target)

    def begin(self, size: tuple[int, int]) -> None:
        """Start a picture of `size` (width, height) pixels from nothing."""
        self._sum.begin(size)

    def add_sample(self, camera: Camera, number: int, quality: Quality) -> None:
        """Add sample `number` of the quality's count to the picture begun."""
        surfaces = self._surfaces
        surfaces.choose(quality.shading)
        if number == 0 or quality.shading.taps == 1:
            self._cast_shadows(number, quality)
        width, height = self._sum.size
        x, y = pixel_shift(number, quality.samples)
        shift = (2 * x / width, 2 * y / height)
        matrix = columns(_shifted(*shift) @ camera.projection(width / height) @ camera.view)
        surfaces.set(
            eye=tuple(camera.eye),
            camera_matrix=matrix,
            ray_matrix=columns(_ray_matrix(camera, width / height)),
            shift=shift,
            turn=number * 0.618,
            blur_bias=-1.0 if quality.samples >= 8 else -0.5,
            pool=self._pool,
            heights_frame=self._heights.frame,
        )
        set_uniforms(self._depth_program, camera_matrix=matrix)
        self._sum.use()
        self._draw_sample()
        self._sum.add()

    def finish(self, target: moderngl.Framebuffer) -> None:
        """Turn the samples added so far into a picture in `target`, which has the size begun with."""
        self._sum.finish(target, exposure=self.studio.exposure)

    def release(self) -> None:
        """Free everything the scene holds in the context."""
        for part in (self._items, self._surfaces, self._heights, self._shadows, self._sum, self._depth_program):
            part.release()

    def _cast_shadows(self, number: int, quality: Quality) -> None:
        shading, studio = quality.shading, self.studio
        points = range(number * shading.lights, (number + 1) * shading.lights)
        keys = [studio.key_direction(point) for point in points] if shading.taps == 1 else [studio.key_middle] * shading.lights
        skies = [sky_direction(point) for point in points] if shading.traced_sky else []
        self._shadows.draw(self._items, [*keys, *skies], quality.shadow_pixels)
        extent = self._shadows.extent_mm
        spread = 2 * math.tan(math.radians(studio.key_size_deg)) * float(extent[2] / extent[:2].max())
        self._surfaces.set(key_spread=spread, lift=0.2 + 0.9 * self._shadows.texel_mm)
        self._surfaces.set_arrays(key_direction=keys, sky_direction=skies, light_matrix=[m.T for m in self._shadows.matrices])

    def _draw_sample(self) -> None:
        """Depths alone, so that nothing hidden is shaded; then items; then table and backdrop wherever no item is."""
        context = self.context
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._items.render(self._depth_program)
        self._surfaces.bind(self._shadows, self._heights)
        context.depth_func = "<="
        self._surfaces.draw_items(self._items)
        self._surfaces.draw_table()
        context.depth_func = "<"
        context.clear_samplers()


def _pool(corners: Array) -> tuple[float, float, float]:
    """Middle x, y and radius, mm, of the lit part of the table around the items."""
    if not len(corners):
        return 0.0, 0.0, 400.0
    x, y, _ = corners.mean(axis=0)
    across = float(np.linalg.norm(corners.max(axis=0) - corners.min(axis=0)))
    return float(x), float(y), min(_LARGEST_POOL_MM, 170.0 + 0.6 * across)


def _ray_matrix(camera: Camera, aspect: float) -> Array:
    """(4, 4): a place in the picture, −1 to 1, as (x, y, 1, 1) to the direction in which it is seen."""
    slope = math.tan(math.radians(camera.fov_deg) / 2)
    right, up, back = camera.axes
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3] = right * slope * aspect, up * slope, -back, 0.0
    return matrix


def _shifted(x: float, y: float) -> Array:
    """(4, 4) moves the picture by (x, y) in units of half its size."""
    matrix = np.eye(4)
    matrix[:2, 3] = x, y
    return matrix
