"""The tab for a set's sizes: sliders, the pieces as they would be, and files of them for printing."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meshes.errors import BadPieceSet, StakdError
from meshes.export import export_plate
from meshes.files import make_folder
from meshes.piece_set import PieceSet
from meshes.set_changes import with_sizes
from meshes.solid import build_solid
from physics.pose import Pose
from viewer.folders import free_path, pictures_folder
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import INK, RED, SOFT_INK, Face
from viewer.items import Item
from viewer.screens.lab.own_sets import LAB, keep_set
from viewer.screens.lab.tab import Tab

if TYPE_CHECKING:
    from viewer.screens.lab.page import LabPage

_GAP_MM = 12.0


class _Size(NamedTuple):
    """A size that can be changed: its key in the set's file, words, step, and how far it goes from what the set has, as a share."""

    key: str
    words: str
    unit: str
    step: float
    most: float


_SIZES = (
    _Size("radius_mm", "radius", "mm", 0.05, 0.25),
    _Size("thickness_mm", "thickness", "mm", 0.1, 0.5),
    _Size("bevel_mm", "bevel", "mm", 0.1, 3.0),
    _Size("pitch_mm", "pitch", "mm", 0.1, 0.25),
    _Size("density_g_cm3", "density", "g/cm³", 0.01, 1.0),
    _Size("friction", "friction", "", 0.01, 1.0),
)


class DesignTab(Tab):
    """Changes the lab's set; what can't be built is said and left as it was."""

    title = "Sizes"

    def __init__(self, page: LabPage) -> None:
        super().__init__(page)
        self.begun = page.piece_set
        """The set as it was before anything was changed."""
        self.fault = ""
        self._sizes: dict[str, float] = {}
        self._changing = False

    def items(self) -> list[Item]:
        """One piece of each kind, in a row about the middle of the table."""
        piece_set, x = self._page.piece_set, 0.0
        items = []
        for k, piece in enumerate(piece_set.pieces):
            low, high = build_solid(piece_set, piece).mesh.bounds
            items.append(Item(piece, Pose.flat(x - float(low[0]), -float(low[1] + high[1]) / 2, 0.0), k))
            x += float(high[0] - low[0]) + _GAP_MM
        shift = Pose.flat(-(x - _GAP_MM) / 2, 0, 0).position
        return [Item(item.piece, Pose.flat(item.pose.x + float(shift[0]), item.pose.y, 0.0), item.seed) for item in items]

    def change(self, key: str, value: float) -> None:
        """Another size, if the set can be built so. All changes are made to the set as it was, so that going back is exact."""
        sizes = {**self._sizes, key: value}
        try:
            piece_set = with_sizes(self.begun, name=LAB, **sizes)
        except BadPieceSet as error:
            self.fault = error.defects[0].message
            return
        self.fault, self._sizes, self._changing = "", sizes, True
        self._page.use_set(piece_set)
        self._changing = False

    def reset(self) -> None:
        """As it was."""
        self.fault, self._sizes, self._changing = "", {}, True
        self._page.use_set(self.begun)
        self._changing = False

    def set_changed(self) -> None:
        """Another set, unless it is the one changed here."""
        if not self._changing:
            self.begun, self.fault, self._sizes = self._page.piece_set, "", {}

    def export(self, ending: str) -> None:
        """One piece of every kind on print plates."""
        try:
            path = free_path(make_folder(pictures_folder()), f"pieces {datetime.now():%Y-%m-%d %H-%M-%S}", ending)
            written = export_plate(self._page.piece_set, path, one_of_each=True)
        except StakdError as error:
            self._page.program.tell(f"Not saved: {error}")
            return
        self._page.program.tell(f"Saved as {', '.join(str(file.path) for file in written)}")

    def keep(self) -> str | None:
        """Write the set's file; gives its path."""
        try:
            path = str(keep_set(self._page.piece_set, f"{self._page.piece_set.title} changed"))
        except StakdError as error:
            self._page.program.tell(f"Not saved: {error}")
            return None
        self._page.program.tell(f"Saved as {path}")
        return path

    def play(self) -> None:
        """Set a match up with it."""
        path = self.keep()
        if path is not None:
            from viewer.screens.match_setup import MatchSetupPage

            self._page.program.open(MatchSetupPage(self._page.program, path))

    # --- items

    def draw(self, gui: Gui, box: Box) -> None:
        """Sliders, figures, files."""
        column = Column(box)
        self._page.draw_sets(gui, column.take(32, 8))
        for size in _SIZES:
            self._draw_size(gui, column.take(30, 4), size)
        column.take(gui.paint.words(self.fault, box.x, column.y, 13, colour=RED, wrap=box.w) if self.fault else 0.0, 6)
        foot = Box(box.x, box.bottom - 88, box.w, 88)
        self._draw_weights(gui, Box(box.x, column.y, box.w, foot.y - 8 - column.y))
        upper, lower = foot.top_part(38).row(3, 8), Box(foot.x, foot.bottom - 42, foot.w, 42).row(2, 10)
        if gui.button("lab/reset", upper[0], "As it was", enabled=self._page.piece_set != self.begun, size=13.5):
            self.reset()
        for ending, part in ((".stl", upper[1]), (".3mf", upper[2])):
            if gui.button(f"lab/export/{ending[1:]}", part, f"Save {ending[1:].upper()}", size=13.5, hint="One piece of every kind, for a printer."):
                self.export(ending)
        if gui.button("lab/keep", lower[0], "Save the set", hint="As a .toml file, for any command that takes --set."):
            self.keep()
        if gui.button("lab/play", lower[1], "Use in a match", kind=Kind.PRIMARY):
            self.play()

    def _draw_size(self, gui: Gui, row: Box, size: _Size) -> None:
        now, begun = _value(self._page.piece_set, size.key), _value(self.begun, size.key)
        low, high = max(size.step, begun * (1 - size.most)), begun * (1 + size.most) or 1.0
        gui.paint.words_in(size.words, Box(row.x, row.y, 74, row.h), 14, align=Align.LEFT)
        value = gui.slider(f"lab/size/{size.key}", Box(row.x + 78, row.y, row.w - 168, row.h), now, min(low, now), max(high, now), step=size.step)
        words = f"{now:g} {size.unit}".strip()
        gui.paint.words_in(words, Box(row.right - 84, row.y, 84, row.h), 13.5, face=Face.SEMI, colour=INK if now == begun else RED, align=Align.RIGHT)
        if abs(value - now) > 1e-9:
            self.change(size.key, round(value, 4))

    def _draw_weights(self, gui: Gui, box: Box) -> None:
        piece_set = self._page.piece_set
        gap = piece_set.lattice.least_gap * piece_set.pitch_mm - 2 * piece_set.radius_mm
        lines = [f"{gap:.2f} mm between neighbours (0.3 is the least)"]
        for piece in piece_set.pieces:
            solid = build_solid(piece_set, piece)
            size = " × ".join(f"{extent:.1f}" for extent in np.ptp(solid.mesh.vertices, axis=0))
            lines.append(f"{piece.name}: {solid.mass_g:.1f} g, {size} mm")
        gui.note(box)
        with gui.scrolled("lab/weights", box.inset(10, 8)) as inner:
            y = inner.y
            for line in lines:
                y += 3 + gui.paint.words(line, inner.x, y, 13.5, colour=SOFT_INK, wrap=inner.w)
            gui.fill(y + 2)


def _value(piece_set: PieceSet, key: str) -> float:
    value = getattr(piece_set, key)
    assert isinstance(value, int | float)
    return float(value)
