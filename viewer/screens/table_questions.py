"""Questions over a table: the menu, taking back, resigning, and the summary of a round."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from games.play import Phase
from games.stakd.rules import POINTS_TO_WIN
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GREEN, INK, Face
from viewer.screens.game_menu import Way, draw_menu
from viewer.screens.players_panel import draw_seat
from viewer.screens.rules import RulesPage
from viewer.screens.screen import Key

if TYPE_CHECKING:
    from viewer.screens.table import TablePage


class _Question(Enum):
    MENU = "menu"
    UNDO = "undo"
    RESIGN = "resign"


class TableQuestions:
    """Asks one thing at a time over the panels of a page. `seen_summary`: somebody would rather look at the tower."""

    def __init__(self, page: TablePage) -> None:
        self._page = page
        self._question: _Question | None = None
        self._must_agree: tuple[int, ...] = ()
        self._resigning: int | None = None
        self.seen_summary = False

    @property
    def blocking(self) -> bool:
        """Whether what is under a question can't be used."""
        return self._question is not None or self.summary_due

    @property
    def summary_due(self) -> bool:
        """Whether the end of a round or of the match is shown."""
        return self._page.play.phase in (Phase.ROUND_OVER, Phase.OVER) and not self.seen_summary

    def open_menu(self) -> None:
        """Ask where to go."""
        self._question = _Question.MENU

    def ask_undo(self, must_agree: tuple[int, ...]) -> None:
        """Ask whether these seats agree to take the last piece back."""
        self._question, self._must_agree = _Question.UNDO, must_agree

    def leave_summary(self) -> None:
        """To the next round, or home."""
        if self._page.play.match.over:
            self._page.program.home()
        else:
            self._page.go_on()

    def on_key(self, key: Key) -> bool:
        """Escape closes a question, and while one is open no key means anything else; Enter and Space leave a summary."""
        if self._question is not None:
            if key.name == "escape":
                self._question = None
            return True
        if self.summary_due and key.name in ("enter", "space"):
            self.leave_summary()
            return True
        return False

    def draw(self, gui: Gui) -> None:
        """What is asked now, or the summary."""
        page = self._page
        if self._question is _Question.MENU:
            self._draw_menu(gui)
        elif self._question is _Question.UNDO:
            names = " and ".join(page.play.names[seat] for seat in self._must_agree)
            words = f"{names} must agree that the last piece is taken back."
            self._ask(gui, "Take it back?", words, "They agree", self._agreed, enabled=page.play.can_undo)
        elif self._question is _Question.RESIGN:
            assert self._resigning is not None, "somebody resigns"
            name = page.play.names[self._resigning]
            words = f"{name} leaves the match for good; the pieces laid stay where they are [S53]."
            self._ask(gui, "Resign?", words, f"{name} resigns", self._resign, enabled=self._can_leave)
        elif self.summary_due:
            self._draw_summary(gui)

    def _ask(self, gui: Gui, title: str, words: str, yes: str, deed: Callable[[], None], *, enabled: bool) -> None:
        with gui.dialog(title, 440, 220) as box:
            gui.paint.words(title, box.x, box.y, 24, face=Face.TITLE)
            gui.paint.words(words, box.x, box.y + 44, 15.5, wrap=box.w)
            no, go = Box(box.x, box.bottom - 44, box.w, 44).row(2, 12)
            if gui.button("question/no", no, "No"):
                self._question = None
            if gui.button("question/yes", go, yes, kind=Kind.PRIMARY, enabled=enabled):
                self._question = None
                deed()

    @property
    def _can_leave(self) -> bool:
        return self._page.play.phase in (Phase.PERSON, Phase.HOLDING, Phase.THINKING)

    @property
    def _who_may_resign(self) -> int | None:
        """The person whose turn it is; while bots move the only person left. Of several nobody knows then who asks."""
        match = self._page.play.match
        persons = [seat for seat, sitting in enumerate(match.setup.seats) if sitting.bot is None and not match.state.left >> seat & 1]
        if match.state.to_move in persons:
            return match.state.to_move
        return persons[0] if len(persons) == 1 else None

    def _agreed(self) -> None:
        self._page.play.undo(agreed=True)
        self._page.grasp.put_back()

    def _resign(self) -> None:
        assert self._resigning is not None, "somebody resigns"
        self._page.grasp.put_back()
        self._page.play.resign(self._resigning)

    def _draw_menu(self, gui: Gui) -> None:
        from viewer.screens.settings import SettingsPage

        program, resigning = self._page.program, self._who_may_resign

        def resign() -> None:
            self._question, self._resigning = _Question.RESIGN, resigning

        ways = (
            Way("rules", "Rules", lambda: program.open(RulesPage(program))),
            Way("settings", "Settings", lambda: program.open(SettingsPage(program))),
            Way("resign", "Resign", resign, self._can_leave and resigning is not None),
            Way("leave", "Save and leave", program.home),
        )
        chosen = draw_menu(gui, ways)
        if chosen is not None:
            self._question = None
            chosen.go()

    def _draw_summary(self, gui: Gui) -> None:
        play, state = self._page.play, self._page.play.match.state
        outcome = state.outcome()
        with gui.dialog("summary", 460, 176 + 46 * state.players) as box:
            gui.paint.words(self._headline(), box.x, box.y - 2, 25, face=Face.TITLE)
            column = Column(box.below(46))
            best = max(play.scores) if outcome is not None else None
            for seat, name in enumerate(play.names):
                row = column.take(38, 8)
                draw_seat(gui, row.x + 18, row.y + 19, 15, seat, name)
                gui.paint.words_in(name, Box(row.x + 44, row.y, row.w - 160, row.h), 16, face=Face.SEMI, align=Align.LEFT)
                if state.players > 1:
                    ink = GREEN if best == play.scores[seat] else INK
                    gui.paint.words_in(
                        f"{play.scores[seat]} of {POINTS_TO_WIN}", Box(row.right - 110, row.y, 110, row.h), 16, colour=ink, align=Align.RIGHT
                    )
            look, go = Box(box.x, box.bottom - 44, box.w, 44).row(2, 12)
            if gui.button("summary/look", look, "Look at the tower"):
                self.seen_summary = True
            if gui.button("summary/home" if play.match.over else "summary/on", go, "Home" if play.match.over else "Next round", kind=Kind.PRIMARY):
                self.leave_summary()

    def _headline(self) -> str:
        play, outcome = self._page.play, self._page.play.match.state.outcome()
        if outcome is None:
            event = next((event for act in reversed(play.match.acts) for event in act.events if event["type"] == "round_over"), None)
            winner = event.get("winner") if event else None
            return f"{play.names[winner]} wins the round" if winner is not None else "The round is over"
        if play.match.state.players == 1:
            return "Everything laid: you win!" if outcome.winners else "Pieces are left: not this time"
        return " and ".join(play.names[seat] for seat in outcome.winners) + (" win" if len(outcome.winners) > 1 else " wins") + " the match"
