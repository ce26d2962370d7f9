"""Is a card table quick enough while a card moves? On software OpenGL and two cores, 1280 × 720, panels and all."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import moderngl

from bench.finding import Benchmark, Finding, at_most
from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_play import CardPlay
from games.card_thinker import AtOnce
from viewer.cards.place import Place
from viewer.context import headless_context
from viewer.program import Program
from viewer.screens.cards.setup import TABLES
from viewer.screens.cards.table import CardTable
from viewer.settings import Settings
from viewer.sound import Sounds

SIZE = (1280, 720)
FRAMES, SMOKE_FRAMES = 90, 6
MOVING_MS = 30.0


def card_table_speed(smoke: bool) -> Iterator[Finding]:
    """Median time of a frame of each game's table, whole, with a card in flight."""
    context = headless_context()
    target = context.simple_framebuffer(SIZE, 4)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(context, Settings(), Sounds(muted=True), folder=Path(folder))
        for game, table_type in TABLES.items():
            seats = (CardSeat("Ada"), CardSeat("Björn", "greedy"), CardSeat("Chloé", "greedy"))
            table = table_type(program, CardPlay(CardMatch(CardSetup(game, seats, 5)), AtOnce()))
            program.open(table)
            took = list(_frames(program, table, target, SMOKE_FRAMES if smoke else FRAMES))
            yield at_most(f"{table.TITLE}: a frame while a card moves", statistics.median(took[len(took) // 3 :]), "ms", MOVING_MS)
        program.close()


def _frames(program: Program, table: CardTable, target: moderngl.Framebuffer, count: int) -> Iterator[float]:
    """How many ms each of `count` frames took. All in one context: one that goes can take what the next one draws with it."""
    card = table.play.view()["hands"][0][0]
    for number in range(count):
        if not table.motion.busy:
            table.motion.fly(card, Place(100, 100, 60), Place(900, 500, 110))
        start = time.perf_counter()
        program.wake()
        program.tick(1 + number / 60)
        program.frame(target, 1.0)
        program.context.finish()
        yield 1000 * (time.perf_counter() - start)
        assert program.gui.items, "a frame without items was not drawn"


BENCHMARKS = (Benchmark("card-table", "Is a card table quick enough while a card moves?", card_table_speed),)
