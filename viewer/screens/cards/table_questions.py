"""What lies over a card table: the menu, leaving for good, the summary of a round, the curtain between players."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from games.card_play import CardPhase
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import NIGHT, SOFT_INK, Face
from viewer.screens.game_menu import Way, draw_menu
from viewer.screens.players_panel import draw_seat
from viewer.screens.screen import Key

if TYPE_CHECKING:
    from viewer.screens.cards.table import CardTable


class _Question(Enum):
    MENU = "menu"
    LEAVE = "leave"


class CardTableQuestions:
    """Asks one thing at a time over a table. `seen_summary`: somebody would rather look at the table."""

    def __init__(self, table: CardTable) -> None:
        self._table = table
        self._question: _Question | None = None
        self._leaver: int | None = None
        self.seen_summary = False

    @property
    def asking(self) -> bool:
        """Whether a question waits for somebody, so that the match waits too."""
        return self._question is not None

    @property
    def blocking(self) -> bool:
        """Whether what is under a question can't be used."""
        return self.asking or self.summary_due

    @property
    def summary_due(self) -> bool:
        """Whether the end of a round or of the match is shown."""
        table = self._table
        return table.play.phase in (CardPhase.ROUND_OVER, CardPhase.OVER) and not self.seen_summary and not table.motion.busy

    def open_menu(self) -> None:
        """Ask where to go."""
        self._question = _Question.MENU

    def leave_summary(self) -> None:
        """To the next round, or home."""
        if self._table.play.phase is CardPhase.OVER:
            self._table.program.home()
        else:
            self._table.play.go_on()
            self._table.forget()

    def on_key(self, key: Key) -> bool:
        """Escape closes a question, and while one is open no key means anything else; Enter and, where it is no slap, Space open the curtain and
        leave a summary."""
        if self.asking:
            if key.name == "escape":
                self._question = None
            return True
        if key.name not in self._table.ON_KEYS:
            return False
        if self._table.play.phase is CardPhase.CURTAIN:
            self._table.show_hand()
        elif self.summary_due:
            self.leave_summary()
        else:
            return False
        return True

    def draw(self, gui: Gui) -> None:
        """What is asked now, or the summary."""
        if self._question is _Question.MENU:
            self._draw_menu(gui)
        elif self._question is _Question.LEAVE:
            self._draw_leave(gui)
        elif self.summary_due:
            self._draw_summary(gui)

    def draw_curtain(self, gui: Gui) -> None:
        """Nothing of anybody's cards; for whom it opens."""
        table = self._table
        keys = " or ".join(name.capitalize() for name in table.ON_KEYS)
        seat = table.play.next_seat or 0
        name = table.play.names[seat]
        wide, high = gui.size
        box = Box((wide - 460) / 2, (high - 230) / 2, 460, 230)
        gui.paint.plate(Box(0, 0, wide, high), (*NIGHT[:3], 0.55), radius=0, border=None)
        gui.panel(box)
        draw_seat(gui, box.x + box.w / 2, box.y + 52, 26, seat, name)
        gui.paint.words(f"Pass the screen to {name}", box.x + box.w / 2, box.y + 92, 22, face=Face.TITLE, align=Align.CENTRE)
        words = "Nobody else should look now."
        gui.paint.words(words, box.x + box.w / 2, box.y + 126, 14.5, colour=SOFT_INK, align=Align.CENTRE)
        if gui.button("curtain", Box(box.x + 110, box.bottom - 62, 240, 46), "Show my cards", kind=Kind.PRIMARY, hint=keys):
            table.after_drawing(table.show_hand)

    def _draw_menu(self, gui: Gui) -> None:
        from viewer.screens.settings import SettingsPage

        table, program = self._table, self._table.program
        seat, going = table.play.view_seat, (CardPhase.PERSON, CardPhase.THINKING, CardPhase.PASSING, CardPhase.WATCHING)

        def leave() -> None:
            self._question, self._leaver = _Question.LEAVE, seat

        can_leave = seat is not None and table.play.phase in going
        ways = (
            Way("rules", "Rules", table.open_rules),
            Way("learn", "Learn", table.open_learn),
            Way("settings", "Settings", lambda: program.open(SettingsPage(program))),
            Way("leave", "Let a bot play on for me", leave, can_leave),
            Way("home", "Save and leave", program.home),
        )
        chosen = draw_menu(gui, ways)
        if chosen is not None:
            self._question = None
            chosen.go()

    def _draw_leave(self, gui: Gui) -> None:
        table, seat = self._table, self._leaver or 0
        name = table.play.names[seat]
        with gui.dialog("leave", 440, 210) as box:
            gui.paint.words("Leave the match?", box.x, box.y, 24, face=Face.TITLE)
            gui.paint.words(f"A bot plays on in {name}'s seat, for good.", box.x, box.y + 44, 15.5, wrap=box.w)
            no, go = Box(box.x, box.bottom - 44, box.w, 44).row(2, 12)
            if gui.button("question/no", no, "No"):
                self._question = None
            if gui.button("question/yes", go, "Leave", kind=Kind.PRIMARY):
                self._question = None
                table.after_drawing(lambda: table.leave_match(seat))

    def _draw_summary(self, gui: Gui) -> None:
        play = self._table.play
        summary = play.rounds[-1] if play.rounds else None
        lines = summary.words if summary else ()
        over = play.phase is CardPhase.OVER
        height = 150 + 40 * len(play.names) + 24 * len(lines)
        with gui.dialog("summary", 480, height) as box:
            title = play.result if over else f"Round {summary.round if summary else 1} is over"
            gui.paint.words(title, box.x, box.y - 2, 24, face=Face.TITLE, wrap=box.w)
            column = Column(box.below(48))
            for seat, name in enumerate(play.names):
                row = column.take(34, 6)
                draw_seat(gui, row.x + 18, row.y + 17, 14, seat, name)
                gui.paint.words_in(name, Box(row.x + 44, row.y, row.w - 150, row.h), 16, face=Face.SEMI, align=Align.LEFT)
                score = (summary.scores if summary else play.scores)[seat]
                gui.paint.words_in(
                    "" if score is None else str(score), Box(row.right - 100, row.y, 100, row.h), 17, face=Face.BOLD, align=Align.RIGHT
                )
            for line in lines:
                column.take(gui.paint.words(line, box.x, column.y, 13.5, colour=SOFT_INK, wrap=box.w), 4)
            look, go = Box(box.x, box.bottom - 44, box.w, 44).row(2, 12)
            if gui.button("summary/look", look, "Look at the table"):
                self.seen_summary = True
            if gui.button("summary/on", go, "Home" if over else "Next round", kind=Kind.PRIMARY):
                self._table.after_drawing(self.leave_summary)
