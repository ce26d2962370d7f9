"""Overlap: whether pieces are where others are or below the table, and what lies under a piece. Exact, with true circles.

A plan is a core and how far it reaches, so two overlap by what both reach less the distance of their cores. The core of a piece is its skeleton,
which reaches by the node radius: no circle is ever made a polygon. That of a piece with a mesh of its own is what the mesh covers, and reaches no
farther.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from meshes.outline import convex_parts
from meshes.piece_set import PieceSet, PieceType
from meshes.solid import COLLISION_SIDES
from physics.contact import FLAT_HEIGHT_MM, FLAT_TILT_DEG, TABLE
from physics.nodes import piece_nodes
from physics.pose import Pose, Vector
from physics.tower import Tower, height_span_mm

OVERLAP_MM = 0.05
"""Outlines that reach less far into each other only touch."""
DRIFT_MM = 1.0
"""Pieces that moved less than this in a tower that stands get their poses back, so that drift never adds up; what was laid beside them meanwhile
stays, so much the nearer."""


class Overlap(NamedTuple):
    """A laid piece (index) that a new one would cut into, and how deep, in mm: the shortest way out, sideways or up."""

    piece: int
    depth_mm: float


class Plan(NamedTuple):
    """A piece seen from above: everything within `reach_mm` of `core`."""

    core: shapely.Geometry
    reach_mm: float


class Plans(NamedTuple):
    """Several of them: (n,) cores and (n,) reaches."""

    core: NDArray[np.object_]
    reach_mm: Vector

    def depths_mm(self, other: Plan) -> Vector:
        """(n,) how deep `other` is in each, sideways; below zero where it keeps clear.

        Where cores meet it is deeper than both reach, and that much is told; where nothing reaches beyond them, how wide the part is that both cover.
        """
        reach_mm = self.reach_mm + other.reach_mm
        depths: Vector = reach_mm - shapely.distance(self.core, other.core)
        for place in np.flatnonzero((reach_mm == 0) & (depths == 0)):
            common = shapely.buffer(shapely.intersection(self.core[place], other.core), 0.0)
            depths[place] = 2 * shapely.length(shapely.maximum_inscribed_circle(common)) if common.area > 0 else 0.0
        return depths


def node_centres(piece_set: PieceSet, piece: PieceType, pose: Pose) -> Vector:
    """(n, 3) centres of the nodes' bottom discs, in the order of the piece's cells, mm on the table."""
    return pose.apply(piece_nodes(piece_set, piece))


def overlaps(tower: Tower, piece: PieceType, pose: Pose) -> tuple[Overlap, ...]:
    """The laid pieces that `piece` would cut into at a flat `pose`; those that lean are left out."""
    depths = _depths(tower, _flat(tower), plan(tower.piece_set, piece.name, pose), pose.z)
    return tuple(Overlap(i, depth) for i, depth in depths if depth > OVERLAP_MM)


def tower_overlaps(tower: Tower) -> tuple[tuple[int, int, float], ...]:
    """Laid pieces that cut into each other: (i, j, depth in mm), i < j; i is −1 (`TABLE`) for a piece that reaches below the table.

    Pieces laid by hand may touch, and their shapes in the simulation reach a little less far than they do; what that leaves is no overlap, nor is
    what putting back may do (`DRIFT_MM`), nor sinking by `FLAT_HEIGHT_MM`. Of leaning pieces only those below the table are told.
    """
    touch = OVERLAP_MM + DRIFT_MM + 2 * tower.piece_set.radius_mm * (1 - math.cos(math.pi / COLLISION_SIDES))
    lows = (height_span_mm(tower.piece_set, tower.piece_type(i), laid.pose)[0] for i, laid in enumerate(tower.laid))
    found = [(TABLE, i, -low) for i, low in enumerate(lows) if low < -FLAT_HEIGHT_MM]
    flat = _flat(tower)
    for place, i in enumerate(flat):
        pose = tower.laid[i].pose
        own = plan(tower.piece_set, tower.laid[i].placement.piece, pose)
        found += [(i, j, depth) for j, depth in _depths(tower, flat[place + 1 :], own, pose.z) if depth > touch]
    return tuple(found)


def surface_under(tower: Tower, centres: Vector) -> float:
    """Height in mm of the highest top face that reaches under any of the discs around (n, 3) `centres`; 0 for the table."""
    piece_set = tower.piece_set
    flat = _flat(tower)
    if not flat:
        return 0.0
    plans = _plans(tower, flat)
    far = shapely.distance(plans.core[:, None], shapely.points(centres[:, :2])[None, :]).min(axis=1)
    under = far < piece_set.radius_mm + plans.reach_mm - OVERLAP_MM
    tops = [tower.laid[i].pose.z + piece_set.thickness_mm for i, reaches in zip(flat, under, strict=True) if reaches]
    return max(tops, default=0.0)


def nodes_at(tower: Tower, height_mm: float) -> Vector:
    """(n, 2) centres of all nodes whose top face is at this height, mm."""
    piece_set = tower.piece_set
    bottom = height_mm - piece_set.thickness_mm
    below = [i for i in _flat(tower) if abs(tower.laid[i].pose.z - bottom) <= FLAT_HEIGHT_MM]
    centres = [node_centres(piece_set, tower.piece_type(i), tower.laid[i].pose)[:, :2] for i in below]
    return np.concatenate([np.empty((0, 2)), *centres])


def _depths(tower: Tower, pieces: Sequence[int], own: Plan, z_mm: float) -> list[tuple[int, float]]:
    """How deep a piece with the plan `own` and its bottom at `z_mm` is in those of the laid `pieces` that are beside it."""
    piece_set = tower.piece_set
    room = piece_set.thickness_mm - FLAT_HEIGHT_MM
    beside = [i for i in pieces if abs(tower.laid[i].pose.z - z_mm) < room]
    sideways = zip(beside, _plans(tower, beside).depths_mm(own), strict=True)
    return [(i, min(float(depth), piece_set.thickness_mm - abs(tower.laid[i].pose.z - z_mm))) for i, depth in sideways]


def _flat(tower: Tower) -> list[int]:
    return [i for i, laid in enumerate(tower.laid) if laid.pose.tilt_deg <= FLAT_TILT_DEG]


def _plans(tower: Tower, pieces: Sequence[int]) -> Plans:
    found = [plan(tower.piece_set, tower.laid[i].placement.piece, tower.laid[i].pose) for i in pieces]
    cores = np.empty(len(found), dtype=object)
    cores[:] = [one.core for one in found]
    return Plans(cores, np.array([one.reach_mm for one in found]))


@lru_cache(maxsize=4096)
def plan(piece_set: PieceSet, name: str, pose: Pose) -> Plan:
    """A piece at a flat pose, mm on the table."""
    yaw = np.radians(pose.yaw_deg)
    turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    own = _plan(piece_set, name)
    return Plan(shapely.transform(own.core, lambda points: points @ turn + [pose.x, pose.y]), own.reach_mm)


@lru_cache(maxsize=256)
def _plan(piece_set: PieceSet, name: str) -> Plan:
    """In the piece frame: node centres, the lines between neighbours and the faces they enclose, grown by the radius; or what a mesh covers."""
    piece = piece_set.by_name[name]
    if piece.mesh is not None:
        return Plan(piece.mesh.silhouette, 0.0)
    clouds = [shapely.MultiPoint(piece_set.places_mm(part)) for part in convex_parts(piece_set, piece)]
    return Plan(shapely.geometrycollections(shapely.convex_hull(clouds)), piece_set.radius_mm)
