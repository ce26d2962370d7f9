"""Setting up a card game by clicks."""

from __future__ import annotations

import pytest

from tests.viewer.screens.cards.sitting import shown
from viewer.program import Program
from viewer.screens.cards.setup import TABLES, CardSetupPage
from viewer.screens.home import Home


@pytest.mark.parametrize("game", sorted(TABLES))
def test_set_up(program: Program, game: str) -> None:
    """Each game is set up by clicks, with names that are mended, and begins at its own table."""
    program.open(Home(program))
    page = CardSetupPage(program, game)
    program.open(page)
    driver = shown(program)
    driver.click("cards/players/1")
    driver.write("cards/name1", "Ann")
    driver.write("cards/name0", "Ann")
    driver.click("cards/level2/1")
    setup = page.setup()
    fewest = {"sakana": 2, "sardines": 2, "sakapuss": 3}[game]
    assert setup.game == game and len(setup.seats) == fewest + 1
    assert len({seat.name for seat in setup.seats}) == fewest + 1
    assert setup.seats[0].bot is None and setup.seats[2].bot == "random"
    driver.click("cards/start")
    assert isinstance(program.screen, TABLES[game])
