"""The stage: the 3D picture of a window, quick while something moves, refined to full quality once nothing does."""

from __future__ import annotations

import time
from collections.abc import Sequence

import moderngl

from meshes.piece_set import PieceSet
from viewer.camera import Array, Camera
from viewer.items import Item
from viewer.picking import Hit, Picker, ground_point
from viewer.scene import QUICK, STILL, Scene

_REST_S = 0.15
_SHARES = (0.35, 0.42, 0.5, 0.6, 0.7, 0.85, 1.0)


class Stage:
    """Draws items as `camera` sees them into `texture`, which the window puts behind its panels. Knows no window.

    `budget_s` is what a picture may take while something moves; the stage chooses the picture's size to keep to it.
    """

    def __init__(self, context: moderngl.Context, piece_set: PieceSet, *, budget_s: float = 0.030) -> None:
        self.context, self.piece_set, self.budget_s = context, piece_set, budget_s
        self.camera = Camera()
        self.version = 0
        self._scene, self._picker = Scene(context, piece_set), Picker(piece_set)
        self._targets: dict[tuple[int, int], moderngl.Framebuffer] = {}
        self._shown: tuple[int, int] = (1, 1)
        self._drawn: tuple[Camera, tuple[int, int]] | None = None
        self._items_changed = True
        self._changed_at = -1.0
        self._share = 3
        self._samples = -1
        self._target((1, 1))

    @property
    def texture(self) -> moderngl.Texture:
        """The picture to show, filtered linearly; while something moves it is smaller than the window. It may be another one after each `render`."""
        texture = self._targets[self._shown].color_attachments[0]
        assert isinstance(texture, moderngl.Texture)
        return texture

    def show(self, items: Sequence[Item], lit: Array | None = None) -> None:
        """From now on show these items, with the lamp's pool of light around the points `lit` (n, 3), or around the items.

        Cheap if only poses changed since the last call.
        """
        self._scene.show(items, lit=lit)
        self._picker.show(items)
        self._items_changed = True

    def render(self, size: tuple[int, int], *, now: float, moving: bool | None = None) -> bool:
        """Bring the picture of `size` pixels nearer to what is wanted; whether it wants another call soon.

        `now` is a time in seconds that never goes back. While items or camera change (or `moving` says so) a picture is drawn at once, at a size
        that keeps to the budget; at rest it is refined in steps of a few dozen milliseconds. With nothing left to do it draws nothing.
        Afterwards the bound framebuffer and the context's state are not what they were.
        """
        changed = self._items_changed or self._drawn != (self.camera, size)
        if changed or moving:
            self._changed_at = now
        if changed:
            self._draw_live(size)
            return True
        if moving or (moving is None and now - self._changed_at < _REST_S):
            return True
        return self._refine(size)

    def pick(self, x: float, y: float, size: tuple[int, int]) -> Hit | None:
        """The nearest piece seen under pixel (x, y), from the left and the top, of a picture of `size`; ghosts are looked through."""
        return self._picker.pick(x, y, self.camera, size)

    def ground(self, x: float, y: float, size: tuple[int, int], z_mm: float = 0.0) -> Array | None:
        """(3,) mm where what pixel (x, y) shows meets the level plane at height `z_mm`; None if it never does."""
        return ground_point(x, y, self.camera, size, z_mm)

    def project(self, points: Array, size: tuple[int, int]) -> Array:
        """(n, 3) points as (n, 2) pixels of a picture of `size`."""
        return self.camera.project(points, size)

    def release(self) -> None:
        """Free everything the stage holds in the context."""
        self._scene.release()
        for target in self._targets.values():
            target.color_attachments[0].release()
            target.release()
        self._targets = {}

    def _draw_live(self, size: tuple[int, int]) -> None:
        start = time.perf_counter()
        small = _scaled(size, _SHARES[self._share])
        self._scene.begin(small)
        self._scene.add_sample(self.camera, 0, QUICK)
        self._finish(small)
        self._items_changed, self._drawn, self._samples = False, (self.camera, size), 0
        took = time.perf_counter() - start
        if took > self.budget_s and self._share > 0:
            self._share -= 1
        elif took < 0.6 * self.budget_s and self._share < len(_SHARES) - 1:
            self._share += 1

    def _refine(self, size: tuple[int, int]) -> bool:
        if self._samples >= STILL.samples:
            return False
        if self._samples == 0:
            self._scene.begin(size)
        self._scene.add_sample(self.camera, self._samples, STILL)
        self.context.finish()
        self._samples += 1
        if self._samples in (8, STILL.samples):
            self._finish(size)
        return self._samples < STILL.samples

    def _finish(self, size: tuple[int, int]) -> None:
        self._scene.finish(self._target(size))
        self.context.finish()
        self._shown = size
        self.version += 1

    def _target(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        if size not in self._targets:
            texture = self.context.texture(size, 4)
            texture.filter, texture.repeat_x, texture.repeat_y = (moderngl.LINEAR, moderngl.LINEAR), False, False
            self._targets[size] = self.context.framebuffer([texture])
        return self._targets[size]


def _scaled(size: tuple[int, int], share: float) -> tuple[int, int]:
    return max(1, round(size[0] * share)), max(1, round(size[1] * share))
