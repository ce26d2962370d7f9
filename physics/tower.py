"""The tower: pieces laid, each with its exact placement and its real pose. A value; physics makes new ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from meshes.lattice import Cells
from meshes.piece_set import PieceSet, PieceType
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.pose import Pose

ALIGN_TOLERANCE = 0.15
"""A piece counts as placed if each of its nodes is this share of the node radius or less off its place."""


@dataclass(frozen=True, slots=True)
class LaidPiece:
    """A piece on the table: the placement it counts as and the pose it really has."""

    placement: Placement
    pose: Pose


@dataclass(frozen=True, slots=True)
class Tower:
    """Pieces in the order they were laid. Nothing here checks the rules."""

    piece_set: PieceSet
    laid: tuple[LaidPiece, ...] = ()

    @classmethod
    def exact(cls, piece_set: PieceSet, placements: Sequence[Placement]) -> Tower:
        """A tower with every piece exactly in its place."""
        return cls(piece_set, tuple(LaidPiece(p, exact_pose(piece_set, p)) for p in placements))

    @property
    def layers(self) -> int:
        """Number of layers, the BASE layer included."""
        return 1 + max((piece.placement.layer for piece in self.laid), default=-1)

    def piece_type(self, index: int) -> PieceType:
        """Type of piece `index`."""
        return self.piece_set.by_name[self.laid[index].placement.piece]

    def with_piece(self, placement: Placement, pose: Pose | None = None) -> Tower:
        """This tower and one piece more, at `pose` or exactly in its place."""
        new = LaidPiece(placement, pose or exact_pose(self.piece_set, placement))
        return replace(self, laid=(*self.laid, new))

    def with_poses(self, poses: Sequence[Pose]) -> Tower:
        """The same pieces at other poses (one each)."""
        return replace(self, laid=tuple(LaidPiece(old.placement, pose) for old, pose in zip(self.laid, poses, strict=True)))


def exact_pose(piece_set: PieceSet, placement: Placement) -> Pose:
    """The pose of a piece that stands exactly in `placement`; raises ValueError if the cells are not that piece's shape."""
    lattice, piece = piece_set.lattice, piece_set.by_name[placement.piece]
    fit = lattice.turns_onto(piece.cells, placement.cells)
    if fit is None:
        raise ValueError(f"{placement} has not the shape of a {piece.name}")
    turns, offset = fit
    x, y = lattice.position(offset, piece_set.pitch_mm)
    return Pose.flat(x, y, placement.layer * piece_set.thickness_mm, turns * lattice.turn_deg)


def placement_at(piece_set: PieceSet, piece: PieceType, pose: Pose, layer: int) -> Placement:
    """The exact placement nearest to a flat `pose` on `layer`."""
    lattice = piece_set.lattice
    turns = round(pose.yaw_deg / lattice.turn_deg)
    q, r = lattice.nearest(pose.x, pose.y, piece_set.pitch_mm)
    cells: Cells = tuple(sorted((q + dq, r + dr) for dq, dr in lattice.turned(piece.cells, turns)))
    return Placement(piece.name, layer, cells)


def height_span_mm(piece_set: PieceSet, piece: PieceType, pose: Pose) -> tuple[float, float]:
    """Heights of the lowest and the highest corner of a piece at any pose."""
    heights = np.concatenate([pose.apply(part)[:, 2] for part in build_solid(piece_set, piece).parts])
    return float(heights.min()), float(heights.max())
