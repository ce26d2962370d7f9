"""Setting up a match by clicks and keys."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import ModuleType

import pytest

from games.match import MatchSetup, Seat
from games.stakd.bases import BaseContact
from games.stakd.rules import NewLayerException, Options
from meshes.piece_set import load_piece_set
from physics.grip import NORMAL, SHAKY, STEADY
from tests.viewer.driver import HeadlessDriver
from viewer.match_draft import LONGEST_NAME, MOST_SEED, Level, MatchDraft, mended_names
from viewer.program import Program
from viewer.screens.match_setup import MatchSetupPage
from viewer.screens.screen import Screen
from viewer.settings import Placing, SeatChoice, Settings, load_settings


class Begun(Screen):
    """Stands where the table would: what is begun here is the table's own business."""

    def __init__(self, program: Program, setup: MatchSetup) -> None:
        super().__init__(program)
        self.setup = setup


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """No match is really begun, as each would start a process."""
    module = ModuleType("viewer.screens.table")
    module.TablePage = Begun  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "viewer.screens.table", module)


@pytest.fixture
def driver(program: Program) -> HeadlessDriver:
    """The page as it is the first time, over an empty one."""
    program.change(player_name="Zoë")
    program.open(Screen(program))
    program.open(MatchSetupPage(program))
    return HeadlessDriver(program, (240, 150), ratio=0.25)


def begun(driver: HeadlessDriver) -> MatchSetup:
    """The match that was begun."""
    assert isinstance(driver.program.screen, Begun)
    return driver.program.screen.setup


def draft(driver: HeadlessDriver) -> MatchDraft:
    """What stands on the page."""
    assert isinstance(driver.program.screen, MatchSetupPage)
    return driver.program.screen.draft


def test_enter_starts_at_once(driver: HeadlessDriver) -> None:
    """The page is ready: Enter begins you against one easy bot, which has a steady hand, with the classic set."""
    assert driver.program.gui.focused == "setup/start"
    driver.key("enter")
    setup = begun(driver)
    assert setup.seats == (Seat("Zoë"), Seat("Ada", "greedy", STEADY))
    assert setup.piece_set == load_piece_set("classic")
    assert setup.options == Options()


def test_enter_starts_after_a_click_beside_everything(driver: HeadlessDriver) -> None:
    """Enter starts too when nothing has the focus."""
    driver.click_at(5, 5)
    assert driver.program.gui.focused is None
    driver.key("enter")
    assert begun(driver)


def test_seeds_differ(driver: HeadlessDriver, program: Program) -> None:
    """Two matches begun without a number are not the same."""
    driver.click("setup/start")
    first = begun(driver).seed
    program.replace(MatchSetupPage(program))
    driver.frame()
    driver.click("setup/start")
    assert begun(driver).seed != first


def test_all_choices_reach_the_match(driver: HeadlessDriver) -> None:
    """Players, names, levels, hands, set, options and number stand in the match as they were clicked."""
    driver.click("setup/players/3")
    driver.write("setup/name/0", "Ann")
    driver.click("setup/level/1/0")
    driver.write("setup/name/1", "Bob")
    for seat, level, hand in ((2, 3, 3), (3, 4, 4)):
        driver.click(f"setup/level/{seat}/{level}")
        driver.click(f"setup/hand/{seat}/{hand}")
    driver.click("setup/set/1")
    driver.click("setup/more")
    driver.click("setup/contact/2")
    driver.click("setup/exception/1")
    driver.write("setup/seed", "2031")
    driver.click("setup/more/done")
    driver.click("setup/start")
    setup = begun(driver)
    bots = (Seat("Björn", "mcts", NORMAL, 300), Seat("Chloé", "mcts", SHAKY, 3000))
    assert setup.seats == (Seat("Ann"), Seat("Bob"), *bots)
    assert (setup.seed, setup.piece_set) == (2031, load_piece_set("square"))
    assert setup.options == Options(NewLayerException.ALL, BaseContact.ANY)


