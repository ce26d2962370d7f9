"""Acts of a match: what a player did at the table, and what it did to the tower."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from games.interface import Event
from meshes.placement import Placement
from physics.pose import Pose
from physics.tower import Tower
from physics.track import PoseTrack
from physics.watch import KnockOver


class ActKind(StrEnum):
    """What came of an act."""

    PLACED = "placed"
    TAKEN_BACK = "taken_back"
    KNOCKED_OVER = "knocked_over"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class MatchAct:
    """One act of a match, as it goes into the record.

    `rest` are the poses of the laid pieces that rest elsewhere than before the act (the new piece included), by index into
    `Tower.laid`; `events` are those of the rules.
    """

    number: int
    round: int
    player: int
    kind: ActKind
    placement: Placement | None
    hand: str
    offset_mm: float | None
    rest: tuple[tuple[int, Pose], ...]
    squared_up: bool
    knock_over: KnockOver | None
    track: PoseTrack | None
    events: tuple[Event, ...]


def apply_rest(tower: Tower, act: MatchAct) -> Tower:
    """`tower` after an act: a piece that was placed added, moved ones at the poses the act recorded."""
    grown = tower.with_piece(act.placement) if act.kind is ActKind.PLACED and act.placement else tower
    poses = [piece.pose for piece in grown.laid]
    for index, pose in act.rest:
        poses[index] = pose
    return grown.with_poses(poses)


def rest_after(before: Tower, after: Tower) -> tuple[tuple[int, Pose], ...]:
    """What `MatchAct.rest` holds for an act that led from one tower to the other."""
    old = [piece.pose for piece in before.laid]
    return tuple((i, piece.pose) for i, piece in enumerate(after.laid) if i >= len(old) or piece.pose != old[i])
