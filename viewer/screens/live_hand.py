"""The hand of a person over the table: where the pointer, the wheel and the keys want the held piece to be."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol

import numpy as np

from meshes.piece_set import PieceSet, PieceType
from meshes.placement import Placement
from physics.nodes import piece_nodes
from physics.overlap import node_centres, surface_under
from physics.pose import Pose
from physics.tower import ALIGN_TOLERANCE, Tower, placement_at
from viewer.camera import Array

HOVER_MM = 14.0
"""A piece is carried so high over what lies under it."""
LOWERING_MM_S = 40.0
"""How fast it comes down while the key for it is held."""
RAISED_MM = 9.0
"""A lowered piece that is moved farther than this sideways is carried again."""
LOWEST_MM = -1.0
"""So far below what lies under it a hand presses it at most."""
FINE_TURN_DEG = 5.0
"""One step of the wheel."""


class Holder(Protocol):
    """Where a piece is held: a match being played, or a table without rules."""

    @property
    def tower(self) -> Tower:
        """What is at rest."""

    @property
    def poses(self) -> list[tuple[PieceType, Pose]]:
        """All pieces where they are now, the held one last."""

    @property
    def feels_support(self) -> bool:
        """Whether the hand feels its piece stand on something."""

    def take(self, piece: str, pose: Pose) -> None:
        """Take a piece up at `pose`."""

    def move_to(self, pose: Pose) -> None:
        """Want the held piece there."""


class LiveHand:
    """Steers the piece a person holds. `take` it, then call `update` with the time passed; `at` is (3,) mm, the point under the pointer."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder
        self._piece: PieceType | None = None
        self._x = self._y = self._yaw = 0.0
        self._height = HOVER_MM
        self._z = self._plane = 0.0
        self._lowered_at = (0.0, 0.0)
        self.lowering = False

    @property
    def plane_mm(self) -> float:
        """Height of the plane on which the piece moves under the pointer; it stays while the piece comes down, so that it comes straight down."""
        return self._plane

    def take(self, piece: str, at: Array, yaw_deg: float = 0.0) -> None:
        """Take a piece up above everything, over the point."""
        tower = self._holder.tower
        self._piece = tower.piece_set.by_name[piece]
        self._yaw, self._height, self.lowering = yaw_deg, HOVER_MM, False
        tops = [laid.pose.z + tower.piece_set.thickness_mm for laid in tower.laid]
        self._x, self._y = float(at[0]), float(at[1])
        self._z = self._plane = max(tops, default=0.0) + HOVER_MM
        self._holder.take(piece, self._pose())

    def move(self, at: Array) -> None:
        """The pointer is over another point."""
        self._x, self._y = float(at[0]), float(at[1])
        if math.dist(self._lowered_at, (self._x, self._y)) > RAISED_MM:
            self._height = HOVER_MM

    def turn(self, degrees: float) -> None:
        """Turn the piece counter-clockwise."""
        self._yaw += degrees

    def update(self, seconds: float) -> None:
        """Come down while lowering; tell the holder where the piece is wanted."""
        if self._piece is None:
            return
        if self._height == HOVER_MM:
            self._lowered_at, self._plane = (self._x, self._y), self._surface() + HOVER_MM
        if self.lowering and not self._holder.feels_support:
            self._height = max(LOWEST_MM, self._height - LOWERING_MM_S * seconds)
        self._z = self._surface() + self._height
        self._holder.move_to(self._pose())

    def below(self, places: Iterable[Placement] | None) -> tuple[Array, bool]:
        """(n, 3) mm where the nodes of the piece, as it hangs now, would come down, and whether that counts as one of the `places` (None: as any)."""
        assert self._piece is not None, "a piece is held"
        piece_set, pose = self._holder.tower.piece_set, self._holder.poses[-1][1]
        nodes = node_centres(piece_set, self._piece, pose)
        surface = surface_under(self._holder.tower, nodes)
        nodes[:, 2] = surface
        layer = round(surface / piece_set.thickness_mm)
        wanted = [placement_at(piece_set, self._piece, pose, layer)] if places is None else [place for place in places if place.layer == layer]
        return nodes, any(_counts(piece_set, nodes, place) for place in wanted)

    def _surface(self) -> float:
        assert self._piece is not None, "a piece is held"
        tower = self._holder.tower
        return surface_under(tower, node_centres(tower.piece_set, self._piece, self._pose()))

    def _pose(self) -> Pose:
        """With the middle of the nodes at the point."""
        assert self._piece is not None, "a piece is held"
        nodes = piece_nodes(self._holder.tower.piece_set, self._piece)
        middle = (nodes.min(axis=0) + nodes.max(axis=0)) / 2
        yaw = math.radians(self._yaw)
        dx = math.cos(yaw) * middle[0] - math.sin(yaw) * middle[1]
        dy = math.sin(yaw) * middle[0] + math.cos(yaw) * middle[1]
        return Pose.flat(self._x - float(dx), self._y - float(dy), self._z, self._yaw)


def _counts(piece_set: PieceSet, nodes: Array, place: Placement) -> bool:
    """Whether each cell of a place has a node near enough."""
    cells = piece_set.places_mm(place.cells)
    away = np.linalg.norm(nodes[None, :, :2] - cells[:, None], axis=2).min(axis=1)
    return bool(away.max() <= ALIGN_TOLERANCE * piece_set.radius_mm)
