"""Watching a match again: which act is seen when, and where its pieces are. Times are simulated seconds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from games.acts import ActKind, MatchAct, apply_rest
from games.match import Match
from meshes.errors import StakdError
from meshes.piece_set import PieceType
from physics.pose import Pose
from physics.tower import Tower
from physics.watch import KnockOver

LEAST_SPEED, MOST_SPEED = 0.05, 2.0
SLOW_MOTION = 0.25
LEAD_S = 0.6
"""How long before the first support is lost the replay of a fall begins."""
GLIDE_S, GLIDE_MM = 0.5, 45.0
"""An act that nobody recorded the motion of is seen as a piece coming down from so high in this time."""
PAUSE_S, FALLEN_S, LEFT_S = 0.35, 1.5, 0.8
"""How long the end of an act, of a fall, and a player leaving are seen."""
_TINY = 1e-6


class Posed(NamedTuple):
    """A piece, where it is, and its id: its index in the tower."""

    piece: PieceType
    pose: Pose
    id: int


class Span(NamedTuple):
    """When an act is seen: from `start` to `end`; after `rest` nothing moves any more."""

    start: float
    rest: float
    end: float


class Playhead:
    """A place on a stretch of `length` seconds that plays at some speed, stands, or is put elsewhere."""

    def __init__(self, length: float, *, speed: float = 1.0) -> None:
        self.length = length
        self.position = 0.0
        self.playing = False
        self._speed = speed

    @property
    def speed(self) -> float:
        """Simulated seconds a second, `LEAST_SPEED` to `MOST_SPEED`."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._speed = min(MOST_SPEED, max(LEAST_SPEED, speed))

    def update(self, seconds: float) -> bool:
        """Let so many real seconds pass; whether the place has changed. At the end it stops."""
        if not self.playing:
            return False
        self.position = min(self.length, self.position + seconds * self.speed)
        self.playing = self.position < self.length
        return True

    def seek(self, seconds: float) -> None:
        """Be at a moment, or at the end that is nearer."""
        self.position = min(self.length, max(0.0, seconds))

    def toggle(self) -> None:
        """Play or stand; at the end, play from the beginning."""
        self.playing = not self.playing
        if self.playing and self.position >= self.length:
            self.position = 0.0


class MatchPlayback(Playhead):
    """All acts of a match, one after the other. At second 0 none has begun; the end of an act is also the beginning of the next.

    `spans[n - 1]` is when act `n` is seen; `falls` are the numbers of the acts in which the tower fell.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.spans = _spans(match.acts)
        self.falls = tuple(act.number for act in match.acts if act.knock_over is not None)
        self._ends = [span.end for span in self.spans]
        super().__init__(self._ends[-1] if self._ends else 0.0)
        self._tower_of = lru_cache(maxsize=4)(self._with_its_piece)

    @property
    def act(self) -> int:
        """The number of the act that is seen; 0 before the first."""
        return self.act_at(self.position)

    @property
    def done(self) -> int:
        """How many acts are over: nothing of them moves any more."""
        number = self.act
        return number if not number or self.position >= self.spans[number - 1].rest - _TINY else number - 1

    def act_at(self, seconds: float) -> int:
        """The number of the act seen at a moment; 0 at the very beginning."""
        return 0 if seconds <= 0 else min(len(self._ends), bisect_left(self._ends, seconds - _TINY) + 1)

    def jump(self, number: int) -> None:
        """Stand at the end of act `number`; 0: before the first."""
        self.playing = False
        self.seek(self._ends[number - 1] if number else 0.0)

    def watch(self, number: int) -> None:
        """Play from the beginning of act `number`; a fall from shortly before the first support is lost, in slow motion."""
        knock_over = self.match.act(number).knock_over
        lead = 0.0
        if knock_over is not None:
            lead = max(0.0, knock_over.first.seconds - LEAD_S)
            self.speed = min(self.speed, SLOW_MOTION)
        self.seek(min(self.spans[number - 1].start + lead, self.spans[number - 1].rest))
        self.playing = True

    def step(self, acts: int) -> None:
        """Stand at the end of the next act (1) or of the one before (−1)."""
        if acts > 0:
            self.jump(min(len(self._ends), bisect_right(self._ends, self.position + _TINY) + 1))
        else:
            self.jump(bisect_left(self._ends, self.position - _TINY))

    def tower(self, seconds: float | None = None) -> Tower:
        """What is seen at a moment, or now: pieces of the tower and the act's own, each where it is."""
        seconds = self.position if seconds is None else seconds
        number = self.act_at(seconds)
        if number == 0:
            return Tower(self.match.setup.piece_set)
        act, span = self.match.act(number), self.spans[number - 1]
        if act.placement is None or (act.kind is ActKind.TAKEN_BACK and seconds >= span.end - _TINY):
            return apply_rest(self.match.table_before(number).tower, act)
        if act.kind is ActKind.PLACED and seconds >= span.rest - _TINY:
            return apply_rest(self.match.table_before(number).tower, act)
        return moved(self._tower_of(number), act, seconds - span.start)

    def poses(self, seconds: float | None = None) -> list[Posed]:
        """The same piece by piece."""
        return posed(self.tower(seconds))

    def _with_its_piece(self, number: int) -> Tower:
        return tower_of(self.match, number)


