"""A 3D table within a page: the stage, the camera, and what pointer and keys do to it. Places are units of the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from meshes.piece_set import PieceSet
from physics.tower import Tower
from viewer.camera import Array, Camera
from viewer.fitting import fitted_camera
from viewer.gui.box import Box
from viewer.items import Item
from viewer.lean import Lean
from viewer.orbit import Limits, Orbit, Steer
from viewer.picking import Hit
from viewer.screens.screen import Key, Pointer
from viewer.stage import Stage

if TYPE_CHECKING:
    from viewer.program import Program

_STEERING = {
    "left": Steer.LEFT,
    "right": Steer.RIGHT,
    "up": Steer.UP,
    "down": Steer.DOWN,
    "plus": Steer.NEARER,
    "minus": Steer.FARTHER,
}
_ROOM_MM = 250.0
"""What the camera looks at is not farther than this from the tower, panels that cover a part of the window reckoned in."""


class TableView:
    """Shows items of one piece set. `free` is the part of the page that no panel covers: towers are fitted into it."""

    def __init__(self, program: Program, piece_set: PieceSet) -> None:
        self._program, self.piece_set = program, piece_set
        self.orbit = Orbit(limits=Limits(low=(-150.0, -150.0, -120.0)))  # below the table: then it is seen above a panel at the bottom
        self.lean = Lean()
        self.free = Box(0, 0, *program.gui.size)
        self._items: Sequence[Item] = ()
        self._lit: Array | None = None
        self._size = (1280, 720)
        self.untouched = True
        """Whether nobody has moved the camera since it last flew to a view of the whole tower."""

    def show(self, items: Sequence[Item], *, lit: Array | None = None) -> None:
        """From now on show these items; `lit` as `Stage.show` has it."""
        self._items, self._lit = items, lit
        if lit is not None:
            self.orbit.keep_near(lit, margin_mm=_ROOM_MM)
        self._program.stage(self.piece_set).show(items, lit)

    def enter(self) -> None:
        """Take the stage over from the page before."""
        self._program.stage(self.piece_set).show(self._items, self._lit)

    def leave(self) -> None:
        """No key is held any longer."""
        self.orbit.release_all()

    def update(self, seconds: float) -> bool:
        """Move the camera on; whether it moved."""
        leaned = self.lean.update(seconds, at_once=self._program.settings.reduced_motion)
        return self.orbit.update(seconds) or leaned

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture, bool]:
        """As `Screen.backdrop` has it."""
        self._size = size
        stage = self._program.stage(self.piece_set)
        stage.camera = self.camera
        unfinished = stage.render(size, now=now)
        return stage.texture, unfinished

    # --- camera

    @property
    def camera(self) -> Camera:
        """What the table is seen with: it leans in the picture if it is tilted."""
        return self.lean.camera(self.orbit.camera)

    def fitted(self, tower: Tower, *, camera: Camera | None = None) -> Camera:
        """`camera`, or where it is going, moved to where the tower just fits into what is free."""
        scale = self._program.scale
        free = (max(1, round(self.free.w * scale)), max(1, round(self.free.h * scale)))
        return self._shifted(fitted_camera(tower, free, camera=camera or self.orbit.goal))

    def framed(self, points: Array, camera: Camera) -> Camera:
        """`camera` moved, without turning, to where (n, 3) points just fit into what is free, with some air around them."""
        points = self.lean.placed(points)
        return self._shifted(camera.frame(points, aspect=self.free.w / max(1.0, self.free.h), margin=0.1))

    def fly_home(self, tower: Tower, seconds: float = 0.8) -> None:
        """Back to the first view of the tower."""
        self._fly(self.fitted(tower, camera=Camera()), seconds)
        self.untouched = True

    def fly_fitted(self, tower: Tower, seconds: float = 0.8) -> None:
        """To where the tower is seen whole, without turning."""
        self._fly(self.fitted(tower), seconds)
        self.untouched = True

    def fly_top(self, tower: Tower, seconds: float = 0.8) -> None:
        """Straight down on it."""
        self._fly(self.fitted(tower, camera=Camera(elevation_deg=90.0, azimuth_deg=-90.0)), seconds)

    def fly_front(self, tower: Tower, seconds: float = 0.8) -> None:
        """Level from the front."""
        self._fly(self.fitted(tower, camera=Camera(elevation_deg=6.0)), seconds)

    @property
    def free_camera(self) -> Camera:
        """Where the camera is, for a picture of what is free alone."""
        wide, high = self._program.gui.size
        camera, (x, y) = self.camera, self.free.middle
        mm = 2 * camera.distance_mm * math.tan(math.radians(camera.fov_deg) / 2) / high
        right, up, _ = camera.axes
        target = np.array(camera.target) - mm * ((wide / 2 - x) * right - (high / 2 - y) * up)
        distance = camera.distance_mm * self.free.h / high
        return replace(camera, target=(float(target[0]), float(target[1]), float(target[2])), distance_mm=distance)

    def look_at(self, points: Array, seconds: float = 0.8) -> None:
        """At (n, 3) points, from where the camera is."""
        self.untouched = False
        self.orbit.look_at(points, aspect=self.free.w / max(1.0, self.free.h), seconds=0.0 if self._program.settings.reduced_motion else seconds)

    def _fly(self, camera: Camera, seconds: float) -> None:
        if self._program.settings.reduced_motion or not seconds:
            self.orbit.jump_to(camera)
        else:
            self.orbit.fly_to(camera, seconds)
        self._program.wake()

    def _shifted(self, camera: Camera) -> Camera:
        """A camera whose picture fills the free part, as a camera whose picture fills the page."""
        wide, high = self._program.gui.size
        distance = camera.distance_mm * high / max(1.0, self.free.h)
        mm = 2 * distance * math.tan(math.radians(camera.fov_deg) / 2) / high
        (x, y), (right, up, _) = self.free.middle, camera.axes
        target = np.array(camera.target) + mm * ((wide / 2 - x) * right - (high / 2 - y) * up)
        return replace(camera, target=(float(target[0]), float(target[1]), float(target[2])), distance_mm=distance)

    # --- places

    def pick(self, pointer: Pointer) -> Hit | None:
        """The nearest piece under the pointer."""
        x, y = self._pixels(pointer)
        return self._stage.pick(x, y, self._size)

    def ground(self, pointer: Pointer, z_mm: float = 0.0) -> Array | None:
        """(3,) mm where what is under the pointer meets a level plane."""
        x, y = self._pixels(pointer)
        return self._stage.ground(x, y, self._size, z_mm)

    def project(self, points: Array) -> Array:
        """(n, 3) mm as (n, 2) units of the page."""
        self._stage.camera = self.camera
        return self._stage.project(points, self._size) / self._program.scale

    @property
    def _stage(self) -> Stage:
        return self._program.stage(self.piece_set)

    def _pixels(self, pointer: Pointer) -> tuple[float, float]:
        self._stage.camera = self.camera
        return pointer.x * self._program.scale, pointer.y * self._program.scale

    # --- events

    def drag(self, pointer: Pointer) -> None:
        """Turn with the left button, pan with another or with Shift."""
        self.untouched = False
        if pointer.button == "left" and not pointer.shift:
            self.orbit.turn(pointer.dx, pointer.dy)
        else:
            scale = self._program.scale
            self.orbit.pan(pointer.dx * scale, pointer.dy * scale, self._size)

    def scroll(self, pointer: Pointer) -> None:
        """Zoom to what is under the pointer."""
        hit = self.pick(pointer)
        self.zoom(pointer, hit.point if hit is not None else self.ground(pointer))

    def zoom(self, pointer: Pointer, about: Array | None) -> None:
        """Zoom to a point (3,) of the table."""
        self.untouched = False
        about = None if about is None else self.lean.placed(about)
        self.orbit.zoom(pointer.dy * self._program.settings.camera_speed, about=about)

    def key(self, key: Key, down: bool) -> bool:
        """Arrows turn, plus and minus zoom, while they are held; whether it was such a key."""
        steer = _STEERING.get(key.name)
        if steer is None or (key.ctrl and down):
            return False
        self.untouched = False
        self.orbit.hold(steer, down)
        return True
