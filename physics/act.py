"""Acts: a piece is held, moved and let go, and the table is watched until all is at rest. An act never changes the tower it starts from.

`Act` is for a hand on a mouse, `place_by_hand` for a hand that moves by itself, `place_on_board` lays exactly. Every act runs in a
world of its own, built from the tower, in steps of fixed length: the same tower and the same inputs at the same steps give the same
result, bit for bit, whatever was tried before and however often the screen is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container
from dataclasses import replace
from types import TracebackType

import numpy as np

from meshes.errors import StakdError
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.grip import EXACT, Grip, Steadiness
from physics.hand import HandPath
from physics.knock import Knocked, knock
from physics.nodes import TowerNodes
from physics.outcome import ActResult, Outcome, concluded, rest_of, stands_surely
from physics.pose import Pose, Vector, as_array, as_pose
from physics.rotation import from_turn, product, turn_between
from physics.scene import NoRoom, Scene
from physics.tower import Tower, exact_pose, height_span_mm
from physics.track import RATE_HZ, PoseTrack
from physics.watch import QuietWatch, fallen_pieces, knock_over
from physics.world import World

__all__ = ["Act", "ActResult", "Knocked", "NoRoom", "NotOver", "Onlooker", "Outcome", "knock", "place_by_hand", "place_on_board"]

Onlooker = Callable[[float, Vector], None]
"""Told sixty times a second of an act its seconds and the (n, 7) poses of all pieces, the new one last, as the act goes on. May take its
time; an error it raises ends the act there. What it sees it can't change."""

HAND_MM_S = 400.0
HAND_DEG_S = 360.0
"""However fast the mouse is, the hand moves and turns a piece no faster."""
GLIDE_S, GLIDE_MM = 0.5, 45.0
"""A piece laid on the board comes down from this height in this time."""
MOST_ADVANCE_S = 0.1
"""Simulated in one call at most: after a stall of the screen the act goes on where it was, without catching up."""


class NotOver(StakdError):
    """The result of an act was asked for before everything was at rest."""

    def __init__(self) -> None:
        super().__init__("the act is not over; let go of the piece and advance until it is done")


