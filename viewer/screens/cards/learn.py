"""Learning a card game on its own table: one small task after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import moderngl

from games.card_lessons import CardAnswer, CardLesson, card_lessons
from games.card_words import card_name
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.theme import SOFT_INK, Face
from viewer.screens.cards.lesson_play import LessonPlay
from viewer.screens.cards.setup import TABLES
from viewer.screens.lesson_notes import LETTERS, draw_choice, draw_note, draw_progress
from viewer.screens.placing_words import sentence
from viewer.screens.screen import Key, Screen

if TYPE_CHECKING:
    from viewer.program import Program

_WIDTH = 320.0


class CardLearnPage(Screen):
    """The table at the left, the task at the right; it begins with the first lesson that is not learned."""

    def __init__(self, program: Program, game: str) -> None:
        super().__init__(program)
        self._game = game
        self.lessons = card_lessons(game)
        self.play = LessonPlay(self._next or self.lessons[0])
        self._table = TABLES[game](program, self.play)
        self._hint = self._shown = False
        self._seen: CardAnswer | None = None
        self._note, self._reveal = (0.0, 0.0), 0

    @property
    def lesson(self) -> CardLesson:
        """The one on the table."""
        return self.play.lesson

    @property
    def busy(self) -> bool:
        """While cards move."""
        return self._table.motion.busy

    @property
    def _next(self) -> CardLesson | None:
        return next((entry for entry in self.lessons if entry.id not in self.program.settings.learned), None)

    def close(self) -> None:
        """Free the cards."""
        self._table.close()

    def update(self, seconds: float) -> bool:
        """Cards move; what is learned is remembered."""
        changed = self._table.update(seconds)
        if self.play.answer is not self._seen:
            self._seen, self._reveal, self._hint, self._shown = self.play.answer, 2, False, False
        if self.play.done and self.lesson.id not in self.program.settings.learned:
            self.program.change(learned=self.program.settings.learned | {self.lesson.id})
            self.program.sounds.play("win", loudness=0.4)
            changed = True
        return changed

    def take(self, lesson: CardLesson) -> None:
        """Lay a lesson out."""
        self.play = LessonPlay(lesson)
        self._table.lay_out(self.play)
        self._hint = self._shown = False
        self.program.wake()

    def go_on(self) -> None:
        """To the following lesson; once all are learned, back."""
        if self.play.done and self._next is None:
            self.program.back()
            return
        self.take(self.lessons[(self.lessons.index(self.lesson) + 1) % len(self.lessons)])

    def choose(self, number: int) -> None:
        """Answer a question."""
        if not self.play.done and number < len(self.lesson.choices):
            self.play.choose(number)
            if not self.play.done:
                self.program.sounds.play("no")

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """Felt."""
        return self._table.backdrop(size, now)

    # --- what is seen

    def draw(self, gui: Gui) -> None:
        """The table, then the panel."""
        wide, high = gui.size
        panel = Box(wide - _WIDTH - 14, 14, _WIDTH, high - 28)
        self._table.draw_watched(gui, Box(16, 14, panel.x - 30, high - 28))
        self._draw_panel(gui, panel)

    def _draw_panel(self, gui: Gui, box: Box) -> None:
        gui.panel(box)
        inner, number = box.inset(22, 18), self.lessons.index(self.lesson)
        foot = self._draw_foot(gui, inner)
        column = Column(Box(inner.x, inner.y, inner.w, inner.h - foot - 10))
        gui.paint.words(f"{self._table.TITLE} · {number + 1} of {len(self.lessons)}", inner.x, column.y, 13.5, face=Face.SEMI, colour=SOFT_INK)
        column.take(22, 0)
        column.take(gui.paint.words(self.lesson.title, inner.x - 1, column.y, 24, face=Face.TITLE, wrap=inner.w + 8), 8)
        draw_progress(gui, column.take(10, 14), number, [entry.id in self.program.settings.learned for entry in self.lessons])
        rest = column.rest
        self._reveal -= self._reveal > 0
        with gui.scrolled("lesson/text", Box(rest.x - 6, rest.y, rest.w + 18, rest.h), reveal=self._note if self._reveal == 1 else None) as part:
            text = Column(Box(part.x + 6, part.y, inner.w - 2, part.h))
            text.take(gui.paint.words(self.lesson.instruction, text.box.x, text.y, 15.5, wrap=text.box.w), 14)
            for k, choice in enumerate(self.lesson.choices):
                given = self.play.done if k == self.play.answered else None
                marked = self._shown and self.lesson.answer(k).right
                if draw_choice(gui, text, k, choice.text, given=given, marked=marked, enabled=not self.play.done):
                    self.choose(k)
            top = text.y
            self._draw_answer(gui, text)
            self._note = top - part.y, text.y - part.y
            gui.fill(text.y)

    def _draw_answer(self, gui: Gui, column: Column) -> None:
        answer, rows = self.play.answer, " · ".join(self.lesson.rules)
        if answer is not None:
            title = "Right!" if answer.right else "Not allowed" if answer.violations else "Not quite"
            source = answer.violations[0].rule if answer.violations else rows if answer.right else ""
            draw_note(gui, column, title, sentence(answer.words), source, answer.right)
        if self._hint:
            draw_note(gui, column, "Hint", self.lesson.hint, rows, None)
        if self._shown:
            words = "The marked answer is right. Choose it to read why." if self.lesson.is_question else _move_words(self.lesson)
            draw_note(gui, column, "One way to do it", words, "", None)

    def _draw_foot(self, gui: Gui, inner: Box) -> float:
        """The buttons; gives how high they are."""
        left, right = Box(inner.x, inner.bottom - 44, inner.w, 44).row(2)
        done = self.play.done
        if gui.button("lesson/leave", left, "Leave"):
            self.program.back()
        words = "Finish" if done and self._next is None else "Next" if done else "Skip"
        if gui.button("lesson/next", right, words, kind=Kind.PRIMARY if done else Kind.PLAIN):
            self.go_on()
        if done:
            return 44
        left, right = Box(inner.x, inner.bottom - 94, inner.w, 40).row(2)
        if gui.button("lesson/hint", left, "Hint  (H)", chosen=self._hint):
            self._give_hint()
        if gui.button("lesson/solution", right, "Show me"):
            self.show_solution()
        return 94

    def _give_hint(self) -> None:
        self._hint, self._reveal = not self._hint, 2

    def show_solution(self) -> None:
        """Tell a right move, or point at the right answer; doing it is left to the learner."""
        self._shown, self._reveal = True, 2

    def on_key(self, key: Key) -> bool:
        """Enter goes on once it is done; H gives a hint, a letter an answer, F1 the rules; else the table's own keys."""
        if key.name == "enter" and self.play.done:
            self.go_on()
        elif key.name == "h" and not self.play.done:
            self._give_hint()
        elif key.name == "f1":
            self._table.open_rules()
        elif self.lesson.is_question and key.name in tuple(LETTERS[: len(self.lesson.choices)]):
            self.choose(LETTERS.index(key.name))
        else:
            return self._table.on_table_key(key)
        self.program.wake()
        return True


def _move_words(lesson: CardLesson) -> str:
    """What to do, in words."""
    what, *rest = lesson.right_move().split()
    if what == "slap":
        return "Slap the pile."
    number = int(rest.pop(0)) + 1 if what == "fill" else 0
    cards = ", then ".join(card_name(lesson.game, card) for card in rest)
    doing = {"play": "Lay", "gather": "Gather", "fill": f"Fill order {number} with", "discard": "Discard", "pass": "Pass on" if cards else "Pass"}
    return f"{doing[what]} {cards}".strip() + "."
