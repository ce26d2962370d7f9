"""Films as frames drawn when asked for, seen by a camera that follows smoothly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from viewer.camera import Camera
from viewer.caption import add_caption
from viewer.fitting import fitted_camera, pictured_items
from viewer.item_buffer import placed_corners
from viewer.picture import Darkroom
from viewer.scene import QUICK, Quality
from viewer.shots import Moment, Shot, moments

_FOLLOW_S = 0.45
"""How slowly the camera follows: deviation of the Gaussian that smooths its way."""
_FIT_S = 0.12
"""The camera is fitted anew this often."""


class Film:
    """The frames of some shots, drawn when asked for. Use it in a `with` statement: it holds an OpenGL context.

    Raises `NoGraphics`, `BadPicture`; ValueError without any frame.
    """

    def __init__(
        self,
        shots: Sequence[Shot],
        *,
        size: tuple[int, int] = (640, 360),
        fps: float = 20.0,
        quality: Quality = QUICK,
        camera: Camera | None = None,
    ) -> None:
        self.size, self.fps, self.quality = size, fps, quality
        self._moments = [moment for shot in shots for moment in moments(shot, fps)]
        if not self._moments:
            raise ValueError("a film needs a shot of at least one frame")
        piece_set = shots[0].tower.piece_set
        self._cameras = _follow(self._moments, size, fps, camera or Camera())
        self._lit = np.concatenate([placed_corners(piece_set, pictured_items(self._moments[i].tower)) for i in _spread(len(self._moments), 8)])
        self._darkroom = Darkroom(piece_set, size)

    def __len__(self) -> int:
        return len(self._moments)

    def __enter__(self) -> Film:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._darkroom.close()

    def camera(self, number: int) -> Camera:
        """The camera of frame `number`."""
        return self._cameras[number]

    def frame(self, number: int) -> Image.Image:
        """Frame `number`, an RGB picture."""
        moment = self._moments[number]
        items = [*moment.tower_items, *moment.rack]
        picture = self._darkroom.shoot(items, self._cameras[number], self.quality, lit=self._lit)
        return add_caption(picture, moment.caption, opacity=moment.caption_opacity)


def _follow(moments: Sequence[Moment], size: tuple[int, int], fps: float, camera: Camera) -> list[Camera]:
    """A camera for each frame: fitted now and then by itself, then the way of targets and distances smoothed; distances never fall short nearby."""
    step = max(1, round(_FIT_S * fps))
    fitted = [fitted_camera(moment.tower, size, camera=camera) for moment in moments[::step]]
    reach = _FOLLOW_S * fps / step
    targets = gaussian_filter1d(np.array([seen.target for seen in fitted]), reach, axis=0, mode="nearest")
    farthest = maximum_filter1d(np.array([seen.distance_mm for seen in fitted]), 2 * round(reach) + 1, mode="nearest")
    way = np.column_stack([targets, gaussian_filter1d(farthest, reach, mode="nearest")])
    frames, stops = np.arange(len(moments)), np.arange(len(fitted)) * step
    x, y, z, distance = (np.interp(frames, stops, column).tolist() for column in way.T)
    return [replace(camera, target=target, distance_mm=away) for target, away in zip(zip(x, y, z, strict=True), distance, strict=True)]


def _spread(count: int, wanted: int) -> list[int]:
    """At most `wanted` numbers spread evenly over 0 … count − 1, both ends included."""
    return sorted({round(share * (count - 1)) for share in np.linspace(0, 1, wanted)})
