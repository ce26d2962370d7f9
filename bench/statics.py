"""Statics: is it right to 1e-6 of closed forms, and how fast is a verdict?"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from functools import partial

from bench.blocks import blocks, cubes, edge_between, four_in_three, harmonic, harmonic_overhang, overhang
from bench.finding import Benchmark, Finding, at_most, equal, waited
from bench.towers import full_tower
from physics.judge import judge
from physics.statics import equilibrium
from physics.tower import Tower, exact_pose


def closed_forms(smoke: bool) -> Iterator[Finding]:
    """Edges found by bisection beside their closed forms."""
    for count in (3,) if smoke else range(1, 9):
        edge = edge_between(partial(_harmonic_stands, count), -0.01, 0.01, within=1e-8)
        found = overhang(harmonic(count, edge))
        yield equal(f"harmonic stack of {count}", found, "lengths", harmonic_overhang(count), "H_n / 2", within=1e-6)
    edge = edge_between(lambda beyond: _stands(four_in_three(beyond), friction=0.0), -0.01, 0.01, within=1e-8)
    found = overhang(four_in_three(edge))
    yield equal("four blocks in three levels", found, "lengths", (15 - 4 * math.sqrt(2)) / 8, "(15 − 4√2) / 8", within=1e-6)
    for count in (2,) if smoke else (1, 2, 3, 5, 8):
        tilt = equilibrium(*cubes(count), friction=3.0).tilt
        assert tilt is not None
        yield equal(f"{count} cubes tip", tilt.deg, "°", math.degrees(math.atan(1 / count)), "atan(1/n)", within=1e-6)
    for friction in (0.1, 0.45):
        tilt = equilibrium(*cubes(2), friction=friction).tilt
        assert tilt is not None
        yield equal(f"cubes slide at μ = {friction}", tilt.deg, "°", math.degrees(math.atan(friction)), "atan(μ)", within=1e-6)


_FULL = (349, 832, 876, 1359, 1571, 2006, 2483)
"""Seeds of random rounds that lay all 66 pieces: how long the margins take depends much on the tower."""


def speed(smoke: bool) -> Iterator[Finding]:
    """Median time of a verdict without Bullet, with and without the margins, over several towers."""
    full = [full_tower(66, seed) for seed in (_FULL[:1] if smoke else _FULL)]
    for pieces, verdict_ms, margins_ms in ((12, 5.0, 30.0), (66, 50.0, 200.0)):
        exact = [Tower(tower.piece_set, tower.laid[:pieces]) for tower in full]
        off = [_moved(tower, number) for number, tower in enumerate(exact)]
        for margins, limit in ((False, verdict_ms), (True, margins_ms)):
            for how, towers in (("exactly laid", exact), ("0.3 mm off", off)):
                spent = [waited(partial(_judge_last, tower, margins), repeats=3 if smoke else 7) for tower in towers]
                what = "with both margins" if margins else "verdict"
                yield at_most(f"judge, {pieces} pieces {how}, {what}", statistics.median(spent) * 1000, "ms", limit)


def _harmonic_stands(count: int, beyond: float) -> bool:
    return _stands(harmonic(count, beyond))


def _stands(places: list[tuple[int, float]], *, friction: float = 0.5) -> bool:
    return equilibrium(*blocks(places), friction=friction, margins=False).stable


def _moved(tower: Tower, number: int) -> Tower:
    """A tower with each piece by a fraction of a mm off its place, so that no two towers share a cached patch."""
    poses = []
    for index, laid in enumerate(tower.laid):
        pose, angle = laid.pose, 2.4 * index + number
        poses.append(type(pose)(pose.x + 0.3 * math.cos(angle), pose.y + 0.3 * math.sin(angle), pose.z, pose.rotation))
    return tower.with_poses(poses)


def _judge_last(tower: Tower, margins: bool) -> None:
    """Judge the last piece of a tower on all its others."""
    *others, last = tower.laid
    piece, pose = tower.piece_set.piece(last.placement.piece), exact_pose(tower.piece_set, last.placement)
    judge(Tower(tower.piece_set, tuple(others)), piece, pose, layer=last.placement.layer, margins=margins)


BENCHMARKS = (
    Benchmark("closed-forms", "Does statics agree with closed forms to 1e-6?", closed_forms),
    Benchmark("judge", "How long does a verdict without Bullet take?", speed),
)
