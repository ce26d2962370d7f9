"""The table of Sakana Stack, played by clicks and keys."""

from __future__ import annotations

from games.card_phases import CardPhase
from tests.viewer.screens.cards.sitting import play_on, shown, sit_down
from viewer.program import Program


def test_round_of_sakana(program: Program) -> None:
    """A whole round against a bot by clicks: stacks built card by card from hand and Catch, passes; then the next round by Enter (K1–K25)."""
    table, clock = sit_down(program, "sakana")
    driver = shown(program)
    laid = []

    def turn() -> None:
        move = str(table.play.legal()[-1])
        if move == "pass":
            driver.click("sakana/pass")
            return
        done = len(table.play.match.acts)
        for card in move.split()[1:]:
            view = table.play.view()
            driver.click("catch" if view["draw"][0] == card else f"hand/{view['hands'][0].index(card)}", at=(0.15, 0.1))
        driver.click("sakana/play")
        assert table.play.match.acts[done].move == move
        laid.append(move)

    play_on(driver, table, clock, turn, until=CardPhase.ROUND_OVER)
    assert laid
    driver.key("enter")
    assert table.play.match.round == 2 and table.play.phase is not CardPhase.ROUND_OVER


def test_illegal_cards_are_explained(program: Program, told: list[str]) -> None:
    """A card that can't be laid says why, citing the row, and nothing changes."""
    table, clock = sit_down(program, "sakana", seed=8)
    driver = shown(program)
    for _ in range(400):
        hand = table.play.view()["hands"][0]
        begins = {str(move).split()[1] for move in table.play.legal() if str(move) != "pass"}
        bad = [k for k, card in enumerate(hand) if card not in begins]
        if table.play.phase is CardPhase.PERSON and bad and table.play.view()["stacks"]:
            break
        if table.play.phase is CardPhase.PERSON:
            driver.click("sakana/pass")
        clock.now += 0.1
        driver.frame(1)
    acts = len(table.play.match.acts)
    driver.click(f"hand/{bad[0]}", at=(0.15, 0.1))
    assert any("[K" in line for line in told) and len(table.play.match.acts) == acts
    assert not driver.enabled("sakana/play")
