"""What the tables of all card games share: seats, what is going on, log, menu, summaries, the curtain between players."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import moderngl

from games.card_match import CardMatch, CardSetup
from games.card_play import CardPhase, CardPlay
from games.card_thinker import Thinker
from games.errors import IllegalMove
from meshes.errors import StakdError
from viewer.cards.faces import CardFaces
from viewer.cards.fan import Fan
from viewer.cards.felt import Felt
from viewer.cards.motion import Motion
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GOLD, NIGHT, NIGHT_INK, SOFT_INK, Face, colour
from viewer.saves import new_save_path
from viewer.screens.cards.table_play import CardTablePlay
from viewer.screens.game_menu import Way, draw_menu
from viewer.screens.placing_words import broken_words, sentence
from viewer.screens.players_panel import LogLine, draw_log, draw_seat
from viewer.screens.screen import Key, Screen

if TYPE_CHECKING:
    from viewer.program import Program

BOT_PAUSE_S = 0.9
"""Bots move so long after what came before, so that eyes can follow."""
_SEAT_HIGH, _LOG_WIDE = 56.0, 250.0


class _Question(Enum):
    MENU = "menu"
    LEAVE = "leave"


class CardTable(Screen):
    """A match of a card game at one screen, autosaved after every act. Each game draws its own cards in `draw_cards`."""

    GAME: ClassVar[str]
    TITLE: ClassVar[str]
    ON_KEYS: ClassVar[Sequence[str]] = ("enter", "space")
    """Keys that open the curtain, and go on after a round."""

    def __init__(self, program: Program, play: CardTablePlay, thinker: Thinker | None = None) -> None:
        """`thinker` is the one that bots of `play` think with; the table closes it. None if nobody plays."""
        super().__init__(program)
        self.play, self._thinker = play, thinker
        self.faces = CardFaces(program.gui, program.context, self.GAME)
        self.motion = Motion(lambda: program.settings)
        self.fan = Fan("hand")
        self._felt = Felt(program.context)
        self._question: _Question | None = None
        self._leaver: int | None = None
        self._deed: Callable[[], object] | None = None
        self._seen_summary = False
        self._acts = len(self.play.match.acts)
        self._boxes: dict[int, Box] = {}

    @classmethod
    def begin(cls, program: Program, setup: CardSetup, *, match: CardMatch | None = None, path: Path | None = None) -> Self:
        """Sit down to a new match, or to go on with one, which is saved at `path`."""
        thinker, pause_s = Thinker(), BOT_PAUSE_S / program.settings.animation_speed
        return cls(program, CardPlay(match or CardMatch(setup), thinker, path=path or _save_path(program), pause_s=pause_s), thinker)

    def lay_out(self, play: CardTablePlay) -> None:
        """Show another match of the same game."""
        self.play = play
        self._acts = len(play.match.acts)
        self.motion.finish()
        self.forget()

    # --- what each game adds

    @abstractmethod
    def draw_cards(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        """Draw market, stacks, hand and the buttons of a turn into `box`; a move that is pressed there is made by `after_drawing`."""

    @abstractmethod
    def turn_words(self) -> str:
        """What the person to move may do now."""

    def seat_note(self, view: Mapping[str, Any], seat: int) -> str:
        """A few words on a seat: cards in hand, points."""
        score = self.play.scores[seat]
        return f"{counted(view['hands'][seat])} cards" + (f" · {score} pts" if score is not None else "")

    def acted(self, number: int) -> None:
        """Act `number` has been done: cards fly, sounds."""

    def forget(self) -> None:
        """Whose hand is seen, or the round, has changed: nothing is chosen any more."""

    # --- what goes on

    @property
    def busy(self) -> bool:
        """While a bot thinks or anything moves or is due by the clock; not while a question or bots that are stopped wait for somebody."""
        if self._question is not None or self.play.stopped:
            return self.motion.busy
        return self.motion.busy or self.play.phase in (CardPhase.THINKING, CardPhase.WATCHING) or self.play.due is not None

    def enter(self) -> None:
        """Bots think."""
        if self._thinker is not None:
            self._thinker.start()
        self.play.paused = False

    def leave(self) -> None:
        """Bots rest."""
        self.play.paused = True

    def close(self) -> None:
        """Save, and free everything."""
        self.play.close()
        self._pass_messages()
        if self._thinker is not None:
            self._thinker.close()
        self.faces.release()
        self._felt.release()

    def update(self, seconds: float) -> bool:
        """Hear the bots, move cards."""
        self.fan.still = self.program.settings.reduced_motion
        self.play.paused = self.motion.busy or self._question is not None
        changed = self.play.update()
        for number in range(self._acts + 1, len(self.play.match.acts) + 1):
            self.acted(number)
        if len(self.play.match.acts) != self._acts:
            self._acts, self._seen_summary = len(self.play.match.acts), False
            self.forget()
        self._pass_messages()
        moved = self.motion.update(seconds)
        return self.fan.update(seconds) or moved or changed

    def _pass_messages(self) -> None:
        """What the match has to tell is shown."""
        for message in self.play.messages:
            self.program.tell(message)
        self.play.messages.clear()

    def attempt(self, move: str) -> None:
        """A person makes a move; what is wrong with it is told."""
        with self.telling():
            self.play.play(move)
            self.program.sounds.play("card")

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Tell what is wrong with what a person does."""
        try:
            yield
        except StakdError as error:
            self.program.sounds.play("no")
            self.program.tell(broken_words(error.violations, self.play.names) if isinstance(error, IllegalMove) else f"{sentence(str(error))}.")

    def after_drawing(self, deed: Callable[[], object]) -> None:
        """Do something once this frame is drawn, so that all of it shows one moment of the match."""
        self._deed = deed

    def _do(self) -> None:
        if self._deed is not None:
            deed, self._deed = self._deed, None
            deed()
            self.program.wake()

    # --- what is seen

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """Felt."""
        return self._felt.picture(size), False

    def draw(self, gui: Gui) -> None:
        """Everything; behind the curtain nothing but the curtain."""
        view = self.play.view()
        if self.play.phase is CardPhase.CURTAIN:
            self._draw_curtain(gui)
            self._draw_questions(gui)
            self._do()
            return
        wide, high = gui.size
        with_log = wide >= 1180
        side = Box(wide - _LOG_WIDE - 14, 14, _LOG_WIDE, high - 28)
        right = side.x - 8 if with_log else wide
        with gui.blocked(self._question is not None or self._summary_due):
            self._draw_seats(gui, view, Box(16, 14, right - 32 - (0 if with_log else 190), _SEAT_HIGH))
            if with_log:
                self._draw_log(gui, side)
            self._draw_buttons(gui, Box(wide - 190, 22, 176, 38) if not with_log else Box(side.x + 14, side.bottom - 54, side.w - 28, 40))
            self._draw_status(gui, Box(16, 14 + _SEAT_HIGH + 8, right - 32, 36))
            self.draw_cards(gui, view, Box(16, 14 + _SEAT_HIGH + 54, right - 32, high - _SEAT_HIGH - 68))
            self.motion.draw(self.faces)
        self._draw_questions(gui)
        self._do()

    def draw_watched(self, gui: Gui, box: Box) -> None:
        """The table of a match that is only watched: seats and cards."""
        view = self.play.view()
        self._draw_seats(gui, view, box.top_part(_SEAT_HIGH))
        self.draw_cards(gui, view, box.below(_SEAT_HIGH + 14))
        self.motion.draw(self.faces)
        self._do()

    def seat_place(self, seat: int) -> Box:
        """Where a seat's pill is."""
        return self._boxes.get(seat, Box(40, 14, 60, _SEAT_HIGH))

    def _draw_seats(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        players = len(self.play.names)
        for seat, pill in enumerate(Box(box.x, box.y, min(box.w, 210.0 * players), box.h).row(players, 8)):
            self._boxes[seat] = pill
            turn = seat == self.play.to_move
            gui.dark_panel(pill, radius=14)
            if turn:
                gui.paint.frame(pill, GOLD, radius=14, thickness=2, away=0)
            draw_seat(gui, pill.x + 27, pill.y + pill.h / 2, 16, seat, self.play.names[seat])
            room = pill.w - 58
            gui.paint.words(gui.paint.cut(self.play.names[seat], room, 15, Face.BOLD), pill.x + 50, pill.y + 8, 15, face=Face.BOLD, colour=NIGHT_INK)
            note = self.seat_note(view, seat)
            gui.paint.words(gui.paint.cut(note, room, 12.5), pill.x + 50, pill.y + 31, 12.5, colour=(*NIGHT_INK[:3], 0.75))

    def _draw_status(self, gui: Gui, box: Box) -> None:
        words, button = self._status(), 150.0 if self.play.stopped else 0.0
        wide = min(box.w, gui.paint.measure(words, 15.5, Face.SEMI)[0] + 48 + button)
        pill = Box(box.x + (box.w - wide) / 2, box.y, wide, box.h)
        gui.paint.plate(pill, colour("#12382b", 0.75), radius=18, border=None)
        gui.paint.words_in(words, pill._replace(w=wide - button).inset(16, 0), 15.5, face=Face.SEMI, colour=NIGHT_INK)
        if button and gui.button("table/again", Box(pill.right - button, box.y + 2, button - 4, box.h - 4), "Let them go on", size=14):
            self.after_drawing(self.play.try_again)

    def _status(self) -> str:
        play, seat = self.play, self.play.to_move
        name = play.names[seat] if seat is not None else ""
        if play.phase in (CardPhase.PERSON, CardPhase.PASSING):
            return f"{name}: {self.turn_words()}"
        if play.stopped:
            return "Bots are stopped"
        if play.phase is CardPhase.THINKING:
            return f"{name} is thinking…"
        if play.phase is CardPhase.WATCHING:
            return self.turn_words()
        return play.result if play.phase is CardPhase.OVER else "The round is over"

    def _draw_log(self, gui: Gui, box: Box) -> None:
        gui.panel(box)
        gui.paint.words(self.TITLE, box.x + 18, box.y + 14, 21, face=Face.TITLE)
        note = Box(box.x + 12, box.y + 52, box.w - 24, box.h - 122)
        gui.note(note)
        lines = [LogLine(entry.player if k == 0 else None, words, entry.number) for entry in self.play.log for k, words in enumerate(entry.words)]
        draw_log(gui, note.inset(6, 6), lines, self.play.names, chosen=None)

    def _draw_buttons(self, gui: Gui, box: Box) -> None:
        undo, menu = box.row(2, 8)
        refusal = self.play.undo_refusal
        if gui.button("table/undo", undo, "Undo", enabled=refusal is None, hint=refusal or "Take it back (Ctrl+Z)"):
            self.after_drawing(self.undo)
        if gui.button("table/menu", menu, "Menu", hint="Rules, settings, leave (Esc)"):
            self._question = _Question.MENU

    def undo(self) -> None:
        """Take back the last move, where nothing has been seen since."""
        if self.play.undo_refusal is None:
            self.play.undo()
            self._acts = len(self.play.match.acts)
            self.forget()
        else:
            self.program.tell(self.play.undo_refusal)

    # --- questions

    @property
    def _summary_due(self) -> bool:
        return self.play.phase in (CardPhase.ROUND_OVER, CardPhase.OVER) and not self._seen_summary and not self.motion.busy

    def _draw_questions(self, gui: Gui) -> None:
        if self._question is _Question.MENU:
            self._draw_menu(gui)
        elif self._question is _Question.LEAVE:
            self._draw_leave(gui)
        elif self._summary_due:
            self._draw_summary(gui)

    def _draw_menu(self, gui: Gui) -> None:
        from viewer.screens.settings import SettingsPage

        program = self.program
        seat, going = self.play.view_seat, (CardPhase.PERSON, CardPhase.THINKING, CardPhase.PASSING, CardPhase.WATCHING)

        def leave() -> None:
            self._question, self._leaver = _Question.LEAVE, seat

        can_leave = seat is not None and self.play.phase in going
        ways = (
            Way("rules", "Rules", self.open_rules),
            Way("learn", "Learn", self.open_learn),
            Way("settings", "Settings", lambda: program.open(SettingsPage(program))),
            Way("leave", "Let a bot play on for me", leave, can_leave),
            Way("home", "Save and leave", program.home),
        )
        chosen = draw_menu(gui, ways)
        if chosen is not None:
            self._question = None
            chosen.go()

    def open_rules(self) -> None:
        """The rules page of this game."""
        from viewer.screens.cards.rules import CardRulesPage

        self.program.open(CardRulesPage(self.program, self.GAME))

    def open_learn(self) -> None:
        """The lessons of this game."""
        from viewer.screens.cards.learn import CardLearnPage

        self.program.open(CardLearnPage(self.program, self.GAME))

    def _draw_leave(self, gui: Gui) -> None:
        seat = self._leaver or 0
        name = self.play.names[seat]
        with gui.dialog("leave", 440, 210) as box:
            gui.paint.words("Leave the match?", box.x, box.y, 24, face=Face.TITLE)
            gui.paint.words(f"A bot plays on in {name}'s seat, for good.", box.x, box.y + 44, 15.5, wrap=box.w)
            no, go = Box(box.x, box.bottom - 44, box.w, 44).row(2, 12)
            if gui.button("question/no", no, "No"):
                self._question = None
            if gui.button("question/yes", go, "Leave", kind=Kind.PRIMARY):
                self._question = None
                self.after_drawing(lambda: self.leave_match(seat))

    def leave_match(self, seat: int) -> None:
        """A bot plays on for a person; if the match has ended meanwhile, that is told."""
        with self.telling():
            self.play.leave(seat)

    def _draw_summary(self, gui: Gui) -> None:
        play = self.play
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
                self._seen_summary = True
            if gui.button("summary/on", go, "Home" if over else "Next round", kind=Kind.PRIMARY):
                self.after_drawing(self._go_on)

    def _go_on(self) -> None:
        if self.play.phase is CardPhase.OVER:
            self.program.home()
        else:
            self.play.go_on()
            self.forget()

    def _draw_curtain(self, gui: Gui) -> None:
        """Nothing of anybody's cards; for whom it opens."""
        keys = " or ".join(name.capitalize() for name in self.ON_KEYS)
        seat = self.play.next_seat or 0
        name = self.play.names[seat]
        wide, high = gui.size
        box = Box((wide - 460) / 2, (high - 230) / 2, 460, 230)
        gui.paint.plate(Box(0, 0, wide, high), (*NIGHT[:3], 0.55), radius=0, border=None)
        gui.panel(box)
        draw_seat(gui, box.x + box.w / 2, box.y + 52, 26, seat, name)
        gui.paint.words(f"Pass the screen to {name}", box.x + box.w / 2, box.y + 92, 22, face=Face.TITLE, align=Align.CENTRE)
        words = "Nobody else should look now."
        gui.paint.words(words, box.x + box.w / 2, box.y + 126, 14.5, colour=SOFT_INK, align=Align.CENTRE)
        if gui.button("curtain", Box(box.x + 110, box.bottom - 62, 240, 46), "Show my cards", kind=Kind.PRIMARY, hint=keys):
            self.after_drawing(self.show_hand)

    def show_hand(self) -> None:
        """Open the curtain; if somebody has slapped in this very moment, that is told."""
        with self.telling():
            self.play.show_hand()
        self.forget()

    # --- keys

    def on_key(self, key: Key) -> bool:
        """Escape opens and closes the menu; Enter and, where it is no slap, Space open the curtain and go on; F1 shows the rules."""
        if self._question is not None:
            if key.name == "escape":
                self._question = None
            return True
        if key.name == "escape":
            self._question = _Question.MENU
        elif key.name == "f1":
            self.open_rules()
        elif key.name == "z" and key.ctrl:
            self.undo()
        elif key.name in self.ON_KEYS and self.play.phase is CardPhase.CURTAIN:
            self.show_hand()
        elif key.name in self.ON_KEYS and self._summary_due:
            self._go_on()
        else:
            return self.on_table_key(key)
        return True

    def on_table_key(self, key: Key) -> bool:
        """Keys of the game's own."""
        return False


def counted(zone: int | Sequence[object]) -> int:
    """How many cards lie in a zone of a view, which is their number where they are hidden."""
    return zone if isinstance(zone, int) else len(zone)


def _save_path(program: Program) -> Path | None:
    try:
        return new_save_path(datetime.now())
    except StakdError as error:
        program.tell(f"This match is not saved: {error}")
        return None
