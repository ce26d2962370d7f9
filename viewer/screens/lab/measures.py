"""What the moving table has shown of one tower, and what statics says of it; for plots beside the tower."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from physics.table_motion import MotionKind, MovedTable, tilt_limits
from physics.tower import Tower
from viewer.screens.lab.table import Motion
from viewer.screens.lab.worker import Failed, Worker

HEADINGS_DEG = tuple(range(0, 360, 15))
"""Where statics is asked how far the table can be tilted."""


class Result(NamedTuple):
    """A motion that is over: what moved, which way, when the tower fell, and how many mm its top was off its place at most."""

    kind: MotionKind
    heading_deg: float
    amount: float | None
    foretold: float | None
    reached: float
    first: str
    top_mm: float

    @classmethod
    def of(cls, moved: MovedTable, tower: Tower, motion: Motion) -> Result:
        """The result of a motion as it was shown."""
        placement = None if moved.first is None else tower.laid[moved.first].placement
        first = "" if placement is None else f"{placement.piece} on layer {placement.layer} first"
        top_mm = max((mm for _, mm in motion.course), default=0.0)
        return cls(moved.kind, moved.heading_deg, moved.amount, moved.foretold, moved.reached, first, top_mm)


class Measures:
    """Results of one tower, the course of its last motion, and its tilt by statics towards each heading, reckoned beside the window."""

    def __init__(self) -> None:
        self.tower: Tower | None = None
        self.motion: Motion | None = None
        """The last one, at work or over."""
        self.results: list[Result] = []
        self.limits: dict[int, float] = {}
        """Degrees by heading, as far as they are known."""
        self.failure = ""
        """Why statics gave no more of them, or nothing."""
        self._worker = Worker()

    @property
    def busy(self) -> bool:
        """Whether statics is being asked."""
        return self._worker.busy

    def begin(self, tower: Tower, motion: Motion) -> None:
        """A motion of a tower begins; what is known of another tower is forgotten."""
        if tower != self.tower:
            self.clear()
            self.tower = tower
        self.motion = motion
        missing = [heading for heading in HEADINGS_DEG if heading not in self.limits]
        if motion.kind is MotionKind.TILT and missing and not self._worker.busy:
            failed = self._worker.start(tell_limits, tower, missing)
            self.failure = failed.message if failed else ""

    def update(self) -> bool:
        """Take over what statics has found; whether it found anything."""
        before = len(self.limits)
        for heard in self._worker.poll():
            if isinstance(heard, Failed):
                self.failure = heard.message
            else:
                heading, deg = heard
                self.limits[heading] = deg
        return len(self.limits) != before

    def of(self, kind: MotionKind) -> list[Result]:
        """The results of one kind, the last one first."""
        return [result for result in self.results if result.kind is kind]

    def clear(self) -> None:
        """Forget all of it; nothing is reckoned any more."""
        self._worker.cancel()
        self.tower, self.motion, self.results, self.limits, self.failure = None, None, [], {}, ""


def tell_limits(tell: Callable[[tuple[int, float]], None], tower: Tower, headings_deg: Sequence[int]) -> None:
    """Tell how far the table can be tilted towards one heading after the other; for a `Worker`."""
    for heading, deg in zip(headings_deg, tilt_limits(tower, headings_deg), strict=True):
        tell((heading, deg))
