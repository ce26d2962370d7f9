"""What the tables of all card games share: dragging, the curtain, endings, stopped bots, saves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_phases import CardPhase
from games.card_play import CardPlay
from games.card_thinker import AtOnce, Chosen, Thinking
from tests.viewer.driver import HeadlessDriver
from tests.viewer.screens.cards.sitting import Clock, play_on, shown, sit_down
from viewer.program import Program
from viewer.screens.cards.sakana import SakanaTable
from viewer.screens.cards.sakapuss import SakapussTable
from viewer.screens.cards.setup import TABLES
from viewer.screens.cards.table import CardTable
from viewer.screens.matches import continue_match


def test_cards_are_dragged_onto_the_table(program: Program) -> None:
    """A card dragged out of the hand is laid (Sakana), passed on (Sakapuss), or pays for the order that it is dropped on (Sardines)."""

    def offered(table: CardTable, clock: Clock, pattern: str) -> str:
        """Play on until a move like this may be made."""
        while True:
            driver.frame(1)
            moves = [str(move) for move in table.play.legal()] if table.play.phase is CardPhase.PERSON else []
            wanted = [move for move in moves if re.fullmatch(pattern, move)]
            if wanted:
                return wanted[0]
            if moves:
                table.attempt(moves[-1])
            clock.now += 0.1

    def hand(table: CardTable) -> list[str]:
        return list(table.play.view()["hands"][0])

    table, clock = sit_down(program, "sakana")
    driver = shown(program)
    move = offered(table, clock, r"play \w+")
    while (card := move.split()[1]) not in hand(table):
        table.attempt("pass")
        move = offered(table, clock, r"play \w+")
    before = len(table.play.match.acts)
    driver.drag(driver.box(f"hand/{hand(table).index(card)}").middle, (500.0, 250.0))
    assert table.play.match.acts[before].move == move

    table, clock = sit_down(program, "sardines")
    move = offered(table, clock, "fill .*")
    before, used = len(table.play.match.acts), list[int]()
    for code in move.split()[2:]:
        used.append(next(k for k, held in enumerate(hand(table)) if held == code and k not in used))
        driver.drag(driver.box(f"hand/{used[-1]}").middle, driver.box(f"order/{move.split()[1]}").middle)
    driver.click("sardines/do")
    assert table.play.match.acts[before].move == move

    table, clock = sit_down(program, "sakapuss", bots=2)
    play_on(driver, table, clock, lambda: None, until=CardPhase.PASSING)
    driver.drag(driver.box("hand/1").middle, (500.0, 250.0))
    assert table.play.view()["chosen"][0] == hand(table)[1]


def test_curtain_hides_hands(program: Program) -> None:
    """Between two persons the curtain shows nobody's cards until it is opened, by click or key."""
    table, clock = sit_down(program, "sakana", persons=2, bots=0)
    driver = shown(program)
    for key in ("enter", None):
        play_on(driver, table, clock, lambda: driver.click("sakana/pass"), until=CardPhase.CURTAIN)
        driver.frame()
        assert driver.names == {"curtain"}
        assert all(isinstance(hand, int) for hand in table.play.view()["hands"])
        if key:
            driver.key(key)
        else:
            driver.click("curtain")
        assert "hand/0" in driver.names


def test_last_pass_of_a_match(program: Program) -> None:
    """The click that ends a match by passing is carried out when its frame is drawn, and the result is told."""
    bots = (CardSeat("Ann", "greedy"), CardSeat("Ben", "greedy"))
    for seed in range(50):
        played, clock = CardPlay(CardMatch(CardSetup("sakana", bots, seed)), AtOnce()), Clock()
        while played.phase is not CardPhase.OVER:
            played.update()
            played.go_on()
        acts = played.match.acts
        if (acts[-1].player, acts[-1].move) == (0, "pass"):
            break
    match = CardMatch(CardSetup("sakana", (CardSeat("Ann"), bots[1]), seed))
    for act in acts[:-1]:
        match.play(str(act.move), player=act.player or 0)
    program.settings = type(program.settings)(reduced_motion=True)
    table = TABLES["sakana"](program, CardPlay(match, AtOnce(), clock=clock))
    program.open(table)
    driver = shown(program)
    driver.click("sakana/pass")
    driver.frame()
    assert table.play.phase is CardPhase.OVER and "summary/on" in driver.names


class Stuck:
    """Thinks, and fails until `well`."""

    well = False
    asked = 0

    def think(self, thinking: Thinking) -> int:
        """Begin."""
        self.asked += 1
        return self.asked

    def poll(self) -> Chosen | None:
        """Failure, or a pass."""
        return Chosen(self.asked, "pass", None if self.well else "no idea") if self.asked else None


def test_bots_that_are_stopped_can_go_on(program: Program) -> None:
    """When bots have failed too often, a button lets them go on; meanwhile the page rests."""
    program.settings = type(program.settings)(reduced_motion=True)
    stuck = Stuck()
    play = CardPlay(CardMatch(CardSetup("sakana", (CardSeat("Ann"), CardSeat("Bot", "greedy")), 5)), stuck)
    table = TABLES["sakana"](program, play)
    program.open(table)
    driver = shown(program)
    if play.phase is CardPhase.PERSON:
        table.attempt("pass")
    driver.frame(20)
    assert (stuck.asked, table.busy) == (3, False)
    stuck.well, acts = True, len(play.match.acts)
    driver.click("table/again")
    driver.frame(5)
    assert len(play.match.acts) > acts and "table/again" not in driver.names


def test_saved_match_goes_on(program: Program, home: Path) -> None:
    """A match left in the middle opens again at its own table, with all that was done."""
    path = home / "cards.stakd"
    table, clock = sit_down(program, "sardines", path=path)
    driver = shown(program)
    for _ in range(40):
        clock.now += 0.1
        driver.frame(1)
        if table.play.phase is CardPhase.PERSON:
            table.attempt(str(table.play.legal()[0]))
        if len(table.play.match.acts) >= 6:
            break
    acts = len(table.play.match.acts)
    program.back()
    continue_match(program, path)
    driver.frame()
    assert isinstance(program.screen, CardTable) and program.screen.GAME == "sardines"
    assert len(program.screen.play.match.acts) >= acts >= 6


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("table_type", [SakanaTable, SakapussTable])
def test_nothing_leaves_the_window(program: Program, table_type: type[CardTable], size: tuple[int, int]) -> None:
    """At every size all buttons lie within the window."""
    sit_down(program, table_type.GAME, bots=4, persons=1)
    driver = HeadlessDriver(program, size)
    driver.frame(2)
    wide, high = program.gui.size
    for name, item in program.gui.items.items():
        if not name.startswith(("hand/", "log/")):
            assert item.box.x >= 0 and item.box.y >= 0 and item.box.right <= wide + 0.5 and item.box.bottom <= high + 0.5, name
