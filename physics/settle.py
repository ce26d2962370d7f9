"""Settling: Bullet's own word on whether a tower stands, everything awake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from meshes.placement import Placement
from physics.act import Act
from physics.engine import DEFAULT, FINE, Settings
from physics.outcome import Outcome
from physics.pose import Pose, Vector, as_array, as_pose
from physics.scene import Scene
from physics.tower import Tower, exact_pose
from physics.track import PoseTrack
from physics.watch import QUIET_MM_S, TILT_DEG, Fallen, fallen_pieces

_LOOKS = 3
_LOOK_S = 0.025
_HOVER_MM, _LET_GO_MM = 60.0, 0.3


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a tower. `stands`: it came to rest and no piece left where it lay (RULES S42). `moved_mm`: the farthest any piece's origin
    went, in the end. `quiet`: it came to rest before the time was over; if not, it is no witness of a tower that stands, and none has to have
    fallen yet."""

    tower: Tower
    stands: bool
    fallen: tuple[Fallen, ...]
    moved_mm: float
    quiet: bool
    seconds: float
    track: PoseTrack


def settle(tower: Tower, *, seconds: float = 6.0, early: bool = True, settings: Settings = FINE) -> Settled:
    """Let a tower stand for `seconds` with nothing frozen and nobody touching it; `early`: stop as soon as it is at rest.

    At rest: all speeds below `QUIET_MM_S` three looks in a row, 25 ms apart, once gravity is full.
    """
    with Scene(tower, frozen=False, settings=settings) as scene:
        steps, look = round(seconds * settings.steps_per_second), round(_LOOK_S * settings.steps_per_second)
        calm = 0
        for step in range(1, steps + 1):
            scene.step()
            if step % look == 0 and scene.seconds > settings.ramp_s:
                calm = calm + 1 if scene.fastest() < QUIET_MM_S else 0
                if early and calm >= _LOOKS:
                    break
        states = scene.world.states()
        start = np.array([as_array(laid.pose) for laid in tower.laid]).reshape(-1, 7)
        moved = np.linalg.norm(states[:, :3] - start[:, :3], axis=1)
        fallen = _fallen_since(tower, start, states, moved)
        after = tower.with_poses([as_pose(state) for state in states])
        quiet = calm >= _LOOKS
        return Settled(after, quiet and not fallen, fallen, float(moved.max(initial=0.0)), quiet, scene.seconds, scene.track())


def _fallen_since(tower: Tower, start: Vector, states: Vector, moved_mm: Vector) -> tuple[Fallen, ...]:
    """Who has left their places. A piece that lay off its place from the start has fallen if it went half a thickness from there or
    leans by more than the limit."""
    astray = {piece for piece, _ in fallen_pieces(tower, start)}
    far = tower.piece_set.thickness_mm / 2
    left = {i for i, state in enumerate(states) if moved_mm[i] > far or as_pose(state).tilt_deg > TILT_DEG}
    return tuple(fallen for fallen in fallen_pieces(tower, states) if fallen.piece not in astray or fallen.piece in left)


class Stood(NamedTuple):
    """How a tower stood for a long time: the farthest any piece went, mm, in an act with a player who hovered and then laid a piece, and
    wide awake; and what fell."""

    hovered_mm: float
    placed: bool
    awake_mm: float
    fallen: tuple[Fallen, ...]


def stand(tower: Tower, placement: Placement, *, hover_s: float = 600.0, awake_s: float = 5.0) -> Stood:
    """Hold a piece over a tower for a long time as a player does, settled pieces frozen, then lay it at `placement`; apart from that, leave
    the tower with everything awake for a while. Both with the engine's default settings, as all acts use them.

    The first takes a twentieth of the time, the second somewhat longer than it lasts.
    """
    place = exact_pose(tower.piece_set, placement)
    with Act(tower, placement.piece, Pose(place.x, place.y, place.z + _HOVER_MM, place.rotation), allowed=[placement]) as act:
        while act.seconds < hover_s:
            act.run(1)
        act.move_to(Pose(place.x, place.y, place.z + _LET_GO_MM, place.rotation))
        act.run(2 * DEFAULT.steps_per_second)
        act.release()
        while not act.done:
            act.run(1)
        hovered, placed = act.poses()[:-1], act.result().outcome is Outcome.PLACED
    with Scene(tower, frozen=False, settings=DEFAULT) as scene:
        scene.run(round(awake_s * DEFAULT.steps_per_second))
        end = scene.world.states()
    return Stood(_farthest_mm(tower, np.array([as_array(pose) for pose in hovered])), placed, _farthest_mm(tower, end), fallen_pieces(tower, end))


def _farthest_mm(tower: Tower, states: Vector) -> float:
    start = np.array([as_array(laid.pose) for laid in tower.laid]).reshape(-1, 7)
    return float(np.linalg.norm(states[:, :3] - start[:, :3], axis=1).max(initial=0.0))
