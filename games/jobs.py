"""What the window asks of its worker process and what it hears back: plain values, as they travel between the two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loading the physics takes a second, which the window's first picture must not wait for
    from games.acts import MatchAct
    from games.judgement import PieceJudgement, TowerJudgement
    from games.match import MatchSetup
    from meshes.placement import Placement
    from physics.act import ActResult
    from physics.grip import Steadiness
    from physics.knock import Knocked
    from physics.pose import Pose, Vector
    from physics.tower import Tower


@dataclass(frozen=True, slots=True)
class Think:
    """The bot to move chooses. `acts`: those of the match so far; tracks and poses are not needed."""

    setup: MatchSetup
    acts: tuple[MatchAct, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """A piece is laid by a hand that moves by itself, or (None) exactly; `chance` seeds the hand."""

    tower: Tower
    placement: Placement
    hand: Steadiness | None
    chance: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Take:
    """A person takes a piece up at `pose` and holds it until `Release`. It may count as one of the `allowed` placements, None: as any."""

    tower: Tower
    piece: str
    pose: Pose
    allowed: frozenset[Placement] | None


@dataclass(frozen=True, slots=True)
class Push:
    """A laid piece is pushed; see `physics.knock.knock`."""

    tower: Tower
    index: int
    force_n: float
    heading_deg: float
    seconds: float


@dataclass(frozen=True, slots=True)
class JudgePiece:
    """A verdict on a piece put down flat at a pose, by default on the highest surface below it; the rules are left out."""

    tower: Tower
    piece: str
    pose: Pose
    layer: int | None


@dataclass(frozen=True, slots=True)
class JudgeTower:
    """A verdict on the tower as it stands."""

    tower: Tower


Job = Think | Lay | Take | Push
Question = JudgePiece | JudgeTower


@dataclass(frozen=True, slots=True)
class MoveTo:
    """The hand wants its piece at `pose`."""

    pose: Pose


@dataclass(frozen=True, slots=True)
class Release:
    """The hand lets go."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """The job is no longer wanted; nothing of it counts."""


@dataclass(frozen=True, slots=True)
class Order:
    """What goes to the worker. `number`: of the job or question it is or is about. `pace`: simulated seconds a second."""

    number: int
    content: Job | Question | MoveTo | Release | Cancel
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded all it needs."""


@dataclass(frozen=True, slots=True)
class Poses:
    """What moved since the last report: `states` (k, 7) of `pieces`, indices into the tower, the new piece after the laid ones.

    `held`: a person's hand holds the new piece; `feels_support`: and feels it stand on something.
    """

    job: int
    seconds: float
    pieces: tuple[int, ...]
    states: Vector
    held: bool
    feels_support: bool


@dataclass(frozen=True, slots=True)
class Thought:
    """The bot's choice."""

    job: int
    move: Placement


@dataclass(frozen=True, slots=True)
class ActDone:
    """A piece has been laid, or not."""

    job: int
    result: ActResult


@dataclass(frozen=True, slots=True)
class PushDone:
    """All is at rest after a push."""

    job: int
    knocked: Knocked


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The worker has dropped a cancelled job."""

    job: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A job or question (`job`) came to nothing, `message` says why. `crashed`: the worker itself ended (then `job` may be None), and with it
    the questions in `unanswered`."""

    job: int | None
    message: str
    crashed: bool = False
    unanswered: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer to question `request`."""

    request: int
    judgement: PieceJudgement | TowerJudgement


Report = Poses | Thought | ActDone | PushDone | Judged | Failed
"""What a front end hears."""
