"""The list of what the moving table did to the tower."""

from __future__ import annotations

from collections.abc import Sequence

from physics.table_motion import MotionKind
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import GREEN, ORANGE_DEEP, SOFT_INK, Face
from viewer.screens.lab.measures import Result

MOTION_WORDS = {MotionKind.TILT: ("Tilt", "Tilted"), MotionKind.SHAKE: ("Shake", "Shaken"), MotionKind.BUMP: ("Bump", "Bumped")}
"""What is done, and what was."""


def draw_results(gui: Gui, box: Box, results: Sequence[Result]) -> None:
    """The results, the first one on top."""
    gui.note(box)
    with gui.scrolled("lab/results", box.inset(10, 8)) as inner:
        y = inner.y
        if not results:
            y += gui.paint.words("What the table does to the tower is listed here.", inner.x, y, 13.5, colour=SOFT_INK, wrap=inner.w)
        for result in results:
            y += _draw_result(gui, result, inner.x, y, inner.w)
        gui.fill(y + 4)


def amount_words(kind: MotionKind, amount: float) -> str:
    """An amount of a motion with its unit."""
    return f"{amount:.1f}°" if kind is MotionKind.TILT else f"at {amount:.2f} g" if kind is MotionKind.SHAKE else f"at {amount:.0f} mm/s"


def _draw_result(gui: Gui, result: Result, x: float, y: float, width: float) -> float:
    """What happened, and what statics foretold."""
    end, amount, ink = ("stood", result.reached, GREEN) if result.amount is None else ("fell", result.amount, ORANGE_DEEP)
    words = f"{MOTION_WORDS[result.kind][1]} towards {result.heading_deg:.0f}°: {end} {amount_words(result.kind, amount)}"
    high = gui.paint.words(words, x, y, 13.5, face=Face.SEMI, colour=ink, wrap=width)
    statics = "" if result.foretold is None else f"statics foretold {amount_words(result.kind, result.foretold)}"
    more = ", ".join(filter(None, (result.first, statics)))
    high += gui.paint.words(more, x, y + high, 12.5, colour=SOFT_INK, wrap=width) if more else 0.0
    return high + 8
