"""The chance that laying one piece brings others down, reckoned for many hands at once.

Each hand errs as `physics.hand.HandPath` has it err, and may topple the tower in three ways:

- *sweeping*: it carries the piece too low, meets laid pieces on its way and pushes them along, half a pitch or until they are off their
  supports;
- *loading*: the tower does not bear the piece where it comes to lie, by statics;
- *striking*: it would bear it, but the blow of the piece as it is let go tips it over. `fall_chance` simulates only this, only where statics
  can't rule it out, and no more than the last moment of it (`physics.touchdown`).

`fall_chance_by_engine` lets Bullet do the whole act with the same hands, which takes some twenty times as long near the edge and some hundred
times elsewhere. Given generators of the same seed both see the same hands one by one. A fall is a knock-over (RULES S42): a piece that slips off
alone does not count.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from scipy.special import ndtri

from meshes.placement import Placement
from physics.act import Outcome, place_by_hand
from physics.grip import Steadiness
from physics.hand import HandPath
from physics.load_cases import LoadCases
from physics.sweep import Sweep
from physics.touchdown import Touchdown
from physics.tower import Tower

CONFIDENCE = 0.95
MARGINS = 25
"""The margin costs more than the verdict, so it is reckoned for so many hands at most."""
_ALL = slice(None)


class Cause(Enum):
    """What topples a tower."""

    SWEPT = "swept along"
    LOADED = "not borne"
    STRUCK = "tipped by the blow"


@dataclass(frozen=True, slots=True)
class Chance:
    """How often a tower fell: `falls` of `hands`, their `rate`, and the Wilson 95 % interval from `low` to `high`.

    `margins_mm`: for each of the first `MARGINS` hands the shrink margin of the tower with the piece on it (`physics.statics.Shrink`), below
    zero where it does not stand, whatever the hand did on its way. `causes`: why it fell, one for each fall. Both are empty from the engine.
    `slips`: hands whose own piece alone did not stay in its place; None from `fall_chance`, which does not tell.
    """

    hands: int
    falls: int
    margins_mm: tuple[float, ...] = ()
    causes: tuple[Cause, ...] = ()
    slips: int | None = None

    @property
    def rate(self) -> float:
        """Share of hands that topple the tower, 0–1."""
        return self.falls / self.hands

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return _wilson(self.falls, self.hands)[0]

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return _wilson(self.falls, self.hands)[1]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        causes = {cause.value: self.causes.count(cause) for cause in Cause}
        counted = {"hands": self.hands, "falls": self.falls, "rate": self.rate, "low": self.low, "high": self.high}
        return counted | {"slips": self.slips, "margins_mm": list(self.margins_mm), "causes": causes}


def _wilson(hits: int, count: int) -> tuple[float, float]:
    """The score interval at `CONFIDENCE` of the share of `hits` among `count` (Wilson 1927)."""
    z, share = float(ndtri((1 + CONFIDENCE) / 2)), hits / count
    middle, reach = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    scale = 1 + z * z / count
    # rounding must leave the share itself, and nothing beyond 0 and 1, inside
    return max(0.0, min(share, (middle - reach) / scale)), min(1.0, max(share, (middle + reach) / scale))


def fall_chance(tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, *, hands: int = 200) -> Chance:
    """The chance that a hand of this steadiness topples `tower` when it lays a piece at `placement`, from so many `hands`.

    All laid pieces must lie flat, else raises `NotFlat`. 200 hands take about two seconds with 66 pieces that stand well, some five where every
    blow has to be simulated, and up to fifteen where pieces jam as they tip.
    """
    cases, sweep, touchdown = LoadCases(tower, placement), Sweep(tower, placement), Touchdown(tower, placement)
    margins: list[float] = []
    causes: list[Cause] = []
    for path in _paths(tower, placement, steadiness, rng, hands):
        case = cases.at(path.letting_go)
        if len(margins) < MARGINS:
            margins.append(cases.margin_mm(case))
        if sweep.topples(path):
            causes.append(Cause.SWEPT)
        elif ready := cases.ready(case):
            if cases.falls(case):
                causes.append(Cause.LOADED)
            elif touchdown.topples(path, ready):
                causes.append(Cause.STRUCK)
    return Chance(hands, len(causes), tuple(margins), tuple(causes))


def fall_chance_by_engine(
    tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, *, hands: int = 200, part: slice = _ALL
) -> Chance:
    """The same by Bullet: every hand really lays the piece and the table is watched until all is at rest. About a second a hand.

    `part`: only these of the hands, so that several processes can share the work.
    """
    streams = rng.spawn(hands)[part]
    outcomes = [place_by_hand(tower, placement, steadiness, stream).outcome for stream in streams]
    return Chance(len(streams), outcomes.count(Outcome.KNOCKED_OVER), slips=outcomes.count(Outcome.TAKEN_BACK))


def _paths(tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, hands: int) -> Iterator[HandPath]:
    for stream in rng.spawn(hands):
        yield HandPath(tower, placement, steadiness, stream)
