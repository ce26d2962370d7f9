"""Print plates: pieces laid flat in rows, never overlapping, on as many plates as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from meshes.errors import PlateTooSmall
from meshes.formats import PlacedPiece, Transform
from meshes.outline import outline
from meshes.piece_set import PieceSet, PieceType


@dataclass(frozen=True, slots=True)
class Plate:
    """The printer's plate: its size along x and y, and the room to leave around each piece and along the rim, mm.

    Raises ValueError for a gap below 0.
    """

    width_mm: float = 250.0
    depth_mm: float = 210.0
    gap_mm: float = 5.0

    def __post_init__(self) -> None:
        if self.gap_mm < 0:
            raise ValueError(f"a gap can't be less than 0 mm; got {self.gap_mm}")


def lay_out(piece_set: PieceSet, pieces: Sequence[PieceType], plate: Plate) -> list[list[PlacedPiece]]:
    """The pieces on plates, deepest first, in rows from the front left corner, which is the origin.

    Each piece goes to the first row with room for it. One that is too wide or too deep as it is, is turned by 90°; raises `PlateTooSmall`
    if that does not help.
    """
    rows: list[_Row] = []
    for tile in sorted((_tile(piece_set, piece, plate) for piece in pieces), key=lambda tile: -tile.depth_mm):
        row = next((row for row in rows if row.end_mm + tile.width_mm + plate.gap_mm <= plate.width_mm), None)
        if row is None:
            row = _next_row(rows, tile, plate)
            rows.append(row)
        row.pieces.append(PlacedPiece(tile.piece, tile.at(row.end_mm, row.front_mm)))
        row.end_mm += tile.width_mm + plate.gap_mm
    return [[placed for row in rows if row.plate == number for placed in row.pieces] for number in sorted({row.plate for row in rows})]


@dataclass(slots=True)
class _Row:
    """A row of pieces on plate number `plate`; the next piece goes at (`end_mm`, `front_mm`)."""

    plate: int
    front_mm: float
    depth_mm: float
    end_mm: float
    pieces: list[PlacedPiece] = field(default_factory=list)


def _next_row(rows: Sequence[_Row], first: _Tile, plate: Plate) -> _Row:
    """A row deep enough for `first` behind the last row of the first plate with room, or on a new plate; no later piece is deeper."""
    last_rows = {row.plate: row for row in rows}
    for last in last_rows.values():
        front_mm = last.front_mm + last.depth_mm + plate.gap_mm
        if front_mm + first.depth_mm + plate.gap_mm <= plate.depth_mm:
            return _Row(last.plate, front_mm, first.depth_mm, plate.gap_mm)
    return _Row(len(last_rows), plate.gap_mm, first.depth_mm, plate.gap_mm)


@dataclass(frozen=True, slots=True)
class _Tile:
    """A piece turned by `yaw_deg` and the bounds of its outline then, mm."""

    piece: PieceType
    yaw_deg: int
    left_mm: float
    front_mm: float
    width_mm: float
    depth_mm: float

    def at(self, x_mm: float, y_mm: float) -> Transform:
        """The transform that puts the tile's front left corner at (x, y)."""
        transform = np.eye(4)
        if self.yaw_deg == 90:
            transform[:2, :2] = [[0.0, -1.0], [1.0, 0.0]]
        transform[:2, 3] = x_mm - self.left_mm, y_mm - self.front_mm
        return transform


def _tile(piece_set: PieceSet, piece: PieceType, plate: Plate) -> _Tile:
    left, front, right, back = outline(piece_set, piece).bounds
    straight = _Tile(piece, 0, left, front, right - left, back - front)
    turned = _Tile(piece, 90, -back, left, back - front, right - left)
    for tile in (straight, turned):
        if tile.width_mm + 2 * plate.gap_mm <= plate.width_mm and tile.depth_mm + 2 * plate.gap_mm <= plate.depth_mm:
            return tile
    needed_mm = (straight.width_mm + 2 * plate.gap_mm, straight.depth_mm + 2 * plate.gap_mm)
    raise PlateTooSmall(piece.name, needed_mm, (plate.width_mm, plate.depth_mm))
