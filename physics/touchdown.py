"""Touchdown: the last moment of an act by itself, simulated with no more than the pieces it may move.

Statics can't tell whether the blow of a piece that is let go tips over what would bear it at rest. So Bullet is asked, in a small world: the
pieces that statics finds ready to move, what rests on them, what carries those, and what stands beside the place. It is over when a laid piece
tips out of its place or all is calm, which takes a small part of the time of the act.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from meshes.placement import Placement
from physics.contact import TABLE, tower_contacts
from physics.grip import Grip
from physics.hand import HandPath, Skipped
from physics.nodes import TowerNodes
from physics.scene import NoRoom, Scene
from physics.tower import Tower, height_span_mm
from physics.watch import LIMIT_S, QUIET_MM_S, QUIET_S, TILT_DEG, fallen_pieces

CALM_S = 0.05
"""All is calm if nothing moves for so long and all pieces lie flat. One that leans may be about to turn over, so it is watched as in an act."""
FLAT_DEG = 0.3
"""What leans less lies flat."""
BLOW_S = 0.03
"""So long after a blow it has done its work; what tips then does so as well in coarser steps."""
_ROOM_MM = 0.5
_BESIDE = 1.2
"""Nodes no farther apart than so many pitches belong to neighbours."""


class _Part(NamedTuple):
    """The pieces of a tower that matter, and those among them that stay where they are."""

    tower: Tower
    nodes: TowerNodes
    fixed: frozenset[int]


class Touchdown:
    """One piece put down on one tower again and again. Raises `NotFlat` if a laid piece leans."""

    def __init__(self, tower: Tower, placement: Placement) -> None:
        self._tower, self._placement = tower, placement
        self._place_mm = placement.layer * tower.piece_set.thickness_mm
        self._carriers: list[set[int]] = [set() for _ in tower.laid]
        self._riders: list[set[int]] = [set() for _ in tower.laid]
        for contact in tower_contacts(tower):
            if contact.lower != TABLE:
                self._carriers[contact.upper].add(contact.lower)
                self._riders[contact.lower].add(contact.upper)
        self._parts: dict[frozenset[int], _Part] = {}

    def topples(self, path: HandPath, ready: frozenset[int]) -> bool:
        """Whether the end of a hand's way makes a laid piece leave its place. Uses up `path`. `ready`: those that a heavier load would move.

        One that tips by more than `TILT_DEG` decides at once; what sank or shifted is looked at in the end. In an act it may come back once the new
        piece has slid off it; that is rare unless it tips to just the angle of friction.
        """
        if ready not in self._parts:
            self._parts[ready] = self._part(ready)
        part = self._parts[ready]
        with Scene(part.tower, frozen=True, fixed=part.fixed) as scene:
            began, body = self._take_up(scene, path)
            grip: Grip | None = Grip(scene.world, body, velocity=began.velocity)
            watch = _CalmWatch(scene, body, lost_mm=self._place_mm)
            while not watch.over:
                if grip and not _led(grip, path, began.seconds + scene.seconds):
                    grip = None
                    scene.let_go()
                if watch.sees_tipping(held=grip is not None):
                    return True
            if watch.tilt_deg > FLAT_DEG:
                # as an act does with what rests askew: it may be jammed, so let everything take up its load anew
                scene.wake_all()
                watch.restart()
                while not watch.over:
                    if watch.sees_tipping(held=False):
                        return True
            return bool(fallen_pieces(part.tower, scene.frames[-1][:-1], nodes=part.nodes))

    def _take_up(self, scene: Scene, path: HandPath) -> tuple[Skipped, int]:
        """The piece on its way, just above its place or, if there is no room for it, above everything; and the number of the body."""
        piece_set, laid = self._tower.piece_set, scene.tower.laid
        piece = piece_set.by_name[self._placement.piece]
        began = path.skip_to(self._place_mm + path.hangs_mm + _ROOM_MM)
        try:
            body = scene.take_up(piece, began.pose)
        except NoRoom:
            top_mm = max(height_span_mm(piece_set, scene.tower.piece_type(i), one.pose)[1] for i, one in enumerate(laid))
            path.rise_above(top_mm)
            began = path.skip_to(top_mm + path.hangs_mm + _ROOM_MM)
            body = scene.take_up(piece, began.pose)
        scene.world.throw(body, began.velocity)
        return began, body

    def _part(self, ready: frozenset[int]) -> _Part:
        loose = self._with_riders(ready)
        loose = self._with_riders(loose | self._carrying(loose))
        fixed = (self._carrying(loose) | self._beside()) - loose
        numbers = sorted(loose | fixed)
        tower = Tower(self._tower.piece_set, tuple(self._tower.laid[i] for i in numbers))
        return _Part(tower, TowerNodes.of(tower), frozenset(k for k, i in enumerate(numbers) if i in fixed))

    def _with_riders(self, pieces: Iterable[int]) -> set[int]:
        """These and all that rests on them, directly or over others."""
        found, new = set(pieces), set(pieces)
        while new:
            new = {rider for piece in new for rider in self._riders[piece]} - found
            found |= new
        return found

    def _carrying(self, pieces: Iterable[int]) -> set[int]:
        return {carrier for piece in pieces for carrier in self._carriers[piece]}

    def _beside(self) -> set[int]:
        """The neighbours on the layer of the placement."""
        piece_set = self._tower.piece_set
        own = piece_set.places_mm(self._placement.cells)
        return {
            i
            for i, laid in enumerate(self._tower.laid)
            if laid.placement.layer == self._placement.layer
            and np.linalg.norm(own[:, None] - piece_set.places_mm(laid.placement.cells), axis=2).min() < _BESIDE * piece_set.pitch_mm
        }


def _led(grip: Grip, path: HandPath, seconds: float) -> bool:
    """Let the hand lead its piece for a step; not if it lets go."""
    wanted = path.follow(seconds, feels_support=grip.feels_support)
    if wanted is not None:
        grip.lead(wanted)
    return wanted is not None


class _CalmWatch:
    """Tells when nothing will happen any more, and lets the scene go on in coarser steps once the blow is over. `lost_mm`: the new piece, number
    `body`, has slipped off once its centre of mass is lower; where it goes then does not matter."""

    def __init__(self, scene: Scene, body: int, *, lost_mm: float) -> None:
        self._scene, self._body, self._lost_mm = scene, body, lost_mm
        self._moved_s = self._struck_s = 0.0
        self._calm_s = CALM_S
        self.tilt_deg = 0.0
        """How far a laid piece leans at most."""

    @property
    def over(self) -> bool:
        """Whether all has been calm for long enough, or it takes too long."""
        return self._scene.seconds >= min(LIMIT_S, self._moved_s + self._calm_s)

    def restart(self) -> None:
        """Begin anew, in fine steps: something may move again."""
        self._moved_s, self._struck_s = self._scene.seconds, LIMIT_S
        self._calm_s = QUIET_S

    def sees_tipping(self, *, held: bool) -> bool:
        """Let a step pass; whether a laid piece tips out of its place. `held`: the hand has not let go."""
        if not self._scene.step():
            return False
        self._look(held)
        return self.tilt_deg > TILT_DEG

    def _look(self, held: bool) -> None:
        scene, states = self._scene, self._scene.frames[-1]
        slipped = scene.world.motion(self._body)[0][2] < self._lost_mm
        if held or scene.fastest(but=self._body if slipped else None) > QUIET_MM_S:
            self._moved_s = scene.seconds
        *laid, new = np.degrees(2 * np.hypot(states[:, 3], states[:, 4])).tolist()
        self.tilt_deg = max(laid)
        self._calm_s = CALM_S if max(self.tilt_deg, 0.0 if slipped else new) < FLAT_DEG else QUIET_S
        if held or len(scene.awake) == 1:
            self._struck_s = scene.seconds
        elif scene.seconds - self._struck_s > BLOW_S:
            scene.hasten()
