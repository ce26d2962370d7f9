"""A scene: a tower in a world of its own, stepped and recorded. Settled pieces stay frozen until something stirs them.

Which frozen pieces wake, and when:

- a piece wakes just before a moving one strikes it faster than `STRIKE_MM_S`, so that it takes the blow as it would awake; and when one pushes it
  sideways by more than `NUDGE_N`, presses on it by more than `PRESS_N` above the weight of everything that moves, or touches it so fast;
- whatever rests on a piece that wakes, directly or over other pieces, wakes with it, so that it keeps its load;
- pieces that came to rest during the act and were frozen together wake together.

Friction needs no rule of its own: a piece dragged over another can't drag it along, as that one's own base holds at least as well.
"""

from __future__ import annotations

from functools import lru_cache
from types import TracebackType

from meshes.errors import StakdError
from meshes.piece_set import PieceType
from meshes.solid import build_solid
from physics.blow import struck_soon
from physics.contact import TABLE, NotFlat, tower_contacts
from physics.engine import BRISK, Settings
from physics.pose import Pose, Vector
from physics.tower import Tower
from physics.track import RATE_HZ, PoseTrack
from physics.units import weight_n
from physics.world import BelowTable, World

NUDGE_N = 0.002
PRESS_N = 0.02
STRIKE_MM_S = 20.0
HOVER_S = 10
"""While nothing but the piece in hand moves, only the last so many seconds stay recorded: a player may think for as long as he likes."""
_SIDEWAYS = 0.9
"""A contact whose normal rises less than this (26° off the vertical) pushes sideways."""


class NoRoom(StakdError):
    """A piece can't be taken up where something else is. `pieces`: indices into the tower, −1 is the table."""

    def __init__(self, piece: str, pieces: list[int]) -> None:
        self.piece, self.pieces = piece, tuple(pieces)
        names = ", ".join("the table" if index == TABLE else f"piece {index}" for index in pieces)
        super().__init__(f"{piece} would reach into {names}; start it farther up or aside")


