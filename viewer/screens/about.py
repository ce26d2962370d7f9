"""About: what the program is, what it is made with, and under which licences."""

from __future__ import annotations

from importlib.metadata import version

from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.theme import SOFT_INK
from viewer.screens.screen import Screen
from viewer.screens.sheet import sheet

_WORDS = (
    "STAKD on the table is a simulator of the stacking game STAKD: exact rules, and real physics that lets towers topple.",
    "Statics and a rigid-body simulation judge every tower independently; a fall is simulated to rest and kept, so that you can watch it again.",
    "Shapes and sizes of the pieces are our reading of the rulebook. A piece set is a text file, and you can make your own.",
)
_MADE_WITH = "PyBullet · HiGHS · trimesh · shapely · numpy · pyglet · moderngl · Dear ImGui · Pillow"
_FONTS = "Fonts: Nunito and Fredoka, SIL Open Font License 1.1. STAKD is a game by its own authors; this program is no product of theirs."


class About(Screen):
    """A page to read."""

    def draw(self, gui: Gui) -> None:
        """The panel in the middle."""
        inner = sheet(gui, "About", 660, 430)
        column = Column(inner)
        gui.paint.words(f"Version {version('stakd')}", inner.x, column.take(32, 0).y, 14, colour=SOFT_INK)
        for words in _WORDS:
            column.take(gui.paint.words(words, inner.x, column.y, 15.5, wrap=inner.w), 12)
        column.take(gui.paint.words(f"Made with {_MADE_WITH}", inner.x, column.y + 4, 13.5, colour=SOFT_INK, wrap=inner.w), 12)
        gui.paint.words(_FONTS, inner.x, column.y, 13.5, colour=SOFT_INK, wrap=inner.w)
        if gui.button("about/back", Box(inner.right - 130, inner.bottom - 44, 130, 44), "Back", kind=Kind.PRIMARY):
            self.program.back()