class Act:
    """One piece in a hand over a tower. Call `move_to` and `release` as the player does, and `advance` with the time that has passed.

    `allowed`: placements the piece may count as; None: any. Raises `NoRoom` if the piece can't start there. Use it as a context
    manager, or `close` it when you leave it before it is done.
    """

    def __init__(
        self, tower: Tower, piece: str, start: Pose, *, allowed: Container[Placement] | None = None, onlooker: Onlooker | None = None
    ) -> None:
        self.tower = tower
        self._onlooker = onlooker
        self._piece = tower.piece_set.by_name[piece]
        self._allowed = allowed
        self._scene = Scene(tower, frozen=True)
        try:
            self._body = self._scene.take_up(self._piece, start)
        except NoRoom:
            self._scene.close()
            raise
        self._grip: Grip | None = Grip(self._scene.world, self._body)
        self._target = self._wanted = start
        self._nodes = TowerNodes.of(tower)
        self._watch = QuietWatch(self._scene)
        self._owed_s = 0.0
        self._proven = False
        self._last = self._scene.frames[-1]
        self._result: ActResult | None = None

    def __enter__(self) -> Act:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Give the world back; what is known stays known."""
        self._scene.close()

    @property
    def seconds(self) -> float:
        """Simulated time of the act so far."""
        return self._scene.seconds

    @property
    def held(self) -> bool:
        """Whether the hand holds the piece. It lets go by itself when something falls."""
        return self._grip is not None

    @property
    def feels_support(self) -> bool:
        """Whether the hand feels the piece stand on something."""
        return self._grip is not None and self._grip.feels_support

    @property
    def done(self) -> bool:
        """Whether the act is over and `result` is known."""
        return self._result is not None

    def poses(self) -> list[Pose]:
        """Poses as of the last step of all laid pieces and, last, the piece of the act."""
        return [as_pose(state) for state in (self._last if self.done else self._scene.world.states())]

    def move_to(self, pose: Pose) -> None:
        """Want the piece at `pose`; the hand goes there at no more than `HAND_MM_S`."""
        self._wanted = pose

    def release(self) -> None:
        """Let go."""
        if self._grip:
            self._grip = None
            self._scene.let_go()
            self._watch.restart()

    def advance(self, seconds: float) -> None:
        """Let time pass: as many whole steps as fit; the rest is kept for the next call. At most `MOST_ADVANCE_S` a call."""
        # The millionth of a step makes up for rounding: sixty times 1/60 s is a second.
        self._owed_s += min(seconds, MOST_ADVANCE_S)
        while not self.done and self._owed_s * (rate := self._rate) >= 1 - 1e-6:
            self._owed_s -= 1 / rate
            self.run(1)

    def run(self, steps: int) -> None:
        """Simulate up to `steps` steps, fewer if the act is done before."""
        for _ in range(steps):
            if self.done:
                return
            if self._grip:
                self._pull(self._grip)
            if self._scene.step():
                self._look()

    def result(self) -> ActResult:
        """The end of the act. Raises `NotOver` before it is `done`."""
        if self._result is None:
            raise NotOver
        return self._result

    @property
    def _rate(self) -> int:
        return self._scene.world.settings.steps_per_second

    def _pull(self, grip: Grip) -> None:
        self._target = _towards(self._target, self._wanted, HAND_MM_S / self._rate, math.radians(HAND_DEG_S) / self._rate)
        grip.lead(self._target)

    def _look(self) -> None:
        """Sixty times a second: has something fallen, is everything at rest?"""
        # Only the piece in hand awake: nothing can have fallen.
        if len(self._scene.awake) > 1 and fallen_pieces(self.tower, self._scene.frames[-1][:-1], nodes=self._nodes):
            self.release()
            self._scene.hasten()
        if self._grip is None and self._watch.look():
            self._come_to_rest()
        if self._onlooker:
            self._onlooker(self._scene.times[-1], self._scene.frames[-1])

    def _come_to_rest(self) -> None:
        """The watch is over. Believe it only if nothing was frozen, or statics is sure that the tower stands without that."""
        self._last = self._scene.frames[-1]
        poses = [as_pose(state) for state in self._last]
        if not self._scene.all_awake and not self._proven and not fallen_pieces(self.tower, self._last[:-1]) and not self._stands(poses):
            self._proven = True
            self._scene.wake_all()
            self._watch.restart()
            return
        fell = knock_over(self.tower, self._scene.times, self._scene.frames)
        self._result = concluded(
            self.tower,
            self._piece,
            poses,
            allowed=self._allowed,
            fell=fell,
            track=self._scene.track(),
            seconds=self._scene.seconds,
            quiet=self._watch.quiet,
        )
        self._scene.close()

    def _stands(self, poses: list[Pose]) -> bool:
        rest = rest_of(self.tower, self._piece, poses[-1])
        laid = self.tower.with_poses(poses[:-1])
        return stands_surely(laid.with_piece(rest.placement, poses[-1])) if rest else stands_surely(laid)


def place_by_hand(
    tower: Tower,
    placement: Placement,
    steadiness: Steadiness,
    rng: np.random.Generator,
    *,
    allowed: Container[Placement] | None = None,
    onlooker: Onlooker | None = None,
) -> ActResult:
    """Let a hand of a stated steadiness bring a piece to `placement` and let go. Counts as that placement only, unless more are `allowed`.

    The generator is used the same however the act goes. A second of the act takes a tenth of a second and less while nothing moves but
    the piece, about a second when a tower of 50 falls.
    """
    allowed = [placement] if allowed is None else allowed
    path = HandPath(tower, placement, steadiness, rng)
    with _taken_up(tower, placement, path, allowed, onlooker) as act:
        while not act.done:
            if act.held:
                wanted = path.follow(act.seconds, feels_support=act.feels_support)
                if wanted is None:
                    act.release()
                else:
                    act.move_to(wanted)
            act.run(1)
        return act.result()


def _taken_up(tower: Tower, placement: Placement, path: HandPath, allowed: Container[Placement], onlooker: Onlooker | None) -> Act:
    """The act at the start of `path`; if something is in the way there, above everything on the table."""
    try:
        return Act(tower, placement.piece, path.start, allowed=allowed, onlooker=onlooker)
    except NoRoom:
        path.rise_above(max(height_span_mm(tower.piece_set, tower.piece_type(i), laid.pose)[1] for i, laid in enumerate(tower.laid)))
        return Act(tower, placement.piece, path.start, allowed=allowed, onlooker=onlooker)


def place_on_board(tower: Tower, placement: Placement, *, onlooker: Onlooker | None = None) -> ActResult:
    """Lay a piece exactly in its place. It glides there if nothing is in the way and statics is sure of the result; else a perfect hand
    lays it, and neighbours that stood in the way are squared up with everything else."""
    laid = tower.with_piece(placement)
    if stands_surely(laid) and _is_free(tower, placement):
        track = _glide(tower, laid.laid[-1].pose)
        if onlooker:
            _show_glide(laid, track, onlooker)
        return ActResult(Outcome.PLACED, laid, placement, 0.0, placement, None, False, track, track.seconds)
    result = place_by_hand(tower, placement, EXACT, np.random.default_rng(0), onlooker=onlooker)
    exact = Tower.exact(tower.piece_set, [piece.placement for piece in laid.laid])
    if result.outcome is Outcome.KNOCKED_OVER or not stands_surely(exact):
        return result
    return replace(result, outcome=Outcome.PLACED, tower=exact, placement=placement, offset_mm=0.0, rests_at=placement, squared_up=exact != laid)


def _is_free(tower: Tower, placement: Placement) -> bool:
    piece_set = tower.piece_set
    with World() as world:
        for index, piece in enumerate(tower.laid):
            if abs(piece.placement.layer - placement.layer) <= 1:
                solid = build_solid(piece_set, tower.piece_type(index))
                world.add(solid, piece.pose, friction=piece_set.friction, restitution=piece_set.restitution, frozen=True)
        return not world.overlaps(build_solid(piece_set, piece_set.by_name[placement.piece]), exact_pose(piece_set, placement))


def _glide(tower: Tower, pose: Pose) -> PoseTrack:
    """The way straight down into `pose`."""
    times = np.linspace(0.0, GLIDE_S, round(GLIDE_S * RATE_HZ) + 1)
    share = times / GLIDE_S
    states = np.repeat(as_array(pose)[None, None, :], len(times), axis=0)
    states[:, 0, 2] += GLIDE_MM * (1 - share * share * (3 - 2 * share))
    return PoseTrack(times, (len(tower.laid),), states)


def _show_glide(laid: Tower, track: PoseTrack, onlooker: Onlooker) -> None:
    still = np.array([as_array(piece.pose) for piece in laid.laid[:-1]]).reshape(-1, 7)
    for seconds, states in zip(track.times.tolist(), track.states, strict=True):
        onlooker(seconds, np.vstack([still, states]))


def _towards(start: Pose, end: Pose, step_mm: float, step_rad: float) -> Pose:
    """The pose on the way from `start` to `end` after one step of at most these sizes."""
    x, y, z = end.x - start.x, end.y - start.y, end.z - start.z
    turn = turn_between(start.rotation, end.rotation)
    share = min(1.0, step_mm / max(step_mm, math.hypot(x, y, z)), step_rad / max(step_rad, math.hypot(*turn)))
    if share == 1.0:
        return end
    part = from_turn((turn[0] * share, turn[1] * share, turn[2] * share))
    return Pose(start.x + x * share, start.y + y * share, start.z + z * share, product(part, start.rotation))
