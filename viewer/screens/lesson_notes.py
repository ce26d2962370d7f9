"""Parts of a lesson's panel: answers to choose from, notes, and how far one has come."""

from __future__ import annotations

from games.errors import Violation
from games.stakd.codes import Code
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui
from viewer.gui.theme import FAINT_INK, GOLD, GOLD_SOFT, GREEN, INK, LINE, NIGHT_INK, ORANGE, PAPER, RED, Colour, Face, colour

LETTERS = "abcdefghi"
"""Keys of the answers."""
_PAPER_GREEN, _PAPER_RED = colour("#eef6e6"), colour("#fdeee6")


def draw_choice(gui: Gui, column: Column, number: int, words: str, *, given: bool | None, marked: bool, enabled: bool) -> bool:
    """An answer to choose; whether it was pressed. `given`: it was chosen before, and was right or wrong; `marked`: it is shown to be right."""
    width = column.box.w - 58
    box = column.take(gui.paint.measure(words, 14.5, Face.SEMI, width)[1] + 20, 8)
    state = gui.area(f"lesson/choice/{number}", box, enabled=enabled)
    paper, edge = (GOLD_SOFT, GOLD) if marked or state.hovered else (PAPER, LINE)
    if given is not None:
        paper, edge = (_PAPER_GREEN, GREEN) if given else (_PAPER_RED, RED)
    gui.paint.plate(box, paper, radius=10, border=edge, thickness=1.5, shadow=0.15)
    x, y = box.x + 24, box.y + box.h / 2
    gui.paint.disc(x, y, 12, ORANGE if given is None else edge)
    if given is None:
        gui.paint.words_in(LETTERS[number].upper(), Box(x - 12, box.y, 24, box.h), 13, face=Face.BOLD, colour=NIGHT_INK)
    else:
        (gui.paint.tick if given else gui.paint.cross)(x, y, 11, NIGHT_INK)
    gui.paint.words(words, box.x + 46, box.y + 10, 14.5, face=Face.SEMI, wrap=width)
    return state.pressed


def section(broken: Violation) -> str:
    """Where the rulebook says so."""
    return broken.code.section if isinstance(broken.code, Code) else ""


def draw_progress(gui: Gui, box: Box, here: int, done: list[bool]) -> None:
    """One dot a lesson: filled when learned, ringed when it is the one shown."""
    step = box.w / len(done)
    for k, learned in enumerate(done):
        x, y = box.x + step * (k + 0.5), box.y + box.h / 2
        gui.paint.disc(x, y, 5, GREEN if learned else colour("#dccbb2"))
        if learned:
            gui.paint.tick(x, y, 5, NIGHT_INK)
        if k == here:
            gui.paint.circle(x, y, 8, GOLD, 2)


def draw_note(gui: Gui, column: Column, title: str, words: str, source: str, right: bool | None) -> None:
    """A paper note: `right` tells tick or cross, None neither."""
    width = column.box.w - 28
    high = gui.paint.measure(words, 15, Face.BODY, width)[1]
    low = gui.paint.measure(source, 11.5, Face.BODY, width)[1] + 4 if source else 0.0
    box = column.take(high + low + 46, 10)
    ink: Colour = INK if right is None else GREEN if right else RED
    paper = colour("#fff6dc") if right is None else _PAPER_GREEN if right else _PAPER_RED
    gui.paint.plate(box, paper, radius=10, border=GOLD if right is None else ink, thickness=1.5)
    if right is not None:
        gui.paint.disc(box.x + 25, box.y + 21, 10, ink)
        (gui.paint.tick if right else gui.paint.cross)(box.x + 25, box.y + 21, 9, NIGHT_INK)
    gui.paint.words(title, box.x + (14 if right is None else 44), box.y + 10, 15.5, face=Face.BOLD, colour=ink)
    gui.paint.words(words, box.x + 14, box.y + 35, 15, wrap=width)
    if source:
        gui.paint.words(source, box.x + 14, box.y + 39 + high, 11.5, colour=FAINT_INK, wrap=width)
