"""What a show lets see and hear: the pieces on its table, the camera that goes round them by itself, and the sounds of those that land."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from physics.pose import as_array
from physics.tower import Tower
from viewer.camera import Array
from viewer.director import Director
from viewer.fitting import pictured_items
from viewer.impacts import Impacts
from viewer.item_buffer import placed_corners
from viewer.items import Item
from viewer.screens.show_fall import Fall
from viewer.screens.table_view import TableView

if TYPE_CHECKING:
    from meshes.piece_set import PieceSet, PieceType
    from physics.pose import Pose
    from viewer.program import Program

VIEWS = ((0.0, 20.0), (115.0, 7.0))
"""From where a fall is seen again: so much farther round than it was seen first, so high."""
_LOOK_S = 0.2
"""While pieces move, where to look is worked out anew after so long."""
_NEAREST_PITCHES = 15.0
_NEAR_MM = 260.0
_EMPTY = np.array([(x, y, z) for x in (-110.0, 110.0) for y in (-110.0, 110.0) for z in (0.0, 40.0)])

Pieces = Sequence[tuple["PieceType", "Pose"]]


class ShowScene:
    """The stage and the camera of one round."""

    def __init__(self, program: Program, piece_set: PieceSet, tower: Tower) -> None:
        self._program = program
        self.view = TableView(program, piece_set)
        still = program.settings.reduced_motion
        self._director = Director(self.view.framed, nearest_mm=_NEAREST_PITCHES * piece_set.pitch_mm, still=still)
        self._points = self._lit = _corners(tower)
        self._looked_s = 0.0
        self._impacts: Impacts | None = None
        self._shown: tuple[object, ...] = ()

    def move_camera(self, seconds: float, focus: Array | None) -> bool:
        """Let the camera go on, above all to see (3,) `focus`; gives whether it moved."""
        before = self.view.orbit.camera
        self.view.orbit.jump_to(self._director.update(seconds, self._points, focus))
        return self.view.orbit.camera != before

    def follow(self, seconds: float, tower: Tower, pieces: Pieces) -> None:
        """Look where the pieces of `tower` are by now, the first of `pieces`."""
        self._looked_s += seconds
        if self._looked_s >= _LOOK_S and not self._program.settings.reduced_motion:
            self._looked_s = 0.0
            self._points = _corners(tower.with_poses([pose for _, pose in pieces[: len(tower.laid)]]))

    def rest(self, tower: Tower) -> None:
        """Look at a tower that stands."""
        self._points = self._lit = _corners(tower)

    def see_again(self, fall: Fall, number: int) -> None:
        """Look at a fall from the place `number` of `VIEWS`."""
        turn, height = VIEWS[number]
        self._points = _corners(fall.before, fall.end() if number == 0 else fall.before)
        self._director.cut(self._director.azimuth_deg + turn, height, turning=0.6)

    def hear(self, pieces: Pieces, seconds: float) -> None:
        """Let pieces that land be heard, where they are at `seconds`."""
        if self._impacts is None:
            self._impacts = Impacts(self.view.piece_set, [piece.name for piece, _ in pieces])
        self._program.sounds.land(self._impacts.update(np.array([as_array(pose) for _, pose in pieces]), seconds))

    def hush(self) -> None:
        """What was falling has come to rest."""
        self._impacts = None

    def show(self, seen: tuple[object, ...], items: Callable[[], Sequence[Item]]) -> None:
        """Give the stage `items`, unless it has what `seen` stands for."""
        if seen != self._shown:
            self.view.show(items(), lit=self._lit)
            self._shown = seen


def _corners(*towers: Tower) -> Array:
    """(n, 3) what must be seen of towers; what flew far from the first is let go."""
    corners = [placed_corners(tower.piece_set, pictured_items(tower)) for tower in towers if tower.laid]
    if not corners:
        return _EMPTY
    points, middle = np.concatenate(corners), np.median(corners[0], axis=0)
    near = np.linalg.norm(points - middle, axis=1) < _NEAR_MM
    return points[near] if near.any() else _EMPTY
