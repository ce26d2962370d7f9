"""Lessons played by clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from games.stakd.lessons import lesson, lessons
from meshes.placement import Placement
from tests.viewer.driver import HeadlessDriver, headless_program
from viewer.program import Program
from viewer.screens.home import Home
from viewer.screens.learn import LearnPage
from viewer.screens.lesson_page import LessonPage
from viewer.screens.rules import RulesPage


@pytest.fixture
def program(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """A program for somebody new, at home."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("STAKD_HOME", str(folder))
    with headless_program(folder) as program:
        program.open(Home(program))
        yield program


@pytest.fixture
def hand(program: Program) -> HeadlessDriver:
    """The hand that plays, in a small window."""
    return HeadlessDriver(program, (960, 600))


def _page(program: Program) -> LessonPage:
    assert isinstance(program.screen, LessonPage)
    return program.screen


def _click_place(hand: HeadlessDriver, placement: Placement) -> None:
    """Turn the piece as it lies there, then click where its middle is seen."""
    page, lattice = _page(hand.program), _page(hand.program).tower.piece_set.lattice
    assert page.ghost.piece is not None
    while lattice.turns_onto(lattice.turned(page.ghost.piece.cells, page.ghost.turns), placement.cells) is None or (
        len(placement.cells) > 1 and _turned(page) != _moved(placement)
    ):
        hand.key("e")
    piece_set = page.tower.piece_set
    middle = np.mean([piece_set.lattice.position(cell, piece_set.pitch_mm) for cell in placement.cells], axis=0)
    x, y = page.view.project(np.array([[*middle, placement.layer * piece_set.thickness_mm]]))[0]
    hand.click_at(float(x), float(y))


def _turned(page: LessonPage) -> tuple[tuple[int, int], ...]:
    assert page.ghost.piece is not None
    cells = page.tower.piece_set.lattice.turned(page.ghost.piece.cells, page.ghost.turns)
    return tuple((q - cells[0][0], r - cells[0][1]) for q, r in cells)


def _moved(placement: Placement) -> tuple[tuple[int, int], ...]:
    (q0, r0), *_ = placement.cells
    return tuple((q - q0, r - r0) for q, r in placement.cells)


def test_first_start_leads_to_the_lessons(program: Program, hand: HeadlessDriver) -> None:
    """Home offers Learn first to somebody new; once it was opened the program is no longer new; the next lesson opens from there."""
    assert program.settings.first_start
    hand.click("home/learn")
    assert isinstance(program.screen, LearnPage)
    assert not program.settings.first_start
    assert {f"learn/{entry.id}" for entry in lessons()} <= hand.names
    hand.click("learn/start")
    assert _page(program).lesson is lessons()[0]
    hand.key("escape")
    assert isinstance(program.screen, LearnPage)


def test_a_wrong_place_is_explained_and_a_right_one_learned(program: Program, hand: HeadlessDriver) -> None:
    """Two DUOs on one TRIO: the TRIO lights up with the rule's words; then the right place ends the lesson, and the next follows."""
    taught = lesson("one-of-each")
    program.open(LessonPage(program, taught))
    hand.frame(4)
    page = _page(program)
    _click_place(hand, Placement("DUO", 2, ((1, 0), (1, 1))))
    assert page.answer == taught.judge(Placement("DUO", 2, ((1, 0), (1, 1))))
    assert page.answer is not None and not page.answer.right
    trio = next(k for k, laid in enumerate(page.tower.laid) if laid.placement.piece == "TRIO")
    assert trio in page.lights.pieces
    assert page.lights.cells
    assert not program.settings.learned
    laid = len(page.tower.laid)
    _click_place(hand, Placement("DUO", 2, ((1, 1), (2, 0))))
    assert page.done and len(page.tower.laid) == laid + 1
    assert not page.lights.pieces
    assert program.settings.learned == {"one-of-each"}
    hand.click("lesson/next")
    assert _page(program).lesson.id == "no-twins"


def test_a_legal_piece_that_misses_the_goal_is_not_laid(program: Program, hand: HeadlessDriver) -> None:
    """Layer 2 is asked for; a DUO on layer 1 is legal but not the answer, and the piece may be changed in the tray."""
    taught = lesson("new-layer")
    program.open(LessonPage(program, taught))
    hand.frame(4)
    page = _page(program)
    assert page.ghost.piece is None
    hand.click("tray/DUO")
    _click_place(hand, Placement("DUO", 1, ((5, -1), (6, -1))))
    assert page.answer is not None and page.answer.words == taught.missed
    hand.key("4")
    assert page.ghost.piece is not None and page.ghost.piece.name == "TRIO"
    right = next(move for move in taught.right_placements() if move.piece == "TRIO")
    _click_place(hand, right)
    assert page.done


def test_a_question_is_answered_by_click_and_by_key(program: Program, hand: HeadlessDriver) -> None:
    """The wrong choice is explained and another may be taken; Enter then goes on."""
    taught = lesson("out")
    program.open(LessonPage(program, taught))
    hand.frame(4)
    page = _page(program)
    right = next(k for k in range(len(taught.choices)) if taught.answer(k).right)
    wrong = (right + 1) % len(taught.choices)
    hand.click(f"lesson/choice/{wrong}", at=(0.5, 0.3))
    assert page.answer is not None and page.answer.words == taught.choices[wrong].words
    hand.key("abc"[right])
    assert page.done
    hand.key("enter")
    assert _page(program).lesson.id == "last-word"


def test_hint_and_solution(program: Program, hand: HeadlessDriver) -> None:
    """H gives the hint; the solution holds the piece over a right place, and Enter lays it. No pointer is needed."""
    program.open(LessonPage(program, lesson("no-twins")))
    hand.frame(4)
    page = _page(program)
    hand.key("h")
    assert page.answer is None and not page.done
    hand.click("lesson/solution")
    assert page.ghost.placement in page.lesson.right_placements()
    hand.key("enter")
    assert page.done


def test_legal_places_are_stepped_through_by_key(program: Program, hand: HeadlessDriver) -> None:
    """N holds the piece over one legal place after the other, however it must be turned; Shift+N goes back."""
    program.open(LessonPage(program, lesson("first-piece")))
    hand.frame(4)
    page = _page(program)
    duos = {move for move in page.state.legal_moves() if move.piece == "DUO"}
    seen = []
    for _ in duos:
        hand.key("n")
        seen.append(page.ghost.placement)
    assert set(seen) == duos
    hand.key("n", shift=True)
    assert page.ghost.placement == seen[-2]


def test_dragging_looks_around_and_lays_nothing(program: Program, hand: HeadlessDriver) -> None:
    """A drag that begins on the tower turns the camera."""
    program.open(LessonPage(program, lesson("first-piece")))
    hand.frame(4)
    page = _page(program)
    before = page.view.orbit.goal
    hand.drag((300, 280), (380, 300))
    assert page.view.orbit.goal != before
    assert page.answer is None


def test_after_the_last_lesson_a_match_is_offered(program: Program, hand: HeadlessDriver) -> None:
    """With every lesson learned the end says so, and rules can be read from anywhere by F1."""
    program.change(learned=frozenset(entry.id for entry in lessons()) - {"knock-over"})
    program.open(LessonPage(program, lesson("knock-over")))
    hand.frame(4)
    hand.key("f1")
    assert isinstance(program.screen, RulesPage)
    hand.key("f1")
    page = _page(program)
    hand.key("1")
    assert page.done and len(program.settings.learned) == len(lessons())
    hand.click("lesson/next")
    hand.click("lesson/play")
    assert not isinstance(program.screen, LessonPage)
