"""Judgements: what physics and the rules say together, of a tower as it stands or of a piece put down on it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from games.errors import Violation
from games.match import Table
from games.stakd.state import State
from games.tower_file import position_table
from meshes.errors import StakdError
from physics.contact import NotFlat, tower_contacts
from physics.grip import STEADINESS
from physics.judge import Verdict, judge, overlap_words, overlaps_json, piece_names, settled_json, settled_words, stability_json, stability_words
from physics.overlap import tower_overlaps
from physics.pose import Pose
from physics.statics import Stability, tower_stability

if TYPE_CHECKING:
    from physics.chance import Chance
    from physics.settle import Settled


Cuts = tuple[tuple[int, int, float], ...]
"""What `tower_overlaps` gives: which two pieces (-1: the table), and how deep in mm."""

FARTHEST_MM, MOST_TURN_DEG = 10_000.0, 3600.0
_TOLD_MM = 0.1
"""A place nearer than this is the one that was asked for."""


class BadPose(StakdError):
    """A pose is no number or far beyond any table."""

    def __init__(self, x_mm: float, y_mm: float, yaw_deg: float) -> None:
        self.x_mm, self.y_mm, self.yaw_deg = x_mm, y_mm, yaw_deg
        limits = f"x and y must be within ±{FARTHEST_MM:g} mm, yaw within ±{MOST_TURN_DEG:g}°"
        super().__init__(f"x = {x_mm:g} mm, y = {y_mm:g} mm, yaw = {yaw_deg:g}° is no pose on the table: {limits}")


@dataclass(frozen=True, slots=True)
class PieceJudgement:
    """A piece put down on a table. `violations` are the rules its nearest placement breaks, None if no state says whose turn it is.

    `cuts`: laid pieces that cut into each other already (`physics.overlap.tower_overlaps`), so that no such tower can be. `chance`: how often hands
    of the level `hand` knock the tower over that lay the piece in its nearest place, if that was asked.
    """

    verdict: Verdict
    violations: tuple[Violation, ...] | None
    cuts: Cuts = ()
    hand: str = ""
    chance: Chance | None = None

    @property
    def holds(self) -> bool:
        """Whether the piece may lie there and the tower stands: near enough to a legal place, free of others, stable."""
        verdict = self.verdict
        falls = verdict.settled is not None and not verdict.settled.stands
        lies = verdict.within_tolerance and not verdict.overlapping and not self.cuts
        return lies and verdict.stable is True and not falls and not self.violations

    def words(self) -> list[str]:
        """One sentence a fact."""
        if self.violations is None:
            rules = ["The rules are not judged: the file says nothing of hands and turns."]
        elif not self.violations:
            rules = [f"The rules allow it as {self.verdict.placement}."]
        else:
            rules = [f"The rules forbid it: {violation.message} [{violation.rule}]" for violation in self.violations]
        return [*self.verdict.words(), *overlap_words(self.cuts, self.verdict.names), *rules, *self._chance_words()]

    def _chance_words(self) -> Iterator[str]:
        if self.chance is not None:
            rate, low, high = (f"{share:.1%}" for share in (self.chance.rate, self.chance.low, self.chance.high))
            off_mm = self.verdict.offset_mm
            away = "" if off_mm < _TOLD_MM else f" (the nearest place, {off_mm:.1f} mm from there)"
            hands = f"{self.chance.hands} {self.hand} hands that lay it as {self.verdict.placement}{away}"
            yield f"Of {hands} {rate} knock the tower over ({low} to {high} at 95 % confidence)."
            yield "Hands whose own piece alone slips off are not among those; in a match it is taken back."

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        violations = None if self.violations is None else [violation.to_json() for violation in self.violations]
        judged = {"laid_overlaps": overlaps_json(self.cuts), "violations": violations, "holds": self.holds, "words": self.words()}
        chance = {} if self.chance is None else {"hand": self.hand, "chance": self.chance.to_json()}
        return {**self.verdict.to_json(), **judged, **chance}


@dataclass(frozen=True, slots=True)
class TowerJudgement:
    """A tower as it stands. `stability` is None if pieces lean (`leaning`, by index). `cuts`: pieces that cut into each other or the
    table; then Bullet is not asked, as it would throw them apart."""

    stability: Stability | None
    leaning: tuple[int, ...]
    cuts: Cuts
    settled: Settled | None
    names: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether such a tower can be and stands, by every witness asked."""
        stands = self.stability is not None and self.stability.stable and not self.cuts
        return stands and (self.settled is None or self.settled.stands)

    def words(self) -> list[str]:
        """One sentence a fact."""
        bullet = [] if self.settled is None else [settled_words(self.settled)]
        return [*overlap_words(self.cuts, self.names), stability_words(self.stability, self.leaning, self.names), *bullet]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "pieces": len(self.names),
            "overlaps": overlaps_json(self.cuts),
            "stability": stability_json(self.stability),
            "leaning": list(self.leaning),
            "settled": settled_json(self.settled),
            "holds": self.holds,
            "words": self.words(),
        }


