"""Watching a match of a card game again: act by act, openly or with the eyes of one player, who sees what he could see then."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import moderngl

from games.card_record import load_card_record
from viewer.gui.box import Box
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import NIGHT_INK, Face
from viewer.screens.cards.setup import TABLES
from viewer.screens.cards.watched import WatchedPlay
from viewer.screens.screen import Key, Screen

if TYPE_CHECKING:
    from viewer.program import Program

STEP_S = 1.2
"""How long each act is seen while it plays."""
_BAR = 64.0


class CardReplay(Screen):
    """The table as it was, and below it a bar to go through the acts. Raises `BadRecord`."""

    def __init__(self, program: Program, path: Path) -> None:
        super().__init__(program)
        match = load_card_record(path)
        self.play = WatchedPlay(match)
        self._table = TABLES[match.setup.game](program, self.play)
        self._playing = False
        self._waited = 0.0

    @property
    def busy(self) -> bool:
        """While it plays."""
        return self._playing or self._table.motion.busy

    def close(self) -> None:
        """Free the cards."""
        self._table.close()

    def update(self, seconds: float) -> bool:
        """Go on to the next act in time."""
        changed = self._table.motion.update(seconds)
        if self._playing:
            self._waited += seconds
            if self._waited >= STEP_S:
                self.go(self.play.at + 1)
                changed = True
        return self._table.fan.update(seconds) or changed

    def go(self, act: int) -> None:
        """Show the moment after act `act`, 0 the start; stops at the end. Cards fly when it is the next one; at a jump none do."""
        last = len(self.play.frames) - 1
        forward = act == self.play.at + 1
        self.play.at, self._waited = min(last, max(0, act)), 0.0
        self._playing = self._playing and self.play.at < last
        if forward and self.play.at == act:
            self._table.acted(act)
        elif not forward:
            self._table.motion.finish()

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """Felt."""
        return self._table.backdrop(size, now)

    def draw(self, gui: Gui) -> None:
        """The table, then the bar."""
        wide, high = gui.size
        self._table.draw_watched(gui, Box(16, 14, wide - 32, high - _BAR - 30))
        bar = Box(16, high - _BAR - 8, wide - 32, _BAR)
        gui.panel(bar)
        inner = bar.inset(14, 12)
        if gui.button("replay/back", Box(inner.x, inner.y, 84, 40), "Leave", kind=Kind.QUIET):
            self.program.back()
        words = "Pause" if self._playing else "Play"
        if gui.button("replay/play", Box(inner.x + 92, inner.y, 84, 40), words, kind=Kind.PRIMARY, hint="Space"):
            self._toggle()
        last = len(self.play.frames) - 1
        names = ["All", *(name[:9] for name in self.play.names)]
        eyes = Box(inner.right - 76 * len(names), inner.y, 76 * len(names), 40)
        line = Box(inner.x + 192, inner.y, eyes.x - inner.x - 290, 40)
        wanted = round(gui.slider("replay/act", line, self.play.at, 0, max(1, last), step=1, hint="Comma and full stop step"))
        if wanted != self.play.at:
            self.go(wanted)
        gui.paint.words_in(f"{self.play.at} of {last}", Box(line.right + 6, inner.y, 80, 40), 13.5, face=Face.SEMI)
        chosen = 0 if self.play.viewer is None else self.play.viewer + 1
        hints = ("Every hand open", *(f"Only what {name} could see" for name in self.play.names))
        seen = gui.choice("replay/eyes", eyes, names, chosen, hints=hints)
        if seen != chosen:
            self.play.look(None if seen == 0 else seen - 1)
        told = self.play.frames[self.play.at].words
        if told:
            gui.paint.words(
                gui.paint.cut(told[0], wide - 80, 15, Face.SEMI), wide / 2, bar.y - 24, 15, face=Face.SEMI, colour=NIGHT_INK, align=Align.CENTRE
            )

    def _toggle(self) -> None:
        self._playing = not self._playing and self.play.at < len(self.play.frames) - 1
        self._waited = 0.0

    def on_key(self, key: Key) -> bool:
        """Space plays, left and right or comma and full stop step, Home and End jump."""
        if key.name == "space":
            self._toggle()
        elif key.name in ("left", "right", "comma", "period"):
            self.go(self.play.at + (1 if key.name in ("right", "period") else -1))
        elif key.name in ("home", "end"):
            self.go(0 if key.name == "home" else len(self.play.frames) - 1)
        else:
            return False
        self.program.wake()
        return True
