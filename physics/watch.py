"""Watching the table: when everything is at rest, and whether the act that is over knocked pieces over (RULES S42, S43)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshes.lattice import Cell
from physics.nodes import TowerNodes
from physics.pose import Vector
from physics.rotation import tilts_deg
from physics.scene import Scene
from physics.tower import Tower

TILT_DEG = 10.0
"""A laid piece that leans more than this has been knocked over; so has one that sank by half a thickness or shifted by half a pitch."""
QUIET_MM_S = 6.0
"""Slower than this is at rest…"""
QUIET_S = 0.5
"""…if it lasts this long; nothing in the air is so slow for so long."""
FEW = 6
"""So few pieces that still move don't keep the others awake."""
PATIENCE_S = 2.5
"""After this long pieces that still roll are slowed down."""
LIMIT_S = 7.0
"""After this long the watch is over whatever still moves."""
SLOWING = 0.97
"""Share of its speed that a piece slowed down loses in a second."""


class Leaving(Enum):
    """How a piece left its place."""

    FELL = "fell"
    TIPPED = "tipped"
    SHIFTED = "was pushed off"


class Fallen(NamedTuple):
    """A laid piece (its index in the tower) that has left its place."""

    piece: int
    how: Leaving


class Support(NamedTuple):
    """A node of a piece and the piece that carries it (index in the tower; −1 is the table)."""

    cell: Cell
    carrier: int


@dataclass(frozen=True, slots=True)
class LostSupport:
    """The piece (index in the tower) that lost its support first: which of its `supports` nodes were no longer carried when it left
    its place, and when that began, in seconds of the track."""

    piece: int
    lost: tuple[Support, ...]
    supports: int
    seconds: float


@dataclass(frozen=True, slots=True)
class KnockOver:
    """A knock-over (RULES S42): what fell, and where it began. `str()` says it in words; `tower` is the tower before."""

    tower: Tower
    fallen: tuple[Fallen, ...]
    first: LostSupport

    def __str__(self) -> str:
        piece = self.tower.laid[self.first.piece].placement
        carriers = Counter("the table" if s.carrier < 0 else self.tower.laid[s.carrier].placement.piece for s in self.first.lost)
        names = ", ".join(name if n == 1 else f"{n} on {name}" for name, n in carriers.items())
        lost = f" lost {len(self.first.lost)} of {self.first.supports} supports ({names})" if names else " slid off"
        others = len(self.fallen) - 1
        more = "" if not others else f"; {others} more piece{'s'[: others > 1]} left their places" if others > 1 else "; 1 more piece left its place"
        return f"{piece.piece} on layer {piece.layer}{lost}{more}"


class QuietWatch:
    """Tells when a scene has come to rest: all speeds below `QUIET_MM_S` for `QUIET_S`, or `LIMIT_S` over.

    Once no more than `FEW` pieces move, others that are at rest and out of touch with them are frozen, so that a disc that rolls away does
    not keep a whole tower busy. After `PATIENCE_S` pieces that touch something are slowed down; what falls, falls freely.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.restart()

    def restart(self) -> None:
        """Begin anew, with nothing slowed down."""
        self._started = self._scene.seconds
        self._moved: dict[int, float] = {}
        self.quiet = False
        """Whether at the last look nothing moved any more; if the watch is over all the same, the limit ended it."""
        for body in self._scene.awake:
            self._scene.world.damp(body, self._scene.world.settings.damping)

    def look(self) -> bool:
        """Whether the watch is over; to be asked sixty times a second."""
        scene, seconds = self._scene, self._scene.seconds
        self._moved |= {body: seconds for body in scene.awake if scene.world.speed(body) > QUIET_MM_S}
        if seconds - self._started > PATIENCE_S:
            self._slow_down()
        at_rest = {body for body in scene.awake if seconds - self._moved.get(body, self._started) >= QUIET_S}
        moving = len(scene.awake) - len(at_rest)
        self.quiet = moving == 0
        if at_rest and 0 < moving <= FEW:
            scene.freeze_apart(at_rest)
        return self.quiet or seconds - self._started >= LIMIT_S

    def _slow_down(self) -> None:
        world = self._scene.world
        touching = {body for touch in world.touches() if touch.force_n > 0 for body in (touch.a, touch.b)}
        for body in self._scene.awake:
            world.damp(body, SLOWING if body in touching else world.settings.damping)


def fallen_pieces(tower: Tower, states: Vector, *, nodes: TowerNodes | None = None) -> tuple[Fallen, ...]:
    """The laid pieces that have left their places when they are at `states` (n, 7); `nodes` of the tower if they are at hand."""
    return _fallen(tower, nodes or TowerNodes.of(tower), states)


def knock_over(tower: Tower, times: Sequence[float], frames: Sequence[Vector]) -> KnockOver | None:
    """The account of what `frames` (each (n, 7) or longer, of which the first n rows are the laid pieces) show at `times`; None if every piece is in
    its place in the last of them."""
    nodes, count = TowerNodes.of(tower), len(tower.laid)
    fallen = _fallen(tower, nodes, frames[-1][:count])
    if not fallen:
        return None
    down = [{piece for piece, _ in _fallen(tower, nodes, frame[:count])} for frame in frames]
    lost = np.array([nodes.uncarried(frames[0][:count], frame[:count]) for frame in frames])
    accounts = [_lost_support(nodes, piece, down, lost, times) for piece, _ in fallen]
    first = min(accounts, key=lambda account: (not account.lost, account.seconds, account.piece))
    return KnockOver(tower, fallen, first)


def _lost_support(nodes: TowerNodes, piece: int, down: Sequence[set[int]], lost: NDArray[np.bool_], times: Sequence[float]) -> LostSupport:
    """What `piece` had lost in the frame from which on it stayed out of its place, and since when it had lost something without a break."""
    mine = np.flatnonzero(nodes.piece == piece)
    frame = len(down) - 1
    while frame > 0 and piece in down[frame - 1]:
        frame -= 1
    gone = lost[:, mine]
    begin = frame
    while begin > 0 and gone[begin - 1].any():
        begin -= 1
    which = mine[gone[frame]]
    return LostSupport(piece, tuple(Support(nodes.cells[i], int(nodes.carrier[i])) for i in which), len(mine), float(times[begin] - times[0]))


def _fallen(tower: Tower, nodes: TowerNodes, states: Vector) -> tuple[Fallen, ...]:
    away = nodes.places(states) - nodes.exact
    first = np.searchsorted(nodes.piece, range(len(states)))
    shift = np.maximum.reduceat(np.hypot(away[:, 0], away[:, 1]), first)
    sunk = np.maximum.reduceat(-away[:, 2], first)
    tilt = tilts_deg(states[:, 3:])
    half_layer, half_pitch = tower.piece_set.thickness_mm / 2, tower.piece_set.pitch_mm / 2
    found = []
    for piece in range(len(states)):
        if tilt[piece] > TILT_DEG:
            found.append(Fallen(piece, Leaving.TIPPED))
        elif sunk[piece] > half_layer:
            found.append(Fallen(piece, Leaving.FELL))
        elif shift[piece] > half_pitch:
            found.append(Fallen(piece, Leaving.SHIFTED))
    return tuple(found)
