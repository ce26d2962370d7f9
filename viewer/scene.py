"""The 3D scene: items on a table in a studio, drawn with OpenGL 3.3 into any framebuffer. Knows no window.

A picture is the mean of samples. Each sample has its own points on the lamp, its own directions of the sky and its own sub-pixel shift, so
enough of them give true penumbras and smooth edges; a window adds them bit by bit while nothing moves, and draws `draw_live` pictures while
something does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import moderngl
import numpy as np

from meshes.piece_set import PieceSet, PieceType
from physics.pose import Pose
from viewer.camera import Array, Camera
from viewer.item_buffer import ItemBuffer
from viewer.items import Item
from viewer.lighting import Studio, pixel_shift, sky_direction
from viewer.mesh_buffer import Level
from viewer.sample_sum import SampleSum
from viewer.shader_source import build_program, columns, set_uniforms
from viewer.shadow_maps import HeightMaps, ShadowMap
from viewer.surfaces import Shading, Surfaces
from viewer.table_light import TableLight


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

_LIVE = Shading(lights=1, taps=6, traced_sky=False, live=True)
_LIVE_SHADOW_PIXELS = 512
_LARGEST_POOL_MM = 400.0
_FADED = 2.3
"""Radii of the pool of light from its middle beyond which there is backdrop only; as in the table's shader."""
_STEP_PIXELS = 150_000
"""A step of a sample shades about so many."""


