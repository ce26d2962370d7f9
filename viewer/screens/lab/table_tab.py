"""The tab of the table: pieces stacked by hand, tilted, shaken and bumped, with the fall beside what statics foretells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from physics.table_motion import MotionKind, shaken_mm
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import INK, NIGHT_INK, RED, SOFT_INK, Face
from viewer.items import Item
from viewer.screens.lab.chances import Chances, draw_chances
from viewer.screens.lab.measures import Measures, Result
from viewer.screens.lab.motion_plots import HEIGHT, WIDTH, draw_plot
from viewer.screens.lab.result_list import MOTION_WORDS, amount_words, draw_results
from viewer.screens.lab.stacking import FELL, Stacking
from viewer.screens.lab.tab import Tab
from viewer.screens.lab.table import LabTable
from viewer.screens.screen import Key, Pointer

if TYPE_CHECKING:
    from viewer.screens.lab.page import LabPage

_MOST_RESULTS = 8


class TableTab(Tab):
    """Stacks pieces without rules and moves the table under them."""

    title = "The table"

    def __init__(self, page: LabPage) -> None:
        super().__init__(page)
        self.lab_table = LabTable(page.piece_set)
        self.stacking = Stacking(page, self.lab_table)
        self.results: list[Result] = []
        self.measures, self.chances = Measures(), Chances()
        self.heading_deg = 0.0
        self._blow_mm_s = 300.0
        self._kept = False

    # --- what it does

    @property
    def busy(self) -> bool:
        """Whether the table or a hand moves, or something is being reckoned."""
        return self.lab_table.moving or self.stacking.busy or self.measures.busy or self.chances.busy

    @property
    def covered_left(self) -> float:
        """Plots stand on the left from the first one on, if there is room beside the tower."""
        shown = self.measures.tower is not None or self.chances.tower is not None
        return WIDTH + 16 if shown and self._page.view.free.right > 2 * WIDTH else 0.0

    def set_changed(self) -> None:
        """The same stack of the new set, if it has such pieces."""
        self.results = []
        self.measures.clear()
        self.chances.clear()
        self.lab_table.use(self._page.piece_set)
        self.stacking.set_changed()

    def items(self) -> list[Item]:
        """The stack where it is now, and the piece in hand."""
        table = self.lab_table
        if table.motion is None:
            return self.stacking.items()
        first = table.motion.outcome.first if table.motion.outcome else None
        return [
            Item(table.tower.piece_type(k), pose, k, highlight=FELL if k == first else None)
            for k, pose in enumerate(table.poses[: len(table.tower.laid)])
        ]

    def update(self, seconds: float) -> bool:
        """The table and the hand move on."""
        changed = self.lab_table.update(seconds) | self.stacking.update(seconds)
        if self.chances.tower is not None and self.chances.tower != self.lab_table.tower:
            self.chances.clear()
        changed |= self.measures.update() | self.chances.update()
        motion = self.lab_table.motion
        outcome = motion.outcome if motion is not None and not self._kept else None
        if motion is not None and outcome is not None:
            self._kept = True
            result = Result.of(outcome, self.lab_table.tower, motion)
            self.measures.results.insert(0, result)
            self.results = [result, *self.results][:_MOST_RESULTS]
        self._lean()
        if changed and self._page.tab is self:
            self._page.show(fit=outcome is not None)  # what fell may have slid away
        return changed

    def _lean(self) -> None:
        """The picture leans and shakes as the table does."""
        motion, lean = self.lab_table.motion, self._page.view.lean
        if motion is None or motion.kind is MotionKind.BUMP or self._page.tab is not self:
            lean.clear()
        elif motion.kind is MotionKind.TILT:
            lean.set(motion.frame.amount, motion.heading_deg, about=self.lab_table.foot)
        else:
            still = motion.outcome is not None or self._page.program.settings.reduced_motion
            lean.shift(0.0 if still else shaken_mm(motion.frame.seconds, motion.frame.amount), motion.heading_deg)

    def close(self) -> None:
        """Nothing works on."""
        self.lab_table.close()
        self.measures.clear()
        self.chances.close()
        self.stacking.hand.close()

    def leave(self) -> None:
        """What is held is put back."""
        self.stacking.put_back()

    def move(self, kind: MotionKind) -> None:
        """Move the table."""
        self._kept = False
        self.stacking.rest()
        self.chances.clear()
        self.lab_table.move(kind, self.heading_deg, self._blow_mm_s if kind is MotionKind.BUMP else None)
        if self.lab_table.motion is not None:
            self.measures.begin(self.lab_table.tower, self.lab_table.motion)
        self._page.show()

    def ask_hands(self) -> None:
        """Reckon how likely hands topple the tower with its last piece."""
        if self.lab_table.motion is not None:
            self.lab_table.take_back()
        self.stacking.rest()
        self.chances.ask(self.lab_table.tower)
        self._page.show()

    # --- pointer and keys

    def on_move(self, pointer: Pointer) -> None:
        """The piece in hand follows."""
        self.stacking.on_move(pointer)

    def on_click(self, pointer: Pointer) -> None:
        """Lay it, or take one up."""
        self.stacking.on_click(pointer)

    def on_lower(self, down: bool) -> None:
        """The hand comes down."""
        self.stacking.lower(down)

    def on_scroll(self, pointer: Pointer) -> bool:
        """Turns what is held."""
        return self.stacking.on_scroll(pointer)

    def on_key(self, key: Key) -> bool:
        """Backspace takes the last piece back, Escape ends what moves; the rest is about the piece in hand."""
        if key.name == "escape" and self.chances.busy:
            self.chances.clear()
            return True
        if key.name == "backspace" or (key.name == "escape" and self.lab_table.moving):
            self.take_back()
            return True
        return self.stacking.on_key(key)

    def on_key_up(self, key: Key) -> None:
        """The hand comes down no more."""
        if key.name == "space":
            self.stacking.lower(False)

    def take_back(self) -> None:
        """Put a tower up again, or back what is held; else take the last piece away."""
        if not self.stacking.busy and not self.stacking.fallen:
            self.lab_table.take_back()
        self.stacking.rest()
        self._page.show(fit=self._page.view.untouched)

    # --- items

    def draw(self, gui: Gui, box: Box) -> None:
        """Pieces, statics, the table's motions and how they ended."""
        column = Column(box)
        self._page.draw_sets(gui, column.take(32, 8))
        self.stacking.draw(gui, column)
        self._draw_stack(gui, column.take(32, 8))
        self._draw_statics(gui, column.take(38, 6))
        self._draw_headings(gui, column)
        self._draw_motions(gui, column.take(40, 8))
        draw_results(gui, column.rest, self.results)

    def _draw_stack(self, gui: Gui, row: Box) -> None:
        has = bool(self.lab_table.tower.laid)
        column, back, clear = row.row(3, 8)
        if gui.button("lab/column", column, "Column of 6", size=13.5, hint="Six of this piece, each exactly on the one below."):
            self.lab_table.column(self.stacking.chosen, 6)
            self.stacking.rest()
            self._page.show(fit=True)
        words = "Put it up again" if self.lab_table.motion is not None or self.stacking.fallen else "Take back"
        if gui.button("lab/undo", back, words, enabled=has or self.stacking.busy, size=13.5):
            self.take_back()
        if gui.button("lab/clear", clear, "Clear", enabled=has, size=13.5):
            self.lab_table.clear()
            self.stacking.rest()
            self._page.show()

    def _draw_statics(self, gui: Gui, row: Box) -> None:
        words, ink = self._statics_words()
        gui.paint.words(words, row.x, row.y, 14, colour=ink, wrap=row.w)

    def _statics_words(self) -> tuple[str, tuple[float, float, float, float]]:
        table, stability = self.lab_table, self.lab_table.stability
        if table.message or self.stacking.words:
            return table.message or self.stacking.words, RED
        if self.stacking.hand.holding:
            return "Click lets go; the right button or Space lowers, wheel and R turn, Escape puts back.", SOFT_INK
        if not table.tower.laid:
            lay = "take pieces up" if self.stacking.by_hand else "lay pieces"
            return f"Click on the table to {lay}; no rules hold here. R turns, Backspace takes back.", SOFT_INK
        if stability is None:
            return "Pieces lean: statics has no word on this.", SOFT_INK
        if not stability.stable or stability.tilt is None:
            return "By statics this can't stand: it falls by itself.", RED
        pieces = len(table.tower.laid)
        count = "1 piece" if pieces == 1 else f"{pieces} pieces"
        return (
            f"{count}. By statics they stand until the table tilts {stability.tilt.deg:.1f}°, least towards {stability.tilt.towards_deg % 360:.0f}°.",
            INK,
        )

    def _draw_headings(self, gui: Gui, column: Column) -> None:
        for name, words, value, low, high, step in (
            ("lab/heading", f"towards {self.heading_deg:.0f}°", self.heading_deg, 0.0, 345.0, 15.0),
            ("lab/blow", f"blow {self._blow_mm_s:.0f} mm/s", self._blow_mm_s, 50.0, 1500.0, 50.0),
        ):
            row = column.take(26, 4)
            gui.paint.words_in(words, Box(row.x, row.y, 112, row.h), 13.5, align=Align.LEFT, colour=SOFT_INK)
            value = gui.slider(name, Box(row.x + 116, row.y, row.w - 116, row.h), value, low, high, step=step)
            if name == "lab/heading":
                self.heading_deg = value
            else:
                self._blow_mm_s = value

    def _draw_motions(self, gui: Gui, row: Box) -> None:
        if self.lab_table.moving:
            stop, skip = row.row(2, 10)
            if gui.button("lab/stop", stop, "Stop"):
                self.take_back()
            if gui.button("lab/skip", skip, "To the end"):
                self.lab_table.skip()
            return
        stands = self.lab_table.stability is not None and self.lab_table.stability.stable and not self.stacking.fallen
        hints = ("Ever further, until something falls.", "To and fro, ever harder, until something falls.", "One blow from the side.")
        *parts, last = row.row(4, 8)
        for (kind, (words, _)), part, hint in zip(MOTION_WORDS.items(), parts, hints, strict=True):
            if gui.button(f"lab/{kind.value}", part, words, kind=Kind.PRIMARY, enabled=stands, hint=hint, size=14):
                self.move(kind)
        above = stands and self.lab_table.tower.laid[-1].placement.layer > 0
        if gui.button(
            "lab/hands", last, "Hands", kind=Kind.PRIMARY, enabled=above, hint="How likely a hand topples it with the last piece.", size=14
        ):
            self.ask_hands()

    def draw_over(self, gui: Gui) -> None:
        """Where a held piece would come down; how far the table is moved now."""
        self.stacking.draw_over(gui)
        self._draw_plot(gui)
        motion = self.lab_table.motion
        if motion is None:
            return
        words = f"{MOTION_WORDS[motion.kind][1]} {amount_words(motion.kind, motion.frame.amount)} towards {motion.heading_deg:.0f}°"
        width = gui.paint.measure(words, 20, Face.SUBTITLE)[0] + 44
        box = Box(self._page.view.free.middle[0] - width / 2, 20, width, 46)
        gui.dark_panel(box, radius=23)
        gui.paint.words_in(words, box, 20, face=Face.SUBTITLE, colour=NIGHT_INK)

    def _draw_plot(self, gui: Gui) -> None:
        """What is known of the tower as it is."""
        free, table = self._page.view.free, self.lab_table
        box = Box(16, free.h - HEIGHT - 16, WIDTH, HEIGHT)
        if table.tower == self.chances.tower:
            draw_chances(gui, box, self.chances)
        elif self.covered_left and table.tower == self.measures.tower:
            least = None if table.stability is None else table.stability.tilt
            draw_plot(gui, box, self.measures, least, self._page.view.orbit.camera.azimuth_deg, moving=table.moving)
