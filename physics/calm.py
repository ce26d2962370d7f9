"""Calm: when a touchdown is over, because nothing that matters will happen any more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.pose import Vector
from physics.rotation import tilts_deg
from physics.scene import Scene
from physics.watch import LIMIT_S, QUIET_MM_S, TILT_DEG

CALM_S = 0.05
"""All is calm if nothing moves for so long and all pieces lie flat."""
LEAN_S = 0.1
"""One that leans may be about to turn over, so it is watched longer; if it was laid before, everything then takes up its load anew."""
LOADED_S = 0.15
"""What is jammed does not come free if it stays as it is for so long with all its load on it again."""
FLAT_DEG = 0.3
"""What leans less lies flat."""
GONE_DEG = 45.0
"""What tips farther does not come back. What tips less, onto what is a layer below, swings back if the new piece slides off it: the slope is about as
steep as friction bears (20° to 30° with the classic set). Thicker pieces tip farther, but from beyond 45° their middle, half a thickness up, is past
the edge they tip over."""
DOWN_S = 1.5
"""What has lain tipped for so long stays so, though the new piece may creep down it."""
SWUNG_OUT = 0.25
"""All has swung back if nothing leans more than this share of the most that a laid piece leaned: too little energy is left to tip one, as all of it
did not…"""
SWING_MM_S = 30.0
"""…if it is no faster than this either, for `CALM_S`. It may rattle on for half a second and more."""
BLOW_S = 0.03
"""So long after a blow it has done its work; what tips then does so as well in coarser steps."""


class _Look(NamedTuple):
    """What is seen in one frame: how far each piece leans, how far one does that matters, and the speed of the fastest that matters."""

    tilts_deg: Vector
    leans_deg: float
    fastest_mm_s: float


class CalmWatch:
    """Waits in a scene whose hand has let go of its piece, and lets it go on in coarser steps once the blow is over.

    The new piece, number `body`, has slipped off once its centre of mass is below its place at `place_mm`; where it goes then does not matter. What
    leaned before the hand came is as flat as it was.
    """

    def __init__(self, scene: Scene, body: int, place_mm: float) -> None:
        self._scene, self._body, self._place_mm = scene, body, place_mm
        self._leant_deg = tilts_deg(np.array([laid.pose.rotation for laid in scene.tower.laid]))
        self.tilt_deg = 0.0
        """How far a laid piece leans at most, more than it did before."""
        self.jammed = False
        """Whether a laid piece leans and does not swing."""

    @property
    def tipped(self) -> bool:
        """Whether a laid piece leans so much that it has been knocked over, if it stays so."""
        return self.tilt_deg > TILT_DEG

    def wait(self) -> None:
        """Go on until a laid piece has tipped too far to come back, or all is calm, or it takes too long."""
        scene = self._scene
        moved_s = swung_s = struck_s = up_s = scene.seconds
        calm_s, most_deg = CALM_S, 0.0
        while self.tilt_deg < GONE_DEG and scene.seconds < min(LIMIT_S, moved_s + calm_s, swung_s + CALM_S, up_s + DOWN_S):
            if not scene.step():
                continue
            seen = self._look()
            up_s = up_s if self.tipped else scene.seconds
            most_deg = max(most_deg, self.tilt_deg)
            if seen.fastest_mm_s > QUIET_MM_S:
                moved_s = scene.seconds
            calm_s = LEAN_S if seen.leans_deg > FLAT_DEG and not self.tipped else CALM_S
            if seen.leans_deg > max(FLAT_DEG, SWUNG_OUT * most_deg) or seen.fastest_mm_s > SWING_MM_S or self.tipped:
                swung_s = scene.seconds
            if len(scene.awake) == 1:
                swung_s = struck_s = scene.seconds
            elif self.tipped or scene.seconds - struck_s > BLOW_S:
                scene.hasten()
        self.jammed = not self.tipped and self.tilt_deg > FLAT_DEG and scene.seconds < swung_s + CALM_S

    def wait_while_loaded(self) -> None:
        """Wait while everything takes up its load anew, until it has and nothing leans otherwise any more.

        What is jammed jerks now and then, so its speed tells nothing.
        """
        scene, loaded_s = self._scene, self._scene.seconds + self._scene.world.settings.ramp_s
        still_s, before_deg = loaded_s, tilts_deg(scene.frames[-1][:, 3:])
        while self.tilt_deg < GONE_DEG and scene.seconds < min(LIMIT_S, still_s + LOADED_S):
            if not scene.step():
                continue
            seen = self._look()
            if np.abs(seen.tilts_deg - before_deg).max() > FLAT_DEG or (self.tipped and seen.fastest_mm_s > QUIET_MM_S):
                still_s, before_deg = max(loaded_s, scene.seconds), seen.tilts_deg
            if self.tipped or scene.seconds > loaded_s:
                scene.hasten()

    def _look(self) -> _Look:
        scene = self._scene
        tilted_deg = tilts_deg(scene.frames[-1][:, 3:])
        self.tilt_deg = float((tilted_deg[:-1] - self._leant_deg).max())
        # on what has tipped the new piece is lower too, and as long as it moves there it may slide off
        lost_mm = self._place_mm - (scene.tower.piece_set.thickness_mm if self.tipped else 0.0)
        slipped = scene.world.motion(self._body)[0][2] < lost_mm
        leans_deg = max(self.tilt_deg, 0.0 if slipped else float(tilted_deg[-1]))
        return _Look(tilted_deg, leans_deg, scene.fastest(but=self._body if slipped else None))
