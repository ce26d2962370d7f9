"""The rules of a game to read: sections at the left, the text at the right, and a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.guide import Paragraph, Section
from games.stakd.guide import rules_page
from meshes.piece_set import PieceSet, load_piece_set
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.piece_icon import draw_piece
from viewer.gui.theme import FAINT_INK, GOLD, GOLD_SOFT, INK, LINE, ORANGE, SOFT_INK, Face, colour
from viewer.screens.screen import Key, Screen

if TYPE_CHECKING:
    from viewer.program import Program

_SIDE = 232.0
_BODY = 16.0
_STEP = {"up": -1, "down": 1, "page_up": -1, "page_down": 1}


class RulesPage(Screen):
    """All sections given; by default those of STAKD for a piece set, which is the classic one unless another is given."""

    EXAMPLE = "UNI or layer"
    """What might be searched for."""

    def __init__(self, program: Program, piece_set: PieceSet | None = None, sections: Sequence[Section] | None = None) -> None:
        super().__init__(program)
        self._set = piece_set or load_piece_set("classic")
        self.sections = rules_page(self._set) if sections is None else sections
        self.search = ""
        self.current = 0
        self._goal: int | None = None
        self._spans: dict[int, tuple[float, float]] = {}

    def draw(self, gui: Gui) -> None:
        """The sheet."""
        width, height = min(980.0, gui.size[0] - 40), min(760.0, gui.size[1] - 40)
        box = Box((gui.size[0] - width) / 2, (gui.size[1] - height) / 2, width, height)
        gui.panel(box)
        side = Box(box.x + 26, box.y + 22, _SIDE, box.h - 44)
        text = Box(side.right + 26, box.y + 12, box.right - side.right - 34, box.h - 24)
        shown = self.found()
        self._draw_side(gui, side, shown)
        gui.paint.line([(side.right + 12, box.y + 24), (side.right + 12, box.bottom - 24)], LINE, 1.5)
        self._draw_text(gui, text, shown)

    def found(self) -> list[tuple[int, Section]]:
        """Number and what is left of each section that holds all words searched for."""
        words = self.search.lower().split()
        found = []
        for number, section in enumerate(self.sections):
            if all(word in section.title.lower() for word in words):
                found.append((number, section))
                continue
            kept = tuple(entry for entry in section.paragraphs if all(word in _plain(entry) for word in words))
            if kept:
                found.append((number, Section(section.title, kept)))
        return found

    def on_key(self, key: Key) -> bool:
        """Up and down go from section to section; F1, which opened the page, closes it; Escape first ends a search."""
        numbers = [number for number, _ in self.found()]
        if key.name in _STEP and numbers:
            here = numbers.index(self.current) if self.current in numbers else 0
            self.go_to(numbers[min(max(here + _STEP[key.name], 0), len(numbers) - 1)])
        elif key.name in ("home", "end") and numbers:
            self.go_to(numbers[0 if key.name == "home" else -1])
        elif key.name == "f1":
            self.program.back()
        elif key.name == "escape" and self.search:
            self.search = ""
        else:
            return False
        self.program.wake()
        return True

    def go_to(self, number: int) -> None:
        """Scroll to a section."""
        self.current = self._goal = number
        self.program.wake()

    # --- parts

    def _draw_side(self, gui: Gui, side: Box, shown: list[tuple[int, Section]]) -> None:
        gui.paint.words("Rules", side.x - 1, side.y, 30, face=Face.TITLE)
        self.search = gui.field("rules/search", Box(side.x, side.y + 46, side.w, 36), self.search, hint="Search the rules")
        rows = Column(Box(side.x - 8, side.y + 92, side.w + 8, side.h - 92 - 54))
        tall = min(34.0, rows.box.h / len(self.sections))
        there = {number for number, _ in shown}
        for number, section in enumerate(self.sections):
            row = rows.take(tall, 0)
            state = gui.area(f"rules/section/{number}", row.inset(0, 1), enabled=number in there, radius=8)
            is_here = number == self.current and number in there
            if is_here or state.hovered:
                gui.paint.plate(row.inset(0, 1), GOLD_SOFT, radius=8, border=GOLD if is_here else None)
            ink = FAINT_INK if number not in there else INK
            gui.paint.words_in(
                section.title,
                row.inset(10, 0),
                15,
                face=Face.BOLD if is_here else Face.SEMI,
                colour=(*ink[:3], 0.4) if ink is FAINT_INK else ink,
                align=Align.LEFT,
            )
            if state.pressed:
                self.go_to(number)
        if gui.button("rules/back", Box(side.x, side.bottom - 42, 120, 42), "Back", kind=Kind.PRIMARY):
            self.program.back()

    def _draw_text(self, gui: Gui, box: Box, shown: list[tuple[int, Section]]) -> None:
        goal, reveal = self._goal, None
        if goal is not None and goal in self._spans:
            top = self._spans[goal][0]
            reveal, self._goal = (top, top + box.h), None
        with gui.scrolled("rules/text", box, reveal=reveal) as part:
            scrolled = box.y - part.y
            column = Column(Box(part.x, part.y + 12, part.w - 18, part.h))
            self._spans = {}
            for number, section in shown:
                top = column.y
                self._draw_section(gui, column, section)
                self._spans[number] = (top - part.y - 12, column.y - part.y - 12)
                column.take(12, 0)
            if not shown:
                gui.paint.words(f"Nothing found. Try a single word, such as {self.EXAMPLE}.", column.box.x, column.y + 8, _BODY, colour=SOFT_INK)
            elif shown[-1][0] in self._spans:  # so that the last section too can be scrolled to the top
                gui.fill(max(column.y, part.y + self._spans[shown[-1][0]][0] + box.h))
        if self._goal is None and reveal is None and self._spans:
            self._follow(scrolled)

    def _follow(self, scrolled: float) -> None:
        """The section at the top of the text is the current one."""
        passed = [number for number, (top, _) in self._spans.items() if top <= scrolled + 60]
        self.current = passed[-1] if passed else next(iter(self._spans))

    def _draw_section(self, gui: Gui, column: Column, section: Section) -> None:
        column.take(gui.paint.words(section.title, column.box.x - 1, column.y, 23, face=Face.TITLE), 8)
        for paragraph in section.paragraphs:
            self._draw_paragraph(gui, column, paragraph)

    def _draw_paragraph(self, gui: Gui, column: Column, paragraph: Paragraph) -> None:
        indent = 16.0 if paragraph.ours else 0.0
        left, width, top = column.box.x + indent, column.box.w - indent, column.y
        if paragraph.ours:
            _draw_mark(gui, left, column.y)
            column.take(22, 2)
        column.take(gui.paint.words(paragraph.text, left, column.y, _BODY, wrap=width), 6)
        for item in paragraph.items:
            self._draw_item(gui, column, item, left, width)
        source = " · ".join(filter(None, (paragraph.source, " ".join(paragraph.rules))))
        column.take(gui.paint.words(source, left, column.y, 11.5, colour=FAINT_INK), 16)
        if paragraph.ours:
            gui.paint.plate(Box(column.box.x, top + 2, 4, column.y - top - 20), GOLD, radius=2, border=None)

    def _draw_item(self, gui: Gui, column: Column, item: str, left: float, width: float) -> None:
        """A line of a list, after a bullet or the piece it begins with."""
        name = item.partition(":")[0]
        piece = self._set.by_name.get(name)
        if piece is None:
            gui.paint.disc(left + 9, column.y + 11, 3, ORANGE)
            column.take(gui.paint.words(item, left + 22, column.y, _BODY, wrap=width - 22), 5)
            return
        row = column.take(42, 3)
        draw_piece(gui.paint, self._set, piece, Box(left + 4, row.y, 74, row.h))
        gui.paint.words_in(item, Box(left + 92, row.y, width - 92, row.h), _BODY, align=Align.LEFT)


def _draw_mark(gui: Gui, x: float, y: float) -> None:
    """The chip that says that a paragraph is our reading."""
    words = "Our reading: the rulebook leaves it open"
    wide, high = gui.paint.measure(words, 11.5, Face.BOLD)
    gui.paint.plate(Box(x, y, wide + 18, high + 4), GOLD_SOFT, radius=9, border=GOLD)
    gui.paint.words(words, x + 9, y + 2, 11.5, face=Face.BOLD, colour=colour("#7a5a1a"))


def _plain(paragraph: Paragraph) -> str:
    """What is searched in."""
    return " ".join((paragraph.text, *paragraph.items, paragraph.source, *paragraph.rules)).lower()
