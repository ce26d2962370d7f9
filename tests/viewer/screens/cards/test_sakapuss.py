"""The table of Sakapuss, played by clicks and keys in real time."""

from __future__ import annotations

import pytest

from games.card_phases import CardPhase
from tests.viewer.screens.cards.sitting import play_on, shown, sit_down
from viewer.program import Program


def test_rounds_of_sakapuss(program: Program) -> None:
    """Cats are passed on by clicks and all slap; the last takes a card (P4, P9)."""
    table, clock = sit_down(program, "sakapuss", bots=2)
    driver = shown(program)

    def turn() -> None:
        hand = table.play.view()["hands"][0]
        if len(set(hand)) == 1 or table.play.view()["slapped"]:
            driver.key("space")
        else:
            driver.click(f"hand/{min(range(4), key=lambda k: hand.count(hand[k]))}", at=(0.12, 0.1))

    for _ in range(3):
        play_on(driver, table, clock, turn, until=CardPhase.ROUND_OVER)
        driver.key("enter")
    assert {event["type"] for act in table.play.match.acts for event in act.events} >= {"called", "last", "drew"}


def test_wrong_slap(program: Program) -> None:
    """Slapping without four cats alike costs two cards (P10)."""
    table, clock = sit_down(program, "sakapuss", bots=2, seed=3)
    driver = shown(program)
    while table.play.phase is not CardPhase.PASSING:
        clock.now += 0.1
        driver.frame(1)
    assert len(set(table.play.view()["hands"][0])) > 1
    driver.click("slap/0")
    events = [event for act in table.play.match.acts for event in act.events]
    assert [event["type"] for event in events if event.get("player") == 0].count("drew") == 2


def test_moving_when_it_is_too_late_is_told(program: Program, told: list[str]) -> None:
    """A move that comes when nobody is to move, as a slap came first, is refused with words."""
    table, _ = sit_down(program, "sakapuss", bots=2)
    shown(program)
    assert table.play.phase is CardPhase.WATCHING
    table.attempt("pass B")
    assert told and "not possible now" in told[-1] and "[" not in told[-1]


def test_space_slaps_behind_the_curtain(program: Program) -> None:
    """In Sakapuss Space opens no curtain and ends no round: it is somebody's slap. Enter opens it."""
    table, clock = sit_down(program, "sakapuss", persons=3, bots=0)
    driver = shown(program)
    play_on(driver, table, clock, lambda: None, until=CardPhase.CURTAIN)
    driver.key("space")
    act = table.play.match.acts[-1]
    assert act.player == 1 and {"wrong_slap", "called"} & {event["type"] for event in act.events}
    play_on(driver, table, clock, lambda: None, until=CardPhase.CURTAIN)
    driver.key("enter")
    assert table.play.phase is CardPhase.PASSING


@pytest.mark.parametrize("phase", [CardPhase.PASSING, CardPhase.WATCHING])
def test_leaving_sakapuss(program: Program, phase: CardPhase) -> None:
    """A person can leave while cats are chosen and while all watch them go round; a bot plays on."""
    table, clock = sit_down(program, "sakapuss", bots=2)
    driver = shown(program)
    play_on(driver, table, clock, lambda: None, until=phase)
    driver.key("escape")
    driver.click("menu/leave")
    driver.click("question/yes")
    assert table.play.persons == () and table.play.match.seats[0].bot
