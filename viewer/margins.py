"""How near to falling the tower was after each act of a match, found out bit by bit in the background."""

from __future__ import annotations

from typing import NamedTuple

from games.acts import ActKind
from games.background import Background, Failed, Judged
from games.judgement import PieceJudgement, TowerJudgement
from games.match import Match


class Margin(NamedTuple):
    """How far the table could be tilted before the tower falls or slides, and how much every touching area could lose all round."""

    tilt_deg: float
    shrink_mm: float


class Margins:
    """`known[n]`: the margin after act `n`; None: the tower fell, or leans so that balance alone can't say. Numbers that are not in it yet are being
    worked on, those near the act that is seen first. `close` it when it is not wanted any more.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self.known: dict[int, Margin | None] = {}
        self._same_as: dict[int, int] = {}
        self._left: list[int] = []
        for act in match.acts:
            if act.kind is ActKind.KNOCKED_OVER:
                self.known[act.number] = None
            elif act.kind is not ActKind.PLACED and not act.rest and act.number > 1 and match.act(act.number - 1).round == act.round:
                self._same_as[act.number] = self._same_as.get(act.number - 1, act.number - 1)
            else:
                self._left.append(act.number)
        self._background = Background()
        self._asked: tuple[int, int] | None = None

    @property
    def busy(self) -> bool:
        """Whether some are not known yet."""
        return bool(self._left) or self._asked is not None

    def update(self, near: int) -> bool:
        """Take in what has been found and ask for more, first of all about act `near`; whether one more is known. To be called often."""
        if not self.busy:
            return False
        news = False
        for report in self._background.poll():
            if self._asked is None:
                continue
            request, number = self._asked
            if isinstance(report, Judged) and report.request == request:
                self._learn(number, _margin(report.judgement))
                news = True
            elif isinstance(report, Failed) and report.crashed:  # it would be so again
                self.close()
                return True
            elif isinstance(report, Failed):
                self._learn(number, None)
                news = True
        self._ask(near)
        return news

    def close(self) -> None:
        """Work no more."""
        self._background.close()
        self._left, self._asked = [], None

    def _learn(self, number: int, margin: Margin | None) -> None:
        self.known[number] = margin
        self.known |= {other: margin for other, same in self._same_as.items() if same == number}
        self._asked = None

    def _ask(self, near: int) -> None:
        if self._asked is not None:
            return
        if not self._left:
            self._background.close()
            return
        number = min(self._left, key=lambda number: (number < near, abs(number - near)))
        self._left.remove(number)
        tower = self._match.table_after(number).tower
        if tower.laid:
            self._asked = self._background.judge_tower(tower), number
        else:
            self._learn(number, None)


def _margin(judgement: PieceJudgement | TowerJudgement) -> Margin | None:
    stability = judgement.stability if isinstance(judgement, TowerJudgement) else None
    if stability is None or stability.tilt is None or stability.shrink is None:
        return None
    return Margin(max(0.0, stability.tilt.deg), max(0.0, stability.shrink.mm))
