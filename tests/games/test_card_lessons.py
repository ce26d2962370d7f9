"""The lessons of the card games, under the real rules."""

from __future__ import annotations

import pytest

from games.card_lessons import CardAnswer, CardLesson, card_lessons
from games.card_match import CARD_GAMES
from games.guide import card_rules_page

LESSONS = [lesson for game in CARD_GAMES for lesson in card_lessons(game)]
TASKS = [lesson for lesson in LESSONS if not lesson.is_question]
QUESTIONS = [lesson for lesson in LESSONS if lesson.is_question]


def _came(answer: CardAnswer) -> str:
    return "" if answer.right else str(answer.violations[0].code) if answer.violations else "missed"


def test_every_game_has_lessons_of_its_own() -> None:
    """Five or more each, with names of their own (they are remembered together)."""
    assert all(len(card_lessons(game)) >= 5 for game in CARD_GAMES)
    assert len({lesson.id for lesson in LESSONS}) == len(LESSONS)
    assert all(lesson.instruction and lesson.hint and lesson.rules for lesson in LESSONS)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_rows_taught_stand_on_the_rules_page(lesson: CardLesson) -> None:
    """Who wants to know more finds each row there."""
    assert set(lesson.rules) <= {row for section in card_rules_page(lesson.game) for paragraph in section.paragraphs for row in paragraph.rules}


@pytest.mark.parametrize("lesson", TASKS, ids=lambda lesson: lesson.id)
def test_tasks_have_right_and_wrong_moves(lesson: CardLesson) -> None:
    """What each try comes to is what the data say; there are words for all of it; the moves that follow can be made."""
    came = {move: _came(lesson.judge(move)) for move in lesson.tries}
    assert came == dict(lesson.tries)
    assert "" in came.values() and len(set(came.values())) > 1
    assert all(lesson.judge(move).words for move in lesson.tries)
    legal = [str(move) for move in lesson.state().legal_moves(0)]
    assert lesson.missed or all(lesson.judge(move).right for move in legal)
    match = lesson.match()
    match.play(lesson.right_move(), player=0)
    lesson.follow(match)


@pytest.mark.parametrize("lesson", QUESTIONS, ids=lambda lesson: lesson.id)
def test_questions_have_one_right_answer(lesson: CardLesson) -> None:
    """The rules themselves say which."""
    answers = [lesson.answer(number) for number in range(len(lesson.choices))]
    assert [answer.right for answer in answers].count(True) == 1
    assert all(answer.words for answer in answers)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_words_for_wrong_moves_are_of_use(lesson: CardLesson) -> None:
    """Each word of a lesson's own belongs to a code that a try meets."""
    assert set(lesson.wrong) <= set(lesson.tries.values())
