"""A sheet: the plate in the middle of a page, with a title."""

from __future__ import annotations

from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import SOFT_INK, Face

_TITLE = 50.0


def sheet(gui: Gui, title: str, width: float, height: float) -> Box:
    """Draw it, `width` by `height` units or what there is room for; gives the space under the title."""
    width, height = min(width, gui.size[0] - 32), min(height, gui.size[1] - 32)
    box = Box((gui.size[0] - width) / 2, (gui.size[1] - height) / 2, width, height)
    gui.panel(box)
    inner = box.inset(34, 24)
    gui.paint.words(title, inner.x - 1, inner.y, 30, face=Face.TITLE)
    return inner.below(_TITLE)


def heading(gui: Gui, words: str, box: Box) -> None:
    """A small heading at the left of a box."""
    gui.paint.words(words, box.x, box.y, 13, face=Face.BOLD, colour=SOFT_INK)
