"""Makes the pictures of the window in these pages, with the program itself and without a screen: `make pictures`."""

from __future__ import annotations

import contextlib
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_phases import CardPhase
from games.card_play import CardPlay
from games.card_thinker import AtOnce
from games.play import Phase
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.tower import Tower, exact_pose
from tests.viewer.driver import HeadlessDriver, headless_program
from viewer.casting import Casting
from viewer.program import Program
from viewer.screens import show
from viewer.screens.cards.sardines import SardinesTable
from viewer.screens.lab.page import LabPage
from viewer.screens.show import Part, ShowPage
from viewer.screens.table import TablePage
from viewer.settings import Settings

HERE = Path(__file__).parent
SIZE = (1280, 720)
_FRAMES = 100
"""Enough for a picture at rest to become as good as it gets."""
_LONG = 20_000


def table(program: Program) -> HeadlessDriver:
    """A match of a person against a bot, a piece held over a place where it may lie."""
    match = Casting.of(8, set_name="classic", players=2, bots=["mcts"]).match(0)
    person = match.state.to_move
    seats = [replace(seat, name="Mara", bot=None) if number == person else seat for number, seat in enumerate(match.setup.seats)]
    match.setup = replace(match.setup, seats=tuple(seats))
    page = TablePage(program, match.setup, match=match)
    program.open(page)
    driver = HeadlessDriver(program, SIZE)
    driver.until(lambda: page.play.phase is Phase.PERSON)
    driver.frame(3)
    for move in sorted(match.state.legal_moves(), key=lambda placement: (-len(placement.cells), -placement.layer)):
        if page.ghost.piece is None or page.ghost.piece.name != move.piece:
            page.choose(move.piece)
        piece = match.setup.piece_set.by_name[move.piece]
        middle = np.asarray(build_solid(match.setup.piece_set, piece).centre_mm).reshape(1, 3)
        driver.move(*map(float, page.view.project(exact_pose(match.setup.piece_set, move).apply(middle))[0]))
        if page.ghost.legal:
            break
    driver.until(lambda: page.verdict is not None, frames=1000, seconds=0.2)
    return driver


def fall(program: Program) -> HeadlessDriver:
    """The demo shows a fall again, just when all is in the air."""
    show.ROUND_S, show.HELD_S = 0.0, 0.0
    page = ShowPage(program, Casting.of(2, set_name="classic"))
    program.open(page)
    driver = HeadlessDriver(program, SIZE)
    driver.until(lambda: page.part is Part.AGAIN, frames=_LONG, seconds=0.2)
    show.HELD_S = 1e9
    assert page.fall is not None, "nothing falls"
    driver.until(lambda: page.fall is not None and page.fall.position > 0.66 * page.fall.length, seconds=0.03)
    page.fall.playing = False
    return driver


def cards(program: Program) -> HeadlessDriver:
    """A market of Sunny Day Sardines, an order chosen that can be paid for."""
    seats = (CardSeat("Mara"), CardSeat("Björn", "greedy"), CardSeat("Chloé", "greedy"))
    play = CardPlay(CardMatch(CardSetup("sardines", seats, 5)), AtOnce())
    program.open(SardinesTable(program, play))
    driver = HeadlessDriver(program, SIZE)
    while True:
        driver.until(lambda: play.phase is CardPhase.PERSON, frames=_LONG)
        moves = [str(move) for move in play.legal()]
        fill = next((move for move in moves if move.startswith("fill")), None)
        if fill is not None and len(play.match.acts) >= 12:
            driver.click(f"order/{fill.split()[1]}")
            return driver
        play.play(moves[-1])


def lab(program: Program) -> HeadlessDriver:
    """The peanut of the page on designing pieces, checked."""
    program_text = re.search(r"<!-- shape -->\n```python\n(.*?)```", (HERE / "design-a-piece.md").read_text("utf8"), re.DOTALL)
    assert program_text is not None
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        exec(compile(program_text[1], "shape", "exec"), {})
        page = LabPage(program, Path("peanut.stl"))
        program.open(page)
        driver = HeadlessDriver(program, SIZE)
        driver.until(lambda: not page.busy, frames=_LONG, seconds=0.02)
    return driver


def lab_table(program: Program) -> HeadlessDriver:
    """A small tower on the lab's table that has been tilted until it fell, four ways."""
    page = LabPage(program)
    program.open(page)
    driver = HeadlessDriver(program, SIZE)
    page.go_to(page.table)
    texts = ("TRIO 0 0,0 0,1 1,0", "DUO 1 0,0 1,0", "UNI 1 0,1", "TRIO 2 0,0 0,1 1,0", "UNI 3 1,0", "DUO 3 0,0 0,1", "UNI 4 0,0")
    laid = [placement for text in texts if (placement := Placement.parse(text))]
    page.table.lab_table.put(Tower.exact(page.piece_set, laid))
    driver.frame()
    for heading in (0.0, 75.0, 165.0, 255.0):
        page.table.heading_deg = heading
        driver.click("lab/tilt")
        driver.click("lab/skip")
        driver.until(lambda: not page.busy, frames=_LONG, seconds=0.02)
    driver.click("lab/undo")
    page.show(fit=True)
    return driver


def main() -> None:
    """All pictures, or those named on the command line."""
    known = {"window-table": table, "window-fall": fall, "window-cards": cards, "window-lab": lab, "window-lab-table": lab_table}
    for name, make in ((name, known[name]) for name in sys.argv[1:] or known):
        with tempfile.TemporaryDirectory() as folder, headless_program(Path(folder), Settings(reduced_motion=True, show_legal=False)) as program:
            driver = make(program)
            driver.frame(_FRAMES, seconds=0.02)
            driver.screenshot(HERE / f"{name}.png")


if __name__ == "__main__":
    main()
