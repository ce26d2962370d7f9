"""The list of saved matches, by clicks and keys, and the ways to matches from home."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest

from games.match import Match, MatchSetup, Seat
from games.record import BadRecord, load_record, save_record
from meshes.errors import UnwritableFile
from meshes.piece_set import PieceSet
from tests.viewer.driver import HeadlessDriver
from viewer.program import Program
from viewer.saves import Save, new_save_path
from viewer.screens.home import Home
from viewer.screens.match_setup import MatchSetupPage
from viewer.screens.matches import Matches, save_words
from viewer.screens.replay import ReplayPage
from viewer.screens.screen import Screen

NOW = datetime(2031, 2, 3, 4, 5, 6)


class Resumed(Screen):
    """Stands where the table would, which would start a process; it reads the record as the table does."""

    def __init__(self, program: Program, path: Path) -> None:
        super().__init__(program)
        self.match, self.path = load_record(path), path

    @classmethod
    def resume(cls, program: Program, path: Path) -> Resumed:
        """As the table does it."""
        return cls(program, path)


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """No match is really played on."""
    module = ModuleType("viewer.screens.table")
    module.TablePage = Resumed  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "viewer.screens.table", module)


def keep(classic: PieceSet, second: int, acts: int = 2, *, resigned: bool = False, names: tuple[str, ...] = ("Ann", "Ada")) -> Path:
    """Save a match as if at that second."""
    match = Match(MatchSetup(classic, tuple(Seat(name) for name in names), seed=4))
    for _ in range(acts):
        match.place(match.state.legal_moves()[0])
    if resigned:
        match.resign(0)
    path = new_save_path(NOW)
    save_record(match, path)
    os.utime(path, (second, second))
    return path


def opened(program: Program) -> HeadlessDriver:
    """The list, open over another page."""
    program.open(Screen(program))
    program.open(Matches(program))
    return HeadlessDriver(program, (240, 150), ratio=0.25)


def test_nothing_saved(program: Program) -> None:
    """Without matches there is only the way back."""
    driver = opened(program)
    assert driver.names == {"matches/back"}
    driver.click("matches/back")
    assert not isinstance(program.screen, Matches)


def test_each_match_offers_what_can_be_done(program: Program, classic: PieceSet) -> None:
    """A match that goes on can be continued, one that is over watched, a damaged one only deleted; before the first act there is nothing to watch."""
    keep(classic, 400)
    keep(classic, 300, resigned=True)
    keep(classic, 200, 0)
    damaged = keep(classic, 100)
    damaged.write_text(damaged.read_text("utf8")[:-9], "utf8")
    os.utime(damaged, (100, 100))
    driver = opened(program)
    assert driver.names == {
        "matches/back",
        *(f"matches/delete/{row}" for row in range(4)),
        *(f"matches/watch/{row}" for row in range(3)),
        "matches/continue/0",
        "matches/continue/2",
    }
    assert not driver.enabled("matches/watch/2")


def test_words_of_a_match(classic: PieceSet) -> None:
    """Each row says who plays and how far they are, or who has won, or what is wrong."""
    now = datetime.now().astimezone()
    going = Save(Path("a.stakd"), now, ("Ann", "Ada"), (None, "greedy"), round=2, scores=(1, 0), pieces=7, acts=30)
    assert save_words(going) == ("Ann – Ada", f"today at {now:%H:%M} · round 2, 7 pieces laid · 1 : 0")
    over = Save(Path("a.stakd"), datetime(2020, 9, 13, 12, 26).astimezone(), ("Ann", "Ada"), over=True, winners=("Ada",), scores=(0, 3))
    assert save_words(over)[1] == "13 September 2020 at 12:26 · won by Ada · 0 : 3"
    solo = Save(Path("a.stakd"), now, ("Ann",), scores=(0,), pieces=1)
    assert save_words(solo)[1] == f"today at {now:%H:%M} · 1 piece laid"
    damaged = Save(Path("a.stakd"), now, defect="line 2: no JSON")
    assert save_words(damaged) == ("a.stakd", "Damaged: line 2: no JSON")


def test_going_on(program: Program, classic: PieceSet) -> None:
    """Continue opens the table with that very match; back leads to the list."""
    keep(classic, 200)
    path = keep(classic, 100)
    driver = opened(program)
    driver.click("matches/continue/1")
    assert isinstance(program.screen, Resumed)
    assert program.screen.path == path
    program.back()
    assert isinstance(program.screen, Matches)


def test_watching(program: Program, classic: PieceSet) -> None:
    """Watch opens the replay of that match."""
    keep(classic, 100, 3)
    driver = opened(program)
    driver.click("matches/watch/0")
    assert isinstance(program.screen, ReplayPage)
    assert len(program.screen.match.acts) == 3


def test_what_breaks_meanwhile_is_told(program: Program, classic: PieceSet, told: list[str]) -> None:
    """A file damaged while the list is open is told, not fatal."""
    path = keep(classic, 100)
    driver = opened(program)
    path.write_text("nonsense", "utf8")
    with pytest.raises(BadRecord):
        load_record(path)
    for way in ("continue", "watch"):
        driver.click(f"matches/{way}/0")
        assert isinstance(program.screen, Matches)
        assert path.name in told[-1]


def test_deleting_asks_first(program: Program, classic: PieceSet) -> None:
    """A match is deleted only after a question, which button and Escape call off; the others stay."""
    stays, goes = keep(classic, 200), keep(classic, 100)
    driver = opened(program)
    driver.click("matches/delete/1")
    assert driver.names == {"matches/keep", "matches/delete"}
    driver.click("matches/keep")
    driver.click("matches/delete/1")
    driver.key("escape")
    assert stays.exists()
    assert goes.exists()
    driver.click("matches/delete/1")
    driver.click("matches/delete")
    assert stays.exists()
    assert not goes.exists()
    driver.frame()
    assert {name for name in driver.names if "delete" in name} == {"matches/delete/0"}


def test_damaged_match_can_be_deleted(program: Program, home: Path) -> None:
    """A damaged file is shown and can be thrown away."""
    (home / "matches").mkdir()
    path = home / "matches" / "bad.stakd"
    path.write_text("nonsense", "utf8")
    driver = opened(program)
    driver.click("matches/delete/0")
    driver.click("matches/delete")
    assert not path.exists()


def test_what_cannot_be_deleted_is_told(program: Program, classic: PieceSet, told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file can't be deleted, the user is told why, and it stays in the list."""
    path = keep(classic, 100)

    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    driver = opened(program)
    driver.click("matches/delete/0")
    driver.click("matches/delete")
    driver.frame()
    assert told == [str(UnwritableFile(path, "it can't be deleted (Permission denied)"))]
    assert "matches/delete/0" in driver.names


