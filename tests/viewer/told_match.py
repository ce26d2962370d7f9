"""A short match made by hand, every motion in it a straight line, so that where pieces are at any moment is known by heart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from games.acts import ActKind, MatchAct
from games.match import Match, MatchSetup, Seat
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.pose import Pose, Vector, as_array
from physics.tower import exact_pose
from physics.track import PoseTrack
from physics.watch import Fallen, KnockOver, Leaving, LostSupport, Support

SHIFT_MM = 60.0
"""How far each moving piece goes along x, at even speed."""
TRACK_S = 2.0
LOSS_S = 1.2
"""When the fall's first support is lost."""


def told_match(*, falls: bool = True) -> Match:
    """Act 1: A lays a BASE, no motion known. 2: B lets a BASE slip, 2 s. 3: B lays one, 2 s, which comes to rest 1 mm off. 4: A knocks BASE 0
    away, 2 s. 5: the next round's first BASE. Without `falls` only the first three."""
    match = Match(MatchSetup(load_piece_set("classic"), (Seat("Ann"), Seat("Bob")), 1))
    _do(match, ActKind.PLACED, None)
    _do(match, ActKind.TAKEN_BACK, 1)
    _do(match, ActKind.PLACED, 1)
    if falls:
        _do(match, ActKind.KNOCKED_OVER, 0)
        _do(match, ActKind.PLACED, None)
    return match


def start_x(match: Match, number: int, piece: int) -> float:
    """x in mm of a piece at the beginning of an act."""
    placement = match.act(number).placement
    assert placement is not None
    laid = match.table_before(number).tower.laid
    return laid[piece].pose.x if piece < len(laid) else exact_pose(match.setup.piece_set, placement).x


def _do(match: Match, kind: ActKind, moving: int | None) -> None:
    """One act in which a piece (index in the tower, the new one last) moves by `SHIFT_MM`."""
    placement = match.state.legal_moves()[0]
    fell = kind is ActKind.KNOCKED_OVER
    act = MatchAct(
        number=len(match.acts) + 1,
        round=match.state.round,
        player=match.state.to_move,
        kind=kind,
        placement=placement,
        hand="board",
        offset_mm=1.0 if kind is ActKind.PLACED and moving else 0.0,
        rest=((len(match.tower.laid), _beside(match, placement, 1.0 if moving else 0.0)),) if kind is ActKind.PLACED else (),
        squared_up=False,
        knock_over=_fall(match) if fell else None,
        track=None if moving is None else _line(_beside(match, placement) if moving else match.tower.laid[0].pose, moving),
        events=(),
    )
    events = match.restore(act)
    match.acts[-1] = replace(act, events=tuple(events))


def _fall(match: Match) -> KnockOver:
    return KnockOver(match.tower, (Fallen(0, Leaving.SHIFTED),), LostSupport(0, (Support((0, 0), -1),), 5, LOSS_S))


def _line(start: Pose, piece: int) -> PoseTrack:
    states: Vector = np.array([as_array(start), as_array(start)]).reshape(2, 1, 7)
    states[1, 0, 0] += SHIFT_MM
    return PoseTrack(np.array([0.0, TRACK_S]), (piece,), states)


def _beside(match: Match, placement: Placement, dx: float = 0.0) -> Pose:
    pose = exact_pose(match.setup.piece_set, placement)
    return Pose(pose.x + dx, pose.y, pose.z, pose.rotation)
