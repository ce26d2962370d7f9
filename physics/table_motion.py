"""Moving the table: tilted ever further, shaken ever harder or bumped once, until the tower falls, beside what statics foretells.

All happens in the table's frame: a table that tilts or speeds up is one whose gravity turns or leans.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from physics.bodies import tower_bodies
from physics.contact import tower_contacts
from physics.engine import Settings
from physics.nodes import TowerNodes
from physics.point_system import PointSystem
from physics.pose import Vector
from physics.scene import Scene
from physics.statics import equilibrium
from physics.tower import Tower
from physics.track import RATE_HZ, PoseTrack
from physics.units import GRAVITY_MM_S2
from physics.watch import Fallen, fallen_pieces

Onlooker = Callable[[float, float, Vector], None]
"""Told sixty times a second: seconds, how far the table is moved (degrees, gravities or mm/s), (n, 7) poses in the table's frame."""

CLOSE_ITERATIONS, LAYER_ITERATIONS = 60, 15
"""For towers near their edge: with the usual 30 iterations a slender column falls 3° too early, shorter steps make discs slide 1° too late. A load
finds its way through a column by a layer an iteration or so, there and back, so tall towers need more: twenty discs tip at 4.8° with 60, at 6.2° with
300, where statics says 6.8°."""
_STEEPEST_DEG = 85.0
_TILT_DEG_S, _BRISK_DEG_S = 1.5, 8.0
_NEAR_DEG = 4.0
"""Tilting is brisk until this much before what statics foretells, then slow enough to read off the angle."""
_SHAKE_HZ, _SHAKE_G_S = 2.5, 0.08
_MOST_SHAKE_G = 2.5
_BUMP_S = 0.03
_AFTER_S = 0.4
"""So long it is watched after the motion, or after the first piece has left its place."""
_MOVING_MM_S, _MOVING_DEG_S, _OVER_FRAMES = 3.0, 3.0, 4
"""A piece that was faster until it was `_AWAY_MM` or `_AWAY_DEG` off, reckoned over so many frames, had begun to fall; slower it creeps."""
_AWAY_MM, _AWAY_DEG = 4.0, 6.0


class MotionKind(Enum):
    """How the table is moved."""

    TILT = "tilt"
    SHAKE = "shake"
    BUMP = "bump"

    @property
    def unit(self) -> str:
        """Unit of how far it is moved: degrees of tilt, gravities of acceleration to and fro, mm/s given at one blow."""
        return {MotionKind.TILT: "°", MotionKind.SHAKE: "g", MotionKind.BUMP: "mm/s"}[self]


class TiltLimit(NamedTuple):
    """What statics foretells for one heading: the tower stands up to `deg`, then piece `first` (an index) goes."""

    deg: float
    first: int

    @property
    def gravities(self) -> float:
        """The level acceleration that does the same."""
        return math.tan(math.radians(self.deg))


@dataclass(frozen=True, slots=True)
class MovedTable:
    """What a motion did. `amount`: how far the table was moved when the first piece began to leave its place, None if all stayed.

    `reached`: how far it was moved in the end. `foretold`: by statics, in the same unit; None for a bump, which statics says nothing about, and for
    a tower that does not even stand on a level table. `first`: the piece that began. One that comes back, as a table may swing it, has left its
    place all the same.
    """

    kind: MotionKind
    heading_deg: float
    amount: float | None
    reached: float
    foretold: float | None
    first: int | None
    track: PoseTrack


def tilt_limit(tower: Tower, heading_deg: float) -> TiltLimit | None:
    """How far the table can be tilted downwards towards `heading_deg` (from +x, counter-clockwise) by statics, to 0.02°; None if the tower does not
    stand on a level table. Raises `NotFlat` if a piece leans."""
    bodies, contacts, friction = tower_bodies(tower), tower_contacts(tower), tower.piece_set.friction
    low, high, fall = 0.0, _STEEPEST_DEG, None
    if not equilibrium(bodies, contacts, friction=friction, margins=False).stable:
        return None
    while high - low > 0.02:
        middle = (low + high) / 2
        x, y, z = _tilted(middle, heading_deg)
        verdict = equilibrium(bodies, contacts, friction=friction, gravity=(x, y, z), margins=False)
        if verdict.stable:
            low = middle
        else:
            high, fall = middle, verdict.fall
    return TiltLimit(low, fall.first if fall else 0)


