"""A fall as a show plays it again."""

from __future__ import annotations

import numpy as np

from physics.tower import Tower
from physics.track import PoseTrack
from physics.watch import KnockOver
from viewer.camera import Array
from viewer.items import Colour
from viewer.playback import LEAD_S, Playhead
from viewer.screens.fall_replay import fall_glows

LONGEST_S = 3.0
"""At most so much of a fall is shown again."""
AGAIN_S, MOST_SPEED = 6.0, 0.4
"""It is seen again for so long, but no faster than this share of real time."""
_LYING_MM, _FEW = 15.0, 0.2


class Fall(Playhead):
    """A fall in slow motion. `tower`: all its pieces, as they stood before `track` begins."""

    def __init__(self, tower: Tower, track: PoseTrack, knock_over: KnockOver) -> None:
        self.knock_over, self.before, self._track = knock_over, tower, track
        self._begin = max(0.0, knock_over.first.seconds - LEAD_S)
        lasts = self._lasts()
        super().__init__(lasts, speed=min(MOST_SPEED, lasts / AGAIN_S))

    def tower(self) -> Tower:
        """What is seen now."""
        return self._at(self._begin + self.position)

    def end(self) -> Tower:
        """How everything lies when all is at rest."""
        return self._at(self._track.seconds)

    @property
    def glows(self) -> dict[int, Colour]:
        """The piece that lost its support first, and those that no longer carried it."""
        return fall_glows(self.knock_over)

    def _lasts(self) -> float:
        """Seconds until nearly all that falls has come to lie; what rolls on alone is of no interest."""
        fallen, step = [entry.piece for entry in self.knock_over.fallen], 0.1
        end = _places(self.end())[fallen]
        longest = min(self._track.seconds - self._begin, LONGEST_S)
        for seconds in np.arange(longest, step, -step):
            away = np.linalg.norm(_places(self._at(self._begin + float(seconds)))[fallen] - end, axis=1)
            if np.mean(away > _LYING_MM) > _FEW:
                return float(seconds) + step
        return max(step, longest)

    def _at(self, seconds: float) -> Tower:
        sample = self._track.sample(seconds)
        return self.before.with_poses([sample.get(index, laid.pose) for index, laid in enumerate(self.before.laid)])


def _places(tower: Tower) -> Array:
    return np.array([laid.pose.position for laid in tower.laid])


def height_mm(tower: Tower) -> float:
    """How high the highest piece lies."""
    return max(laid.pose.z for laid in tower.laid)
