"""Learn: the list of lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import moderngl

from games.stakd.lessons import Lesson, lessons
from physics.tower import Tower
from viewer.camera import Camera
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GOLD, GOLD_SOFT, GREEN, NIGHT_INK, ORANGE, SOFT_INK, Face, colour
from viewer.items import tower_items
from viewer.screens.lesson_page import LessonPage
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.table_view import TableView

if TYPE_CHECKING:
    from viewer.program import Program

_WIDTH = 400.0
_CAMERA = Camera(elevation_deg=36.0)


class LearnPage(Screen):
    """All lessons, those learned ticked; the position of the next one, or of the one under the pointer, stands on the table."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._lessons = lessons()
        self._piece_set = self._lessons[0].state().rules.piece_set
        self._view = TableView(program, self._piece_set)
        self._seen: Lesson | None = None
        self._wanted = self._next

    def enter(self) -> None:
        """Which are learned may have changed; from now on the program is no longer new to its user."""
        if self.program.settings.first_start:
            self.program.change(first_start=False)
        self._seen, self._wanted = None, self._next

    def leave(self) -> None:
        """No key is held any longer."""
        self._view.leave()

    def update(self, seconds: float) -> bool:
        """The camera may still be moving."""
        return self._view.update(seconds)

    def draw(self, gui: Gui) -> None:
        """The panel at the left."""
        high = min(gui.size[1] - 40, 660.0)
        box = Box(36, (gui.size[1] - high) / 2, _WIDTH, high)
        self._view.free = Box(box.right, 0, gui.size[0] - box.right, gui.size[1])
        gui.panel(box)
        inner, learned = box.inset(26, 20), self._learned
        gui.paint.words("Learn STAKD", inner.x - 1, inner.y, 30, face=Face.TITLE)
        told = f"{learned} of {len(self._lessons)} lessons learned" if learned else "Small lessons, a minute each. Nothing can break."
        gui.paint.words(told, inner.x, inner.y + 40, 14, colour=SOFT_INK)
        gui.paint.bar(Box(inner.x, inner.y + 66, inner.w, 6), learned / len(self._lessons), GREEN, colour("#e3d2b6"))
        rows = Column(Box(inner.x - 8, inner.y + 84, inner.w + 16, inner.h - 84 - 56))
        tall = min(36.0, rows.box.h / len(self._lessons))
        self._wanted = self._next
        for number, lesson in enumerate(self._lessons):
            self._draw_row(gui, rows.take(tall, 0), number, lesson)
        self._draw_foot(gui, Box(inner.x, inner.bottom - 44, inner.w, 44))

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The position of a lesson."""
        if self._seen is not self._wanted:
            tower = Tower.exact(self._piece_set, self._wanted.state().placements())
            self._view.show(tower_items(tower))
            self._view.orbit.jump_to(self._view.fitted(tower, camera=_CAMERA))
            self._seen = self._wanted
        return self._view.backdrop(size, now)

    def on_drag(self, pointer: Pointer) -> None:
        """Look around."""
        self._view.drag(pointer)

    def on_scroll(self, pointer: Pointer) -> None:
        """Look nearer."""
        self._view.scroll(pointer)

    def on_key(self, key: Key) -> bool:
        """A number opens a lesson, Enter the next one."""
        if key.name in tuple("123456789") and int(key.name) <= len(self._lessons):
            self._open(self._lessons[int(key.name) - 1])
        elif key.name in ("enter", "space"):
            self._open(self._next)
        elif key.name == "f1":
            self._open_rules()
        else:
            return self._view.key(key, True)
        return True

    def on_key_up(self, key: Key) -> None:
        """Look around no more."""
        self._view.key(key, False)

    def on_blur(self) -> None:
        """No key is held any longer."""
        self._view.orbit.release_all()

    @property
    def _learned(self) -> int:
        return sum(lesson.id in self.program.settings.learned for lesson in self._lessons)

    @property
    def _next(self) -> Lesson:
        """The first one not learned yet, or the very first."""
        return next((lesson for lesson in self._lessons if lesson.id not in self.program.settings.learned), self._lessons[0])

    def _open(self, lesson: Lesson) -> None:
        self.program.open(LessonPage(self.program, lesson))

    def _open_rules(self) -> None:
        from viewer.screens.rules import RulesPage

        self.program.open(RulesPage(self.program))

    def _draw_row(self, gui: Gui, row: Box, number: int, lesson: Lesson) -> None:
        state = gui.area(f"learn/{lesson.id}", row.inset(0, 1), radius=9)
        is_next = lesson is self._next
        if state.hovered or is_next:
            gui.paint.plate(row.inset(0, 1), GOLD_SOFT if state.hovered or is_next else NIGHT_INK, radius=9, border=GOLD if is_next else None)
        if state.hovered or state.focused:
            self._wanted = lesson
        learned = lesson.id in self.program.settings.learned
        x, y = row.x + 22, row.y + row.h / 2
        gui.paint.disc(x, y, 11, GREEN if learned else ORANGE if is_next else colour("#d8c4a6"))
        if learned:
            gui.paint.tick(x, y, 10, NIGHT_INK)
        else:
            gui.paint.words_in(str(number + 1), Box(x - 11, row.y, 22, row.h), 12, face=Face.BOLD, colour=NIGHT_INK if is_next else SOFT_INK)
        gui.paint.words_in(lesson.title, Box(row.x + 44, row.y, row.w - 54, row.h), 15.5, face=Face.SEMI, align=Align.LEFT)
        if state.pressed:
            self._open(lesson)

    def _draw_foot(self, gui: Gui, box: Box) -> None:
        back, rules, start = (Box(box.x + box.w * left, box.y, box.w * share, box.h) for left, share in ((0.0, 0.22), (0.25, 0.32), (0.6, 0.4)))
        if gui.button("learn/back", back, "Back"):
            self.program.back()
        if gui.button("learn/rules", rules, "Rules  (F1)"):
            self._open_rules()
        words = "Start" if not self._learned else "Go on" if self._learned < len(self._lessons) else "Again"
        if gui.button("learn/start", start, words, kind=Kind.PRIMARY):
            self._open(self._next)
