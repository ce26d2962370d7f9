"""The latest verdicts of the background on what a player is about to do and on the tower."""

from __future__ import annotations

from games.background import Background, Failed, Judged
from games.judgement import PieceJudgement, TowerJudgement
from games.match import Match
from meshes.placement import Placement
from physics.pose import Pose
from physics.tower import exact_pose


class Verdicts:
    """Asks, and keeps the answers that still fit the table.

    `piece`: the last answer on a piece, rules included. While a piece is moved about it may be of a moment ago: its `verdict` says for
    which pose it is. `tower`: on the tower. `asked` and `asked_tower`: what was asked for since the table last changed, answered or not.
    """

    def __init__(self, match: Match, background: Background) -> None:
        self._match, self._background = match, background
        self._fit: set[int] = set()
        self._open: dict[str, int] = {}
        self.forget()

    @property
    def open(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._open)

    def forget(self) -> None:
        """The table has changed: no answer fits any more."""
        self.piece: PieceJudgement | None = None
        self.tower: TowerJudgement | None = None
        self.asked: Placement | Pose | None = None
        self.asked_tower = False
        self._fit.clear()
        self._open.clear()

    def ask(self, where: Placement | Pose, piece: str) -> None:
        """Ask about a piece exactly in a placement, or put down flat at a pose."""
        if isinstance(where, Placement):
            pose, layer = exact_pose(self._match.setup.piece_set, where), where.layer
        else:
            pose, layer = where, None
        self.asked = where
        self._await("piece", self._background.judge_piece(self._match.tower, piece, pose, layer=layer))

    def ask_tower(self) -> None:
        """Ask how surely the tower stands."""
        self.asked_tower = True
        self._await("tower", self._background.judge_tower(self._match.tower))

    def hear(self, report: Judged) -> bool:
        """Keep an answer; False if it no longer fits."""
        judgement = report.judgement
        if report.request not in self._fit:
            return False
        self._close(report.request)
        if isinstance(judgement, TowerJudgement):
            self.tower = judgement
        else:
            self.piece = PieceJudgement(judgement.verdict, self._match.state.explain(judgement.verdict.placement), judgement.cuts)
        return True

    def lose(self, report: Failed) -> None:
        """What failed may be a question, or the worker with all that it was asked: no answer will come."""
        self._close(*report.unanswered, *([] if report.job is None else [report.job]))

    def _await(self, kind: str, request: int) -> None:
        """Of each kind only the latest is answered."""
        self._open[kind] = request
        self._fit.add(request)

    def _close(self, *requests: int) -> None:
        self._open = {kind: request for kind, request in self._open.items() if request not in requests}
