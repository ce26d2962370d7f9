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

from meshes.placement import Placement
from physics.calm import CalmWatch
from physics.contact import TABLE, tower_contacts
from physics.grip import Grip
from physics.hand import HandPath, Skipped
from physics.nodes import TowerNodes
from physics.pose import Pose
from physics.scene import NoRoom, Scene
from physics.tower import Tower, height_span_mm
from physics.watch import fallen_pieces
from physics.world import ASIDE_MM

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

        One that tips by more than `physics.calm.GONE_DEG` decides at once, all else is looked at in the end: what sank or shifted, and whether
        one that tipped has come back because the new piece slid off it.
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
        watch = CalmWatch(scene, body, self._place_mm)
        watch.wait()
        if watch.jammed:
            # as an act does with what rests askew: it may come free as everything takes up its load anew
            scene.wake_all(fixed=fixed)
            watch.wait_while_loaded()
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