def tilt_limits(tower: Tower, headings_deg: Iterable[float]) -> Iterator[float]:
    """How many degrees the table can be tilted downwards towards one heading after the other by statics: as `tilt_limit` has it, but exactly and in
    about a tenth of the time each. For a tower that stands on a level table."""
    system = PointSystem(tower_bodies(tower), tower_contacts(tower), tower.piece_set.friction, np.array([0.0, 0.0, -1.0]))
    for heading in map(math.radians, headings_deg):
        reach = system.limit(np.array([math.cos(heading), math.sin(heading)]))
        yield min(_STEEPEST_DEG, math.degrees(math.atan(reach)))


def close_settings(tower: Tower) -> Settings:
    """How the engine works on a tower near its edge."""
    return Settings(iterations=max(CLOSE_ITERATIONS, LAYER_ITERATIONS * tower.layers))


def shaken_mm(seconds: float, gravities: float) -> float:
    """How far a table that is shaken is off its place towards the heading, after so many seconds and at such a strength."""
    turning = 2 * math.pi * _SHAKE_HZ
    return gravities * GRAVITY_MM_S2 / turning**2 * math.sin(turning * seconds)


def move_table(
    tower: Tower,
    kind: MotionKind,
    *,
    heading_deg: float = 0.0,
    most: float | None = None,
    settings: Settings | None = None,
    onlooker: Onlooker | None = None,
) -> MovedTable:
    """Tilt or shake the table towards `heading_deg` until something falls, but at most by `most`; or bump it by `most` (300 mm/s unless told).

    Single discs and columns of six begin to slide or tip within 0.7° of what statics says, columns of twenty within 1°. `settings`: `close_settings`
    unless told.
    """
    settings = settings or close_settings(tower)
    limit = None if kind is MotionKind.BUMP else tilt_limit(tower, heading_deg)
    motion = _motion(kind, most, limit)
    nodes = TowerNodes.of(tower)
    with Scene(tower, frozen=False, settings=settings) as scene:
        scene.run(round(settings.ramp_s * settings.steps_per_second) + 1)
        begin, amounts = scene.seconds, [0.0] * len(scene.frames)
        reached, fell_by, over_at = 0.0, 0, motion.seconds + _AFTER_S
        while (now := scene.seconds - begin) < over_at:
            reached = max(reached, motion.amount(now))
            scene.world.pull(motion.pull(now, heading_deg).tolist())
            if not scene.step():
                continue
            amounts.append(motion.amount(now))
            if onlooker:
                onlooker(now, amounts[-1], scene.frames[-1])
            if not fell_by and fallen_pieces(tower, scene.frames[-1], nodes=nodes):
                fell_by, over_at = len(scene.frames), min(over_at, now + _AFTER_S)
        # what has come back in the meantime had fallen all the same
        seen = len(scene.frames) if fallen_pieces(tower, scene.frames[-1], nodes=nodes) else fell_by
        began = _began(fallen_pieces(tower, scene.frames[seen - 1], nodes=nodes), scene.frames[:seen], amounts) if seen else None
        foretold = None if limit is None else limit.deg if kind is MotionKind.TILT else limit.gravities
        first, amount = began if began else (None, None)
        if began and kind is MotionKind.BUMP:
            amount = reached  # a blow is over before anything leaves its place
        return MovedTable(kind, heading_deg, amount, reached, foretold, first, scene.track())


