"""A fall again, in slow motion: what happened in words, a scrubber, speed, and saving it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from games.match import Match
from games.words import tell
from meshes.solid import build_solid
from physics.tower import Tower
from physics.watch import KnockOver
from viewer.camera import Array
from viewer.fitting import pictured_items
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align
from viewer.gui.theme import FAINT_INK, NIGHT, NIGHT_INK, ORANGE, ORANGE_DEEP, RED, SOFT_INK, Face, colour
from viewer.item_buffer import placed_corners
from viewer.items import Colour, Item, tower_items
from viewer.playback import FallPlayback, lost_carriers
from viewer.screens.ear import Ear
from viewer.screens.export_menu import Exportable, ExportMenu
from viewer.screens.screen import Key
from viewer.screens.table_view import TableView
from viewer.screens.transport import draw_play, draw_speed
from viewer.shots import Shot

if TYPE_CHECKING:
    from viewer.program import Program

FIRST_RED: Colour = (224, 64, 48)
CARRIER_GOLD: Colour = (236, 178, 62)
FRAME_S = 1 / 30
"""How far one step of the keys goes."""
_CELLS = re.compile(r" \(-?\d+,-?\d+(?: -?\d+,-?\d+)*\)")


class FallReplay:
    """A panel for a page that shows a knock-over again in its `view`. The page calls `update`, `draw`, `key` and `close`, and shows `items()`, lit
    around `lit`, whenever `update` says that something changed. It begins to play at once.

    Raises `StakdError` if nothing falls in this act.
    """

    LEAST_HEIGHT = 216.0
    """Units the panel needs at least; 300 or more of width."""

    def __init__(self, program: Program, view: TableView, match: Match, act_number: int) -> None:
        self._program, self._view, self._match = program, view, match
        self.playback = FallPlayback(match, act_number)
        self.playback.playing = True
        self.menu = ExportMenu(program, self._exportable, name="fall/save")
        self._ear = Ear(program.sounds)
        self._words = fall_words(match, act_number)
        self._glows = fall_glows(self.playback.knock_over)
        self._shown_s = -1.0

    @property
    def busy(self) -> bool:
        """Whether `update` must be called again soon."""
        return self.playback.playing or self.menu.busy

    def update(self, seconds: float) -> bool:
        """So many real seconds have passed; whether pieces or panel look different now."""
        if self.playback.update(seconds):
            self._ear.hear(self.playback.tower(), self.playback.position)
        changed = self.menu.update()
        if self.playback.position != self._shown_s:
            self._shown_s, changed = self.playback.position, True
        return changed

    def items(self) -> list[Item]:
        """The pieces where they are now; the one that fell first and what no longer carried it glow."""
        return tower_items(self.playback.tower(), highlights=self._glows)

    @cached_property
    def lit(self) -> Array:
        """(n, 3) points for `TableView.show` that keep the lamp still during the whole fall."""
        return placed_corners(self._scope.piece_set, pictured_items(self._scope))

    def look(self) -> None:
        """Fly to where the whole fall is seen."""
        self._view.fly_fitted(self._scope)

    def close(self) -> None:
        """Stop writing a file, if one is being written."""
        self.menu.close()

    def key(self, key: Key) -> bool:
        """Space plays, comma and full stop go a little back and on, F looks at it; whether it was one of these."""
        if key.name == "space":
            self.playback.toggle()
        elif key.name in ("comma", "period"):
            self.playback.playing = False
            self.playback.seek(self.playback.position + (FRAME_S if key.name == "period" else -FRAME_S))
        elif key.name == "f":
            self.look()
        else:
            return key.name == "escape" and self.menu.escape()
        return True

    def draw(self, gui: Gui, box: Box) -> None:
        """The panel in `box`, and in the picture the name of what fell first."""
        draw_first(gui, self._view, self.playback.tower(), self.playback.knock_over.first.piece)
        gui.panel(box)
        inner = box.inset(18, 14)
        gui.paint.words("The tower falls", inner.x, inner.y, 20, face=Face.SUBTITLE)
        if gui.button("fall/look", Box(inner.right - 76, inner.y, 76, 28), "Look at it", size=13, hint="See the whole fall (F)"):
            self.look()
        y = inner.y + 32
        for line in self._words:
            y += gui.paint.words(line, inner.x, y, 14.5, wrap=inner.w) + 3
        self._draw_scrubber(gui, Box(inner.x, inner.bottom - 40 - 10 - 30, inner.w, 30))
        row = Box(inner.x, inner.bottom - 40, inner.w, 40)
        draw_play(gui, "fall/play", Box(row.x, row.y, 52, row.h), self.playback)
        save = Box(row.right - 96, row.y, 96, row.h)
        draw_speed(gui, "fall/speed", Box(row.x + 64, row.y + 4, save.x - row.x - 64 - 4, row.h - 8), self.playback)
        self.menu.draw(gui, save)

    def _draw_scrubber(self, gui: Gui, box: Box) -> None:
        playback = self.playback
        state = gui.area("fall/time", box, hint="Drag through the fall ( , and . step)")
        line = Box(box.x, box.y + box.h / 2 - 4, box.w - 62, 8)
        if state.held:
            playback.playing = False
            playback.seek((gui.pointer[0] - line.x) / line.w * playback.length)
        share = playback.position / playback.length
        gui.paint.bar(line, share, ORANGE, colour("#dccbb2"))
        loss = line.x + line.w * min(1.0, playback.loss_s / playback.length)
        gui.paint.arrow(loss, line.y - 7, 9, RED, turn_deg=90)
        gui.paint.line([(loss, line.y - 3), (loss, line.bottom + 3)], RED, 2)
        gui.paint.disc(line.x + share * line.w, line.y + 4, 8, colour("#ffffff"))
        gui.paint.circle(line.x + share * line.w, line.y + 4, 8, ORANGE_DEEP, 2)
        words = f"{playback.position - playback.loss_s:+.2f} s"
        gui.paint.words_in(words, Box(box.right - 54, box.y, 54, box.h), 13, colour=SOFT_INK, align=Align.RIGHT)
        gui.paint.words("support lost", min(loss, line.right - 70) + 8, line.y - 13, 11, colour=FAINT_INK)

    @cached_property
    def _scope(self) -> Tower:
        """All pieces before the fall and after it, as one tower: what the camera and the lamp must reach."""
        first, last = self.playback.tower(0.0), self.playback.tower(self.playback.length)
        return Tower(first.piece_set, (*first.laid, *last.laid))

    def _exportable(self) -> Exportable:
        films = {"Film of the fall": self._shots}
        return Exportable(self.playback.tower(), self.items(), self._view.free_camera, self.lit, films)

    def _shots(self) -> list[Shot]:
        from viewer.drawing import shot_of

        return [replace(shot_of(self._match, self.playback.act, self.playback.speed), highlights=self._glows)]


def fall_words(match: Match, act_number: int) -> list[str]:
    """What happened in a fall, for people: who did what, and how it began."""
    act = match.act(act_number)
    told = list(tell(act, [seat.name for seat in match.setup.seats]))
    return [without_cells(told[0]), f"{act.knock_over}." if act.knock_over else ""]


def without_cells(sentence: str) -> str:
    """A sentence of `tell` without the numbers of cells, which say little to people."""
    return _CELLS.sub("", sentence)


def fall_glows(knock_over: KnockOver) -> dict[int, Colour]:
    """Which pieces glow in the replay of a fall."""
    return {**dict.fromkeys(lost_carriers(knock_over), CARRIER_GOLD), knock_over.first.piece: FIRST_RED}


def draw_first(gui: Gui, view: TableView, tower: Tower, piece: int) -> None:
    """A label at the piece that lost its support first."""
    solid = build_solid(tower.piece_set, tower.piece_type(piece))
    centre = tower.laid[piece].pose.apply(np.asarray(solid.centre_mm).reshape(1, 3))
    x, y = (float(part) for part in view.project(centre)[0])
    if not view.free.inset(4).has(x, y):
        return
    words = f"{tower.piece_type(piece).name} went first"
    width, _ = gui.paint.measure(words, 13, Face.SEMI)
    left = x + 46 + width + 24 < view.free.right
    plate = Box(x + 46 if left else x - 46 - width - 24, max(view.free.y + 4, y - 58), width + 24, 26)
    gui.paint.line([(x, y), (plate.x if left else plate.right, plate.y + 13)], NIGHT_INK, 1.5)
    gui.paint.disc(x, y, 3.5, NIGHT_INK)
    gui.paint.plate(plate, NIGHT, radius=13, border=colour("#fff3df", 0.15))
    gui.paint.words_in(words, plate, 13, face=Face.SEMI, colour=NIGHT_INK)
