"""The stage: the 3D picture of a window, quick while something moves, refined to full quality once nothing does."""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

import moderngl

from meshes.piece_set import PieceSet
from viewer.camera import Array, Camera
from viewer.items import Item
from viewer.picking import Hit, Picker, ground_point
from viewer.scene import STILL, Scene

REFINED = replace(STILL, samples=9)
"""What a picture at rest becomes."""
_REST_S = 0.15
SLICE_S = 0.04
_WATCHED = 5
"""Pictures in motion that decide about the size of the next."""
_SHARES = (0.35, 0.42, 0.5, 0.6, 0.7, 0.85, 1.0)


class Stage:
    """Draws items as `camera` sees them into `texture`, which the window puts behind its panels. Knows no window.

    `budget_s` is what a picture in motion may take, besides what shadows take if pieces move; the stage chooses the picture's size to keep to it.
    """

    def __init__(self, context: moderngl.Context, piece_set: PieceSet, *, budget_s: float = 0.016) -> None:
        self.context, self.piece_set, self.budget_s = context, piece_set, budget_s
        self.camera = Camera()
        self.version = 0
        self._scene, self._picker = Scene(context, piece_set), Picker(piece_set)
        self._targets: dict[tuple[int, int], moderngl.Framebuffer] = {}
        self._shown: tuple[int, int] = (1, 1)
        self._drawn: tuple[Camera, tuple[int, int]] | None = None
        self._items: tuple[tuple[Item, ...], bytes | None] | None = None
        self._items_changed = True
        self._changed_at = -1.0
        self._share = _SHARES.index(0.5)
        self._took: deque[float] = deque(maxlen=_WATCHED)
        self._steps: Iterator[bool] | None = None
        self._refined = False
        self._target((1, 1))

    @property
    def texture(self) -> moderngl.Texture:
        """The picture to show, filtered linearly; while something moves it is smaller than the window. It may be another one after each `render`."""
        texture = self._targets[self._shown].color_attachments[0]
        assert isinstance(texture, moderngl.Texture)
        return texture

    def show(self, items: Sequence[Item], lit: Array | None = None) -> None:
        """From now on show these items, with the lamp's pool of light around the points `lit` (n, 3), or around the items.

        Cheap if only poses changed since the last call, and nothing is done if nothing did.
        """
        shown = tuple(items), None if lit is None else lit.tobytes()
        if shown != self._items:
            self._items, self._items_changed = shown, True
            self._scene.show(items, lit=lit)
            self._picker.show(items)

    def resize(self, piece_set: PieceSet) -> bool:
        """Go over to a set that differs in sizes, meshes or numbers only, without building anything anew; whether it was such a set.

        What was shown must be shown anew."""
        old = self.piece_set
        if piece_set.lattice is not old.lattice or [piece.letter for piece in piece_set.pieces] != [piece.letter for piece in old.pieces]:
            return False
        self.piece_set, self._items, self._items_changed = piece_set, None, True
        self._scene.resize(piece_set)
        self._picker = Picker(piece_set)
        return True

    def render(self, size: tuple[int, int], *, now: float, moving: bool | None = None, slice_s: float = SLICE_S) -> bool:
        """Bring the picture of `size` pixels nearer to what is wanted; whether it wants another call soon.

        `now` is a time in seconds that never goes back. While items or camera change (or `moving` says so) a picture is drawn at once, at a size
        that keeps to the budget; at rest it is refined, in `slice_s` seconds or little more a call. With nothing left to do it draws nothing.
        Afterwards depth test, culling and blending are off, and the bound framebuffer is not what it was. `version` counts the pictures shown.
        """
        changed = self._items_changed or self._drawn != (self.camera, size)
        if changed or moving:
            self._changed_at = now
        if changed:
            self._draw_live(size)
        elif moving or (moving is None and now - self._changed_at < _REST_S):
            return True
        elif not self._refined:
            self._refine(size, slice_s)
        else:
            return False
        self.context.enable_only(moderngl.NOTHING)
        return not self._refined

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
        self._release_targets()

    def _draw_live(self, size: tuple[int, int]) -> None:
        self._scene.light_live()
        self.context.finish()
        if self._drawn is not None and size != self._drawn[1]:
            self._release_targets(keep=self._shown)
        start = time.perf_counter()
        small = _scaled(size, _SHARES[self._share])
        self._scene.draw_live(self.camera, self._target(small))
        self._show(small)
        self._items_changed, self._drawn = False, (self.camera, size)
        self._steps, self._refined = None, False
        self._choose_share(time.perf_counter() - start)

    def _choose_share(self, took: float) -> None:
        """Draw smaller if pictures take longer than the budget, larger if larger ones would not."""
        self._took.append(took)
        if len(self._took) < _WATCHED:
            return
        usual, share = statistics.median(self._took), self._share
        if usual > self.budget_s and share > 0:
            self._share -= 1
        elif share + 1 < len(_SHARES) and usual * (_SHARES[share + 1] / _SHARES[share]) ** 2 < 0.9 * self.budget_s:
            self._share += 1
        if self._share != share:
            self._took.clear()

    def _refine(self, size: tuple[int, int], slice_s: float) -> None:
        """Go on refining for so long, a step at least."""
        if self._steps is None:
            self._steps = self._refining(size)
        end = time.perf_counter() + slice_s
        while not self._refined:
            self._refined = next(self._steps, None) is None
            if time.perf_counter() >= end:
                break

    def _refining(self, size: tuple[int, int]) -> Iterator[bool]:
        """Refine step by step, first to a picture of one sample at full size; each step has been drawn when it yields."""
        camera, scene = self.camera, self._scene
        if self._shown != size:
            for _ in scene.live_steps(camera, self._target(size)):
                self.context.finish()
                yield True
            self._show(size)
        scene.begin(size)
        for number in range(REFINED.samples):
            for _ in scene.sample_steps(camera, number, REFINED):
                self.context.finish()
                yield True
        scene.finish(self._target(size))
        self._show(size)
        yield True

    def _show(self, size: tuple[int, int]) -> None:
        self.context.finish()
        self._shown = size
        self.version += 1

    def _target(self, size: tuple[int, int]) -> moderngl.Framebuffer:
        if size not in self._targets:
            texture = self.context.texture(size, 4)
            texture.filter, texture.repeat_x, texture.repeat_y = (moderngl.LINEAR, moderngl.LINEAR), False, False
            texture.swizzle = "RGB1"  # opaque, whatever ghosts left in its alpha
            self._targets[size] = self.context.framebuffer([texture], self.context.depth_renderbuffer(size))
        return self._targets[size]

    def _release_targets(self, *, keep: tuple[int, int] | None = None) -> None:
        for size in [size for size in self._targets if size != keep]:
            target = self._targets.pop(size)
            for part in (*target.color_attachments, target.depth_attachment, target):
                part.release()


def _scaled(size: tuple[int, int], share: float) -> tuple[int, int]:
    return max(1, round(size[0] * share)), max(1, round(size[1] * share))