class Scene:
    """Items of one piece set under one studio's light, drawn through `context`. Call `release` when done."""

    def __init__(self, context: moderngl.Context, piece_set: PieceSet, *, studio: Studio | None = None) -> None:
        self.context, self.piece_set, self.studio = context, piece_set, studio or Studio()
        self._items = ItemBuffer(context, piece_set)
        self._depth_program = build_program(context, "depth", "depth")
        self._surfaces = Surfaces(context, piece_set, self.studio)
        self._heights, self._shadows, self._live_shadows = HeightMaps(context), ShadowMap(context), ShadowMap(context)
        self._table_light = TableLight(context)
        self._sum = SampleSum(context)
        self._pool = (0.0, 0.0, 400.0)
        self._casting: tuple[tuple[PieceType, Pose], ...] = ()
        self._heights_stale = self._live_stale = True

    def show(self, items: Sequence[Item], *, lit: Array | None = None) -> None:
        """From now on show these items, with the lamp's pool of light around the points `lit` (n, 3), or around the items.

        Cheap if only poses changed since the last call, cheaper still if only ghosts or colours did. Nothing is drawn yet.
        """
        self._items.update(items)
        casting = tuple((item.piece, item.pose) for item in items if not item.ghost)
        if casting != self._casting:
            self._casting, self._heights_stale, self._live_stale = casting, True, True
        self._pool = _pool(self._items.corners_mm if lit is None else lit)

    def resize(self, piece_set: PieceSet) -> None:
        """Another set of the same lattice and letters; what was shown must be shown anew."""
        self.piece_set, self._casting = piece_set, ()
        self._items.resize(piece_set)
        self._surfaces.resize(piece_set)
        self._heights_stale = self._live_stale = True

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
        for _ in self.sample_steps(camera, number, quality):
            pass

    def sample_steps(self, camera: Camera, number: int, quality: Quality) -> Iterator[None]:
        """As `add_sample`, in short steps; between them others may use the context, but not this scene."""
        self._surfaces.choose(quality.shading)
        if number == 0 or quality.shading.taps == 1:
            yield from self._shadow_steps(number, quality)
        self._update_heights()
        width, height = self._sum.size
        x, y = pixel_shift(number, quality.samples)
        matrix = self._aim(camera, (width, height), shift=(2 * x / width, 2 * y / height))
        self._surfaces.set(turn=number * 0.618, blur_bias=-1.0 if quality.samples >= 8 else -0.5)
        set_uniforms(self._depth_program, camera_matrix=matrix)
        yield from self._draw_steps(camera)
        self._sum.add()
        yield

    def light_live(self) -> None:
        """Get shadows and light ready for live pictures, if items changed since the last one; `draw_live` does it too."""
        if self._live_stale:
            self._surfaces.choose(_LIVE)
            self._light_live()

    def draw_live(self, camera: Camera, target: moderngl.Framebuffer) -> None:
        """Draw a quick picture of one sample, as bright as others, into all of `target`, which has a depth buffer."""
        for _ in self.live_steps(camera, target, bands=1):
            pass

    def live_steps(self, camera: Camera, target: moderngl.Framebuffer, *, bands: int | None = None) -> Iterator[None]:
        """As `draw_live`, in short steps, a band of rows each; between them others may use the context, but not this scene."""
        self.light_live()
        surfaces, items, (width, height) = self._surfaces, self._items, target.size
        surfaces.choose(_LIVE)
        items.sort(camera.eye)
        self._aim(camera, target.size, shift=(0.0, 0.0))
        surfaces.set(pixel=(1 / width, 1 / height), turn=0.0, blur_bias=-0.5)
        edge = self._table_edge(camera, target.size)
        for low, high in _bands(width, 0, height, bands):
            self._begin_shading(target, low, high, self._live_shadows)
            target.clear(depth=1.0)
            surfaces.draw_items(items, Level.COARSE)
            for first, last, draw in ((low, min(edge, high), surfaces.draw_table), (max(edge, low), high, surfaces.draw_backdrop)):
                if first < last:
                    target.scissor = (0, first, width, last - first)
                    target.use()
                    draw()
            target.scissor = (0, low, width, high - low)
            target.use()
            self._draw_ghosts(Level.COARSE)
            self._end_shading()
            yield

    def finish(self, target: moderngl.Framebuffer) -> None:
        """Turn the samples added so far into a picture in `target`, which has the size begun with."""
        self._sum.finish(target, exposure=self.studio.exposure)

    def release(self) -> None:
        """Free everything the scene holds in the context."""
        parts = (self._items, self._surfaces, self._heights, self._shadows, self._live_shadows, self._table_light, self._sum, self._depth_program)
        for part in parts:
            part.release()

    def _update_heights(self) -> None:
        if self._heights_stale:
            self._heights.draw(self._items)
            self._heights_stale = False

    def _aim(self, camera: Camera, size: tuple[int, int], *, shift: tuple[float, float]) -> tuple[float, ...]:
        """Tell the surfaces where the camera is; gives its matrix, moved by `shift` in units of half the picture."""
        aspect = size[0] / size[1]
        matrix = columns(_shifted(*shift) @ camera.projection(aspect) @ camera.view)
        self._surfaces.set(
            eye=tuple(camera.eye),
            camera_matrix=matrix,
            ray_matrix=columns(_ray_matrix(camera, aspect)),
            shift=shift,
            pool=self._pool,
            heights_frame=self._heights.frame,
        )
        return matrix

    def _shadow_steps(self, number: int, quality: Quality) -> Iterator[None]:
        shading, studio = quality.shading, self.studio
        points = range(number * shading.lights, (number + 1) * shading.lights)
        keys = [studio.key_direction(point) for point in points] if shading.taps == 1 else [studio.key_middle] * shading.lights
        skies = [sky_direction(point) for point in points] if shading.traced_sky else []
        yield from self._shadows.draw_steps(self._items, [*keys, *skies], quality.shadow_pixels, smooth=not shading.traced_sky)
        self._set_lights(self._shadows, keys, skies)

    def _set_lights(self, shadows: ShadowMap, keys: list[Array], skies: list[Array]) -> None:
        extent = shadows.extent_mm
        spread = 2 * math.tan(math.radians(self.studio.key_size_deg)) * float(extent[2] / extent[:2].max())
        self._surfaces.set(key_spread=spread, lift=0.2 + 0.9 * shadows.texel_mm)
        self._surfaces.set_arrays(key_direction=keys, sky_direction=skies, light_matrix=[m.T for m in shadows.matrices])

    def _light_live(self) -> None:
        """Shadows, heights and the table's light for pictures in motion."""
        key, light = self.studio.key_middle, self._table_light
        self._update_heights()
        self._live_shadows.draw(self._items, [key], _LIVE_SHADOW_PIXELS)
        self._set_lights(self._live_shadows, [key], [])
        light.take_in(self._items.corners_mm, key)
        self._surfaces.set(table_frame=light.frame, heights_frame=self._heights.frame)
        light.begin()
        self.context.enable_only(moderngl.NOTHING)
        self._surfaces.bind(self._live_shadows, self._heights)
        self._surfaces.draw_table_light()
        light.soften()
        self._live_stale = False

    def _draw_steps(self, camera: Camera) -> Iterator[None]:
        """Depths alone, so that nothing hidden is shaded; then bands of items; then of table and backdrop wherever no item is; then ghosts."""
        context, surfaces, items = self.context, self._surfaces, self._items
        items.sort(camera.eye)
        self._sum.use()
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        items.render(self._depth_program)
        yield
        edge, height = self._table_edge(camera, self._sum.size), self._sum.size[1]
        passes: list[tuple[int, int, Callable[[], None]]] = [
            (0, height, lambda: surfaces.draw_items(items)),
            (0, edge, surfaces.draw_table),
            (edge, height, surfaces.draw_backdrop),
            (0, height if items.has_ghosts else 0, lambda: self._draw_ghosts(Level.FINE)),
        ]
        for first, last, draw in passes:
            for low, high in _bands(self._sum.size[0], first, last):
                self._begin_shading(self._sum.target, low, high, self._shadows)
                draw()
                self._end_shading()
                yield

    def _table_edge(self, camera: Camera, size: tuple[int, int]) -> int:
        """The row, from below, above which nothing is seen of the table but backdrop it has faded into."""
        x, y, radius = self._pool
        away = -camera.axes[2][:2]
        if np.linalg.norm(away) < 0.05 or camera.tilt_deg:
            return size[1]
        end = np.array([x, y]) + away / np.linalg.norm(away) * (_FADED * radius)
        if (end - camera.eye[:2]) @ away <= 0:
            return size[1]
        row = size[1] - float(camera.project(np.array([[*end, 0.0]]), size)[0, 1])
        return min(size[1], max(0, math.ceil(row) + 2))

    def _begin_shading(self, target: moderngl.Framebuffer, low: int, high: int, shadows: ShadowMap) -> None:
        """Draw from now on into rows `low` to `high` − 1, from below, of `target`."""
        target.scissor = (0, low, target.size[0], high - low)
        target.use()
        self.context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self.context.depth_func = "<="
        self._surfaces.bind(shadows, self._heights, self._table_light)

    def _end_shading(self) -> None:
        self.context.depth_func = "<"
        self.context.clear_samplers()

    def _draw_ghosts(self, level: Level) -> None:
        """Over everything else, a little nearer than they are, so that they show where they touch what is there."""
        context = self.context
        if not self._items.has_ghosts:
            return
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        context.polygon_offset = -1.0, -1.0
        self._surfaces.draw_items(self._items, level, ghosts=True)
        context.polygon_offset = 0.0, 0.0
        context.disable(moderngl.BLEND)


def _bands(width: int, first: int, last: int, count: int | None = None) -> list[tuple[int, int]]:
    """Rows, first and after the last, of `count` bands of rows `first` to `last`, or of as many as shade about a step's pixels each."""
    rows = last - first
    count = count or -(-width * rows // _STEP_PIXELS)
    return [(first + rows * band // count, first + rows * (band + 1) // count) for band in range(count)]


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
