"""The Save… button: a small menu of what can be saved from a table, and how far the saving has come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from meshes.errors import StakdError
from physics.tower import Tower
from viewer.camera import Array, Camera
from viewer.exporting import Exported, Exporter, FilmOrder, ModelOrder, Order, PictureOrder
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import INK, ORANGE, SOFT_INK, Face, colour
from viewer.items import Item
from viewer.saves import Export, export_path
from viewer.shots import Shot

if TYPE_CHECKING:
    from viewer.program import Program

_WIDTH, _ROW, _GAP = 336.0, 34.0, 8.0
_MODELS = (Export.GLB, Export.STL, Export.THREE_MF)
_USES = {
    Export.PNG: "As you see it now, without the panels, 1920 × 1080",
    Export.GLB: "For 3D programs and web pages, coloured",
    Export.STL: "For 3D printers and CAD",
    Export.THREE_MF: "For 3D printers, one object a piece",
    Export.GIF: "Plays everywhere",
    Export.MP4: "Smaller and smoother",
}


@dataclass(frozen=True, slots=True)
class Exportable:
    """What is on the table now: `items` as shown by `camera`, the `tower` among them. `films` by what to call them, made when asked for."""

    tower: Tower
    items: Sequence[Item]
    camera: Camera
    lit: Array | None = None
    films: Mapping[str, Callable[[], Sequence[Shot]]] = field(default_factory=dict)


class _Choice(NamedTuple):
    name: str
    kind: Export
    film: str | None = None


class ExportMenu:
    """A button that opens the menu; while a file is written, a bar in its place.

    Items are called by its `name`: `save`, `save/png`, `save/film0/gif`, `save/cancel` …

    `source` is asked for what is on the table when the menu opens and when something is saved.
    """

    def __init__(self, program: Program, source: Callable[[], Exportable], *, name: str = "save") -> None:
        self._program, self._source, self._name = program, source, name
        self._exporter = Exporter()
        self.shown = False

    @property
    def busy(self) -> bool:
        """Whether a file is being written."""
        return self._exporter.busy

    def update(self) -> bool:
        """To be called as often as the page is: whether the menu looks different now."""
        if not self._exporter.busy:
            return False
        before = self._exporter.progress
        report = self._exporter.poll()
        if report is not None:
            self._program.tell(f"Saved as {report.path}" if isinstance(report, Exported) else f"Not saved: {report.message}")
        return report is not None or self._exporter.progress != before

    def escape(self) -> bool:
        """The Escape key: whether there was a menu to close."""
        was, self.shown = self.shown, False
        return was

    def close(self) -> None:
        """Stop writing."""
        self._exporter.close()

    def draw(self, gui: Gui, box: Box) -> None:
        """The button, or the bar, in `box`; the menu above it, or below where there is no room."""
        if self._exporter.busy:
            self._draw_progress(gui, box)
            return
        if gui.button(self._name, box, "Save…", hint="" if self.shown else "A picture, the tower, a film", chosen=self.shown):
            self.shown = not self.shown
        if self.shown:
            self._draw_menu(gui, box)

    def _draw_progress(self, gui: Gui, box: Box) -> None:
        gui.note(box)
        share = self._exporter.progress
        words = f"Saving {share:.0%}" if share else "Saving…"
        gui.paint.words(words, box.x + 10, box.y + 4, 12.5, face=Face.SEMI, colour=SOFT_INK)
        gui.paint.bar(Box(box.x + 10, box.bottom - 11, box.w - 48, 5), share, ORANGE, colour("#e3d2b6"))
        button = Box(box.right - box.h, box.y, box.h, box.h)
        if gui.button(f"{self._name}/cancel", button.inset(4), "", kind=Kind.QUIET, hint="Don't save it"):
            self._exporter.cancel()
            self._program.tell("Not saved.")
        gui.paint.cross(*button.middle, 14, INK)

    def _draw_menu(self, gui: Gui, opener: Box) -> None:
        what = self._source()
        rows = _rows(what)
        high = 24 + len(rows) * (_ROW + _GAP) - _GAP
        x = max(8.0, opener.right - _WIDTH)
        above = opener.y - high - 10
        box = Box(x, above if above >= 8 else opener.bottom + 10, _WIDTH, high)
        with gui.popover(self._name, box, opener) as dismissed:
            column = Column(box.inset(14, 12))
            for words, choices in rows:
                row = column.take(_ROW, _GAP)
                gui.paint.words_in(words, Box(row.x, row.y, row.w - 3 * 64, row.h), 14.5, face=Face.SEMI, align=Align.LEFT)
                self._draw_choices(gui, row, choices, enabled=bool(what.tower.laid))
        if dismissed:
            self.shown = False

    def _draw_choices(self, gui: Gui, row: Box, choices: Sequence[_Choice], *, enabled: bool) -> None:
        for k, choice in enumerate(choices):
            place = Box(row.right - (len(choices) - k) * 64 + 6, row.y, 58, row.h)
            usable = enabled or choice.kind is Export.PNG
            hint = _USES[choice.kind] if usable else "Nothing lies on the table yet"
            if gui.button(f"{self._name}/{choice.name}", place, choice.kind.upper(), enabled=usable, hint=hint, size=13):
                self._save(choice)

    def _save(self, choice: _Choice) -> None:
        self.shown = False
        try:
            self._exporter.start(self._order(choice))
        except StakdError as error:
            self._program.tell(f"Not saved: {error}")

    def _order(self, choice: _Choice) -> Order:
        what, path = self._source(), export_path(choice.kind, datetime.now())
        if choice.film is not None:
            return FilmOrder(path, what.films[choice.film](), what.camera)
        if choice.kind is Export.PNG:
            return PictureOrder(path, what.tower.piece_set, what.items, what.camera, what.lit)
        return ModelOrder(path, what.tower)


def _rows(what: Exportable) -> list[tuple[str, list[_Choice]]]:
    films = [(words, [_Choice(f"film{k}/{kind}", kind, words) for kind in (Export.GIF, Export.MP4)]) for k, words in enumerate(what.films)]
    models = [_Choice(str(kind), kind) for kind in _MODELS]
    return [("Picture", [_Choice("png", Export.PNG)]), ("Tower", models), *films]
