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

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from meshes.interval import share_interval
from meshes.placement import Placement
from physics.act import Outcome, place_by_hand
from physics.grip import Steadiness
from physics.hand import HandPath
from physics.load_cases import LoadCases
from physics.sweep import Sweep
from physics.touchdown import Touchdown
from physics.tower import Tower

MARGINS = 20
"""The margin costs more than the verdict, so it is reckoned for so many hands at most: the first ones."""
_SHARE = 10
"""So many hands are reckoned in one go: few, as who is done first waits for the last share of another."""
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
        return share_interval(self.rate, self.hands)[0]

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return share_interval(self.rate, self.hands)[1]

    def __add__(self, other: Chance) -> Chance:
        """By the hands of both, `other`'s after these. What one of them does not tell, the sum does not."""
        slips = None if self.slips is None or other.slips is None else self.slips + other.slips
        margins, causes = self.margins_mm + other.margins_mm, self.causes + other.causes
        return Chance(self.hands + other.hands, self.falls + other.falls, margins, causes, slips)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        causes = {cause.value: self.causes.count(cause) for cause in Cause}
        counted = {"hands": self.hands, "falls": self.falls, "rate": self.rate, "low": self.low, "high": self.high}
        return counted | {"slips": self.slips, "margins_mm": list(self.margins_mm), "causes": causes}


class Share(NamedTuple):
    """Some of the hands that lay a piece, by their random streams, to be reckoned in one go wherever that is; with or without their margins."""

    tower: Tower
    placement: Placement
    steadiness: Steadiness
    streams: Sequence[np.random.Generator]
    margins: bool


def shares(tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, hands: int) -> list[Share]:
    """The hands of `fall_chance` in the order in which they come."""
    streams = rng.spawn(hands)
    return [Share(tower, placement, steadiness, streams[first : first + _SHARE], first < MARGINS) for first in range(0, hands, _SHARE)]


def reckoned(share: Share) -> Chance:
    """The chance by these hands alone. Raises `NotFlat` if a laid piece leans."""
    tower, placement, steadiness, streams, with_margins = share
    cases, sweep = LoadCases(tower, placement), Sweep(tower, placement)
    margins: list[float] = []
    causes: list[Cause] = []
    with Touchdown(tower, placement) as touchdown:
        for path in (HandPath(tower, placement, steadiness, stream) for stream in streams):
            case = cases.at(path.letting_go)
            if with_margins:
                margins.append(cases.margin_mm(case))
            if not cases.stands:
                causes.append(Cause.LOADED)
            elif sweep.topples(path):
                causes.append(Cause.SWEPT)
            elif ready := cases.ready(case):
                if cases.falls(case):
                    causes.append(Cause.LOADED)
                elif touchdown.topples(path, ready):
                    causes.append(Cause.STRUCK)
    return Chance(len(streams), len(causes), tuple(margins), tuple(causes))


def fall_chance(
    tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, *, hands: int = 200, helpers: Executor | None = None
) -> Chance:
    """The chance that a hand of this steadiness topples `tower` when it lays a piece at `placement`, from so many `hands`.

    `helpers` in other processes take some of the hands as soon as they have started, which changes nothing in the answer. All laid pieces must lie
    flat, else raises `NotFlat`. A tower that does not stand by itself falls with every hand. What a piece that nothing bears strikes farther down is
    not looked at.

    200 hands take one core about a second and a half with 66 pieces that stand well, four to five where every blow has to be simulated, up to ten
    where pieces jam as they tip, and some twenty where a large one sways on a single disc.
    """
    parts = shares(tower, placement, steadiness, rng, hands)
    return together(_helped(parts, helpers) if helpers else map(reckoned, parts))


def together(parts: Iterable[Chance]) -> Chance:
    """The chance by the hands of all `parts`, one after the other."""
    return reduce(add, parts)


def _helped(parts: Sequence[Share], helpers: Executor) -> Iterator[Chance]:
    """All parts in order. Helpers begin with the last and this process with the first, until they meet. What a lost helper had is reckoned here."""
    try:
        handed: list[Future[Chance]] = [helpers.submit(reckoned, part) for part in reversed(parts)]
    except BrokenExecutor:
        yield from map(reckoned, parts)
        return
    for part, future in zip(parts, reversed(handed), strict=True):
        try:
            # a pool calls a part running long before a process is there to run it
            none_came = future.cancel() or not any(one.done() and not one.cancelled() for one in handed)
            yield reckoned(part) if none_came else future.result()
        except BrokenExecutor:
            yield reckoned(part)


def fall_chance_by_engine(
    tower: Tower, placement: Placement, steadiness: Steadiness, rng: np.random.Generator, *, hands: int = 200, part: slice = _ALL
) -> Chance:
    """The same by Bullet: every hand really lays the piece and the table is watched until all is at rest. About a second a hand.

    `part`: only these of the hands, so that several processes can share the work.
    """
    streams = rng.spawn(hands)[part]
    outcomes = [place_by_hand(tower, placement, steadiness, stream).outcome for stream in streams]
    return Chance(len(streams), outcomes.count(Outcome.KNOCKED_OVER), slips=outcomes.count(Outcome.TAKEN_BACK))
