"""What an act leads to: the piece placed, taken back, or a knock-over, and the tower that comes of it (RULES S42)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

import numpy as np

from meshes.piece_set import PieceType
from meshes.placement import Placement
from physics.contact import FLAT_HEIGHT_MM, FLAT_TILT_DEG, NotFlat
from physics.nodes import piece_nodes
from physics.overlap import DRIFT_MM
from physics.pose import Pose
from physics.statics import tower_stability
from physics.tower import ALIGN_TOLERANCE, Tower, placement_at
from physics.track import PoseTrack
from physics.watch import KnockOver

SURE_MM, SURE_SHARE = 1.0, 0.1
"""A tower whose contact patches could not shrink by this, or by this share of the node radius if that is less, is simulated with nothing frozen
before it is believed to stand."""


class Outcome(Enum):
    """How an act ended."""

    PLACED = "placed"
    TAKEN_BACK = "taken back"
    KNOCKED_OVER = "knocked over"


@dataclass(frozen=True, slots=True)
class ActResult:
    """The end of an act.

    `tower`: as it stands now; with the new piece if PLACED, as it was if TAKEN_BACK, the laid pieces as they lie if KNOCKED_OVER.
    `placement`: what the piece counts as, only if PLACED. `offset_mm`: how far its farthest node rests from the nearest exact place, None if
    it does not lie flat on a layer. `rests_at`: that nearest place, allowed or not. `squared_up`: laid pieces rested too far off and
    the whole tower was put back to exact places. `track`: what moved; the new piece has the index after the laid ones. `quiet`: all came
    to rest; False if the time limit ended the act while something still moved, and then `tower` shows it in motion.
    """

    outcome: Outcome
    tower: Tower
    placement: Placement | None
    offset_mm: float | None
    rests_at: Placement | None
    knock_over: KnockOver | None
    squared_up: bool
    track: PoseTrack
    seconds: float
    quiet: bool = True


class Rest(NamedTuple):
    """Where a piece rests: nearest placement, and how far its farthest node is off, mm."""

    placement: Placement
    offset_mm: float


def tolerance_mm(tower: Tower) -> float:
    """How far a node may rest off its place."""
    return ALIGN_TOLERANCE * tower.piece_set.radius_mm


def rest_of(tower: Tower, piece: PieceType, pose: Pose) -> Rest | None:
    """Where `piece` at `pose` rests; None if it does not lie flat at the height of a layer."""
    piece_set = tower.piece_set
    layer = round(pose.z / piece_set.thickness_mm)
    if layer < 0 or abs(pose.z - layer * piece_set.thickness_mm) > FLAT_HEIGHT_MM or pose.tilt_deg > FLAT_TILT_DEG:
        return None
    placement = placement_at(piece_set, piece, pose, layer)
    cells = piece_set.places_mm(placement.cells)
    # By nearness, as a symmetric piece may lie turned about.
    nodes = pose.apply(piece_nodes(piece_set, piece))[:, None, :2]
    return Rest(placement, float(np.linalg.norm(nodes - cells, axis=2).min(axis=1).max()))


def stands_surely(tower: Tower) -> bool:
    """Whether statics says that the tower stands, with something to spare (`SURE_MM`, `SURE_SHARE`) and without leaning on friction."""
    try:
        stability = tower_stability(tower)
    except NotFlat:
        return False
    return stability.stable and stability.shrink is not None and stability.shrink.mm >= min(SURE_MM, SURE_SHARE * tower.piece_set.radius_mm)


def settled_tower(tower: Tower, poses: list[Pose]) -> tuple[Tower, bool]:
    """The laid pieces after an act without a knock-over that left them at `poses`, and whether they were squared up.

    Back as they were if none moved by `DRIFT_MM`; at their new places, levelled, if each is within the tolerance; else all exact.
    """
    moved = max((float(np.linalg.norm(pose.position - laid.pose.position)) for laid, pose in zip(tower.laid, poses, strict=True)), default=0.0)
    if moved < DRIFT_MM:
        return tower, False
    rests = [rest_of(tower, tower.piece_type(i), pose) for i, pose in enumerate(poses)]
    if all(rest and rest.placement == laid.placement and rest.offset_mm <= tolerance_mm(tower) for rest, laid in zip(rests, tower.laid, strict=True)):
        return tower.with_poses([levelled(tower, pose, laid.placement.layer) for laid, pose in zip(tower.laid, poses, strict=True)]), False
    return Tower.exact(tower.piece_set, [laid.placement for laid in tower.laid]), True


def levelled(tower: Tower, pose: Pose, layer: int) -> Pose:
    """`pose` laid quite flat on its layer: simulated towers sink by a hundredth of a mm a layer, which must not add up."""
    return Pose.flat(pose.x, pose.y, layer * tower.piece_set.thickness_mm, pose.yaw_deg)


def concluded(
    tower: Tower,
    piece: PieceType,
    poses: list[Pose],
    *,
    allowed: Container[Placement] | None,
    fell: KnockOver | None,
    track: PoseTrack,
    seconds: float,
    quiet: bool,
) -> ActResult:
    """The result of an act with `piece` that has ended at `poses`: the laid pieces' and, last, its own."""
    rest = rest_of(tower, piece, poses[-1])
    taken_back = ActResult(Outcome.TAKEN_BACK, tower, None, rest and rest.offset_mm, rest and rest.placement, None, False, track, seconds, quiet)
    if fell:
        return replace(taken_back, outcome=Outcome.KNOCKED_OVER, tower=tower.with_poses(poses[:-1]), knock_over=fell)
    after, squared_up = settled_tower(tower, poses[:-1])
    if rest is None or rest.offset_mm > tolerance_mm(tower) or (allowed is not None and rest.placement not in allowed):
        return replace(taken_back, tower=after, squared_up=squared_up)
    pose = None if squared_up else levelled(tower, poses[-1], rest.placement.layer)
    placed = after.with_piece(rest.placement, pose)
    return replace(taken_back, outcome=Outcome.PLACED, tower=placed, placement=rest.placement, squared_up=squared_up)
