"""The acts of a match in words, as a list to choose from."""

from __future__ import annotations

from typing import NamedTuple

from games.words import tell
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align
from viewer.gui.theme import FAINT_INK, GOLD, GOLD_SOFT, INK, RED, SOFT_INK, Face, colour
from viewer.playback import MatchPlayback
from viewer.screens.fall_replay import without_cells
from viewer.screens.timeline import draw_seat

_LEFT, _PAD, _HEAD = 58.0, 6.0, 24.0


class _Row(NamedTuple):
    number: int
    top: float
    heading: bool
    heights: tuple[float, ...]
    height: float


class ActList:
    """Rows `replay/act/N`, of which only those in sight are drawn. It scrolls to the act that is seen whenever that is another."""

    def __init__(self, playback: MatchPlayback) -> None:
        self._playback = playback
        names = [seat.name for seat in playback.match.setup.seats]
        self.words = [[without_cells(line) for line in tell(act, names)] for act in playback.match.acts]
        self._rows: list[_Row] = []
        self._width = 0.0
        self._seen = -1

    def draw(self, gui: Gui, box: Box) -> None:
        """The list in `box`."""
        if box.w != self._width:
            self._width, self._rows, self._seen = box.w, self._laid_out(gui, box.w - 14), -1
        now, reveal = self._playback.act, None
        if now != self._seen:
            self._seen = now
            row = self._rows[now - 1] if now else None
            reveal = (row.top, row.top + row.height) if row else (0.0, 1.0)
        with gui.scrolled("replay/acts", box, reveal=reveal) as content:
            for row in self._rows:
                if content.y + row.top < box.bottom and content.y + row.top + row.height > box.y:
                    self._draw_row(gui, row, content, now)
            gui.fill(content.y + (self._rows[-1].top + self._rows[-1].height if self._rows else 1.0))

    def _draw_row(self, gui: Gui, row: _Row, content: Box, now: int) -> None:
        act, y = self._playback.match.act(row.number), content.y + row.top
        if row.heading:
            gui.paint.words(f"Round {act.round}", content.x + 4, y + 3, 13, face=Face.BOLD, colour=SOFT_INK)
            y += _HEAD
        place = Box(content.x, y, content.w, row.height - (_HEAD if row.heading else 0))
        state = gui.area(f"replay/act/{row.number}", place, radius=8)
        if state.pressed:
            self._choose(row.number)
        if row.number == now:
            gui.paint.plate(place, GOLD_SOFT, radius=8, border=GOLD, thickness=1.5)
        elif state.hovered:
            gui.paint.plate(place, colour("#fbe9cf"), radius=8, border=None)
        gui.paint.words(f"{row.number}", place.x + 26, place.y + _PAD + 1, 12, colour=FAINT_INK, align=Align.RIGHT)
        draw_seat(gui, act.player, place.x + 42, place.y + _PAD + 9, 9)
        y = place.y + _PAD
        for k, (line, high) in enumerate(zip(self.words[row.number - 1], row.heights, strict=True)):
            ink = RED if act.knock_over and k <= 1 else SOFT_INK if k else INK
            gui.paint.words(line, place.x + _LEFT, y, 13.5, wrap=place.w - _LEFT - 6, colour=ink)
            y += high

    def _choose(self, number: int) -> None:
        """A fall is worth watching; of other acts what came of them is shown."""
        if number in self._playback.falls:
            self._playback.watch(number)
        else:
            self._playback.jump(number)

    def _laid_out(self, gui: Gui, width: float) -> list[_Row]:
        rows, top, last_round = [], 0.0, 0
        for act, lines in zip(self._playback.match.acts, self.words, strict=True):
            heading = act.round != last_round
            last_round = act.round
            heights = tuple(gui.paint.measure(line, 13.5, wrap=width - _LEFT - 6)[1] for line in lines)
            height = max(18.0, sum(heights)) + 2 * _PAD + (_HEAD if heading else 0)
            rows.append(_Row(act.number, top, heading, heights, height))
            top += height + 2
        return rows
