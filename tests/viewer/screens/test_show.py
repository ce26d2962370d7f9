"""The demo: it needs no hands, never ends by itself, and ends at the first key."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.background import Background
from games.match import Match
from games.play import Play
from tests.viewer.driver import HeadlessDriver, headless_program
from viewer import casting
from viewer.casting import Casting
from viewer.director import Director
from viewer.playback import MatchPlayback
from viewer.program import Program
from viewer.screens import show, show_fall
from viewer.screens.home import Home
from viewer.screens.screen import Screen
from viewer.screens.show import Part, ShowPage
from viewer.screens.table_view import TableView
from viewer.settings import Settings
from viewer.stage import Stage

SMALL = (480, 300)
_FAST = Settings(animation_speed=4.0)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """A program that shows an empty page, all at fourfold speed."""
    with headless_program(tmp_path, _FAST) as found:
        found.open(Screen(found))
        yield found


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that a show waits for takes a moment."""
    for name in ("BUILD_S", "LYING_S", "HELD_S", "COUNT_S", "RESULT_S", "THOUGHT_S"):
        monkeypatch.setattr(show, name, 0.1)
    monkeypatch.setattr(show_fall, "AGAIN_S", 1.0)
    monkeypatch.setattr(show, "ROUND_S", 1.0)
    monkeypatch.setattr(casting, "_LEAST_START", 0.2)
    monkeypatch.setattr(casting, "_MOST_START", 0.2)


def driver(program: Program, page: ShowPage) -> HeadlessDriver:
    """A hand for a page just opened."""
    program.open(page)
    return HeadlessDriver(program, SMALL)


@pytest.mark.usefixtures("short")
def test_rounds_are_played_fall_and_follow_each_other(program: Program) -> None:
    """Bots lay pieces, the tower falls and is seen again from two sides, and the next round begins; of the last round nothing is kept."""
    page = ShowPage(program, Casting.of(3, set_name="classic", bots=["random"], hand="board"))
    drive = driver(program, page)
    drive.until(lambda: page.part is Part.PLAY)
    begun, first = len(page.play.match.acts), weakref.ref(page.play)
    drive.until(lambda: len(page.play.match.acts) > begun, frames=6000, seconds=0.002)
    drive.until(lambda: page.part is Part.PUSH, frames=6000)
    pieces = len(page.play.tower.laid)
    drive.until(lambda: page.part is Part.LYING, frames=6000)
    assert page.fall is not None
    assert len(page.fall.knock_over.fallen) > pieces / 4
    views = set()
    while page.part in (Part.LYING, Part.AGAIN):
        drive.frame(1, seconds=0.2)
        views.add(page.caption.words)
    assert {"Again, slowly", "And from the other side"} <= views
    drive.until(lambda: page.number == 1 and page.part is Part.PLAY)
    gc.collect()
    assert first() is None


@pytest.mark.usefixtures("short")
def test_nothing_grows_from_round_to_round(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many rounds as many tables and matches are held as after a few: those of one round."""
    monkeypatch.setattr(Background, "start", lambda _: None)  # rounds follow each other; nobody need play them
    page = ShowPage(program, Casting.of(3))
    drive = driver(program, page)
    counts = []
    for _ in range(2):
        for _ in range(6):
            page._begin_round()
            drive.frame(2)
        gc.collect()
        kinds = Counter(type(thing) for thing in gc.get_objects())
        counts.append({kind: kinds[kind] for kind in (Play, Match, MatchPlayback, TableView, Director, Stage, Background)})
    assert counts[1] == counts[0]
    assert counts[1][Play] == counts[1][Match] == counts[1][Director] == 1


@pytest.mark.parametrize("key", ["a", "escape", "space", "enter", "left", "f5"])
def test_any_key_ends_it(program: Program, key: str) -> None:
    """Whatever key is pressed, the page before is shown, and the background has ended."""
    before = program.screen
    page = ShowPage(program, Casting.of(1, set_name="classic"))
    drive = driver(program, page)
    drive.key(key)
    assert program.screen is before
    assert program.running
    assert not page._background.busy


@pytest.mark.parametrize("key", ["tab", "left", "enter"])
def test_any_key_ends_it_with_the_focus_shown(program: Program, key: str) -> None:
    """Keys that move the focus end it too, though it was opened by keyboard and the focus is shown."""
    program.open(home := Home(program))
    drive = HeadlessDriver(program, (960, 600))
    while program.gui.focused != "home/demo":
        drive.key("tab")
    drive.key("enter")
    assert isinstance(program.screen, ShowPage)
    assert program.gui.navigating
    drive.key(key)
    assert program.screen is home


@pytest.mark.parametrize("place", [(0.5, 0.5), (0.5, 0.95), (0.03, 0.04)])
def test_a_click_anywhere_ends_it(program: Program, place: tuple[float, float]) -> None:
    """On the tower, on the caption or on a player: a click ends the demo."""
    before = program.screen
    drive = driver(program, ShowPage(program, Casting.of(1, set_name="classic")))
    width, height = program.gui.size
    drive.click_at(place[0] * width, place[1] * height)
    assert program.screen is before


def test_home_leads_to_it(tmp_path: Path) -> None:
    """The demo can be opened from home and ends there."""
    with headless_program(tmp_path) as program:
        home = Home(program)
        program.open(home)
        drive = HeadlessDriver(program, (960, 600))
        drive.click("home/demo")
        assert isinstance(program.screen, ShowPage)
        drive.key("x")
        assert program.screen is home


def test_reduced_motion_keeps_the_camera_still(tmp_path: Path) -> None:
    """With reduced motion the camera stands while a tower is built; else it goes round."""
    for reduced in (True, False):
        with headless_program(tmp_path, Settings(reduced_motion=reduced)) as program:
            program.open(Screen(program))
            page = ShowPage(program, Casting.of(1, set_name="classic"))
            drive = driver(program, page)
            seen = set()
            for _ in range(8):
                drive.frame(1, seconds=0.2)
                seen.add(page.scene.view.orbit.camera)
            assert (len(seen) == 1) is reduced
