"""Picking: which piece is seen under a pixel, exactly, against the convex parts of the pieces at their poses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from scipy.spatial import ConvexHull

from meshes.piece_set import PieceSet, PieceType
from meshes.solid import build_solid
from viewer.camera import Array, Camera
from viewer.items import Item

_FLAT = 0.9
"""A face whose normal's height in the piece's own frame is beyond this is a flat; bevels and walls are sides."""
_PARALLEL = 1e-12


class Face(Enum):
    """Which of a piece's own faces; a piece that lies upside down shows its bottom on top."""

    TOP = "top"
    BOTTOM = "bottom"
    SIDE = "side"


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A piece under a pixel: the item's `seed` as `id`, its `index` among the items, where the ray enters it and through which face.

    `point` and `normal` are (3,) in the table frame, mm and unit length; `distance_mm` is from the eye.
    """

    id: int
    index: int
    point: Array
    normal: Array
    face: Face
    distance_mm: float


class Picker:
    """Answers picks among items. Ghosts are not there for it: what is behind them is picked."""

    def __init__(self, piece_set: PieceSet) -> None:
        self.piece_set = piece_set
        self._items: Sequence[Item] = ()
        self._owners = np.zeros(0, int)
        self._planes = np.zeros((0, 1, 4))

    def show(self, items: Sequence[Item]) -> None:
        """From now on pick among these. Costs nothing until the next pick."""
        self._items, self._fresh = items, False

    def pick(self, x: float, y: float, camera: Camera, size: tuple[int, int]) -> Hit | None:
        """The nearest piece under pixel position (x, y), from the left and the top, of a picture of `size`; None if there is none."""
        eye, ray = camera.ray(x, y, size)
        return self.first_on_ray(eye, ray)

    def first_on_ray(self, eye: Array, ray: Array) -> Hit | None:
        """The first piece that the ray from `eye` (3,) in the unit direction `ray` (3,) enters; pieces around the eye itself don't count."""
        self._place()
        if not len(self._owners):
            return None
        steepness = self._planes[:, :, :3] @ ray
        height = self._planes[:, :, :3] @ eye + self._planes[:, :, 3]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = -height / steepness
        entering = np.where(steepness < -_PARALLEL, crossing, -np.inf)
        leaving = np.where(steepness > _PARALLEL, crossing, np.inf).min(axis=1)
        enter = entering.max(axis=1)
        missed = ((np.abs(steepness) <= _PARALLEL) & (height > 0)).any(axis=1) | (enter > leaving) | (enter <= 0)
        if missed.all():
            return None
        part = int(np.where(missed, np.inf, enter).argmin())
        return self._hit(part, eye + ray * enter[part], self._planes[part, entering[part].argmax(), :3], float(enter[part]))

    def _hit(self, part: int, point: Array, normal: Array, distance: float) -> Hit:
        index = int(self._owners[part])
        item = self._items[index]
        height = float(item.pose.matrix[:, 2] @ normal)
        face = Face.TOP if height > _FLAT else Face.BOTTOM if height < -_FLAT else Face.SIDE
        return Hit(item.seed, index, point, normal, face, distance)

    def _place(self) -> None:
        """Planes of all parts where the items are: (parts, most planes of a part, 4), the last repeated to fill up."""
        if self._fresh:
            return
        owners, placed = [], []
        for index, item in enumerate(self._items):
            if item.ghost:
                continue
            turn, position = item.pose.matrix, item.pose.position
            for planes in _part_planes(self.piece_set, item.piece):
                normals = planes[:, :3] @ turn.T
                placed.append(np.column_stack([normals, planes[:, 3] - normals @ position]))
                owners.append(index)
        most = max((len(planes) for planes in placed), default=1)
        full = [np.concatenate([planes, np.repeat(planes[-1:], most - len(planes), axis=0)]) for planes in placed]
        self._planes, self._owners, self._fresh = np.array(full).reshape(-1, most, 4), np.array(owners, int), True

    _fresh = False


def ground_point(x: float, y: float, camera: Camera, size: tuple[int, int], z_mm: float) -> Array | None:
    """(3,) mm where the ray of pixel position (x, y) meets the level plane at height `z_mm`; None if it never does."""
    eye, ray = camera.ray(x, y, size)
    drop = z_mm - float(eye[2])
    if drop * float(ray[2]) <= 0:
        return None
    point: Array = eye + ray * (drop / ray[2])
    point[2] = z_mm
    return point


@lru_cache(maxsize=256)
def _part_planes(piece_set: PieceSet, piece: PieceType) -> tuple[Array, ...]:
    """For each convex part (n, 4): outward normals and offsets, so that normal · point + offset ≤ 0 inside."""
    return tuple(np.unique(ConvexHull(part).equations.round(9), axis=0) for part in build_solid(piece_set, piece).parts)
