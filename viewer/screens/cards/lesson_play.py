"""A lesson of a card game on its table: what the learner tries is judged by the lesson, and done if it is what is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.card_lessons import CardAnswer, CardLesson
from games.card_match import seen
from games.card_phases import CardPhase
from games.errors import IllegalMove, Violation
from viewer.screens.cards.watched import WatchedPlay


class LessonPlay(WatchedPlay):
    """Stands where a table has its `CardPlay`. `answer` is what came of the last try."""

    def __init__(self, lesson: CardLesson) -> None:
        super().__init__(lesson.match(), 0)
        self.lesson = lesson
        self.answer: CardAnswer | None = None
        self.answered: int | None = None

    @property
    def done(self) -> bool:
        """Whether it is learned."""
        return self.answer is not None and self.answer.right

    @property
    def phase(self) -> CardPhase:
        """The learner is to move until the lesson is done, or only looks where there is a question to answer."""
        if self.done or self.lesson.is_question:
            return CardPhase.WATCHING
        return CardPhase.PASSING if self.match.simultaneous else CardPhase.PERSON

    @property
    def persons(self) -> tuple[int, ...]:
        """The learner, while there is something to do."""
        return () if self.done or self.lesson.is_question else (0,)

    def view(self) -> Mapping[str, Any]:
        """What the learner may see."""
        return seen(self.match.state, 0)

    def legal(self, seat: int | None = None) -> Sequence[str]:
        """What the learner may do by the rules, whether it is asked for or not."""
        return [str(move) for move in self.match.state.legal_moves(0)] if self.persons else []

    def explain(self, move: object, seat: int | None = None) -> tuple[Violation, ...]:
        """Every rule a move breaks, in the words of the lesson."""
        return self.lesson.explain(self.match.state, str(move))

    def play(self, move: object, seat: int | None = None) -> None:
        """Try a move. Raises `IllegalMove`."""
        if not self.persons:
            return
        self.answer = self.lesson.judge(str(move))
        if self.answer.violations:
            raise IllegalMove(str(move), self.answer.violations)
        if self.answer.right:
            self.match.play(str(move), player=0)
            self.lesson.follow(self.match)

    def slap(self, seat: int) -> bool:
        """Try to slap; whether that was asked for. Raises `IllegalMove`."""
        if self.persons:
            self.play("slap")
        return self.done

    def choose(self, number: int) -> None:
        """Answer a question."""
        self.answer, self.answered = self.lesson.answer(number), number
        if self.done:
            self.lesson.follow(self.match)
