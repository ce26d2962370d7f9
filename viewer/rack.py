"""Pieces not yet laid, lying in neat arcs around the tower, each player's before his seat. Lengths in mm, angles in degrees."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from meshes.piece_set import PieceSet, PieceType
from physics.pose import Pose
from physics.tower import Tower
from viewer.items import Item

FIRST_SEAT_DEG = -68.0
"""Direction of player 0's seat: where the camera stands by default."""
_CLEARANCE_MM = 62.0
_GAP_MM = 7.0
_WIDEST_DEG = 104.0
_FIRST_SEED = 10_000


def rack_items(tower: Tower, hands: Sequence[Mapping[str, int]]) -> list[Item]:
    """The pieces of all `hands` (pieces left by name, one mapping a player) laid flat around `tower`, touching neither it nor each other.

    The same tower and hands always give the same picture; a piece laid later leaves the others where they are only if the tower's reach
    stays the same. Raises KeyError for a piece the set does not have.
    """
    middle, reach = _ground(tower)
    items: list[Item] = []
    for seat, hand in enumerate(hands):
        pieces = sorted((tower.piece_set.by_name[name] for name, left in hand.items() for _ in range(left)), key=lambda piece: -len(piece.cells))
        angle = FIRST_SEAT_DEG + 360 / len(hands) * (seat + 0.5 if len(hands) % 2 == 0 else seat)
        width = min(_WIDEST_DEG, 0.86 * 360 / len(hands))
        rng = np.random.default_rng(seat)
        for piece, (x, y, turn) in zip(pieces, _arcs(tower.piece_set, pieces, reach + _CLEARANCE_MM, angle, width), strict=True):
            pose = _centred(tower.piece_set, piece, middle[0] + x, middle[1] + y, turn + float(rng.uniform(-7, 7)))
            items.append(Item(piece, pose, _FIRST_SEED + len(items)))
    return items


def _ground(tower: Tower) -> tuple[tuple[float, float], float]:
    """Middle of what stands or lies on the table and its reach from there, piece radius included."""
    if not tower.laid:
        return (0.0, 0.0), 0.0
    places = np.array(
        [laid.pose.position[:2] + laid.pose.matrix[:2, :2] @ _middle(tower.piece_set, tower.piece_type(i)) for i, laid in enumerate(tower.laid)]
    )
    radii = np.array([_radius(tower.piece_set, tower.piece_type(i)) for i in range(len(tower.laid))])
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    reach = float((np.linalg.norm(places - middle, axis=1) + radii).max())
    return (float(middle[0]), float(middle[1])), reach


def _arcs(
    piece_set: PieceSet, pieces: Sequence[PieceType], inner_mm: float, angle_deg: float, width_deg: float
) -> Iterator[tuple[float, float, float]]:
    """Middle x, y and yaw for each piece: rows of equal radius, filled from the inside, each row centred on the seat's direction."""
    left = list(pieces)
    inner = inner_mm
    while left:
        row: list[PieceType] = []
        taken = 0.0
        while left:
            radius = _radius(piece_set, left[0])
            distance = inner + max([radius, *(_radius(piece_set, piece) for piece in row)])
            need = math.degrees((2 * radius + _GAP_MM) / distance)
            if row and taken + need > width_deg:
                break
            row.append(left.pop(0))
            taken += need
        deepest = max(_radius(piece_set, piece) for piece in row)
        yield from _row(piece_set, row, inner + deepest, angle_deg)
        inner += 2 * deepest + _GAP_MM


def _row(piece_set: PieceSet, row: Sequence[PieceType], distance: float, angle_deg: float) -> Iterator[tuple[float, float, float]]:
    spans = [math.degrees((2 * _radius(piece_set, piece) + _GAP_MM) / distance) for piece in row]
    at = angle_deg - sum(spans) / 2
    for span in spans:
        direction = math.radians(at + span / 2)
        yield distance * math.cos(direction), distance * math.sin(direction), at + span / 2 + 90
        at += span


def _centred(piece_set: PieceSet, piece: PieceType, x: float, y: float, yaw_deg: float) -> Pose:
    """Flat on the table with the middle of its nodes at (x, y)."""
    turned = Pose.flat(0, 0, 0, yaw_deg)
    dx, dy = turned.matrix[:2, :2] @ _middle(piece_set, piece)
    return Pose.flat(x - float(dx), y - float(dy), 0.0, yaw_deg)


def _nodes(piece_set: PieceSet, piece: PieceType) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return piece_set.places_mm(piece.cells)


def _middle(piece_set: PieceSet, piece: PieceType) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    nodes = _nodes(piece_set, piece)
    middle: np.ndarray[tuple[int], np.dtype[np.float64]] = (nodes.min(axis=0) + nodes.max(axis=0)) / 2
    return middle


def _radius(piece_set: PieceSet, piece: PieceType) -> float:
    """Of the circle around the piece's middle that holds it."""
    return float(np.linalg.norm(_nodes(piece_set, piece) - _middle(piece_set, piece), axis=1).max()) + piece_set.radius_mm
