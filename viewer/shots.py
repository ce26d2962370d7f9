"""Shots: what a film shows when. A tower that stands, moves along a pose track, or is joined by one more piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from physics.tower import Tower
from physics.track import PoseTrack
from viewer.items import Colour, Item, tower_items
from viewer.rack import rack_items

_FADE_S = 0.25
_DROP_MM = 55.0
"""From how high above its place an arriving piece comes."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A stretch of film.

    `tower` stands as it is, or moves along `track`, `slowness` times slower than life, then rests for `hold_s` seconds. `arriving` is the
    index of a piece that glides down into its place, in `arrive_s` seconds, before anything else. `rest` are hands lying around, `highlights`
    glowing pieces by index, `caption` a line of text.
    """

    tower: Tower
    track: PoseTrack | None = None
    slowness: float = 1.0
    hold_s: float = 0.6
    arriving: int | None = None
    arrive_s: float = 0.4
    rest: Sequence[Mapping[str, int]] = ()
    highlights: Mapping[int, Colour] = field(default_factory=dict)
    caption: str = ""

    @property
    def track_s(self) -> float:
        """Seconds of film that the track takes."""
        return 0.0 if self.track is None else self.track.seconds * self.slowness

    @property
    def length_s(self) -> float:
        """Seconds of film in all."""
        return (self.arrive_s if self.arriving is not None else 0.0) + self.track_s + self.hold_s


@dataclass(frozen=True, slots=True)
class Moment:
    """What one frame shows."""

    tower: Tower
    tower_items: list[Item]
    rack: list[Item]
    caption: str
    caption_opacity: float


def moments(shot: Shot, fps: float) -> Iterator[Moment]:
    """One for each frame of the shot, at its middle."""
    rack = rack_items(shot.tower, shot.rest)
    for number in range(round(shot.length_s * fps)):
        time = (number + 0.5) / fps
        fade = min(time, shot.length_s - time) / _FADE_S
        tower = _tower_at(shot, time)
        yield Moment(tower, tower_items(tower, highlights=shot.highlights), rack, shot.caption, min(1.0, fade))


def _tower_at(shot: Shot, time: float) -> Tower:
    """The shot's tower `time` seconds of film after its beginning."""
    poses = [laid.pose for laid in shot.tower.laid]
    if shot.arriving is not None:
        left = max(0.0, 1.0 - time / shot.arrive_s)
        landing = poses[shot.arriving]
        poses[shot.arriving] = replace(landing, z=landing.z + _DROP_MM * left * left)
        time -= shot.arrive_s
    if shot.track is not None:
        moved = shot.track.sample(min(max(time, 0.0), shot.track_s) / shot.slowness)
        poses = [moved.get(index, pose) for index, pose in enumerate(poses)]
    return shot.tower.with_poses(poses)
