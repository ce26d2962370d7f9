"""What the program does for all its pages: keys, focus, going from page to page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.stakd.lessons import lesson
from tests.viewer.driver import HeadlessDriver
from tests.viewer.told_match import told_match
from tests.viewer.window.pages import high_tower
from viewer.orbit import Orbit
from viewer.program import Program
from viewer.screens.home import Home
from viewer.screens.learn import LearnPage
from viewer.screens.lesson_page import LessonPage
from viewer.screens.replay import ReplayPage
from viewer.screens.screen import Key, Screen

SMALL = (480, 300)


def _replay(program: Program) -> ReplayPage:
    return ReplayPage(program, told_match(falls=False))


def _orbit(page: Screen) -> Orbit:
    view = page._tower.view if isinstance(page, Home) and page._tower else getattr(page, "view", None) or page._view  # type: ignore[attr-defined]
    orbit = view.orbit
    assert isinstance(orbit, Orbit)
    return orbit


@pytest.mark.parametrize("make", [Home, LearnPage, lambda program: LessonPage(program, lesson("first-piece")), _replay, high_tower])
def test_keys_held_are_let_go_with_the_keyboard(program: Program, make: Callable[[Program], Screen]) -> None:
    """A key that steers does so no longer once the window has lost the keyboard, for nobody will hear of its release; nor does a hand go down on."""
    program.open(page := make(program))
    drive = HeadlessDriver(program, SMALL)
    drive.frame(20, seconds=0.2)
    program.on_key(Key("left"), True)
    assert _orbit(page)._held
    hand = getattr(page, "hand", None)
    if hand is not None:
        hand.lowering = True
    program.on_focus(False)
    assert not _orbit(page)._held
    assert hand is None or not hand.lowering
