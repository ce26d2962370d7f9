"""The table of Sunny Day Sardines, played by clicks."""

from __future__ import annotations

from games.card_phases import CardPhase
from tests.viewer.screens.cards.sitting import play_on, shown, sit_down
from viewer.program import Program


def test_game_of_sardines(program: Program) -> None:
    """A whole game by clicks: gathering from the market, filling orders, discarding; the result is told at the end (D1–D20)."""
    table, clock = sit_down(program, "sardines", bots=1)
    driver = shown(program)
    done = set()

    def turn() -> None:
        view = table.play.view()
        moves = [str(move) for move in table.play.legal()]
        move = next((move for move in moves if move.startswith("fill")), moves[0])
        kind, *rest = move.split()
        if kind == "gather":
            taken: list[int] = []
            for card in rest:
                taken.append(next(k for k, there in enumerate(view["market"]) if there == card and k not in taken))
                driver.click(f"market/{taken[-1]}")
        elif kind == "fill":
            driver.click(f"order/{rest[0]}")
        else:
            taken = []
            for card in rest:
                taken.append(next(k for k, there in enumerate(view["hands"][0]) if there == card and k not in taken))
                driver.click(f"hand/{taken[-1]}", at=(0.12, 0.1))
        before = len(table.play.match.acts)
        driver.click("sardines/do")
        assert len(table.play.match.acts) > before
        done.add(kind)

    play_on(driver, table, clock, turn, until=CardPhase.OVER)
    assert {"gather", "fill"} <= done
    assert "summary/on" in driver.names and table.play.result