class Scene:
    """A tower in a world. Body i of the world is piece i of the tower; the piece in hand, if there is one, comes after them.

    `frozen`: all pieces start frozen, unless one of them leans: then all start awake, as who rests on whom is not clear. `fixed`: pieces that stay
    frozen whatever happens, until `wake_all` names others. Raises `BelowTable`.
    """

    def __init__(self, tower: Tower, *, frozen: bool, fixed: frozenset[int] = frozenset(), settings: Settings | None = None) -> None:
        self.tower = tower
        self.world = World(table_friction=tower.piece_set.friction, table_restitution=tower.piece_set.restitution, settings=settings)
        self._settings = self.world.settings
        self._fixed_at_first = fixed
        self._resting = _resting(tower) if frozen else None
        self._taken_up: PieceType | None = None
        for index, laid in enumerate(tower.laid):
            self._add(tower.piece_type(index), laid.pose, frozen=self._resting is not None or index in fixed)
        if self._resting is not None:
            self.world.skip_ramp()
        try:
            self._begin()
        except BelowTable:
            self.close()
            raise

    def _begin(self) -> None:
        """As nothing has happened yet."""
        laid = range(len(self.tower.laid))
        self._fixed = self._fixed_at_first
        self._awake = [] if self._resting is not None else [body for body in laid if body not in self._fixed]
        self._above = None if self._resting is None else [set(riders) for riders in self._resting]
        self._group: dict[int, set[int]] = {}
        self._stirred = self._above is None
        self._carried: int | None = None
        self.times: list[float] = [0.0]
        self.frames: list[Vector] = [self.world.states_of(laid)]

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Give the world back."""
        self.world.close()

    def rewind(self) -> None:
        """Make a scene that began frozen what it was at the beginning, in a small part of the time that a new one takes; `World.rewind` says how far
        that repeats. What was taken up waits aside until it is taken up again, and nothing else can be."""
        assert self._resting is not None, "the scene did not begin frozen"
        if self.world.settings != self._settings:
            self.world.change_settings(self._settings)
        self.world.rewind([laid.pose for laid in self.tower.laid])
        self._begin()

    @property
    def seconds(self) -> float:
        """Simulated time so far."""
        return self.world.seconds

    @property
    def awake(self) -> tuple[int, ...]:
        """Bodies that can move, in the order in which they woke."""
        return tuple(self._awake)

    @property
    def all_awake(self) -> bool:
        """Whether all that may move is awake."""
        return len(self._awake) + len(self._fixed) == len(self.world)

    def take_up(self, piece: PieceType, pose: Pose) -> int:
        """Put one piece more at `pose`, awake; returns its number. Raises `NoRoom` if it would reach into something."""
        hit = self.world.overlaps(build_solid(self.tower.piece_set, piece), pose)
        if hit:
            raise NoRoom(piece.name, hit)
        if self._taken_up is None:
            self._carried = self._add(piece, pose, frozen=False)
        else:
            assert piece == self._taken_up, "no other piece was taken up before"
            self._carried = len(self.tower.laid)
            self.world.put(self._carried, pose)
            self.world.thaw(self._carried)
        self._taken_up = piece
        self._awake.append(self._carried)
        if self._above is not None:
            self._above.append(set())
        self.frames[-1] = self.world.states()
        return self._carried

    def let_go(self) -> None:
        """The piece taken up falls from now on."""
        self._carried = None
        self._foresee()

    def wake(self, body: int) -> None:
        """Thaw `body` and everything that rests on it."""
        self._thaw({body, *(self._above[body] if self._above else ()), *self._group.get(body, ())})

    def wake_all(self, *, fixed: frozenset[int] | None = None) -> None:
        """Thaw everything, in fine steps; load comes back gently. `fixed`: the pieces that stay frozen from now on, instead of those before."""
        self._fixed = self._fixed if fixed is None else fixed
        if self.world.settings != self._settings:
            self.world.change_settings(self._settings)
        self._thaw(set(range(len(self.world))))
        self.world.ramp_gravity()

    def freeze_apart(self, quiet: set[int]) -> None:
        """Freeze those of the `quiet` bodies that no moving one touches, directly or over other awake bodies."""
        links = {body: [touch.b for touch in self.world.touches(body) if touch.b != TABLE] for body in self._awake}
        reached = [body for body in self._awake if body not in quiet]
        apart = quiet.copy()
        while reached:
            near = apart.intersection(links.get(reached.pop(), ()))
            apart -= near
            reached += near
        for body in sorted(apart):
            self._lie(body)
            self.world.freeze(body)
            self._awake.remove(body)
            self._group[body] = apart

    def _lie(self, body: int) -> None:
        """Remember on what a body rests that comes to be frozen, so that it wakes with that."""
        if self._above is None:
            return
        for touch in self.world.touches(body):
            if touch.b != TABLE and touch.normal[2] > _SIDEWAYS:
                for below, above in enumerate(self._above):
                    if below == touch.b or touch.b in above:
                        above.add(body)

    def hasten(self) -> None:
        """Go on in coarser steps, twice as fast, which is as good for what tips or tumbles once the blow is over. Between frames only."""
        if self.world.settings != BRISK:
            self.world.change_settings(BRISK)

    def step(self) -> bool:
        """Simulate one step; every 1/60 s a frame is recorded, and then the answer is True."""
        self.world.step()
        if not self.all_awake:
            self._stir()
        if self.world.steps_done % (self.world.settings.steps_per_second // RATE_HZ):
            return False
        self.times.append(self.world.seconds)
        self.frames.append(self._frame())
        if not self._stirred and len(self.times) > HOVER_S * RATE_HZ:
            del self.times[0], self.frames[0]
        if not self.all_awake:
            self._foresee()
        return True

    def _frame(self) -> Vector:
        """All poses as they are now; what is frozen is where it was."""
        frame = self.frames[-1].copy()
        frame[self._awake] = self.world.states_of(self._awake)
        return frame

    def run(self, steps: int) -> None:
        """Simulate `steps` steps."""
        for _ in range(steps):
            self.step()

    def fastest(self, *, but: int | None = None) -> float:
        """Highest speed of any point of any piece, mm/s; `but` of one that does not matter."""
        return max((self.world.speed(body) for body in self._awake if body != but), default=0.0)

    def track(self) -> PoseTrack:
        """What has been recorded, from 0 s on."""
        return PoseTrack.of([seconds - self.times[0] for seconds in self.times], self.frames)

    def _add(self, piece: PieceType, pose: Pose, *, frozen: bool) -> int:
        piece_set = self.tower.piece_set
        solid = build_solid(piece_set, piece)
        return self.world.add(solid, pose, friction=piece_set.friction, restitution=piece_set.restitution, frozen=frozen)

    def _thaw(self, bodies: set[int]) -> None:
        self._stirred = True
        for body in sorted(bodies - self._fixed):
            if self.world.is_frozen(body):
                self.world.thaw(body)
                self._awake.append(body)

    def _stir(self) -> None:
        """Wake the frozen pieces that awake ones strike, push or press."""
        pushed = self._pushed()
        if not pushed:
            return
        limit = PRESS_N + weight_n(sum(self.world.mass_g(body) for body in self._awake))
        for body in sorted(pushed, key=self._awake.index):
            fast = self.world.speed(body) > STRIKE_MM_S
            for other, (sideways, pressing) in sorted(pushed[body].items()):
                if fast or sideways > NUDGE_N or pressing > limit:
                    self.wake(other)

    def _foresee(self) -> None:
        """Wake the frozen pieces that are about to be struck: struck frozen, they would swallow the blow."""
        touching = {body for touch in self.world.touches() for body in (touch.a, touch.b)}
        for body in self.awake:
            falling = body != self._carried and body not in touching
            for other in sorted(struck_soon(self.world, body, 1 / RATE_HZ, falling=falling, least_mm_s=STRIKE_MM_S)):
                self.wake(other)

    def _pushed(self) -> dict[int, dict[int, tuple[float, float]]]:
        """For each awake body the frozen ones that it touches, and the forces: sideways, and all other."""
        found: dict[int, dict[int, tuple[float, float]]] = {}
        for awake, frozen, rise, force in self.world.presses():
            forces = found.setdefault(awake, {})
            sideways, pressing = forces.get(frozen, (0.0, 0.0))
            forces[frozen] = (sideways + force, pressing) if rise < _SIDEWAYS else (sideways, pressing + force)
        return found


@lru_cache(maxsize=4)
def _resting(tower: Tower) -> tuple[frozenset[int], ...] | None:
    """For each piece all that rest on it, directly or over others; None if pieces lean, so that who rests on whom is not clear. Remembered, as
    the same pieces are often asked for again."""
    try:
        contacts = tower_contacts(tower)
    except NotFlat:
        return None
    above: list[set[int]] = [set() for _ in tower.laid]
    for contact in sorted(contacts, key=lambda contact: -tower.laid[contact.upper].pose.z):
        if contact.lower != TABLE:
            above[contact.lower] |= {contact.upper} | above[contact.upper]
    return tuple(map(frozenset, above))
