"""The menu over a table: where one can go from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from viewer.gui.box import Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.theme import Face


class Way(NamedTuple):
    """One button of the menu: the last part of its item's name, its words, what it does."""

    name: str
    words: str
    go: Callable[[], None]
    enabled: bool = True


def draw_menu(gui: Gui, ways: Sequence[Way]) -> Way | None:
    """Draw the menu with "Play on" and these ways; gives the one chosen, with "Play on" one that does nothing. The caller goes it."""
    chosen = None
    ways = (Way("on", "Play on", lambda: None), *ways)
    with gui.dialog("menu", 330, 84 + 54 * len(ways)) as box:
        gui.paint.words("Menu", box.x, box.y - 2, 24, face=Face.TITLE)
        column = Column(box.below(42))
        for way in ways:
            kind = Kind.PRIMARY if way.name == "on" else Kind.PLAIN
            if gui.button(f"menu/{way.name}", column.take(44), way.words, kind=kind, enabled=way.enabled):
                chosen = way
    return chosen
