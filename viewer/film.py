"""Films: shots of towers that move along pose tracks or are built piece by piece, seen by a camera that follows smoothly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from physics.tower import Tower
from physics.track import PoseTrack
from viewer.camera import Array, Camera
from viewer.caption import add_caption
from viewer.item_buffer import placed_corners
from viewer.items import Colour, Item, tower_items
from viewer.fitting import fitted_camera, pictured_items
from viewer.picture import Darkroom
from viewer.rack import rack_items
from viewer.scene import QUICK, Quality

_FADE_S = 0.25
_FOLLOW_S = 0.45
"""How slowly the camera follows: deviation of the Gaussian that smooths its way."""
_DROP_MM = 55.0


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


def building_shots(tower: Tower, *, seconds_a_piece: float = 0.45, captions: Sequence[str] = ()) -> list[Shot]:
    """The tower built piece by piece, one shot each; the last one stays a little longer. `captions` may give a line for each piece."""
    shots = []
    for index in range(len(tower.laid)):
        part = replace(tower, laid=tower.laid[: index + 1])
        caption = captions[index] if index < len(captions) else ""
        arrive, hold = seconds_a_piece * 0.8, seconds_a_piece * 0.2
        shots.append(Shot(part, arriving=index, arrive_s=arrive, hold_s=hold, caption=caption))
    return [*shots[:-1], replace(shots[-1], hold_s=1.2)] if shots else []


class Film:
    """The frames of some shots, drawn when asked for. Use it in a `with` statement: it holds an OpenGL context.

    `drift_deg_s` lets the camera wander around the tower while it films. Raises `NoGraphics`, `BadPicture`; ValueError without any frame.
    """

    def __init__(
        self,
        shots: Sequence[Shot],
        *,
        size: tuple[int, int] = (640, 360),
        fps: float = 20.0,
        quality: Quality = QUICK,
        camera: Camera | None = None,
        drift_deg_s: float = 0.0,
    ) -> None:
        self.size, self.fps, self.quality = size, fps, quality
        self._moments = [moment for shot in shots for moment in _moments(shot, fps)]
        if not self._moments:
            raise ValueError("a film needs a shot of at least one frame")
        piece_set = shots[0].tower.piece_set
        self._cameras = _follow(self._moments, size, fps, camera or Camera(), drift_deg_s)
        self._lit = np.concatenate([placed_corners(piece_set, pictured_items(self._moments[i].tower)) for i in _spread(len(self._moments), 8)])
        self._darkroom = Darkroom(piece_set, size)

    def __len__(self) -> int:
        return len(self._moments)

    def __enter__(self) -> Film:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._darkroom.close()

    def frame(self, number: int) -> Image.Image:
        """Frame `number`, an RGB picture."""
        moment = self._moments[number]
        items = [*moment.tower_items, *moment.rack]
        picture = self._darkroom.shoot(items, self._cameras[number], self.quality, lit=self._lit)
        return add_caption(picture, moment.caption, opacity=moment.caption_opacity)


@dataclass(frozen=True, slots=True)
class _Moment:
    """What one frame shows."""

    tower: Tower
    tower_items: list[Item]
    rack: list[Item]
    caption: str
    caption_opacity: float


def _moments(shot: Shot, fps: float) -> Iterator[_Moment]:
    """One for each frame of the shot, at its middle."""
    rack = rack_items(shot.tower, shot.rest)
    for number in range(round(shot.length_s * fps)):
        time = (number + 0.5) / fps
        fade = min(time, shot.length_s - time) / _FADE_S
        tower = _tower_at(shot, time)
        yield _Moment(tower, tower_items(tower, highlights=shot.highlights), rack, shot.caption, min(1.0, fade))


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


def _follow(moments: Sequence[_Moment], size: tuple[int, int], fps: float, camera: Camera, drift_deg_s: float) -> list[Camera]:
    """A camera for each frame: each fitted by itself, then the way of targets and distances smoothed; distances never fall short nearby."""
    cameras = []
    for number, moment in enumerate(moments):
        turned = replace(camera, azimuth_deg=camera.azimuth_deg + drift_deg_s * number / fps)
        cameras.append(fitted_camera(moment.tower, size, camera=turned))
    reach = max(1, round(_FOLLOW_S * fps))
    targets = gaussian_filter1d(np.array([seen.target for seen in cameras]), reach, axis=0, mode="nearest")
    farthest = maximum_filter1d(np.array([seen.distance_mm for seen in cameras]), 2 * reach + 1, mode="nearest")
    distances = gaussian_filter1d(farthest, reach, mode="nearest")
    return [
        replace(seen, target=(float(x), float(y), float(z)), distance_mm=float(distance))
        for seen, (x, y, z), distance in zip(cameras, targets, distances, strict=True)
    ]


def _spread(count: int, wanted: int) -> list[int]:
    """At most `wanted` numbers spread evenly over 0 … count − 1, both ends included."""
    return sorted({round(share * (count - 1)) for share in np.linspace(0, 1, wanted)})
