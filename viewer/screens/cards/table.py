"""What the tables of all card games share: a match that goes on, cards that fly, and the panels and questions around them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
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
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.saves import new_save_path
from viewer.screens.cards.table_panels import SEAT_HIGH, CardTablePanels
from viewer.screens.cards.table_play import CardTablePlay
from viewer.screens.cards.table_questions import CardTableQuestions
from viewer.screens.placing_words import broken_words, sentence
from viewer.screens.screen import Key, Screen

if TYPE_CHECKING:
    from viewer.program import Program

BOT_PAUSE_S = 0.9
"""Bots move so long after what came before, so that eyes can follow."""
_LOG_WIDE = 250.0


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
        self.questions = CardTableQuestions(self)
        self._panels = CardTablePanels(self)
        self._deed: Callable[[], object] | None = None
        self._acts = len(self.play.match.acts)

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
        if self.questions.asking or self.play.stopped:
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
        self.play.paused = self.motion.busy or self.questions.asking
        changed = self.play.update()
        for number in range(self._acts + 1, len(self.play.match.acts) + 1):
            self.acted(number)
        if len(self.play.match.acts) != self._acts:
            self._acts, self.questions.seen_summary = len(self.play.match.acts), False
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
            self.questions.draw_curtain(gui)
            self.questions.draw(gui)
            self._do()
            return
        wide, high = gui.size
        with_log = wide >= 1180
        side = Box(wide - _LOG_WIDE - 14, 14, _LOG_WIDE, high - 28)
        right = side.x - 8 if with_log else wide
        with gui.blocked(self.questions.blocking):
            self._panels.draw_seats(gui, view, Box(16, 14, right - 32 - (0 if with_log else 190), SEAT_HIGH))
            if with_log:
                self._panels.draw_log(gui, side)
            self._panels.draw_buttons(gui, Box(wide - 190, 22, 176, 38) if not with_log else Box(side.x + 14, side.bottom - 54, side.w - 28, 40))
            self._panels.draw_status(gui, Box(16, 14 + SEAT_HIGH + 8, right - 32, 36))
            self.draw_cards(gui, view, Box(16, 14 + SEAT_HIGH + 54, right - 32, high - SEAT_HIGH - 68))
            self.motion.draw(self.faces)
        self.questions.draw(gui)
        self._do()

    def draw_watched(self, gui: Gui, box: Box) -> None:
        """The table of a match that is only watched: seats and cards."""
        view = self.play.view()
        self._panels.draw_seats(gui, view, box.top_part(SEAT_HIGH))
        self.draw_cards(gui, view, box.below(SEAT_HIGH + 14))
        self.motion.draw(self.faces)
        self._do()

    def seat_place(self, seat: int) -> Box:
        """Where a seat's pill is."""
        return self._panels.places.get(seat, Box(40, 14, 60, SEAT_HIGH))

    def undo(self) -> None:
        """Take back the last move, where nothing has been seen since."""
        if self.play.undo_refusal is None:
            self.play.undo()
            self._acts = len(self.play.match.acts)
            self.forget()
        else:
            self.program.tell(self.play.undo_refusal)

    def open_rules(self) -> None:
        """The rules page of this game."""
        from viewer.screens.cards.rules import CardRulesPage

        self.program.open(CardRulesPage(self.program, self.GAME))

    def open_learn(self) -> None:
        """The lessons of this game."""
        from viewer.screens.cards.learn import CardLearnPage

        self.program.open(CardLearnPage(self.program, self.GAME))

    def leave_match(self, seat: int) -> None:
        """A bot plays on for a person; if the match has ended meanwhile, that is told."""
        with self.telling():
            self.play.leave(seat)

    def show_hand(self) -> None:
        """Open the curtain; if somebody has slapped in this very moment, that is told."""
        with self.telling():
            self.play.show_hand()
        self.forget()

    # --- keys

    def on_key(self, key: Key) -> bool:
        """Questions come first; Escape opens the menu, F1 shows the rules."""
        if self.questions.on_key(key):
            return True
        if key.name == "escape":
            self.questions.open_menu()
        elif key.name == "f1":
            self.open_rules()
        elif key.name == "z" and key.ctrl:
            self.undo()
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