@pytest.mark.parametrize(("hand", "level"), [(0, None), (1, "exact"), (2, "steady"), (3, "normal"), (4, "shaky")])
def test_each_hand(driver: HeadlessDriver, hand: int, level: str | None) -> None:
    """Every steadiness can be chosen; on the board there is no hand."""
    driver.click(f"setup/hand/1/{hand}")
    driver.click("setup/start")
    found = begun(driver).seats[1].hand
    assert (found.name if found else None) == level


@pytest.mark.parametrize(
    ("level", "bot", "milliseconds"), [(0, None, None), (1, "random", None), (2, "greedy", None), (3, "mcts", 300), (4, "mcts", 3000)]
)
def test_each_level(driver: HeadlessDriver, level: int, bot: str | None, milliseconds: int | None) -> None:
    """Every level of play is a bot, or a person."""
    driver.click(f"setup/level/1/{level}")
    driver.click("setup/start")
    seat = begun(driver).seats[1]
    assert (seat.bot, seat.milliseconds) == (bot, milliseconds)


def test_solo(driver: HeadlessDriver) -> None:
    """One person alone is a match too."""
    driver.click("setup/players/0")
    driver.click("setup/start")
    assert begun(driver).seats == (Seat("Zoë"),)


def test_names_nobody_typed_go_with_the_seat(driver: HeadlessDriver) -> None:
    """A bot that becomes a person is no longer called like a bot, and the other way round; a typed name stays."""
    driver.click("setup/level/1/0")
    assert draft(driver).names == ("Zoë", "Player 2")
    driver.click("setup/level/1/4")
    driver.click("setup/level/0/2")
    assert draft(driver).names == ("Esi", "Ada")
    driver.click("setup/level/0/0")
    assert draft(driver).names == ("Zoë", "Ada")
    driver.write("setup/name/1", "Deep")
    driver.click("setup/level/1/0")
    assert draft(driver).names == ("Zoë", "Deep")


@pytest.mark.parametrize(
    ("typed", "names", "complaints"),
    [
        (["Ann", "Bob"], ("Ann", "Bob"), 0),
        (["  Ann\t Lee ", "Bob\x00"], ("Ann Lee", "Bob"), 0),
        (["", " "], ("Player 1", "Player 2"), 2),
        (["Ann", "ann", "ANN"], ("Ann", "ann 2", "ANN 3"), 2),
        (["Player 2", ""], ("Player 2", "Player 2 2"), 2),
        (["x" * 30, "x" * 30], ("x" * LONGEST_NAME, "x" * (LONGEST_NAME - 3) + " 2"), 3),
    ],
)
def test_names_are_mended(typed: list[str], names: tuple[str, ...], complaints: int) -> None:
    """Names are never empty, too long or the same, and each mending is told."""
    found, told = mended_names(typed)
    assert found == names
    assert len(told) == complaints


def test_bad_names_start_mended(driver: HeadlessDriver) -> None:
    """The page says at once what is wrong with names, and the match begins all the same."""
    driver.write("setup/name/0", "")
    driver.write("setup/name/1", "player 1")
    assert len(draft(driver).complaints) == 2
    driver.click("setup/start")
    assert [seat.name for seat in begun(driver).seats] == ["Player 1", "player 1 2"]


@pytest.mark.parametrize(
    ("typed", "good"), [("0", True), (" 7 ", True), (str(MOST_SEED), True), (str(MOST_SEED + 1), False), ("-1", False), ("1.5", False)]
)
@pytest.mark.parametrize("more", ["", "²", "9" * 5000])
def test_number_of_the_match(typed: str, good: bool, more: str) -> None:
    """A number that can't be one is told and replaced by chance."""
    made, _ = MatchDraft.from_settings(Settings())
    made.seed = typed + more
    good = good and not more
    assert (not made.complaints) == good
    seed = made.setup().seed
    assert seed == int(typed) if good else 0 <= seed <= MOST_SEED


