"""The latest verdicts of the background on what a player is about to do and on the tower."""

from __future__ import annotations

from games.background import Background, Judged
from games.judgement import PieceJudgement, TowerJudgement
from games.match import Match
from physics.pose import Pose


class Verdicts:
    """Asks, and keeps the answers that still fit the table.

    `piece`: the last answer on a piece, rules included. While a piece is moved about it may be of a moment ago: its `verdict` says for
    which pose it is. `tower`: on the tower.
    """

    def __init__(self, match: Match, background: Background) -> None:
        self._match, self._background = match, background
        self._fit: set[int] = set()
        self.piece: PieceJudgement | None = None
        self.tower: TowerJudgement | None = None

    def forget(self) -> None:
        """The table has changed: no answer fits any more."""
        self.piece = self.tower = None
        self._fit.clear()

    def ask(self, piece: str, pose: Pose, layer: int | None) -> None:
        """Ask about a piece at a flat pose."""
        self._fit.add(self._background.judge_piece(self._match.tower, piece, pose, layer=layer))

    def ask_tower(self) -> None:
        """Ask how surely the tower stands."""
        self._fit.add(self._background.judge_tower(self._match.tower))

    def hear(self, report: Judged) -> bool:
        """Keep an answer; False if it no longer fits."""
        judgement = report.judgement
        if report.request not in self._fit:
            return False
        if isinstance(judgement, TowerJudgement):
            self.tower = judgement
        else:
            self.piece = PieceJudgement(judgement.verdict, self._match.state.explain(judgement.verdict.placement), judgement.cuts)
        return True
