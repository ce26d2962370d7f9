"""A place at a card table, on a program without a window, with a clock that only moves when told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_phases import CardPhase
from games.card_play import CardPlay
from games.card_thinker import AtOnce
from tests.viewer.driver import HeadlessDriver
from viewer.program import Program
from viewer.screens.cards.setup import TABLES
from viewer.screens.cards.table import CardTable

SIZE, RATIO = (320, 180), 0.25
"""A quarter of 1280×720: frames cost little."""


class Clock:
    """A clock that only moves when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


def sit_down(program: Program, game: str, *, persons: int = 1, bots: int = 1, seed: int = 5, path: Path | None = None) -> tuple[CardTable, Clock]:
    """A table shown by the program; bots are greedy and think at once."""
    program.settings = type(program.settings)(reduced_motion=True)
    seats = [CardSeat(name) for name in ("Ann", "Ben", "Cleo")[:persons]] + [CardSeat(f"Bot {k}", "greedy") for k in range(bots)]
    clock = Clock()
    play = CardPlay(CardMatch(CardSetup(game, tuple(seats), seed)), AtOnce(), path=path, clock=clock)
    table = TABLES[game](program, play)
    program.open(table)
    return table, clock


def shown(program: Program) -> HeadlessDriver:
    """A hand on the program."""
    return HeadlessDriver(program, SIZE, ratio=RATIO)


def play_on(driver: HeadlessDriver, table: CardTable, clock: Clock, turn: Callable[[], None], *, until: CardPhase) -> None:
    """Let bots move and time pass; `turn` makes a person's move."""
    for _ in range(2000):
        if table.play.phase is until:
            return
        if table.play.phase in (CardPhase.PERSON, CardPhase.PASSING):
            turn()
        clock.now += 0.1
        driver.frame(1)
    raise AssertionError(f"still {table.play.phase} after {len(table.play.match.acts)} acts")
