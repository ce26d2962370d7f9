"""The panels of a card table: seats and what is going on above the cards, log and buttons at the right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.card_play import CardPhase
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import GOLD, NIGHT_INK, Face, colour
from viewer.screens.players_panel import LogLine, draw_log, draw_seat

if TYPE_CHECKING:
    from viewer.screens.cards.table import CardTable

SEAT_HIGH = 56.0


class CardTablePanels:
    """Draws a card table's panels and does what is pressed there. `places`: where each seat's pill was drawn last."""

    def __init__(self, table: CardTable) -> None:
        self._table = table
        self.places: dict[int, Box] = {}

    def draw_seats(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        """A pill for each seat, the one on turn in a frame."""
        table, names = self._table, self._table.play.names
        for seat, pill in enumerate(Box(box.x, box.y, min(box.w, 210.0 * len(names)), box.h).row(len(names), 8)):
            self.places[seat] = pill
            gui.dark_panel(pill, radius=14)
            if seat == table.play.to_move:
                gui.paint.frame(pill, GOLD, radius=14, thickness=2, away=0)
            draw_seat(gui, pill.x + 27, pill.y + pill.h / 2, 16, seat, names[seat])
            room = pill.w - 58
            gui.paint.words(gui.paint.cut(names[seat], room, 15, Face.BOLD), pill.x + 50, pill.y + 8, 15, face=Face.BOLD, colour=NIGHT_INK)
            note = table.seat_note(view, seat)
            gui.paint.words(gui.paint.cut(note, room, 12.5), pill.x + 50, pill.y + 31, 12.5, colour=(*NIGHT_INK[:3], 0.75))

    def draw_status(self, gui: Gui, box: Box) -> None:
        """What is going on, and a button if it is that bots are stopped."""
        play = self._table.play
        words, button = self._status(), 150.0 if play.stopped else 0.0
        wide = min(box.w, gui.paint.measure(words, 15.5, Face.SEMI)[0] + 48 + button)
        pill = Box(box.x + (box.w - wide) / 2, box.y, wide, box.h)
        gui.paint.plate(pill, colour("#12382b", 0.75), radius=18, border=None)
        gui.paint.words_in(words, pill._replace(w=wide - button).inset(16, 0), 15.5, face=Face.SEMI, colour=NIGHT_INK)
        if button and gui.button("table/again", Box(pill.right - button, box.y + 2, button - 4, box.h - 4), "Let them go on", size=14):
            self._table.after_drawing(play.try_again)

    def _status(self) -> str:
        play, seat = self._table.play, self._table.play.to_move
        name = play.names[seat] if seat is not None else ""
        if play.phase in (CardPhase.PERSON, CardPhase.PASSING):
            return f"{name}: {self._table.turn_words()}"
        if play.stopped:
            return "Bots are stopped"
        if play.phase is CardPhase.THINKING:
            return f"{name} is thinking…"
        if play.phase is CardPhase.WATCHING:
            return self._table.turn_words()
        return play.result if play.phase is CardPhase.OVER else "The round is over"

    def draw_log(self, gui: Gui, box: Box) -> None:
        """What has been done so far, with room for the buttons below."""
        play = self._table.play
        gui.panel(box)
        gui.paint.words(self._table.TITLE, box.x + 18, box.y + 14, 21, face=Face.TITLE)
        note = Box(box.x + 12, box.y + 52, box.w - 24, box.h - 122)
        gui.note(note)
        lines = [LogLine(entry.player if k == 0 else None, words, entry.number) for entry in play.log for k, words in enumerate(entry.words)]
        draw_log(gui, note.inset(6, 6), lines, play.names, chosen=None)

    def draw_buttons(self, gui: Gui, box: Box) -> None:
        """Undo and the menu."""
        undo, menu = box.row(2, 8)
        refusal = self._table.play.undo_refusal
        if gui.button("table/undo", undo, "Undo", enabled=refusal is None, hint=refusal or "Take it back (Ctrl+Z)"):
            self._table.after_drawing(self._table.undo)
        if gui.button("table/menu", menu, "Menu", hint="Rules, settings, leave (Esc)"):
            self._table.questions.open_menu()
