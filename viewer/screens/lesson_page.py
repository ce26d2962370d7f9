"""One lesson being played: the position, the task, and what comes of each try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import moderngl

from games.stakd.lessons import Answer, Goal, Lesson, lessons
from meshes.placement import Placement
from physics.tower import Tower
from viewer.camera import Camera
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import NIGHT_INK, SOFT_INK, Face
from viewer.items import tower_items
from viewer.screens.lesson_notes import LETTERS, draw_choice, draw_note, draw_progress, section
from viewer.screens.placing import NO_LIGHTS, Ghost, Lights, light_up
from viewer.screens.press import Press
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.table_view import TableView
from viewer.screens.tray import TRAY_HEIGHT, draw_tray, tray_width

if TYPE_CHECKING:
    from viewer.program import Program

_WIDTH = 356.0
_CAMERA = Camera(elevation_deg=46.0)
_LAYING_S, _LIFT_MM = 0.24, 14.0
_HELP = "Click lays it  ·  Q, E or the wheel turn it  ·  N next legal place  ·  drag to look around"
_HELP_EMPTY = "Take a piece from the tray below"
_HELP_QUESTION = "Answer at the right, or take a piece from the tray and try"


class LessonPage(Screen):
    """Plays one lesson; right answers are remembered in the settings."""

    def __init__(self, program: Program, lesson: Lesson) -> None:
        super().__init__(program)
        self.lesson = lesson
        self.state = lesson.state()
        piece_set = self.state.rules.piece_set
        self.tower = Tower.exact(piece_set, self.state.placements())
        self.view = TableView(program, piece_set)
        self.ghost = Ghost(self.view, piece_set)
        self.answer: Answer | None = None
        self._answered: int | None = None
        self._tried: Placement | None = None
        self.lights: Lights = NO_LIGHTS
        self._laying: float | None = None
        self._hint = self._shown = self._finished = False
        self._press = Press()
        self._carrying = self._placed = False
        self._note, self._reveal = (0.0, 0.0), 0
        if lesson.piece:
            self.ghost.take(lesson.piece)

    @property
    def done(self) -> bool:
        """Whether the right answer was given."""
        return self.answer is not None and self.answer.right

    def enter(self) -> None:
        """Show the position, as it was left."""
        self._refresh()

    def leave(self) -> None:
        """No key is held any longer."""
        self.view.leave()

    def update(self, seconds: float) -> bool:
        """The camera moves, a piece glides down."""
        moved = self.view.update(seconds)
        if self._laying is None:
            return moved
        self._laying -= seconds / _LAYING_S
        if self._laying <= 0:
            self._laying = None
            self.program.sounds.clack(len(self.tower.piece_type(-1).cells), 120.0)
            self.program.sounds.play("win", loudness=0.4)
        self._refresh()
        return True

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The position."""
        if not self._placed:
            self.view.orbit.jump_to(self.view.fitted(self.tower, camera=_CAMERA))
            self._placed = True
        return self.view.backdrop(size, now)

    # --- trying

    def try_here(self) -> None:
        """Lay the piece where the ghost is, if that is what the lesson asks for; else say why not."""
        placement = self.ghost.placement
        if placement is None or self.done:
            return
        self.answer, self._answered, self._tried = self.lesson.judge(placement), None, placement
        self._hint = False
        if self.answer.right:
            self.tower = self.tower.with_piece(placement)
            self.ghost.drop()
            self.lights, self._laying = NO_LIGHTS, 0.0 if self.program.settings.reduced_motion else 1.0
            self._learned()
        else:
            self.lights = light_up(self.answer.violations, self.tower, layer=placement.layer)
            self.program.sounds.play("no")
        self._refresh()

    def choose(self, number: int) -> None:
        """Give one of the answers to a question."""
        if self.done or number >= len(self.lesson.choices):
            return
        self.answer, self._answered = self.lesson.answer(number), number
        self._hint = False
        self.ghost.drop()
        self._dim()
        self.program.sounds.play("win" if self.answer.right else "no", loudness=0.6)
        if self.answer.right:
            self._learned()

    def show_solution(self) -> None:
        """Hold the piece over a right place, or point at the right answer; giving it is left to the learner."""
        self._shown, self._hint, self.answer = True, False, None
        right = self.lesson.right_placements()
        if right:
            self.ghost.show(right[0])
        self._dim()

    def take(self, piece: str) -> None:
        """Take a piece in hand."""
        if not self.done:
            self.ghost.take(piece)
            self.program.sounds.play("lift")
            self._dim()

    def go_on(self) -> None:
        """To the next lesson that is not learned yet, else to the end."""
        taught = lessons()
        here = taught.index(self.lesson)
        order = (*taught[here + 1 :], *taught[:here])
        following = order[0] if not self.done else next((entry for entry in order if entry.id not in self.program.settings.learned), None)
        if following is None:
            self._finished = True
            self.program.wake()
        else:
            self.program.replace(LessonPage(self.program, following))

    def _learned(self) -> None:
        if self.lesson.id not in self.program.settings.learned:
            self.program.change(learned=self.program.settings.learned | {self.lesson.id})

    def _dim(self) -> None:
        """No rule is pointed at any longer."""
        self.lights, self._tried = NO_LIGHTS, None
        self._refresh()

    def _refresh(self) -> None:
        """Show what has changed; a note that is new is scrolled to once it was drawn."""
        self._reveal = 3
        items = tower_items(self.tower, highlights=self.lights.pieces)
        if self._laying is not None:
            last = items[-1].pose
            lifted = type(last)(last.x, last.y, last.z + _LIFT_MM * self._laying**2, last.rotation)
            items[-1] = type(items[-1])(items[-1].piece, lifted, items[-1].seed)
        ghost = self.ghost.item()
        self.view.show(items if ghost is None else [*items, ghost])
        self.program.wake()

    # --- drawing

    def draw(self, gui: Gui) -> None:
        """Rings and badge over the position; the panel at the right, the tray at the foot."""
        width, height = gui.size
        box = Box(width - _WIDTH - 20, 20, _WIDTH, height - 40)
        tray = self.lesson.goal is not Goal.KNOCK_OVER
        self.view.free = Box(0, 48, box.x, height - 48 - (TRAY_HEIGHT + 24 if tray else 0))
        if self._tried is None or self.ghost.placement == self._tried:
            self.lights.draw(gui, self.view)
        self.ghost.draw(gui, rings=not self.lights.cells)
        if not self.done:
            self._draw_help(gui, box.x, tray)
        if tray and not self.done:
            self._draw_tray(gui, box.x)
        self._draw_panel(gui, box)
        if self._finished:
            self._draw_finish(gui)

    def _draw_help(self, gui: Gui, right: float, tray: bool) -> None:
        words = "Drag to look around" if not tray else _HELP if self.ghost.piece else _HELP_QUESTION if self.lesson.is_question else _HELP_EMPTY
        wide, high = gui.paint.measure(words, 13, Face.SEMI)
        pill = Box((right - wide) / 2 - 16, 16, wide + 32, high + 12)
        gui.dark_panel(pill, radius=pill.h / 2)
        gui.paint.words(words, pill.x + 16, pill.y + 6, 13, face=Face.SEMI, colour=NIGHT_INK)

    def _draw_tray(self, gui: Gui, right: float) -> None:
        piece_set, hand = self.state.rules.piece_set, self.state.hand(self.lesson.to_move)
        wide = min(tray_width(piece_set), right - 32)
        box = Box((right - wide) / 2, gui.size[1] - TRAY_HEIGHT - 16, wide, TRAY_HEIGHT)
        held = self.ghost.piece.name if self.ghost.piece else None
        use = draw_tray(gui, box, piece_set, hand, {name: count > 0 for name, count in hand.items()}, held)
        if use.chosen:
            self.take(use.chosen)
        elif use.dragged and not self._carrying:
            self._carrying = True
            self.take(use.dragged)
        if self._carrying and not gui.holding:
            self._carrying = False
            if not gui.covers(*gui.pointer):
                self.try_here()

    def _draw_panel(self, gui: Gui, box: Box) -> None:
        gui.panel(box)
        inner, taught = box.inset(24, 20), lessons()
        number = taught.index(self.lesson) + 1
        foot = self._draw_foot(gui, inner)
        column = Column(Box(inner.x, inner.y, inner.w, inner.h - foot - 12))
        gui.paint.words(f"Lesson {number} of {len(taught)}", inner.x, column.y, 13.5, face=Face.SEMI, colour=SOFT_INK)
        column.take(22, 0)
        column.take(gui.paint.words(self.lesson.title, inner.x - 1, column.y, 25, face=Face.TITLE, wrap=inner.w + 8), 8)
        draw_progress(gui, column.take(10, 14), number - 1, [entry.id in self.program.settings.learned for entry in taught])
        rest = column.rest
        self._reveal -= self._reveal > 0
        with gui.scrolled("lesson/text", Box(rest.x - 6, rest.y, rest.w + 18, rest.h), reveal=self._note if self._reveal == 1 else None) as part:
            text = Column(Box(part.x + 6, part.y, inner.w - 2, part.h))
            text.take(gui.paint.words(self.lesson.instruction, text.box.x, text.y, 15.5, wrap=text.box.w), 14)
            for k in range(len(self.lesson.choices)):
                self._draw_choice(gui, text, k)
            top = text.y
            self._draw_answer(gui, text)
            self._note = top - part.y, text.y - part.y
            gui.fill(text.y)

    def _draw_choice(self, gui: Gui, column: Column, number: int) -> None:
        given = self.done if number == self._answered else None
        marked = self._shown and self.lesson.answer(number).right
        if draw_choice(gui, column, number, self.lesson.choices[number].text, given=given, marked=marked, enabled=not self.done):
            self.choose(number)

    def _draw_answer(self, gui: Gui, column: Column) -> None:
        if self.answer is not None:
            right, broken = self.answer.right, self.answer.violations
            source = "\n".join(dict.fromkeys(f"{section(entry)} · {entry.rule}" for entry in broken[:2]))
            title = "Right!" if right else "Not allowed" if broken else "Not quite"
            draw_note(gui, column, title, self.answer.words, source, right)
        elif self._hint:
            draw_note(gui, column, "Hint", self.lesson.hint, "", None)
        elif self._shown:
            words = (
                "The marked answer is right. Choose it to read why."
                if self.lesson.is_question
                else "Here it may lie. Click there, or press Enter, to lay it."
            )
            draw_note(gui, column, "One way to do it", words, "", None)

    def _draw_foot(self, gui: Gui, inner: Box) -> float:
        """The buttons; gives how high they are."""
        low = Box(inner.x, inner.bottom - 44, inner.w, 44)
        left, right = low.row(2)
        if gui.button("lesson/list", left, "All lessons"):
            self.program.back()
        last = self.done and all(entry.id in self.program.settings.learned for entry in lessons())
        words = "Finish" if last else "Next lesson" if self.done else "Skip"
        if gui.button("lesson/next", right, words, kind=Kind.PRIMARY if self.done else Kind.PLAIN):
            self.go_on()
        if self.done:
            return 44
        left, right = Box(inner.x, low.y - 50, inner.w, 40).row(2)
        if gui.button("lesson/hint", left, "Hint  (H)", chosen=self._hint):
            self._give_hint()
        if gui.button("lesson/solution", right, "Show me"):
            self.show_solution()
        return 94

    def _draw_finish(self, gui: Gui) -> None:
        with gui.dialog("finish", 460, 250) as inner:
            middle = inner.x + inner.w / 2
            gui.paint.words("You know STAKD now", middle, inner.y + 4, 30, face=Face.TITLE, align=Align.CENTRE)
            for line, words in enumerate(("That was everything there is to know.", "The rest is practice, and a steady hand.")):
                gui.paint.words(words, middle, inner.y + 62 + 24 * line, 16, colour=SOFT_INK, align=Align.CENTRE)
            left, right = Box(inner.x, inner.bottom - 50, inner.w, 50).row(2, 14)
            if gui.button("lesson/home", left, "Home"):
                self.program.home()
            if gui.button("lesson/play", right, "Play a match", kind=Kind.PRIMARY):
                self._play_match()

    def _play_match(self) -> None:
        from viewer.screens.match_setup import MatchSetupPage

        self.program.home()
        self.program.open(MatchSetupPage(self.program))

    def _give_hint(self) -> None:
        self._hint, self.answer = True, None
        self._dim()

    # --- events

    def on_move(self, pointer: Pointer) -> None:
        """The ghost follows."""
        if self.ghost.piece is None or self.program.gui.covers(pointer.x, pointer.y):
            return
        before = self.ghost.placement
        self.ghost.move(pointer, self.state, self.tower)
        if self.ghost.placement != before:
            self.lights = NO_LIGHTS if self.ghost.placement != self._tried else self.lights
            self._refresh()

    def on_press(self, pointer: Pointer) -> None:
        """Perhaps a click."""
        self._press.begin(pointer)
        self.on_move(pointer)

    def on_drag(self, pointer: Pointer) -> None:
        """Look around, once it is more than a click."""
        if self._press.drags(pointer):
            self.view.drag(pointer)

    def on_release(self, pointer: Pointer) -> None:
        """A click lays."""
        if self._press.end() and pointer.button == "left":
            self.try_here()

    def on_scroll(self, pointer: Pointer) -> None:
        """Turn what is in hand; zoom with nothing in hand, or with Ctrl or Shift."""
        if self.ghost.piece is None or pointer.ctrl or pointer.shift:
            self.view.scroll(pointer)
        elif pointer.dy:
            self._turn(1 if pointer.dy > 0 else -1)

    def on_key(self, key: Key) -> bool:
        """See the rules page of the keys."""
        if self._finished:
            return self._finish_key(key)
        if key.name in ("enter", "space"):
            self.go_on() if self.done else self.try_here()
        elif key.name == "f1":
            self._open_rules()
        elif key.name == "h" and not self.done:
            self._give_hint()
        elif key.name in ("q", "e"):
            self._turn(1 if key.name == "q" else -1)
        elif key.name in ("t", "f"):
            (self.view.fly_top if key.name == "t" else self.view.fly_front)(self.tower)
        elif key.name == "n":
            self.ghost.cycle(-1 if key.shift else 1, self.state)
            self._dim()
        elif not self._choose_by(key):
            return self.view.key(key, True)
        return True

    def on_key_up(self, key: Key) -> None:
        """Look around no more."""
        self.view.key(key, False)

    def on_blur(self) -> None:
        """No key is held any longer."""
        self.view.orbit.release_all()

    def _choose_by(self, key: Key) -> bool:
        """A number takes a piece, or gives an answer where there are no pieces; a letter gives an answer."""
        names, choices = self.state.rules.names, len(self.lesson.choices)
        if key.name in tuple(LETTERS[:choices]):
            self.choose(LETTERS.index(key.name))
        elif key.name in tuple("123456789") and self.lesson.goal is Goal.KNOCK_OVER:
            self.choose(int(key.name) - 1)
        elif key.name in tuple("123456789") and int(key.name) <= len(names) and self.state.hand(self.lesson.to_move)[names[int(key.name) - 1]]:
            self.take(names[int(key.name) - 1])
        else:
            return False
        return True

    def _finish_key(self, key: Key) -> bool:
        if key.name in ("enter", "space"):
            self._play_match()
        elif key.name == "escape":
            self._finished = False
            self.program.wake()
        return True

    def _turn(self, step: int) -> None:
        self.ghost.turn(step)
        self._dim()

    def _open_rules(self) -> None:
        from viewer.screens.rules import RulesPage

        self.program.open(RulesPage(self.program))
