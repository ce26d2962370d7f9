"""The chance that laying one piece brings others down, reckoned for many hands at once.

Each hand errs as `physics.hand.HandPath` has it err, and may topple the tower in three ways:

- *sweeping*: it carries the piece too low, meets laid pieces on its way and pushes them along, half a pitch or until they are off their
  supports;
- *loading*: the tower does not bear the piece where it comes to lie, by statics;
- *striking*: it would bear it, but the blow of the piece as it is let go tips it over. `fall_chance` simulates only this, only where statics
  can't rule it out, and no more than the last moment of it (`physics.touchdown`).

`fall_chance_by_engine` lets Bullet do the whole act with the same hands, which takes some thirty times as long near the edge and some hundred
times elsewhere. Given generators of the same seed both see the same hands one by one. A fall is a knock-over (RULES S42): a piece that slips off
alone does not count.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from meshes.placement import Placement
from physics.act import Outcome, place_by_hand
from physics.grip import Steadiness
from physics.hand import HandPath
from physics.load_cases import LoadCases
from physics.sweep import Sweep
from physics.touchdown import Touchdown
from physics.tower import Tower

CONFIDENCE = 0.95
MARGINS = 20
"""The margin costs more than the verdict, so it is reckoned for so many hands at most: those of the first share."""
_SHARE = MARGINS
"""So many hands are reckoned in one go, wherever that is."""
_START_S = 3.0
"""Helpers take a second or two to start, so what is done in so many seconds goes without them."""
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
    z, share = NormalDist().inv_cdf((1 + CONFIDENCE) / 2), hits / count
    middle, reach = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    scale = 1 + z * z / count
    # rounding must leave the share itself, and nothing beyond 0 and 1, inside
    return max(0.0, min(share, (middle - reach) / scale)), min(1.0, max(share, (middle + reach) / scale))


class _Share(NamedTuple):
    """Some of the hands that lay a piece, by their random streams."""

    tower: Tower
    placement: Placement
    steadiness: Steadiness
    streams: Sequence[np.random.Generator]
    margins: bool


class _Reckoned(NamedTuple):
    """`margins_mm` and `causes` of a share, as `Chance` has them."""

    margins_mm: tuple[float, ...]
    causes: tuple[Cause, ...]


def fall_chance(
    tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, *, hands: int = 200, helpers: Executor | None = None
) -> Chance:
    """The chance that a hand of this steadiness topples `tower` when it lays a piece at `placement`, from so many `hands`.

    `helpers` in other processes take some of the hands, which changes nothing in the answer. All laid pieces must lie flat, else raises `NotFlat`.
    200 hands take about a second and a half with 66 pieces that stand well, three to five where every blow has to be simulated, and up to fifteen
    where pieces jam as they tip.
    """
    streams = rng.spawn(hands)
    shares = [_Share(tower, placement, steadiness, streams[first : first + _SHARE], margins=not first) for first in range(0, hands, _SHARE)]
    parts = list(_shared(shares, helpers) if helpers else map(_reckoned, shares))
    return Chance(
        hands,
        sum(len(part.causes) for part in parts),
        tuple(margin for part in parts for margin in part.margins_mm),
        tuple(cause for part in parts for cause in part.causes),
    )


def _shared(shares: Sequence[_Share], helpers: Executor) -> Iterator[_Reckoned]:
    """All shares in order. If the second one shows that the rest takes long, helpers begin with the last and this process goes on with the next,
    until they meet. What a lost helper had is reckoned here."""
    yield from map(_reckoned, shares[:1])  # with the margins, and with all that is remembered from then on
    began = time.perf_counter()
    yield from map(_reckoned, shares[1:2])
    rest = shares[2:]
    if (time.perf_counter() - began) * len(rest) < _START_S:
        yield from map(_reckoned, rest)
        return
    handed: list[Future[_Reckoned]] = [helpers.submit(_reckoned, share) for share in reversed(rest)]
    for share, future in zip(rest, reversed(handed), strict=True):
        try:
            # a pool calls a share running long before a process is there to run it
            none_came = future.cancel() or not any(one.done() and not one.cancelled() for one in handed)
            yield _reckoned(share) if none_came else future.result()
        except BrokenExecutor:
            yield _reckoned(share)


def _reckoned(share: _Share) -> _Reckoned:
    tower, placement, steadiness, streams, with_margins = share
    cases, sweep = LoadCases(tower, placement), Sweep(tower, placement)
    margins: list[float] = []
    causes: list[Cause] = []
    with Touchdown(tower, placement) as touchdown:
        for path in (HandPath(tower, placement, steadiness, stream) for stream in streams):
            case = cases.at(path.letting_go)
            if with_margins:
                margins.append(cases.margin_mm(case))
            if sweep.topples(path):
                causes.append(Cause.SWEPT)
            elif ready := cases.ready(case):
                if cases.falls(case):
                    causes.append(Cause.LOADED)
                elif touchdown.topples(path, ready):
                    causes.append(Cause.STRUCK)
    return _Reckoned(tuple(margins), tuple(causes))


def fall_chance_by_engine(
    tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, *, hands: int = 200, part: slice = _ALL
) -> Chance:
    """The same by Bullet: every hand really lays the piece and the table is watched until all is at rest. About a second a hand.

    `part`: only these of the hands, so that several processes can share the work.
    """
    streams = rng.spawn(hands)[part]
    outcomes = [place_by_hand(tower, placement, steadiness, stream).outcome for stream in streams]
    return Chance(len(streams), outcomes.count(Outcome.KNOCKED_OVER), slips=outcomes.count(Outcome.TAKEN_BACK))