def test_long_list_by_keyboard_and_wheel(program: Program, classic: PieceSet) -> None:
    """A long list draws only what is seen, and Tab and the wheel reach its end."""
    path = keep(classic, 100)
    text = path.read_text("utf8")
    for k in range(19):
        copy = path.with_name(f"copy {k:02}.stakd")
        copy.write_text(text, "utf8")
        os.utime(copy, (200 + k, 200 + k))
    driver = opened(program)
    assert len(driver.names) < 30
    for _ in range(3 * 20 + 1):
        driver.key("tab")
        if program.gui.focused == "matches/delete/19":
            break
    assert program.gui.focused == "matches/delete/19"
    assert "matches/delete/0" not in driver.names
    driver.move(480, 300)
    for _ in range(20):
        driver.scroll(3)
    assert "matches/delete/0" in driver.names
    assert "matches/delete/19" not in driver.names


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("scale", [100, 200])
def test_everything_has_its_place(program: Program, classic: PieceSet, size: tuple[int, int], scale: int) -> None:
    """At all sizes and scales no item lies over another."""
    for second in (100, 200):
        keep(classic, second)
    program.change(ui_scale=scale)
    program.open(Matches(program))
    driver = HeadlessDriver(program, (size[0] // 4, size[1] // 4), ratio=0.25)
    driver.check_places()
    driver.click("matches/delete/0")
    driver.check_places()


def test_home_goes_on_with_the_latest(program: Program, classic: PieceSet) -> None:
    """Home offers the latest unfinished match only if there is one."""
    program.open(Home(program))
    driver = HeadlessDriver(program, (240, 150), ratio=0.25)
    assert "home/continue" not in driver.names
    keep(classic, 300, resigned=True)
    path = keep(classic, 200)
    keep(classic, 100)
    driver.click("home/matches")
    program.back()
    driver.frame()
    driver.click("home/continue")
    assert isinstance(program.screen, Resumed)
    assert program.screen.path == path


def test_play_by_keyboard_from_home(program: Program) -> None:
    """Enter on Play opens the set-up, and only that: the same Enter does not start the match too."""
    program.open(Home(program))
    driver = HeadlessDriver(program, (240, 150), ratio=0.25)
    while program.gui.focused != "home/play":
        driver.key("tab")
    driver.key("enter")
    driver.frame()
    assert isinstance(program.screen, MatchSetupPage)
    assert program.gui.focused == "setup/start"
