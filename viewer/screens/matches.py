"""The saved matches: go on with one, watch it again, or throw it away."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from games.card_record import is_card_file
from games.card_words import TITLES
from meshes.errors import StakdError
from viewer.gui.box import Box
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import RED, SOFT_INK, Face
from viewer.saves import Save, delete_save, list_saves
from viewer.screens.screen import Key, Screen
from viewer.screens.sheet import sheet

if TYPE_CHECKING:
    from viewer.program import Program

_ROW, _GAP = 72.0, 8.0
_BEYOND = 2
"""Rows kept beyond each end of what is seen, so that the keyboard finds them; a list of any length costs the same."""


class Matches(Screen):
    """A list of all matches, the last played first; damaged ones are there with what is wrong with them. Items are named by the row."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.saves: list[Save] = []
        self._doomed: Save | None = None

    def enter(self) -> None:
        """A match may have gone on since."""
        self.saves = list_saves()

    def on_key(self, key: Key) -> bool:
        """Escape takes the question back."""
        if key.name != "escape" or self._doomed is None:
            return False
        self._doomed = None
        return True

    def draw(self, gui: Gui) -> None:
        """The list, and the question over it."""
        with gui.blocked(self._doomed is not None):
            inner = sheet(gui, "Matches", 900, 640)
            foot = Box(inner.x, inner.bottom - 44, inner.w, 44)
            part = Box(inner.x, inner.y, inner.w, foot.y - 14 - inner.y)
            if self.saves:
                self._draw_list(gui, part)
            else:
                gui.paint.words_in("Nothing here yet. Every match is kept by itself, move by move.", part, 16, colour=SOFT_INK)
            if gui.button("matches/back", Box(foot.right - 130, foot.y, 130, foot.h), "Back", kind=Kind.PRIMARY):
                self.program.back()
        if self._doomed is not None:
            self._draw_question(gui, self._doomed)

    # --- parts

    def _draw_list(self, gui: Gui, part: Box) -> None:
        step = _ROW + _GAP
        with gui.scrolled("matches", part) as box:
            first = max(0, int((part.y - box.y) // step) - _BEYOND)
            last = int((part.bottom - box.y) // step) + 1 + _BEYOND
            for number, save in enumerate(self.saves[first:last], first):
                self._draw_row(gui, Box(box.x + 4, box.y + 4 + number * step, box.w - 8, _ROW), number, save)
            gui.fill(box.y + 4 + len(self.saves) * step)

    def _draw_row(self, gui: Gui, row: Box, number: int, save: Save) -> None:
        gui.note(row)
        buttons = Box(row.right - 316, row.y + 16, 304, row.h - 32)
        go_on, watch, delete = buttons.row(3, 8)
        wide = (go_on.x if save.defect is None else delete.x) - row.x - 32
        title, below = save_words(save)
        gui.paint.words_in(title, Box(row.x + 16, row.y + 10, wide, 26), 16, face=Face.SEMI, align=Align.LEFT)
        ink = RED if save.defect is not None else SOFT_INK
        gui.paint.words_in(gui.paint.cut(below, wide, 13.5), Box(row.x + 16, row.y + 37, wide, 22), 13.5, colour=ink, align=Align.LEFT)
        if save.defect is None:
            kind = Kind.PLAIN if save.over else Kind.PRIMARY
            if not save.over and gui.button(f"matches/continue/{number}", go_on, "Continue", kind=kind, size=14):
                continue_match(self.program, save.path)
            if gui.button(f"matches/watch/{number}", watch, "Watch", size=14, enabled=save.acts > 0):
                _watch(self.program, save.path)
        hint = f"{save.path.name}: {save.defect}" if save.defect else ""
        if gui.button(f"matches/delete/{number}", delete, "Delete", kind=Kind.QUIET, size=14, hint=hint):
            self._doomed = save

    def _draw_question(self, gui: Gui, save: Save) -> None:
        title, below = save_words(save)
        with gui.dialog("delete", 480, 216) as inner:
            gui.paint.words("Delete this match for good?", inner.x, inner.y, 20, face=Face.TITLE)
            gui.paint.words_in(title, Box(inner.x, inner.y + 38, inner.w, 24), 15, face=Face.SEMI, align=Align.LEFT)
            gui.paint.words_in(gui.paint.cut(below, inner.w, 13.5), Box(inner.x, inner.y + 64, inner.w, 22), 13.5, colour=SOFT_INK, align=Align.LEFT)
            keep, delete = Box(inner.x, inner.bottom - 44, inner.w, 44).row(2, 12)
            if gui.button("matches/keep", keep, "Keep it"):
                self._doomed = None
            if gui.button("matches/delete", delete, "Delete", kind=Kind.PRIMARY):
                self._doomed = None
                self._delete(save)

    def _delete(self, save: Save) -> None:
        try:
            delete_save(save.path)
        except StakdError as error:
            self.program.tell(str(error))
        self.saves = list_saves()


def continue_match(program: Program, path: Path) -> None:
    """Open the table with a saved match, or say why not."""
    try:
        if is_card_file(path):
            from viewer.screens.cards.setup import resume_cards

            program.open(resume_cards(program, path))
        else:
            from viewer.screens.table import TablePage

            program.open(TablePage.resume(program, path))
    except StakdError as error:
        program.tell(f"This match can't go on: {error}")


def save_words(save: Save) -> tuple[str, str]:
    """Who plays, and how far they are; of a damaged match its file, and what is wrong."""
    if save.defect is not None:
        return save.path.name, f"Damaged: {save.defect}"
    names = " – ".join(save.names)
    when = _when(save.when)
    if save.over:
        won = f"won by {' and '.join(save.winners)}" if save.winners else "lost"
        return names, f"{when} · {won}{_score(save)}"
    return names, f"{when} · {progress(save)}{_score(save)}"


def progress(save: Save) -> str:
    """How far an unfinished match is."""
    if save.game in TITLES:
        return f"{TITLES[save.game]}, round {save.round}"
    pieces = f"{save.pieces} {'piece' if save.pieces == 1 else 'pieces'} laid"
    return pieces if len(save.names) == 1 else f"round {save.round}, {pieces}"


def _score(save: Save) -> str:
    return f" · {' : '.join(map(str, save.scores))}" if len(save.names) > 1 and any(save.scores) else ""


def _when(when: datetime) -> str:
    days = (datetime.now().astimezone().date() - when.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{when.day} {when:%B %Y}")
    return f"{day} at {when:%H:%M}"


def _watch(program: Program, path: Path) -> None:
    try:
        if is_card_file(path):
            from viewer.screens.cards.replay import CardReplay

            program.open(CardReplay(program, path))
            return
    except StakdError as error:
        program.tell(f"This match can't be watched: {error}")
        return
    from viewer.screens.replay import open_replay

    open_replay(program, path)
