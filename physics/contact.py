"""Contacts: where the pieces of a tower touch each other and the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from meshes.errors import StakdError
from meshes.piece_set import PieceSet
from meshes.solid import build_solid
from physics.pose import Vector
from physics.tower import Tower

TABLE = -1
"""Stands for the table where a piece's index is expected."""
FLAT_HEIGHT_MM = 0.5
"""A piece rests on a surface if its bottom is at most this far from it."""
FLAT_TILT_DEG = 1.0
"""A piece that leans by more than this does not lie flat."""
LEAST_AREA_MM2 = 0.01
"""Smaller touching areas carry nothing."""

_NOISE_MM = 1e-5
_PLACES = 6
"""Relative poses are rounded to 1e-6 mm and 1e-6 degrees, so that equal situations share one patch."""
_MOST_PATCHES = 50_000
"""Patches remembered, about 1 kB each."""


@dataclass(frozen=True, slots=True, eq=False)
class Contact:
    """Where `upper` rests on `lower` (indices of bodies; −1 is the table).

    `points`: (k, 3) mm, corners of the touching area. `normal`: (3,) unit vector, the way `lower` pushes `upper`.
    """

    lower: int
    upper: int
    points: Vector
    normal: Vector


class NotFlat(StakdError):
    """Some pieces of a tower lean, so they touch in no flat patch. `pieces`: their indices."""

    def __init__(self, pieces: Iterable[int]) -> None:
        self.pieces = tuple(pieces)
        named = ", ".join(str(piece) for piece in self.pieces)
        lean, they, them = (f"piece {named} leans", "it touches", "it") if len(self.pieces) == 1 else (f"pieces {named} lean", "they touch", "them")
        super().__init__(f"{lean} by more than {FLAT_TILT_DEG:g}°, so {they} in no flat patch; take {them} away or lay {them} flat")


def tower_contacts(tower: Tower) -> list[Contact]:
    """The contacts of a tower of flat-lying pieces, ordered by upper, then lower piece.

    One contact a pair of pieces: the convex hull of everything in which the upper footprint (inset by the bevel) overlaps the
    lower one. For two rigid bodies this is exact for concave pieces too: its corners are points where they really touch, and
    forces there add up to all that forces anywhere in the touching areas can. Real poses count: pieces may be shifted and turned
    freely, within `FLAT_HEIGHT_MM` and `FLAT_TILT_DEG` of lying flat. Raises `NotFlat`.

    Patches are remembered by relative pose, so a tower that grows by a piece builds only the new ones.
    """
    leaning = [i for i, piece in enumerate(tower.laid) if piece.pose.tilt_deg > FLAT_TILT_DEG]
    if leaning:
        raise NotFlat(leaning)
    frames = _frames(tower)
    standing = _on_table(frames)
    feet = _raised(frames[standing], [_hull(tower, i) for i in standing], 0.0)
    contacts = [Contact(TABLE, i, points, _UP) for i, points in zip(standing, feet, strict=True)]
    lower, upper = _near_pairs(tower, frames)
    patches = _patches(tower.piece_set, _keys(tower, frames, lower, upper))
    touching = [k for k, patch in enumerate(patches) if len(patch)]
    placed = _raised(frames[lower[touching]], [patches[k] for k in touching], frames[upper[touching], 2])
    contacts += [Contact(int(lower[k]), int(upper[k]), points, _UP) for k, points in zip(touching, placed, strict=True)]
    return sorted(contacts, key=lambda contact: (contact.upper, contact.lower))


_UP: Vector = np.array([0.0, 0.0, 1.0])
_UP.setflags(write=False)


class _Key(NamedTuple):
    """Two pieces by name and the upper one's pose seen from the lower one: mm and degrees."""

    lower: str
    upper: str
    x_mm: float
    y_mm: float
    yaw_deg: float


def _frames(tower: Tower) -> Vector:
    """(n, 4): x, y, z in mm and yaw in degrees of each piece."""
    rows = [(pose.x, pose.y, pose.z, pose.yaw_deg) for pose in (piece.pose for piece in tower.laid)]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def _on_table(frames: Vector) -> list[int]:
    return np.flatnonzero(np.abs(frames[:, 2]) <= FLAT_HEIGHT_MM).tolist()


