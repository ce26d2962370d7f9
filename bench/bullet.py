"""Bullet: does it agree with closed forms and with statics, do towers stand, and does it keep up with real time?"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.blocks import edge_between
from bench.finding import Benchmark, Finding, at_least, at_most, equal, seconds
from bench.towers import full_tower, random_tower, slender_towers
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from meshes.solid import box
from physics.engine import DEFAULT
from physics.knock import shove
from physics.nodes import TowerNodes
from physics.overlap import overlaps
from physics.pose import Pose
from physics.scene import Scene
from physics.settle import settle, stand
from physics.statics import Stability, tower_stability
from physics.tower import Tower
from physics.watch import fallen_pieces
from physics.world import World

DECIDED_MM = 0.5
"""Stacks with more margin than this must be judged alike by both witnesses."""
ANGLE_DEG, OVERHANG = 0.3, 0.005
"""How far Bullet may be off closed forms: degrees, block lengths."""
_EDGES_MM = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, math.inf)


def closed_forms(smoke: bool) -> Iterator[Finding]:
    """Angles at which boxes tip and slide, and the overhang at which one falls, found by bisection to a tenth of what is allowed."""
    for length, height in ((25.0, 40.0),) if smoke else ((20.0, 60.0), (25.0, 40.0), (25.6, 10.0 * 5)):
        truth = math.degrees(math.atan(length / height))
        found = edge_between(partial(_keeps_upright, length, height), truth - 2, truth + 2, within=ANGLE_DEG / 10)
        yield equal(f"box {length:g} × {height:g} tips", found, "°", truth, "atan(l/h)", within=ANGLE_DEG)
    for friction in (0.45,) if smoke else (0.2, 0.45, 0.8):
        truth = math.degrees(math.atan(friction))
        found = edge_between(partial(_sticks, friction), truth - 2, truth + 2, within=ANGLE_DEG / 10)
        yield equal(f"block slides at μ = {friction}", found, "°", truth, "atan(μ)", within=ANGLE_DEG)
    found = edge_between(_overhangs, 0.45, 0.55, within=OVERHANG / 10)
    yield equal("overhang of one block", found, "lengths", 0.5, "half its length", within=OVERHANG)


def agreement(smoke: bool) -> Iterator[Finding]:
    """Random displaced stacks, judged by statics and by Bullet; the confusion table by margin goes to standard error."""
    table: Counter[tuple[int, bool, bool]] = Counter()
    for seed in range(4 if smoke else 200):
        tower = displaced_tower(seed)
        stability = tower_stability(tower)
        table[_bin(_margin_mm(stability)), stability.stable, settle(tower).stands] += 1
    _print_confusion(table)
    decided = {key: n for key, n in table.items() if _EDGES_MM[key[0]] >= DECIDED_MM}
    alike = sum(n for (_, statics, bullet), n in decided.items() if statics == bullet)
    yield at_least("agreement beyond 0.5 mm of margin", alike / max(1, sum(decided.values())), "of stacks", 0.98, "statics")


def standing(smoke: bool) -> Iterator[Finding]:
    """Legal exactly placed towers of 45 pieces and 18 layers or more: how far any piece moves."""
    towers = slender_towers(1 if smoke else 3)
    hover_s, awake_s = (2.0, 0.5) if smoke else (600.0, 5.0)
    stood = [stand(tower, on_top(tower), hover_s=hover_s, awake_s=awake_s) for tower in towers]
    settings = f"{DEFAULT.steps_per_second} Hz, {DEFAULT.iterations} iterations"
    yield at_most(f"an act: {hover_s:g} s of hovering, then a UNI laid ({settings})", max(one.hovered_mm for one in stood), "mm", 0.5)
    yield equal("UNIs that were placed", sum(one.placed for one in stood), "pieces", len(stood), "all")
    yield at_most(f"{awake_s:g} s with everything awake ({settings})", max(one.awake_mm for one in stood), "mm", 0.5)
    yield equal("pieces that fell", sum(len(one.fallen) for one in stood), "pieces", 0, "none")


def on_top(tower: Tower) -> Placement:
    """A UNI on the first cell of the highest piece."""
    highest = max(tower.laid, key=lambda laid: laid.placement.layer).placement
    return Placement("UNI", highest.layer + 1, highest.cells[:1])


def pace(smoke: bool) -> Iterator[Finding]:
    """Simulated seconds for each second of one core, beside real time. What is awake is stated, and never freezes while it is measured."""
    tower, repeats = full_tower(50, 349), 1 if smoke else 3
    knocked_s = 0.6 if smoke else 2.5
    spent = seconds(partial(_knock_awake, tower, knocked_s), repeats=repeats)
    yield at_least("knock of 50 pieces, everything awake, from rest on, as knocks and acts run", knocked_s / spent, "× real time", 1.0, "real time")
    length = 0.5 if smoke else 2.0
    with Scene(tower, frozen=False) as scene:
        spent = seconds(lambda: scene.run(round(length * scene.world.settings.steps_per_second)), repeats=repeats)
    yield at_least("50 pieces standing, everything awake, default settings", length / spent, "× real time", 1.0, "real time", factor=0.5)
    length = 1.0 if smoke else 20.0
    with Scene(tower, frozen=True) as scene:
        spent = seconds(lambda: scene.run(round(length * scene.world.settings.steps_per_second)), repeats=repeats)
    yield at_least("50 pieces settled and frozen", length / spent, "× real time", 1.0, "real time", factor=20.0)


def _knock_awake(tower: Tower, length_s: float) -> None:
    """A knock that brings down a dozen pieces, without the watch that freezes what has come to rest."""
    with Scene(tower, frozen=False) as scene:
        shove(scene, 10, force_n=2.0, heading_deg=100.0)
        nodes = TowerNodes.of(tower)
        while scene.seconds < length_s:
            if scene.step() and fallen_pieces(tower, scene.frames[-1], nodes=nodes):
                scene.hasten()


def displaced_tower(seed: int) -> Tower:
    """The beginning of a random round with every stacked piece pushed off its place, far enough that about half fall; none overlap."""
    rng = np.random.default_rng([seed, 17])
    exact = random_tower(load_piece_set("classic"), 2 + seed % 4, seed)
    pieces, reach = int(rng.integers(6, 22)), float(rng.uniform(2, 16))
    tower = Tower(exact.piece_set)
    for laid in exact.laid[:pieces]:
        for shrink in (1.0, 0.6, 0.3, 0.0):
            off = rng.normal(0.0, reach * shrink / 2, 2) if laid.placement.layer else (0.0, 0.0)
            pose = Pose(laid.pose.x + float(off[0]), laid.pose.y + float(off[1]), laid.pose.z, laid.pose.rotation)
            if not overlaps(tower, tower.piece_set.piece(laid.placement.piece), pose):
                tower = tower.with_piece(laid.placement, pose)
                break
    return tower


def _keeps_upright(length: float, height: float, tilt_deg: float) -> bool:
    return _tilted(length, height, 2.0, tilt_deg)[0] < 20


def _sticks(friction: float, tilt_deg: float) -> bool:
    return _tilted(50, 10, friction, tilt_deg)[1] < 0.2


def _tilted(length: float, height: float, friction: float, tilt_deg: float) -> tuple[float, float]:
    """How far a box leans (degrees) and slides (mm) in 1.5 s on a table tilted across its length."""
    with World(table_friction=friction, tilt_deg=tilt_deg) as world:
        world.add(box(length, length, height, 0.7), Pose(0, 0, 0), friction=friction, restitution=0.0)
        world.step(round(1.5 * world.settings.steps_per_second))
        pose = world.pose(0)
        return pose.tilt_deg, math.hypot(pose.x, pose.y)


def _overhangs(share: float) -> bool:
    """Whether a block stands that reaches `share` of its length over the edge of another."""
    solid = box(100, 50, 20, 0.7)
    with World() as world:
        world.add(solid, Pose(0, 0, 0), friction=0.45, restitution=0.0)
        top = world.add(solid, Pose(100 * share, 0, 20), friction=0.45, restitution=0.0)
        world.step(round(1.5 * world.settings.steps_per_second))
        return world.pose(top).tilt_deg < 1


def _margin_mm(stability: Stability) -> float:
    """Distance from the edge in mm of shrink or growth; infinite where nothing carries a piece."""
    return abs(stability.shrink.mm) if stability.shrink else math.inf


def _bin(margin_mm: float) -> int:
    return max(i for i, edge in enumerate(_EDGES_MM[:-1]) if margin_mm >= edge)


def _print_confusion(table: Counter[tuple[int, bool, bool]]) -> None:
    shown = Table(title="statics against Bullet, by margin")
    for heading in ("margin mm", "both stand", "both fall", "only statics stands", "only Bullet stands"):
        shown.add_column(heading, justify="right")
    for i, (low, high) in enumerate(pairwise(_EDGES_MM)):
        counts = [table[i, statics, bullet] for statics, bullet in ((True, True), (False, False), (True, False), (False, True))]
        shown.add_row(f"{low:g} – {high:g}", *map(str, counts))
    Console(file=sys.stderr).print(shown)


BENCHMARKS = (
    Benchmark("bullet", "Does Bullet agree with closed forms?", closed_forms),
    Benchmark("agreement", "Do statics and Bullet agree on random stacks?", agreement),
    Benchmark("standing", "Do legal towers stand still?", standing),
    Benchmark("pace", "Does the simulation keep up with real time?", pace),
)
