"""Learning the card games, and their rules to read, by clicks and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.card_lessons import card_lessons
from games.card_match import CARD_GAMES
from games.guide import card_rules_page
from tests.viewer.driver import HeadlessDriver
from viewer.program import Program
from viewer.screens.cards.learn import CardLearnPage
from viewer.screens.cards.lesson_play import LessonPlay
from viewer.screens.cards.rules import CardRulesPage
from viewer.screens.cards.sakapuss import SakapussTable
from viewer.screens.cards.setup import CardSetupPage

SIZE, RATIO = (240, 150), 0.25
"""A quarter of 960×600: frames cost little."""


def _learn(program: Program, game: str) -> tuple[HeadlessDriver, CardLearnPage]:
    program.settings = type(program.settings)(reduced_motion=True)
    program.open(CardSetupPage(program, game))
    page = CardLearnPage(program, game)
    program.open(page)
    return HeadlessDriver(program, SIZE, ratio=RATIO), page


def _try(hand: HeadlessDriver, page: CardLearnPage, move: str) -> None:
    """Make a move by clicks on the table."""
    what, *cards = move.split()
    view = page.play.view()
    corner = (0.15, 0.1)
    if what == "slap":
        hand.click("slap/0")
    elif page.lesson.game == "sakapuss":
        hand.click(f"hand/{view['hands'][0].index(cards[0])}", at=corner)
    elif move == "pass":
        hand.click("sakana/pass")
    elif page.lesson.game == "sakana":
        for card in cards:
            hand.click("catch" if view["draw"][0] == card else f"hand/{view['hands'][0].index(card)}", at=corner)
        hand.click("sakana/play")
    elif what == "fill":
        hand.click(f"order/{cards[0]}")
        hand.click("sardines/do")
    else:
        place, zone = ("market", view["market"]) if what == "gather" else ("hand", view["hands"][0])
        taken: list[int] = []
        for card in cards:
            taken.append(next(k for k, lying in enumerate(zone) if lying == card and k not in taken))
            hand.click(f"{place}/{taken[-1]}", at=corner)
        hand.click("sardines/do")


def test_slap_against_the_rules_is_told(program: Program, told: list[str]) -> None:
    """A slap that a lesson's rules forbid, as one has slapped already, is refused with the rule."""
    lesson = next(lesson for lesson in card_lessons("sakapuss") if "slap" in lesson.right and not lesson.position.get("slapped"))
    table = SakapussTable(program, LessonPlay(replace(lesson, position={**lesson.position, "slapped": [0]})))
    program.open(table)
    table.slap(0)
    assert "already" in told[-1] and told[-1].endswith("]")


@pytest.mark.parametrize("game", CARD_GAMES)
def test_all_lessons_are_learned_by_clicks(program: Program, game: str) -> None:
    """Each lesson is done on the table or by its right answer, remembered, and gone on from; the last one leads back."""
    hand, page = _learn(program, game)
    for lesson in page.lessons:
        assert page.lesson is lesson
        if lesson.is_question:
            right = next(k for k in range(len(lesson.choices)) if lesson.answer(k).right)
            wrong = (right + 1) % len(lesson.choices)
            hand.key("abc"[wrong])
            assert page.play.answer and not page.play.done and lesson.id not in program.settings.learned
            hand.key("abc"[right])
        else:
            _try(hand, page, lesson.right_move())
        hand.frame()
        assert page.play.done and lesson.id in program.settings.learned
        hand.click("lesson/next")
    assert isinstance(program.screen, CardSetupPage)


def test_a_move_that_is_not_asked_for_changes_nothing(program: Program) -> None:
    """A legal move that misses the task is told so, and the cards stay where they are."""
    hand, page = _learn(program, "sakapuss")
    before = page.play.view()
    hand.click("slap/0")
    assert page.play.answer and not page.play.answer.right and page.play.view() == before
    hand.click("lesson/hint")
    hand.click("lesson/solution")
    assert page.play.view() == before and not program.settings.learned
    _try(hand, page, page.lesson.right_move())
    assert page.play.done


def test_what_is_forbidden_is_told_in_the_words_of_the_lesson(program: Program, told: list[str]) -> None:
    """A card that can't follow is refused, with the row."""
    hand, page = _learn(program, "sakana")
    page.take(page.lessons[1])
    hand.frame()
    hand.click(f"hand/{page.play.view()['hands'][0].index('P8')}", at=(0.15, 0.1))
    assert told[-1] == "The bottom card must be a 3 or a tuna, as the 3 of tuna lies on top. [K16]"
    assert not page.play.done


def test_learn_and_rules_are_reached(program: Program) -> None:
    """From the set-up of a match to the lessons, by F1 to the rules, where every section can be gone to, and back."""
    program.open(CardSetupPage(program, "sardines"))
    hand = HeadlessDriver(program, SIZE, ratio=RATIO)
    hand.click("cards/learn")
    assert isinstance(program.screen, CardLearnPage) and program.screen.lesson.game == "sardines"
    hand.key("f1")
    page = program.screen
    assert isinstance(page, CardRulesPage)
    for number in range(len(card_rules_page("sardines"))):
        hand.click(f"rules/section/{number}")
        hand.frame(4)
        assert page.current == number
    hand.write("rules/search", "d11")
    assert [section.title for _, section in page.found()] == ["Mixed bags"]
    hand.click("rules/back")
    hand.click("lesson/leave")
    assert isinstance(program.screen, CardSetupPage)