def judge_piece(
    table: Table, piece: str, x_mm: float, y_mm: float, yaw_deg: float, *, layer: int | None = None, settle: bool = False
) -> PieceJudgement:
    """Judge `piece` put down flat at a free pose: its own cell 0,0 at (x, y) mm, turned by `yaw_deg`. Raises `UnknownPiece`, `BadPose`."""
    if not (abs(x_mm) <= FARTHEST_MM and abs(y_mm) <= FARTHEST_MM and abs(yaw_deg) <= MOST_TURN_DEG):
        raise BadPose(x_mm, y_mm, yaw_deg)
    tower = table.tower
    pose = Pose.flat(x_mm, y_mm, 0.0, yaw_deg)
    verdict = judge(tower, tower.piece_set.piece(piece), pose, layer=layer, settle=settle)
    violations = table.state.explain(verdict.placement) if table.state else None
    return PieceJudgement(verdict, violations, tower_overlaps(tower))


def with_chance(judgement: PieceJudgement, table: Table, hand: str, seed: int, *, helpers: Executor | None = None) -> PieceJudgement:
    """The judgement of a piece on a table together with the chance that a hand of this level knocks it over; `helpers` share in reckoning it.

    Raises `StakdError` if laid pieces lean, if the place is taken, or if nothing bears the piece there.
    """
    from physics.chance import fall_chance  # loads Bullet, which a judgement by statics alone never needs

    verdict = judgement.verdict
    if verdict.overlapping:
        there = ", ".join(verdict.names[overlap.piece] for overlap in verdict.overlaps)
        raise StakdError(f"a hand can't lay the {verdict.piece} where {there} is; judge a free place, or leave --hand out")
    new = len(table.tower.laid)
    if not any(contact.upper == new for contact in tower_contacts(table.tower.with_piece(verdict.placement))):
        raise StakdError(f"nothing bears {verdict.placement}, so no hand can lay it there; judge another place, or leave --hand out")
    chance = fall_chance(table.tower, verdict.placement, STEADINESS[hand], np.random.default_rng(seed), helpers=helpers)
    return replace(judgement, hand=hand, chance=chance)


def judge_tower(table: Table, *, settle: bool = False) -> TowerJudgement:
    """Judge a tower as it stands; with `settle` by Bullet too."""
    tower = table.tower
    cuts = tower_overlaps(tower)
    settled = _settled(table) if settle and not cuts else None
    try:
        return TowerJudgement(tower_stability(tower), (), cuts, settled, piece_names(tower))
    except NotFlat as error:
        return TowerJudgement(None, error.pieces, cuts, settled, piece_names(tower))


def engine_judge(state: State, piece: str, *, x_mm: float, y_mm: float, yaw_deg: float, layer: int | None) -> dict[str, Any]:
    """What the engine protocol's `judge` answers: the verdict on the state's tower, every laid piece exactly in its place."""
    return judge_piece(position_table(state), piece, x_mm, y_mm, yaw_deg, layer=layer).to_json()


def _settled(table: Table) -> Settled:
    from physics.settle import settle  # loads Bullet, which a judgement by statics alone never needs

    return settle(table.tower)
