"""What is to be said of the ghost's place: every rule against it, or how surely the tower would stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.play import Phase
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import NIGHT_INK, Colour, Face, colour
from viewer.screens.placing_words import reasons, verdict_words

if TYPE_CHECKING:
    from viewer.screens.table import TablePage

_UNSAFE: Colour = colour("#ffcf70")


def draw_reasons(gui: Gui, page: TablePage, box: Box) -> None:
    """Why the ghost's place is against the rules, or how surely the tower would stand with it; nothing without a ghost."""
    if page.play.phase is not Phase.PERSON or page.ghost.placement is None:
        return
    if page.ghost.violations:
        _draw_broken(gui, page, box)
        return
    verdict = page.verdict
    lost = page.play.verdict_asked == page.ghost.placement and not page.play.weighing
    words, good = verdict_words(verdict) if verdict is not None else ("It could not be weighed" if lost else "Weighing…", True)
    ink = NIGHT_INK if verdict is None else (colour("#bfe5c4") if good else _UNSAFE)
    height = gui.paint.measure(words, 14, Face.SEMI, box.w - 28)[1] + 22
    plate = Box(box.x, box.y, box.w, height)
    gui.dark_panel(plate)
    gui.paint.words(words, plate.x + 14, plate.y + 11, 14, face=Face.SEMI, colour=ink, wrap=box.w - 28)


def _draw_broken(gui: Gui, page: TablePage, box: Box) -> None:
    """Every rule that the ghost's place breaks."""
    entries = reasons(page.ghost.violations, page.play.names)
    heights = [gui.paint.measure(words, 14, Face.BODY, box.w - 48)[1] + 25 for words, _ in entries]
    plate = Box(box.x, box.y, box.w, min(box.h, sum(heights) + 44))
    gui.dark_panel(plate)
    gui.paint.words("Why not here?", plate.x + 14, plate.y + 10, 15, face=Face.BOLD, colour=colour("#ffb4a2"))
    y = plate.y + 38
    for (words, source), height in zip(entries, heights, strict=True):
        if y + height > plate.bottom + 2:
            break
        gui.paint.cross(plate.x + 21, y + 9, 10, colour("#ff8a70"))
        gui.paint.words(words, plate.x + 36, y, 14, colour=NIGHT_INK, wrap=box.w - 48)
        gui.paint.words(source, plate.x + 36, y + height - 23, 11.5, colour=(*NIGHT_INK[:3], 0.6))
        y += height
