"""Touchdown: the last moment of an act by itself, simulated with no more than the pieces it may move.

Statics can't tell whether the blow of a piece that is let go tips over what would bear it at rest. So Bullet is asked, in a small world: the
pieces that statics finds ready to move, what rests on them, what carries those and their carriers, and what stands beside the place. It is over
when a laid piece has tipped too far to come back or all is calm, which takes a small part of the time of the act.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from meshes.placement import Placement
from physics.contact import TABLE, tower_contacts
from physics.grip import Grip
from physics.hand import HandPath, Skipped
from physics.nodes import TowerNodes
from physics.pose import Pose, Vector, as_array
from physics.scene import NoRoom, Scene
from physics.tower import Tower, height_span_mm
from physics.watch import LIMIT_S, QUIET_MM_S, QUIET_S, TILT_DEG, fallen_pieces
from physics.world import ASIDE_MM

CALM_S = 0.05
"""All is calm if nothing moves for so long and all pieces lie flat."""
LEAN_S = 0.1
"""One that leans may be about to turn over, so it is watched longer; if it was laid before, everything then takes up its load anew."""
FLAT_DEG = 0.3
"""What leans less lies flat."""
GONE_DEG = 60.0
"""What tips farther does not come back. What tips less, onto what is a layer below, swings back if the new piece slides off it: the slope is about as
steep as friction bears (28° with the classic set, steeper with thicker pieces)."""
BLOW_S = 0.03
"""So long after a blow it has done its work; what tips then does so as well in coarser steps."""
_ROOM_MM = 0.5
_BESIDE = 1.2
"""Nodes no farther apart than so many pitches belong to neighbours."""


class _Part(NamedTuple):
    """The pieces of a tower that matter, in a scene that is rewound for each hand. `fixed`: those that stay where they are even while everything
    takes up its load anew."""

    nodes: TowerNodes
    scene: Scene
    fixed: frozenset[int]


class Touchdown:
    """One piece put down on one tower again and again. Use it as a context manager. Raises `NotFlat` if a laid piece leans."""

    def __init__(self, tower: Tower, placement: Placement) -> None:
        self._tower, self._placement = tower, placement
        self._piece = tower.piece_set.by_name[placement.piece]
        self._place_mm = placement.layer * tower.piece_set.thickness_mm
        self._carriers: list[set[int]] = [set() for _ in tower.laid]
        self._riders: list[set[int]] = [set() for _ in tower.laid]
        for contact in tower_contacts(tower):
            if contact.lower != TABLE:
                self._carriers[contact.upper].add(contact.lower)
                self._riders[contact.lower].add(contact.upper)
        self._parts: dict[frozenset[int], _Part] = {}

    def __enter__(self) -> Touchdown:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for part in self._parts.values():
            part.scene.close()

    def topples(self, path: HandPath, ready: frozenset[int]) -> bool:
        """Whether the end of a hand's way makes a laid piece leave its place. Uses up `path`. `ready`: those that a heavier load would move.

        One that tips by more than `GONE_DEG` decides at once, all else is looked at in the end: what sank or shifted, and whether one that tipped has
        come back because the new piece slid off it.
        """
        if ready not in self._parts:
            self._parts[ready] = self._part(ready)
        nodes, scene, fixed = self._parts[ready]
        scene.rewind()
        began, body = self._take_up(scene, path)
        grip = Grip(scene.world, body, velocity=began.velocity)
        while _led(grip, path, began.seconds + scene.seconds):
            scene.step()
        scene.let_go()
        watch = _CalmWatch(scene, body, self._place_mm)
        watch.wait()
        if FLAT_DEG < watch.tilt_deg <= TILT_DEG:
            # as an act does with what rests askew: it may be jammed, so let everything take up its load anew
            scene.wake_all(fixed=fixed)
            watch.restart()
            watch.wait()
        return bool(fallen_pieces(scene.tower, scene.frames[-1][:-1], nodes=nodes))

    def _take_up(self, scene: Scene, path: HandPath) -> tuple[Skipped, int]:
        """The piece on its way, just above its place or, if there is no room for it, above everything; and the number of the body."""
        began = path.skip_to(self._place_mm + path.hangs_mm + _ROOM_MM)
        try:
            body = scene.take_up(self._piece, began.pose)
        except NoRoom:
            piece_set, laid = scene.tower.piece_set, scene.tower.laid
            top_mm = max(height_span_mm(piece_set, scene.tower.piece_type(i), one.pose)[1] for i, one in enumerate(laid))
            path.rise_above(top_mm)
            began = path.skip_to(top_mm + path.hangs_mm + _ROOM_MM)
            body = scene.take_up(self._piece, began.pose)
        scene.world.throw(body, began.velocity)
        return began, body

    def _part(self, ready: frozenset[int]) -> _Part:
        loose = self._with_riders(ready)
        loose = self._with_riders(loose | self._carrying(loose))
        fixed = (self._carrying(loose) | self._beside()) - loose
        # what is jammed may come free as its carriers' carriers yield
        at_last = loose | self._carrying(loose)
        fixed_at_last = (self._carrying(at_last) | fixed) - at_last
        numbers = sorted(loose | fixed | fixed_at_last)
        tower = Tower(self._tower.piece_set, tuple(self._tower.laid[i] for i in numbers))
        scene = Scene(tower, frozen=True, fixed=_places(numbers, fixed | fixed_at_last))
        # from here on every hand finds the scene alike, the first one too
        scene.take_up(self._piece, Pose(0.0, 0.0, ASIDE_MM))
        return _Part(TowerNodes.of(tower), scene, _places(numbers, fixed_at_last))

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


def _places(numbers: Sequence[int], chosen: set[int]) -> frozenset[int]:
    """Where in `numbers` the chosen ones are."""
    return frozenset(place for place, number in enumerate(numbers) if number in chosen)


def _led(grip: Grip, path: HandPath, seconds: float) -> bool:
    """Let the hand lead its piece for a step; not if it lets go."""
    wanted = path.follow(seconds, feels_support=grip.feels_support)
    if wanted is not None:
        grip.lead(wanted)
    return wanted is not None


class _CalmWatch:
    """Tells when nothing will happen any more after a hand has let go, and lets the scene go on in coarser steps once the blow is over.

    The new piece, number `body`, has slipped off once its centre of mass is below its place at `place_mm`; where it goes then does not matter. What
    leaned before the hand came is as flat as it was.
    """

    def __init__(self, scene: Scene, body: int, place_mm: float) -> None:
        self._scene, self._body, self._place_mm = scene, body, place_mm
        self._moved_s = self._struck_s = scene.seconds
        self._calm_s, self._lean_s = CALM_S, LEAN_S
        self._leant_deg = _tilts_deg([as_array(laid.pose) for laid in scene.tower.laid])
        self.tilt_deg = 0.0
        """How far a laid piece leans at most, more than it did before."""

    def restart(self) -> None:
        """Begin anew, in fine steps: something may move again."""
        self._moved_s, self._struck_s = self._scene.seconds, LIMIT_S
        self._calm_s = self._lean_s = QUIET_S

    def wait(self) -> None:
        """Go on until a laid piece has tipped too far to come back, or all has been calm for long enough, or it takes too long."""
        while self.tilt_deg < GONE_DEG and self._scene.seconds < min(LIMIT_S, self._moved_s + self._calm_s):
            if self._scene.step():
                self._look()

    def _look(self) -> None:
        scene = self._scene
        *laid, new = _tilts_deg(scene.frames[-1])
        self.tilt_deg = float((np.array(laid) - self._leant_deg).max())
        tipped = self.tilt_deg > TILT_DEG
        # on what has tipped the new piece is lower too, and as long as it moves there it may slide off
        lost_mm = self._place_mm - (scene.tower.piece_set.thickness_mm if tipped else 0.0)
        slipped = scene.world.motion(self._body)[0][2] < lost_mm
        if scene.fastest(but=self._body if slipped else None) > QUIET_MM_S:
            self._moved_s = scene.seconds
        leans = not tipped and max(self.tilt_deg, 0.0 if slipped else new) > FLAT_DEG
        self._calm_s = self._lean_s if leans else CALM_S
        if len(scene.awake) == 1:
            self._struck_s = scene.seconds
        elif tipped or scene.seconds - self._struck_s > BLOW_S:
            scene.hasten()


def _tilts_deg(states: ArrayLike) -> Vector:
    """(n,) how far (n, 7) poses lean."""
    turns = np.asarray(states)
    tilts: Vector = np.degrees(2 * np.hypot(turns[:, 3], turns[:, 4]))
    return tilts