class FallPlayback(Playhead):
    """A fall alone, in slow motion, from shortly before the first support is lost, which is at second `loss_s`.

    Raises `StakdError` if nothing falls in this act.
    """

    def __init__(self, match: Match, number: int) -> None:
        act = match.act(number)
        if act.knock_over is None:
            raise StakdError(f"nothing falls in act {number}")
        self.act, self.knock_over = act, act.knock_over
        self._tower = tower_of(match, number)
        self._begin = max(0.0, act.knock_over.first.seconds - LEAD_S)
        self.loss_s = act.knock_over.first.seconds - self._begin
        super().__init__(max(_TINY, _motion_s(act) - self._begin), speed=SLOW_MOTION)

    def tower(self, seconds: float | None = None) -> Tower:
        """What is seen at a moment, or now."""
        return moved(self._tower, self.act, self._begin + (self.position if seconds is None else seconds))

    def poses(self, seconds: float | None = None) -> list[Posed]:
        """The same piece by piece."""
        return posed(self.tower(seconds))


def tower_of(match: Match, number: int) -> Tower:
    """The tower that act `number` is about: as it stood before, and the act's own piece exactly in its place."""
    before, placement = match.table_before(number).tower, match.act(number).placement
    return before.with_piece(placement) if placement else before


def moved(tower: Tower, act: MatchAct, seconds: float) -> Tower:
    """`tower_of` an act `seconds` after its beginning."""
    poses = [laid.pose for laid in tower.laid]
    if act.track is not None:
        sample = act.track.sample(seconds)
        return tower.with_poses([sample.get(index, pose) for index, pose in enumerate(poses)])
    if act.placement is not None:
        left = max(0.0, 1.0 - seconds / GLIDE_S)
        poses[-1] = replace(poses[-1], z=poses[-1].z + GLIDE_MM * left * left)
    return tower.with_poses(poses)


def posed(tower: Tower) -> list[Posed]:
    """Each piece of a tower."""
    return [Posed(tower.piece_type(index), laid.pose, index) for index, laid in enumerate(tower.laid)]


def lost_carriers(knock_over: KnockOver) -> list[int]:
    """The pieces (index in the tower) that no longer carried the one that fell first."""
    return sorted({support.carrier for support in knock_over.first.lost if support.carrier >= 0})


def _spans(acts: Sequence[MatchAct]) -> list[Span]:
    spans, start = [], 0.0
    for act in acts:
        rest = start + _motion_s(act)
        hold = LEFT_S if act.kind is ActKind.RESIGNED else FALLEN_S if act.kind is ActKind.KNOCKED_OVER else PAUSE_S
        spans.append(Span(start, rest, rest + hold))
        start = rest + hold
    return spans


def _motion_s(act: MatchAct) -> float:
    if act.track is not None:
        return act.track.seconds
    return 0.0 if act.placement is None else GLIDE_S