def test_last_set_up_comes_back(driver: HeadlessDriver, home: Path) -> None:
    """What was set up is kept on disk and stands there again the next time, whether it was begun or not."""
    driver.click("setup/players/2")
    driver.write("setup/name/0", "Ann")
    driver.click("setup/level/2/4")
    driver.click("setup/hand/2/0")
    driver.click("setup/set/1")
    driver.click("setup/placing/1")
    driver.click("setup/more")
    driver.click("setup/contact/1")
    driver.key("escape")
    driver.click("setup/back")
    kept, message = load_settings(home)
    assert message is None
    assert kept.seats == (SeatChoice("Ann", None, "steady"), SeatChoice("Ada", "greedy", "steady"), SeatChoice("Björn", "mcts", "board", 3000))
    assert (kept.player_name, kept.piece_set, kept.placing, kept.base_contact) == ("Ann", "square", Placing.HAND, "two_pairs")
    again, _ = MatchDraft.from_settings(kept)
    assert (again.players, again.names, again.piece_set.name) == (3, ("Ann", "Ada", "Björn"), "square")
    assert [seat.level for seat in again.playing] == [Level.PERSON, Level.EASY, Level.HARD]


def test_another_name_of_yours_is_heeded() -> None:
    """The first person of the last set-up is called as the settings say now."""
    made, _ = MatchDraft.from_settings(Settings(player_name="Zoë", seats=(SeatChoice("Ada", "mcts"), SeatChoice("Ann"), SeatChoice("Bob"))))
    assert made.names == ("Ada", "Zoë", "Bob")


def test_foreign_choices_are_mended() -> None:
    """Settings that name a bot or more seats than there are give a match all the same."""
    seats = (SeatChoice("A", "oracle"), SeatChoice("B", "mcts", "normal", 2500), *(SeatChoice(f"C{k}") for k in range(6)))
    made, _ = MatchDraft.from_settings(Settings(seats=seats))
    assert [seat.level for seat in made.playing[:2]] == [Level.EASY, Level.HARD]
    assert len(made.setup().seats) == 5


def test_escape_closes_what_is_open_first(driver: HeadlessDriver) -> None:
    """Escape closes the window over the page, then the page."""
    page = driver.program.screen
    driver.click("setup/more")
    assert "setup/start" not in driver.names
    driver.key("escape")
    assert driver.program.screen is page
    driver.key("escape")
    assert driver.program.screen is not page


def test_own_piece_set(driver: HeadlessDriver, program: Program, home: Path, told: list[str]) -> None:
    """A set dropped on the window is played with and remembered; a bad one is refused in words; one that is gone gives the classic set."""
    path = home / "mine.toml"
    text = (resources.files("meshes.sets") / "classic.toml").read_text("utf8")
    path.write_text(text.replace("thickness_mm = 10.0", "thickness_mm = 12.0"), "utf8")
    bad = home / "bad.toml"
    bad.write_text("title = 3")
    driver.program.on_drop([str(bad)])
    assert "can't be used" in told[-1]
    driver.program.on_drop([str(path)])
    driver.frame()
    driver.click("setup/set/0")
    driver.click("setup/set/2")
    driver.click("setup/start")
    assert begun(driver).piece_set == load_piece_set(path)
    kept = load_settings(home)[0]
    assert MatchDraft.from_settings(kept)[0].piece_set == load_piece_set(path)
    path.unlink()
    program.open(MatchSetupPage(program))
    driver.frame()
    assert "can't be used" in told[-1]
    made, message = MatchDraft.from_settings(kept)
    assert made.piece_set.name == "classic"
    assert message


def test_keyboard_reaches_everything(driver: HeadlessDriver) -> None:
    """Tab goes through all items of the page, and of what is open over it only through its own."""
    for opened in ("", "setup/more"):
        if opened:
            driver.click(opened)
        walk = []
        for _ in range(len(driver.names) + 1):
            driver.key("tab")
            walk.append(driver.program.gui.focused)
        assert set(walk) == driver.names


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("scale", [100, 150, 200])
def test_everything_has_its_place(program: Program, size: tuple[int, int], scale: int) -> None:
    """At all sizes and scales, with most seats, every item is within the window and none lies over another."""
    program.settings = replace(program.settings, ui_scale=scale)
    program.open(MatchSetupPage(program))
    driver = HeadlessDriver(program, (size[0] // 4, size[1] // 4), ratio=0.25)
    driver.click("setup/players/4")
    driver.check_places()
    driver.click("setup/more")
    driver.check_places()
