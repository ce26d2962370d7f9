"""The judge: what becomes of a piece that is put somewhere. Node by node, then the whole tower."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from meshes.lattice import Cell
from meshes.piece_set import PieceSet, PieceType
from meshes.placement import Placement
from physics.contact import FLAT_TILT_DEG, TABLE, NotFlat
from physics.overlap import Overlap, node_centres, nodes_at, overlaps, surface_under
from physics.pose import Pose, Vector
from physics.statics import Fall, Stability, tower_stability
from physics.tower import ALIGN_TOLERANCE, Tower, placement_at

if TYPE_CHECKING:
    from physics.settle import Settled

EXACT_MM = 0.2
"""A node this near to the one below is aligned: what a settled tower drifts is less, and no eye sees it."""


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """One node. `cell`: the cell it is nearest to. `error_mm`: distance to the nearest node below, on the table to the middle of its
    cell; None if the layer below has no nodes. `uncovered`: the share of its disc with no node's disc below, 0–1."""

    cell: Cell
    error_mm: float | None
    uncovered: float
    aligned: bool
    within_tolerance: bool
    overhanging: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of `piece` at `pose` (which lies on `layer`, 0 = table, unless the piece leans).

    `placement`: the nearest exact one; `offset_mm`, `turn_deg`: how far the piece's middle and its turn are from it (a UNI has no turn).
    `overlaps`: laid pieces it would cut into. `stability`: of the tower with the piece; None if pieces lean, `leaning`: which (the
    new piece's index is the number of laid ones). `settled`: what Bullet says, if asked.
    """

    piece: str
    pose: Pose
    layer: int
    nodes: tuple[NodeVerdict, ...]
    placement: Placement
    offset_mm: float
    turn_deg: float
    tolerance_mm: float
    overlaps: tuple[Overlap, ...]
    stability: Stability | None
    leaning: tuple[int, ...]
    names: tuple[str, ...]
    """What to call each piece of the tower, the new one last."""
    settled: Settled | None = None

    @property
    def aligned(self) -> bool:
        """Every node exactly over one below (`EXACT_MM`)."""
        return all(node.aligned for node in self.nodes)

    @property
    def within_tolerance(self) -> bool:
        """Every node near enough to count as placed (`ALIGN_TOLERANCE`)."""
        return all(node.within_tolerance for node in self.nodes)

    @property
    def overhanging(self) -> bool:
        """Some node has less below it than alignment within `EXACT_MM` would leave."""
        return any(node.overhanging for node in self.nodes)

    @property
    def overlapping(self) -> bool:
        """The piece would cut into a laid one."""
        return bool(self.overlaps)

    @property
    def stable(self) -> bool | None:
        """Whether the tower would stand by statics; None if it can't say, as pieces lean."""
        return None if self.stability is None else self.stability.stable

    @property
    def agreement(self) -> bool | None:
        """Whether statics and Bullet agree; None unless both were asked and could answer."""
        return None if self.settled is None or self.stable is None else self.settled.stands == self.stable

    def words(self) -> list[str]:
        """The verdict in a player's words, one sentence a fact."""
        return list(_words(self))

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain values for JSON; pieces by index."""
        return {
            "piece": self.piece,
            "pose": asdict(self.pose),
            "layer": self.layer,
            "placement": str(self.placement),
            "offset_mm": self.offset_mm,
            "turn_deg": self.turn_deg,
            "nodes": [asdict(node) for node in self.nodes],
            "aligned": self.aligned,
            "within_tolerance": self.within_tolerance,
            "overhanging": self.overhanging,
            "overlaps": [overlap._asdict() for overlap in self.overlaps],
            "leaning": list(self.leaning),
            "stability": stability_json(self.stability),
            "settled": settled_json(self.settled),
            "agreement": self.agreement,
            "words": self.words(),
        }


def judge(tower: Tower, piece: PieceType, pose: Pose, *, layer: int | None = None, margins: bool = True, settle: bool = False) -> Verdict:
    """Judge `piece` put down at `pose` on `layer`, by default on the highest surface under its nodes' discs; a flat pose's own z does not count.

    Rules of the game are not looked at. `margins`: also how far from falling the tower would be. `settle`: ask Bullet too
    (a second or more), unless the piece would overlap another.
    """
    piece_set = tower.piece_set
    centres = node_centres(piece_set, piece, pose)
    if layer is None:
        layer = round(surface_under(tower, centres) / piece_set.thickness_mm)
    if pose.tilt_deg <= FLAT_TILT_DEG:
        pose = Pose.flat(pose.x, pose.y, layer * piece_set.thickness_mm, pose.yaw_deg)
    placement = placement_at(piece_set, piece, pose, layer)
    cut = overlaps(tower, piece, pose)
    after = tower.with_piece(placement, pose)
    stability, leaning = _stability(after, margins)
    offset_mm, turn_deg = _offset(piece_set, piece, pose, placement, centres)
    return Verdict(
        piece=piece.name,
        pose=pose,
        layer=layer,
        nodes=tuple(_nodes(tower, centres, layer)),
        placement=placement,
        offset_mm=offset_mm,
        turn_deg=turn_deg,
        tolerance_mm=ALIGN_TOLERANCE * piece_set.radius_mm,
        overlaps=cut,
        stability=stability,
        leaning=leaning,
        names=(*piece_names(tower), f"the new {piece.name}"),
        settled=_settled(after) if settle and not cut else None,
    )


def covered_share(distance_mm: float, radius_mm: float) -> float:
    """The share of a disc that another of the same radius covers whose centre is `distance_mm` away: the lens of two circles, exact."""
    if distance_mm >= 2 * radius_mm:
        return 0.0
    half = distance_mm / (2 * radius_mm)
    return 2 / math.pi * (math.acos(half) - half * math.sqrt(1 - half * half))


def _nodes(tower: Tower, centres: Vector, layer: int) -> Iterator[NodeVerdict]:
    """Discs below don't overlap each other, as pieces don't, so covered shares add up."""
    piece_set = tower.piece_set
    below, radius = nodes_at(tower, layer * piece_set.thickness_mm), piece_set.radius_mm
    allowed = 1 - covered_share(EXACT_MM, radius)
    for x, y, _ in centres.tolist():
        cell = piece_set.lattice.nearest(x, y, piece_set.pitch_mm)
        if layer == 0:
            distances = [math.dist((x, y), piece_set.lattice.position(cell, piece_set.pitch_mm))]
            uncovered = 0.0
        else:
            distances = np.hypot(*(below - (x, y)).T).tolist()
            uncovered = max(0.0, 1 - sum(covered_share(distance, radius) for distance in distances))
        error = min(distances, default=None)
        yield NodeVerdict(
            cell=cell,
            error_mm=error,
            uncovered=uncovered,
            aligned=error is not None and error <= EXACT_MM,
            within_tolerance=error is not None and error <= ALIGN_TOLERANCE * radius,
            overhanging=uncovered > allowed,
        )


def _offset(piece_set: PieceSet, piece: PieceType, pose: Pose, placement: Placement, centres: Vector) -> tuple[float, float]:
    """How far (mm) the middle of the nodes and (degrees) the turn are from the exact placement."""
    exact = piece_set.places_mm(placement.cells).mean(axis=0)
    turn = piece_set.lattice.turn_deg
    turned = 0.0 if piece.is_uni else pose.yaw_deg - turn * round(pose.yaw_deg / turn)
    return float(np.hypot(*(centres[:, :2].mean(axis=0) - exact))), turned


def _stability(tower: Tower, margins: bool) -> tuple[Stability | None, tuple[int, ...]]:
    try:
        return tower_stability(tower, margins=margins), ()
    except NotFlat as error:
        return None, error.pieces


def _settled(tower: Tower) -> Settled:
    from physics.settle import settle  # loads Bullet, which a verdict by statics alone never needs

    return settle(tower)


def _words(verdict: Verdict) -> Iterator[str]:
    yield _place_words(verdict)
    for node in verdict.nodes:
        if node.overhanging and node.error_mm is not None:
            yield f"Its node at {node.cell[0]},{node.cell[1]} hangs over: {node.uncovered:.0%} of it has no node below."
        elif node.error_mm is None:
            yield f"Its node at {node.cell[0]},{node.cell[1]} has nothing below at all."
    for overlap in verdict.overlaps:
        yield f"It would cut {overlap.depth_mm:.1f} mm into {verdict.names[overlap.piece]}."
    yield stability_words(verdict.stability, verdict.leaning, verdict.names)
    if verdict.settled is not None:
        yield settled_words(verdict.settled)


def _place_words(verdict: Verdict) -> str:
    where = f"its place on layer {verdict.layer}"
    if verdict.aligned:
        return f"The {verdict.piece} lies exactly in {where}."
    turned = f" and is turned by {verdict.turn_deg:.1f}°" if abs(verdict.turn_deg) >= 0.05 else ""
    off = f"The {verdict.piece} lies {verdict.offset_mm:.1f} mm off {where}{turned}"
    if verdict.within_tolerance:
        return f"{off}; that still counts, as no node is more than {verdict.tolerance_mm:.1f} mm off."
    return f"{off}; that does not count, as nodes may be {verdict.tolerance_mm:.1f} mm off at most."


def piece_names(tower: Tower) -> tuple[str, ...]:
    """What to call each piece of a tower: its type and its index."""
    return tuple(f"{laid.placement.piece} {index}" for index, laid in enumerate(tower.laid))


def overlap_words(cuts: Sequence[tuple[int, int, float]], names: Sequence[str]) -> list[str]:
    """One sentence for each of what `tower_overlaps` found."""
    return [f"{names[j]} cuts {depth:.1f} mm into {'the table' if i == TABLE else names[i]}." for i, j, depth in cuts]


def stability_words(stability: Stability | None, leaning: Sequence[int], names: Sequence[str]) -> str:
    """One sentence on whether a tower stands; `leaning` are the pieces because of which statics can't say."""
    if stability is None:
        listed = " and ".join(names[piece] for piece in leaning)
        return f"Whether it stands can't be told by balance alone: {listed} does not lie flat."
    if stability.fall is not None:
        return f"The tower would fall, first {_fall_words(names, stability.fall)}."
    held = "The tower stands, but only friction holds it" if stability.needs_friction else "The tower stands"
    if stability.tilt is None or stability.shrink is None:
        return f"{held}."
    spare = f"the table could be tilted by {stability.tilt.deg:.1f}° before it falls or slides, first {_fall_words(names, stability.tilt.fall)}"
    return f"{held}: {spare}; every touching area could lose {max(0.0, stability.shrink.mm):.1f} mm all round."


def settled_words(settled: Settled) -> str:
    """One sentence on what Bullet says."""
    if settled.stands:
        return f"Let go in the physics, it stands; nothing moved more than {settled.moved_mm:.2f} mm."
    moving = "" if settled.quiet else f" and still moves after {settled.seconds:.1f} s"
    if settled.fallen:
        count = len(settled.fallen)
        return f"Let go in the physics, it falls{moving}: {count} piece{'s leave their places' if count > 1 else ' leaves its place'}."
    return f"Let go in the physics, it does not come to rest: nothing has left its place, but it still moves after {settled.seconds:.1f} s."


def settled_json(settled: Settled | None) -> dict[str, Any] | None:
    """What Bullet says as plain values."""
    return None if settled is None else {"stands": settled.stands, "moved_mm": settled.moved_mm, "quiet": settled.quiet}


def overlaps_json(cuts: Sequence[tuple[int, int, float]]) -> list[dict[str, Any]]:
    """What `tower_overlaps` found as plain values; pieces by index, -1 the table."""
    return [{"pieces": [i, j], "depth_mm": depth} for i, j, depth in cuts]


def _fall_words(names: Sequence[str], fall: Fall) -> str:
    others = len(fall.moving) - 1
    company = "" if others == 0 else " and one more" if others == 1 else f" and {others} more"
    return f"{names[fall.first]}{company}"


def stability_json(stability: Stability | None) -> dict[str, Any] | None:
    """The answer of statics as plain values; pieces by index."""
    if stability is None:
        return None
    shrink, tilt = stability.shrink, stability.tilt
    return {
        "stable": stability.stable,
        "needs_friction": stability.needs_friction,
        "fall": None if stability.fall is None else stability.fall._asdict(),
        "shrink": None if shrink is None else {"mm": shrink.mm, "fall": shrink.fall._asdict()},
        "tilt": None if tilt is None else {"deg": tilt.deg, "towards_deg": tilt.towards_deg, "fall": tilt.fall._asdict()},
    }