@dataclass(frozen=True, slots=True)
class _Motion:
    """A motion as a course in time: it is brisk up to `near`, then slow up to `most`. In the unit of its kind."""

    kind: MotionKind
    most: float
    near: float = 0.0

    @property
    def seconds(self) -> float:
        """How long it takes."""
        if self.kind is MotionKind.TILT:
            return self.near / _BRISK_DEG_S + (self.most - self.near) / _TILT_DEG_S
        return self.most / _SHAKE_G_S if self.kind is MotionKind.SHAKE else _BUMP_S

    def amount(self, now: float) -> float:
        """How far the table is moved."""
        if self.kind is MotionKind.TILT:
            brisk_s = self.near / _BRISK_DEG_S
            return min(self.most, _BRISK_DEG_S * now if now < brisk_s else self.near + _TILT_DEG_S * (now - brisk_s))
        if self.kind is MotionKind.SHAKE:
            return min(self.most, _SHAKE_G_S * now) if now < self.seconds else 0.0
        return self.most

    def pull(self, now: float, heading_deg: float) -> Vector:
        """(3,) what pulls at the pieces, in gravities."""
        if self.kind is MotionKind.TILT:
            return _tilted(self.amount(now), heading_deg)
        if self.kind is MotionKind.SHAKE:
            level = self.amount(now) * math.sin(2 * math.pi * _SHAKE_HZ * now)
        else:
            # a blow of half a sine, whose integral is the speed
            blow = self.most / GRAVITY_MM_S2 * math.pi / (2 * _BUMP_S) * math.sin(math.pi * now / _BUMP_S)
            level = -blow if now < _BUMP_S else 0.0
        heading = math.radians(heading_deg)
        return np.array([level * math.cos(heading), level * math.sin(heading), -1.0])


def _motion(kind: MotionKind, most: float | None, limit: TiltLimit | None) -> _Motion:
    if kind is MotionKind.BUMP:
        return _Motion(kind, 300.0 if most is None else most)
    if kind is MotionKind.SHAKE:
        return _Motion(kind, min(_MOST_SHAKE_G, 2.0 * limit.gravities + 0.2 if limit else 0.2) if most is None else most)
    end = most if most is not None else min(_STEEPEST_DEG, limit.deg + 2 * _NEAR_DEG if limit else _NEAR_DEG)
    return _Motion(kind, end, min(end, max(0.0, limit.deg - _NEAR_DEG)) if limit else 0.0)


def _tilted(deg: float, heading_deg: float) -> Vector:
    tilt, heading = math.radians(deg), math.radians(heading_deg)
    return np.array([math.sin(tilt) * math.cos(heading), math.sin(tilt) * math.sin(heading), -math.cos(tilt)])


def _began(fallen: tuple[Fallen, ...], frames: list[Vector], amounts: list[float]) -> tuple[int, float]:
    """Which of the fallen pieces left its place first, and how far the table was moved then."""
    start, found = frames[min(len(frames) - 1, RATE_HZ // 4)], []
    for piece, _ in fallen:
        path = np.array([frame[piece] for frame in frames])
        went, turned = _apart(path, start[piece])
        away = np.flatnonzero((went <= _AWAY_MM) & (turned <= _AWAY_DEG))
        steps = _apart(path[_OVER_FRAMES : away[-1] + 2], path[: away[-1] + 2 - _OVER_FRAMES]) if len(away) else (np.zeros(0), np.zeros(0))
        still = np.flatnonzero((steps[0] <= _MOVING_MM_S * _OVER_FRAMES / RATE_HZ) & (steps[1] <= _MOVING_DEG_S * _OVER_FRAMES / RATE_HZ))
        found.append((int(still[-1]) + _OVER_FRAMES // 2 if len(still) else 0, piece))
    frame, piece = min(found)
    return piece, amounts[frame]


def _apart(states: Vector, others: Vector) -> tuple[Vector, Vector]:
    """How far (n, 7) poses are from others, in mm and degrees."""
    cosines = np.clip(np.abs((states[:, 3:] * others[..., 3:]).sum(axis=1)), 0.0, 1.0)
    return np.linalg.norm(states[:, :3] - others[..., :3], axis=1), 2 * np.degrees(np.arccos(cosines))
