"""Knocking: a push at one piece of a tower, everything awake. For demonstrations, films and measurements."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from physics.nodes import TowerNodes
from physics.outcome import settled_tower
from physics.pose import Vector, as_pose
from physics.scene import Scene
from physics.tower import Tower
from physics.track import PoseTrack
from physics.watch import KnockOver, QuietWatch, fallen_pieces, knock_over


@dataclass(frozen=True, slots=True)
class Knocked:
    """What a push did. `tower`: as it stands or lies now. `squared_up`: it stands, but with pieces so far off that all were put back to
    exact places. `quiet`: all came to rest; False if the time limit ended it while something still moved."""

    tower: Tower
    knock_over: KnockOver | None
    squared_up: bool
    track: PoseTrack
    seconds: float
    quiet: bool


def knock(
    tower: Tower,
    index: int,
    *,
    force_n: float,
    heading_deg: float = 0.0,
    seconds: float = 0.1,
    onlooker: Callable[[float, Vector], None] | None = None,
) -> Knocked:
    """Push piece `index` at its centre of mass, level, towards `heading_deg` (from +x, counter-clockwise), and watch until all is at rest.

    The tower first takes its load for a quarter of a second. A push of 0.3 N nudges a piece, 3 N topples what is above. `onlooker` is told
    as in an act (`physics.act.Onlooker`), from the end of the push on.
    """
    with Scene(tower, frozen=False) as scene:
        shove(scene, index, force_n=force_n, heading_deg=heading_deg, seconds=seconds)
        watch, nodes, over = QuietWatch(scene), TowerNodes.of(tower), False
        while not over:
            if scene.step():
                if fallen_pieces(tower, scene.frames[-1], nodes=nodes):
                    scene.hasten()
                over = watch.look()
                if onlooker:
                    onlooker(scene.times[-1], scene.frames[-1])
        poses = [as_pose(state) for state in scene.frames[-1]]
        fell = knock_over(tower, scene.times, scene.frames)
        after, squared_up = (tower.with_poses(poses), False) if fell else settled_tower(tower, poses)
        return Knocked(after, fell, squared_up, scene.track(), scene.seconds, watch.quiet)


def shove(scene: Scene, index: int, *, force_n: float, heading_deg: float = 0.0, seconds: float = 0.1) -> None:
    """The push of a knock: let the tower of a fresh scene take its load, then push piece `index`."""
    push = (force_n * math.cos(math.radians(heading_deg)), force_n * math.sin(math.radians(heading_deg)), 0.0)
    rate, ramp = scene.world.settings.steps_per_second, scene.world.settings.ramp_s
    scene.run(round(ramp * rate) + 1)
    for _ in range(round(seconds * rate)):
        scene.world.push(index, push)
        scene.step()
