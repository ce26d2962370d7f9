"""What the program does for all its pages: keys, focus, going from page to page."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import pytest

from games.stakd.lessons import lesson
from tests.viewer.driver import HeadlessDriver
from tests.viewer.told_match import told_match
from tests.viewer.window.pages import high_tower
from viewer.gui.box import Box
from viewer.gui.gui import Gui
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


class _Page(Screen):
    """A page with a button that goes on, and a picture that is gone once it is closed."""

    def __init__(self, program: Program, go: Callable[[], None]) -> None:
        super().__init__(program)
        self._go = go
        self._open = True
        self.words = ""

    def draw(self, gui: Gui) -> None:
        """The button and a field."""
        if gui.button("go", Box(10, 10, 200, 40), "Go"):
            self._go()
        assert self._open, "it is closed while it is drawn"
        self.words = gui.field("words", Box(10, 60, 200, 40), self.words)

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """Nothing, but it must be open."""
        assert self._open, "it is closed"
        return None, False

    def close(self) -> None:
        """From now on it must not be drawn."""
        self._open = False


@pytest.mark.parametrize("way", ["back", "home", "replace"])
def test_a_page_is_gone_only_after_it_is_drawn(program: Program, way: str) -> None:
    """A page that is closed by its own button is drawn to its end, and its picture is not asked for any more; the next is shown in the same frame."""
    first, other = Screen(program), Screen(program)
    go = {"back": program.back, "home": program.home, "replace": lambda: program.replace(other)}[way]
    program.open(first)
    program.open(_Page(program, go))
    drive = HeadlessDriver(program, SMALL)
    drive.click("go")
    assert program.screen is (other if way == "replace" else first)
    assert not drive.names


def test_the_last_page_ends_the_program_after_it_is_drawn(program: Program) -> None:
    """A button that closes the last page ends the program, without a word about pages that are gone."""
    program.open(_Page(program, program.back))
    HeadlessDriver(program, SMALL).click("go")
    assert not program.running


def test_home_shows_its_tower_again(program: Program) -> None:
    """Home's tower is on the stage when a page with another has been looked at by a button and closed by another."""
    program.open(home := Home(program))
    drive = HeadlessDriver(program, (960, 600))
    drive.frame(5)
    assert home._tower is not None
    drive.click("home/learn")
    assert isinstance(program.screen, LearnPage)
    drive.click("learn/back")
    assert program.screen is home
    shown = program.stage(home._tower.view.piece_set)._items
    assert shown is not None
    assert shown[0] == tuple(home._tower.view._items)


def test_escape_in_a_field_closes_no_page(program: Program) -> None:
    """Escape takes back what was typed into a field; only the next one closes the page."""
    program.open(first := Screen(program))
    program.open(page := _Page(program, program.back))
    drive = HeadlessDriver(program, SMALL)
    drive.click("words")
    drive.type("Mia")
    assert page.words == "Mia"
    drive.key("escape")
    assert (program.screen, page.words) == (page, "")
    drive.key("escape")
    assert program.screen is first
