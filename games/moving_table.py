"""The table as it is to be drawn: what is at rest, what is moving, and the piece in hand or on its way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from games.jobs import Poses
from meshes.piece_set import PieceType
from meshes.placement import Placement
from physics.nodes import piece_nodes
from physics.pose import Pose, as_pose
from physics.tower import Tower


class MovingTable:
    """A tower at rest and what of it moves. `piece` is the one in hand, on its way, or slipped; None if there is none."""

    def __init__(self, tower: Tower) -> None:
        self.rest(tower)

    def rest(self, tower: Tower) -> None:
        """Nothing moves: show `tower`."""
        self.tower = tower
        self.piece: PieceType | None = None
        self.feels_support = False
        self.seconds = 0.0
        """Of the act's own time, where its pieces are now."""
        self._live: dict[int, Pose] = {}

    def begin(self, tower: Tower, piece: str, pose: Pose | None = None) -> None:
        """A piece is taken up over `tower`; it is seen from its first pose on."""
        self.rest(tower)
        self.piece = tower.piece_set.by_name[piece]
        if pose is not None:
            self._live[len(tower.laid)] = pose

    def move(self, report: Poses) -> None:
        """Pieces have moved."""
        self._live |= {piece: as_pose(state) for piece, state in zip(report.pieces, report.states, strict=True)}
        self.feels_support, self.seconds = report.feels_support, report.seconds

    def lie(self, poses: Sequence[Pose]) -> None:
        """The laid pieces have come to lie at `poses`."""
        self._live |= dict(enumerate(poses))

    @property
    def poses(self) -> list[tuple[PieceType, Pose]]:
        """All pieces where they are now: the laid ones in order, then the one that is held or being laid."""
        shown = [(self.tower.piece_type(i), self._live.get(i, laid.pose)) for i, laid in enumerate(self.tower.laid)]
        new = self._live.get(len(shown))
        return [*shown, (self.piece, new)] if self.piece is not None and new is not None else shown


def nearest(tower: Tower, piece: PieceType, pose: Pose, placements: Sequence[Placement]) -> Placement:
    """The one of `placements` (of `piece`, at least one) that `pose` comes nearest to: what a hand there most likely means."""
    piece_set = tower.piece_set
    nodes = pose.apply(piece_nodes(piece_set, piece))

    def away_mm(placement: Placement) -> float:
        height = placement.layer * piece_set.thickness_mm
        cells = np.array([(*piece_set.lattice.position(cell, piece_set.pitch_mm), height) for cell in placement.cells])
        return float(np.linalg.norm(nodes[:, None] - cells, axis=2).min(axis=1).sum())

    return min(placements, key=away_mm)
