"""Pieces stacked by hand without rules, and the table moved under them. Knows no items of the page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from meshes.piece_set import PieceSet, PieceType
from meshes.placement import Placement
from physics.contact import NotFlat
from physics.overlap import node_centres, overlaps, surface_under
from physics.pose import Pose, Vector, as_pose
from physics.statics import Stability, tower_stability
from physics.table_motion import MotionKind, MovedTable, move_table
from physics.tower import Tower, exact_pose, placement_at
from viewer.screens.lab.worker import Failed, Worker

_PACE = 1.5
"""Simulated seconds a second."""


class Frame(NamedTuple):
    """A moment of a motion: seconds, how far the table is moved, (n, 7) poses."""

    seconds: float
    amount: float
    states: Vector


class Place(NamedTuple):
    """Where a piece would be laid, and whether it can be."""

    placement: Placement
    pose: Pose
    free: bool


@dataclass(slots=True)
class Motion:
    """A motion as it is shown: its kind and heading, the moment shown now, the outcome once that is reached."""

    kind: MotionKind
    heading_deg: float
    frame: Frame
    outcome: MovedTable | None = None
    course: list[tuple[float, float]] = field(default_factory=list)
    """How far the table was moved at each moment shown so far, and how many mm the top of the tower was off its place."""


class LabTable:
    """A tower of one set, its stability by statics, and the motion it is put through."""

    def __init__(self, piece_set: PieceSet) -> None:
        self.tower = Tower(piece_set)
        self.stability: Stability | None = None
        self.motion: Motion | None = None
        self.message = ""
        """What went wrong with the last motion, or nothing."""
        self._worker = Worker()
        self._frames: deque[Frame] = deque()
        self._ended: MovedTable | None = None
        self._clock = 0.0

    @property
    def moving(self) -> bool:
        """Whether a motion is shown that has not come to its end."""
        return self.motion is not None and self.motion.outcome is None

    @property
    def poses(self) -> list[Pose]:
        """Where the pieces are now."""
        if self.motion is not None:
            return [as_pose(state) for state in self.motion.frame.states]
        return [laid.pose for laid in self.tower.laid]

    @property
    def foot(self) -> Vector:
        """(3,) mm: the middle of the tower as it was laid, on the table."""
        middle = np.mean([(laid.pose.x, laid.pose.y) for laid in self.tower.laid], axis=0)
        return np.array([*middle, 0.0])

    # --- stacking

    def use(self, piece_set: PieceSet) -> None:
        """Go over to another set; the tower stays if its pieces are there still and have their shapes."""
        placements = [laid.placement for laid in self.tower.laid]
        try:
            for placement in placements:
                exact_pose(piece_set, placement)
            self.put(Tower.exact(piece_set, placements))
        except (KeyError, ValueError):
            self.put(Tower(piece_set))

    def place_at(self, piece: PieceType, x_mm: float, y_mm: float, turns: int) -> Place:
        """The exact place nearest to (x, y) on whatever lies there."""
        piece_set = self.tower.piece_set
        middle = piece_set.places_mm(piece_set.lattice.turned(piece.cells, turns)).mean(axis=0)
        yaw = turns * piece_set.lattice.turn_deg
        pose = Pose.flat(x_mm - float(middle[0]), y_mm - float(middle[1]), 0.0, yaw)
        flat = exact_pose(piece_set, placement_at(piece_set, piece, pose, 0))
        layer = round(surface_under(self.tower, node_centres(piece_set, piece, flat)) / piece_set.thickness_mm)
        placement = placement_at(piece_set, piece, flat, layer)
        exact = exact_pose(piece_set, placement)
        return Place(placement, exact, not overlaps(self.tower, piece, exact))

    def lay(self, place: Place) -> None:
        """Lay a piece there."""
        if place.free:
            self.put(self.tower.with_piece(place.placement, place.pose))

    def take_back(self) -> None:
        """Take the last piece away, or put a moved tower up again."""
        if self.motion is not None:
            self._stop()
        elif self.tower.laid:
            self.put(Tower(self.tower.piece_set, self.tower.laid[:-1]))

    def clear(self) -> None:
        """Take all away."""
        self.put(Tower(self.tower.piece_set))

    def column(self, piece: PieceType, count: int) -> None:
        """A column of one piece, each exactly on the one below."""
        self.put(Tower.exact(self.tower.piece_set, [Placement(piece.name, layer, piece.cells) for layer in range(count)]))

    def put(self, tower: Tower) -> None:
        """Have another tower there, at rest."""
        self._stop()
        self.tower, self.message = tower, ""
        try:
            self.stability = tower_stability(tower) if tower.laid else None
        except NotFlat:
            self.stability = None

    # --- moving the table

    def move(self, kind: MotionKind, heading_deg: float, most: float | None = None) -> None:
        """Move the table under the tower as it was laid."""
        self._stop()
        failed = self._worker.start(tell_motion, self.tower, kind, heading_deg, most)
        if failed is not None:
            self.message = failed.message
            return
        start = np.array([[laid.pose.x, laid.pose.y, laid.pose.z, *laid.pose.rotation] for laid in self.tower.laid])
        self.motion, self.message = Motion(kind, heading_deg, Frame(0.0, 0.0, start)), ""

    def update(self, seconds: float) -> bool:
        """Show the motion on; whether something looks different."""
        if self.motion is None or self.motion.outcome is not None:
            return False
        for heard in self._worker.poll():
            if isinstance(heard, Failed):
                self._stop()
                self.message = heard.message
                return True
            if isinstance(heard, MovedTable):
                self._ended = heard
            else:
                self._frames.append(heard)
        before = self.motion.frame
        self._clock += seconds * _PACE if self._frames else 0.0
        while self._frames and self._frames[0].seconds <= self._clock:
            self.motion.frame = frame = self._frames.popleft()
            self.motion.course.append((frame.amount, self._top_off_mm(frame)))
        if self._ended is not None and not self._frames:
            self.motion.outcome = self._ended
            return True
        return self.motion.frame is not before

    def _top_off_mm(self, frame: Frame) -> float:
        top = max(range(len(self.tower.laid)), key=lambda k: self.tower.laid[k].pose.z)
        pose = self.tower.laid[top].pose
        return float(np.linalg.norm(frame.states[top, :3] - (pose.x, pose.y, pose.z)))

    def skip(self) -> None:
        """Show no more of the motion than its end."""
        self._clock = float("inf")

    def close(self) -> None:
        """Nothing is at work any more."""
        self._worker.cancel()

    def _stop(self) -> None:
        self._worker.cancel()
        self.motion, self._ended, self._clock = None, None, 0.0
        self._frames.clear()


def tell_motion(tell: Callable[[Frame | MovedTable], None], tower: Tower, kind: MotionKind, heading_deg: float, most: float | None) -> None:
    """Tell the frames of a motion as they come, then its outcome; for a `Worker`."""
    tell(move_table(tower, kind, heading_deg=heading_deg, most=most, onlooker=lambda *seen: tell(Frame(*seen))))
