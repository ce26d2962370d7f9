"""The tab for one mesh: a file is opened, checked beside the window, shown with its nodes, and put into a match."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from meshes.errors import StakdError, UnwritableFile
from meshes.files import write_atomically
from meshes.mesh_units import Axis, Unit
from meshes.piece_set import PieceSet, PieceType
from meshes.set_changes import with_mesh
from physics.pose import Pose
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GREEN, INK, NIGHT, RED, SOFT_INK, Face, colour
from viewer.items import Item
from viewer.screens.lab.examine import FileSeen, Line, PieceSeen, Sign, Wish, check_lines, examine, file_lines, node_marks
from viewer.screens.lab.own_sets import LAB, keep_set
from viewer.screens.lab.tab import Tab
from viewer.screens.lab.worker import Failed, Worker
from viewer.screens.placing import Rings
from viewer.screens.screen import Key

if TYPE_CHECKING:
    from viewer.screens.lab.page import LabPage

_UNITS, _AXES = (None, *Unit), (None, *Axis)
_SHOWN = (196, 150, 96)
"""Colour of what belongs to no set yet: plain beech."""
_MOST_RECENT = 6
_WHITE = colour("#ffffff")


class PieceTab(Tab):
    """Opens a mesh, tells what it is worth, and passes it on."""

    title = "A piece"

    def __init__(self, page: LabPage) -> None:
        super().__init__(page)
        self._worker = Worker()
        self._typed = ""
        self.path: Path | None = None
        self.file: FileSeen | None = None
        self.seen: PieceSeen | None = None
        self.failure = ""
        self._unit: Unit | None = None
        self._up: Axis | None = None
        self._part: str | None = None
        self.place = ""
        """Name of the piece whose place the mesh takes."""
        self.recent = _recent(page.program.folder)
        """Files opened last, the last one first."""

    # --- what it does

    @property
    def busy(self) -> bool:
        """Whether a file is being read or checked."""
        return self._worker.busy

    def open(self, path: Path) -> None:
        """Read and check a file, how it is read inferred."""
        self._unit = self._up = self._part = None
        self._typed = str(path)
        self.path, self.file, self.seen = path, None, None
        self._remember(path)
        self._begin()

    def _begin(self) -> None:
        assert self.path is not None, "a file is open"
        self.seen, self.failure = None, ""
        failed = self._worker.start(examine, Wish(self.path, self._page.piece_set, self._unit, self._up, self._part))
        if failed is not None:
            self.failure = failed.message

    def cancel(self) -> None:
        """Read and check no further."""
        self._worker.cancel()
        self.failure = "Reading was cancelled."

    def update(self, seconds: float) -> bool:
        """Take over what has arrived."""
        changed = False
        for heard in self._worker.poll():
            changed = True
            if isinstance(heard, FileSeen):
                self.file = heard
            elif isinstance(heard, PieceSeen):
                self.seen = heard
                nodes = heard.check.nodes
                self.place = (nodes and nodes.piece) or self.place or self._page.piece_set.pieces[0].name
            elif isinstance(heard, Failed):
                self.failure = heard.message
        if changed and self._page.tab is self:
            self._page.show(fit=True)
        return changed

    def set_changed(self) -> None:
        """The set is another: what is open is held against it anew."""
        known = self._page.piece_set.by_name.get(self.place)
        if known is None:
            self.place = ""
        is_in_it = known is not None and self.seen is not None and self.seen.own is not None and known.mesh == self.seen.own
        if self.path is not None and not is_in_it:
            self._begin()

    def close(self) -> None:
        """Nothing works on."""
        self._worker.cancel()

    def items(self) -> list[Item]:
        """The mesh."""
        mesh = self.seen.shown if self.seen else self.file.shown if self.file else None
        if mesh is None:
            return []
        known = self._page.piece_set.by_name.get(self.place)
        letter = known.letter if known else self._page.piece_set.pieces[0].letter
        piece = PieceType("SHOWN", ((0, 0),), 1, known.colour if known and self.seen else _SHOWN, letter, mesh)
        return [Item(piece, Pose.flat(0, 0, 0), 3)]

    def use(self) -> None:
        """Set a match up with the piece in its place."""
        piece_set = self._put()
        if piece_set is None or self.path is None:
            return
        try:
            path = keep_set(piece_set, f"{self._page.piece_set.title} with {self.path.stem}")
        except StakdError as error:
            self._page.program.tell(str(error))
            return
        from viewer.screens.match_setup import MatchSetupPage

        self._page.program.open(MatchSetupPage(self._page.program, str(path)))

    def stack(self) -> None:
        """Go on with the piece at the moving table."""
        piece_set = self._put()
        if piece_set is not None:
            self._page.use_set(piece_set)
            self._page.table.stacking.choose(self.place)
            self._page.go_to(self._page.table)

    def _put(self) -> PieceSet | None:
        """The set with the piece in its place; tells why if that is no set."""
        if self.seen is None or self.seen.own is None or self.seen.check.nodes is None:
            return None
        try:
            return with_mesh(self._page.piece_set, self.place, self.seen.own, self.seen.check.nodes.cells, name=LAB)
        except StakdError as error:
            self._page.program.tell(str(error))
            return None

    # --- items

    def draw(self, gui: Gui, box: Box) -> None:
        """File, how it is read, report, and what to do with it."""
        column = Column(box)
        row = column.take(36, 8)
        self._typed = gui.field("lab/file", Box(row.x, row.y, row.w - 92, row.h), self._typed, hint="path of a mesh file")
        if gui.button("lab/open", Box(row.right - 84, row.y, 84, row.h), "Open", enabled=bool(self._typed.strip()), size=14):
            self.open(Path(self._typed.strip().strip('"')).expanduser())
        self._page.draw_sets(gui, column.take(32, 8))
        if self.path is None:
            self._draw_start(gui, column.rest)
            return
        if self.file is not None:
            self._draw_reading(gui, column)
        foot = Box(box.x, box.bottom - 88, box.w, 88)
        self._draw_report(gui, Box(box.x, column.y, box.w, foot.y - 8 - column.y))
        self._draw_foot(gui, foot)

    def _draw_start(self, gui: Gui, box: Box) -> None:
        words = "Drop an STL, OBJ, PLY, OFF, GLB, glTF or 3MF file on this window, or type its path. It is held against the set chosen above."
        high = gui.paint.words(words, box.x, box.y + 6, 14.5, colour=SOFT_INK, wrap=box.w)
        if not self.recent:
            return
        column = Column(box.below(high + 22))
        gui.paint.words("Last opened", box.x, column.take(20, 4).y, 13, face=Face.BOLD, colour=SOFT_INK)
        for k, path in enumerate(self.recent):
            if gui.button(f"lab/recent/{k}", column.take(32, 6), path.name, kind=Kind.QUIET, size=14, hint=str(path)):
                self.open(path)

    def _draw_reading(self, gui: Gui, column: Column) -> None:
        """How the file is read: what was inferred can be put right."""
        assert self.file is not None
        units = ["auto" if unit is None else unit.value for unit in _UNITS]
        unit = _UNITS[gui.choice("lab/unit", column.take(30, 6), units, _UNITS.index(self._unit), hints=["The unit, as likely as can be told."])]
        axes = ["auto" if up is None else up.value for up in _AXES]
        up = _AXES[gui.choice("lab/up", column.take(30, 6), axes, _AXES.index(self._up), hints=["The largest flat face lies down."])]
        part = self._part
        if len(self.file.parts) > 1:
            row = column.take(32, 6)
            at = self.file.parts.index(self.file.part)
            back, on = Box(row.x, row.y, 40, row.h), Box(row.right - 40, row.y, 40, row.h)
            step = gui.button("lab/part/next", on, "›", size=18) - gui.button("lab/part/before", back, "‹", size=18)
            words = f"{self.file.part} · {at + 1} of {len(self.file.parts)}"
            gui.paint.words_in(words, Box(row.x + 46, row.y, row.w - 92, row.h), 14, face=Face.SEMI)
            if step:
                part = self.file.parts[(at + step) % len(self.file.parts)]
        if (unit, up, part) != (self._unit, self._up, self._part):
            self._unit, self._up, self._part = unit, up, part
            self._begin()

    def _draw_report(self, gui: Gui, box: Box) -> None:
        lines = list(file_lines(self.file)) if self.file else []
        if self.seen is not None:
            lines = [*check_lines(self.seen.check, self._page.piece_set), Line(Sign.HEAD, "File"), *lines]
        if self.failure:
            first, *rest = self.failure.splitlines()
            lines = [Line(Sign.BAD, first), *(Line(Sign.BAD, line.strip(" -")) for line in rest), *lines]
        gui.note(box)
        with gui.scrolled("lab/report", box.inset(10, 8)) as inner:
            y = inner.y
            for line in lines:
                y += _draw_line(gui, line, inner.x, y, inner.w)
            gui.fill(y + 4)

    def _draw_foot(self, gui: Gui, box: Box) -> None:
        upper, lower = box.top_part(36), Box(box.x, box.bottom - 42, box.w, 42)
        if self.busy:
            words = "Reading the file …" if self.file is None else "Checking the piece …"
            gui.paint.words_in(words, Box(upper.x, upper.y, upper.w, upper.h), 15, face=Face.SEMI, align=Align.LEFT)
            if gui.button("lab/cancel", lower, "Cancel"):
                self.cancel()
            return
        names = [piece.name for piece in self._page.piece_set.pieces]
        sound = self.seen is not None and self.seen.own is not None
        if sound and len(names) <= 8:
            hints = [f"In a match it stands in for {name}." for name in names]
            self.place = names[gui.choice("lab/place", upper, names, names.index(self.place), hints=hints)]
        left, right = lower.row(2, 10)
        why = "" if sound else "Only a sound piece can be played with."
        if gui.button("lab/stack", left, "Stack it", enabled=sound, hint=why or "On the table that tilts, shakes and takes bumps."):
            self.stack()
        if gui.button("lab/use", right, "Use in a match", kind=Kind.PRIMARY, enabled=sound, hint=why):
            self.use()

    def draw_over(self, gui: Gui) -> None:
        """A disc on each node: right ones whole and ticked, wrong ones dashed and crossed."""
        if self.seen is None:
            return
        marks = node_marks(self.seen.check, self._page.piece_set)
        if not marks:
            return
        view = self._page.view
        rings = Rings(view, self._page.piece_set).at(np.array([mark.middle for mark in marks]), 0.96)
        seen = view.project(np.array([mark.middle for mark in marks]))
        for mark, ring, (x, y) in zip(marks, rings, seen.tolist(), strict=True):
            gui.paint.ring_on(ring, (*NIGHT[:3], 0.45), thickness=5.5)
            gui.paint.ring_on(ring, colour("#8fe0a0") if mark.right else RED, thickness=2.6, dashed=not mark.right)
            gui.paint.disc(x, y, 11, _WHITE)
            gui.paint.disc(x, y, 9.5, GREEN if mark.right else RED)
            (gui.paint.tick if mark.right else gui.paint.cross)(x, y, 9, _WHITE)
            gui.paint.words(f"{mark.cell[0]},{mark.cell[1]}", x, y + 13, 12, face=Face.BOLD, colour=_WHITE, align=Align.CENTRE)

    def on_key(self, key: Key) -> bool:
        """Escape ends reading."""
        if key.name == "escape" and self.busy:
            self.cancel()
            return True
        return False

    def _remember(self, path: Path) -> None:
        path = path.absolute()
        self.recent = [path, *(other for other in self.recent if other != path)][:_MOST_RECENT]
        with suppress(UnwritableFile):  # a list that is not kept is only missed
            write_atomically(self._page.program.folder / "lab.json", json.dumps([str(entry) for entry in self.recent]).encode())


def _recent(folder: Path) -> list[Path]:
    """Files opened last that are still there."""
    try:
        names = json.loads((folder / "lab.json").read_bytes()[:100_000])
        return [path for path in (Path(name) for name in names if isinstance(name, str)) if path.is_file()][:_MOST_RECENT]
    except (OSError, ValueError, TypeError):
        return []


def _draw_line(gui: Gui, line: Line, x: float, y: float, width: float) -> float:
    """One line of the report; gives the height it takes."""
    if line.sign is Sign.HEAD:
        return 8 + gui.paint.words(line.words, x, y + 6, 13, face=Face.BOLD, colour=SOFT_INK)
    ink = {Sign.GOOD: INK, Sign.BAD: RED, Sign.NOTE: SOFT_INK}[line.sign]
    if line.sign is Sign.GOOD:
        gui.paint.tick(x + 7, y + 9, 11, GREEN)
    elif line.sign is Sign.BAD:
        gui.paint.cross(x + 7, y + 9, 11, RED)
    else:
        gui.paint.disc(x + 7, y + 9, 2.2, SOFT_INK)
    return 4 + gui.paint.words(line.words, x + 20, y, 13.5, colour=ink, wrap=width - 20)