def _near_pairs(tower: Tower, frames: Vector) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Lower and upper of the pairs of pieces one thickness apart in height and near enough to touch."""
    x, y, z, _ = frames.T
    reach = np.array([np.hypot(*_hull(tower, i).T).max() for i in range(len(frames))])
    stacked = np.abs(z[None, :] - z[:, None] - tower.piece_set.thickness_mm) <= FLAT_HEIGHT_MM
    near = np.hypot(x[None, :] - x[:, None], y[None, :] - y[:, None]) < reach[None, :] + reach[:, None]
    lower, upper = np.nonzero(stacked & near)
    return lower, upper


def _keys(tower: Tower, frames: Vector, lower: NDArray[np.intp], upper: NDArray[np.intp]) -> list[_Key]:
    names = [piece.placement.piece for piece in tower.laid]
    low, up = frames[lower], frames[upper]
    yaw = np.radians(low[:, 3])
    (dx, dy), cos, sin = (up - low).T[:2], np.cos(yaw), np.sin(yaw)
    turn = np.round((up[:, 3] - low[:, 3]) % 360, _PLACES) % 360
    seen = np.column_stack([np.round(cos * dx + sin * dy, _PLACES) + 0.0, np.round(cos * dy - sin * dx, _PLACES) + 0.0, turn])
    return [_Key(names[a], names[b], *pose) for a, b, pose in zip(lower.tolist(), upper.tolist(), seen.tolist(), strict=True)]


def _raised(frames: Vector, patches: Sequence[Vector], z_mm: Vector | float) -> list[Vector]:
    """Each (k, 2) patch carried from its frame to the table frame, at its height: (k, 3) mm."""
    if not patches:
        return []
    sizes = [len(patch) for patch in patches]
    flat = _moved(np.concatenate(patches), np.repeat(frames[:, [0, 1, 3]], sizes, axis=0))
    height = np.repeat(np.broadcast_to(z_mm, len(patches)), sizes)
    return np.split(np.column_stack([flat, height]), np.cumsum(sizes)[:-1])


def _moved(points: Vector, poses: Vector) -> Vector:
    """(k, 2) points, each turned and shifted by its own (x, y, yaw) of (k, 3) poses."""
    x, y, yaw = poses.T
    cos, sin = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
    return np.column_stack([cos * points[:, 0] - sin * points[:, 1] + x, sin * points[:, 0] + cos * points[:, 1] + y])


@lru_cache(maxsize=256)
def _footprint(piece_set: PieceSet, name: str) -> tuple[shapely.Polygon, ...]:
    return build_solid(piece_set, piece_set.by_name[name]).footprint


@lru_cache(maxsize=256)
def _top(piece_set: PieceSet, name: str) -> tuple[shapely.Polygon, ...]:
    return build_solid(piece_set, piece_set.by_name[name]).top


@lru_cache(maxsize=256)
def _footprint_hull(piece_set: PieceSet, name: str) -> Vector:
    """(k, 2) corners of the footprint's hull in the piece frame: what the piece rests on a plane with."""
    hull = shapely.convex_hull(shapely.geometrycollections(_footprint(piece_set, name)))
    return np.asarray(hull.exterior.coords)[:-1]


def _hull(tower: Tower, index: int) -> Vector:
    return _footprint_hull(tower.piece_set, tower.laid[index].placement.piece)


_known: dict[tuple[PieceSet, _Key], Vector] = {}


def _patches(piece_set: PieceSet, keys: Sequence[_Key]) -> list[Vector]:
    """The touching area of each pair as (k, 2) corners in the lower piece's frame; no corners for those that don't touch."""
    known = {key: patch for key in set(keys) if (patch := _known.get((piece_set, key))) is not None}
    new = [key for key in dict.fromkeys(keys) if key not in known]
    if new:
        built = dict(zip(new, _built_patches(piece_set, new), strict=True))
        known |= built
        if len(_known) + len(built) > _MOST_PATCHES:
            _known.clear()
        _known.update({(piece_set, key): patch for key, patch in built.items()})
    return [known[key] for key in keys]


def _built_patches(piece_set: PieceSet, keys: Sequence[_Key]) -> list[Vector]:
    """All patches at once, which is several times faster than one by one."""
    pairs = [(k, a, b) for k, key in enumerate(keys) for a in _top(piece_set, key.lower) for b in _footprint(piece_set, key.upper)]
    owner, below, above = (np.array(column) for column in zip(*pairs, strict=True))
    corners, which = shapely.get_coordinates(above, return_index=True)
    poses = np.array([(key.x_mm, key.y_mm, key.yaw_deg) for key in keys])
    shared = shapely.intersection(below, shapely.set_coordinates(above, _moved(corners, poses[owner[which]])))
    corners, which = shapely.get_coordinates(shared, return_index=True)
    clouds = np.full(len(keys), shapely.MultiPoint(), dtype=object)
    shapely.multipoints(corners, indices=owner[which], out=clouds)
    hulls = shapely.simplify(shapely.convex_hull(clouds), _NOISE_MM)
    carries = shapely.area(hulls) >= LEAST_AREA_MM2
    return [shapely.get_coordinates(hull)[:-1] if carry else np.empty((0, 2)) for hull, carry in zip(hulls, carries, strict=True)]
