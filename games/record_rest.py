"""Where pieces rest after a recorded act: a record may not put them where no act could have left them."""

from __future__ import annotations

from collections.abc import Iterator

from games.acts import ActKind, MatchAct, apply_rest
from meshes.errors import Defect
from physics.outcome import rest_of, tolerance_mm
from physics.tower import Tower

ROUNDING_MM = 1e-3
"""Lengths worked out again on another machine may differ by as much."""
LEVELLING_MM = 0.1
"""A piece is levelled after its offset has been measured, which moves its nodes by less than this."""


def rest_defects(act: MatchAct, before: Tower) -> tuple[Defect, ...]:
    """What is wrong with `rest` and `offset_mm` of a legal act done on the tower `before`.

    Every pose must count as the placement of its piece, as in play (`physics.outcome.rest_of`); after squaring up all are exact.
    """
    if act.kind in (ActKind.KNOCKED_OVER, ActKind.RESIGNED) and act.rest:
        return (Defect("bad-rest", "rest", f"no poses go with an act of the kind {act.kind}"),)
    return tuple(_pose_defects(act, apply_rest(before, act), len(before.laid))) or tuple(_offset_defects(act, before))


def _pose_defects(act: MatchAct, after: Tower, new: int) -> Iterator[Defect]:
    told = [index for index, _ in act.rest]
    if len(set(told)) != len(told):
        yield Defect("bad-rest", "rest", "a piece is listed twice")
    if act.kind is ActKind.PLACED and new not in told:
        yield Defect("bad-rest", "rest", "the pose of the new piece is missing")
    allowed = ROUNDING_MM if act.squared_up else tolerance_mm(after) + ROUNDING_MM
    for index in range(len(after.laid)) if act.squared_up else told:
        laid = after.laid[index]
        rest = rest_of(after, after.piece_type(index), laid.pose)
        if rest is None or rest.placement != laid.placement or rest.offset_mm > allowed:
            message = f"piece {index} does not lie flat within {allowed:.3g} mm of its place, {laid.placement}"
            yield Defect("bad-rest", "rest", message)


def _offset_defects(act: MatchAct, before: Tower) -> Iterator[Defect]:
    offset = act.offset_mm
    if act.placement is None or (offset is None and act.kind is not ActKind.PLACED):
        if offset is not None:
            yield Defect("bad-offset", "offset_mm", "no piece was laid, so none can be off its place")
        return
    # a piece astray is measured from the nearest place, which is never farther than this
    most = tolerance_mm(before) if act.kind is ActKind.PLACED else before.piece_set.pitch_mm * len(act.placement.cells)
    if offset is None or not 0 <= offset <= most + ROUNDING_MM:
        yield Defect("bad-offset", "offset_mm", f"{offset} is no distance from 0 to {most:.4g} mm")
    elif act.kind is ActKind.PLACED and not act.squared_up:
        pose = dict(act.rest).get(len(before.laid))
        rest = rest_of(before, before.piece_set.by_name[act.placement.piece], pose) if pose else None
        if rest and abs(rest.offset_mm - offset) > LEVELLING_MM:
            yield Defect("bad-offset", "offset_mm", f"{offset} mm, but the piece rests {rest.offset_mm:.4g} mm off its place")
