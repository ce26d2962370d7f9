"""The replay of a match: watch any act again from any side, see how high and how safe the tower was, and play on from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl

from games.match import Match
from games.record import load_record
from meshes.errors import StakdError
from physics.tower import Tower, exact_pose
from physics.watch import KnockOver
from viewer.fitting import pictured_items
from viewer.gui.box import Box
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import INK, LINE, SOFT_INK, Face
from viewer.item_buffer import placed_corners
from viewer.items import Item, tower_items
from viewer.margins import Margins
from viewer.playback import MatchPlayback
from viewer.screens.act_list import ActList
from viewer.screens.ear import Ear
from viewer.screens.export_menu import Exportable, ExportMenu
from viewer.screens.fall_replay import draw_first, fall_glows
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.table_view import TableView
from viewer.screens.timeline import Timeline, draw_seat
from viewer.screens.transport import draw_play, draw_speed, draw_step
from viewer.shots import Shot

if TYPE_CHECKING:
    from viewer.program import Program

_EDGE = 16.0


def open_replay(program: Program, source: Path | Match) -> None:
    """Show the replay of a match or of a record; says in the window why if the record is damaged or empty."""
    try:
        program.open(ReplayPage(program, source))
    except StakdError as error:
        program.tell(str(error))


class ReplayPage(Screen):
    """A match from the file `source`, or one being played, seen again. Raises `BadRecord`; `StakdError` if nothing has been done in it yet."""

    def __init__(self, program: Program, source: Path | Match) -> None:
        super().__init__(program)
        self.match = source if isinstance(source, Match) else load_record(source)
        if not self.match.acts:
            raise StakdError("nothing has been laid in this match yet, so there is nothing to see again")
        self.playback = MatchPlayback(self.match)
        self.margins = Margins(self.match)
        self.menu = ExportMenu(program, self._exportable)
        self._ear = Ear(program.sounds)
        self._list = ActList(self.playback)
        self._timeline = Timeline(self.playback, self.margins, lambda number: self._list.words[number - 1][0])
        self._view = TableView(program, self.match.setup.piece_set)
        self._highest = max((self.playback.tower(span.rest) for span in self.playback.spans), key=lambda tower: len(tower.laid))
        self._lit = placed_corners(self._highest.piece_set, pictured_items(self._highest))
        self._shown: tuple[float, bool] | None = None
        self._fitted_for: tuple[float, float] | None = None

    @property
    def busy(self) -> bool:
        """Something moves, is being worked out or written."""
        return self.playback.playing or self.margins.busy or self.menu.busy

    def enter(self) -> None:
        """Other pages use the stage too."""
        self._shown = None

    def leave(self) -> None:
        """Nobody looks any more."""
        self.playback.playing = False
        self._view.leave()

    def close(self) -> None:
        """Stop all work."""
        self.margins.close()
        self.menu.close()

    def update(self, seconds: float) -> bool:
        """Play, and hear from the background."""
        moved = self.playback.update(seconds)
        if moved:
            self._ear.hear(self.playback.tower(), self.playback.position)
        return any([moved, self._view.update(seconds), self.margins.update(self.playback.act), self.menu.update()])

    def draw(self, gui: Gui) -> None:
        """Acts on the right, time below, and the ways to look."""
        wide, high = gui.size
        side = min(340.0, max(286.0, 0.27 * wide))
        panel = Box(wide - side - _EDGE, _EDGE, side, high - 2 * _EDGE)
        below = 24 + 44 + 10 + self._timeline.height
        bar = Box(_EDGE, high - below - _EDGE, panel.x - 2 * _EDGE, below)
        self._view.free = Box(0, 0, panel.x, bar.y)
        self._keep_in_sight(gui.size)
        if self._knock_over is not None:
            draw_first(gui, self._view, self.playback.tower(), self._knock_over.first.piece)
        self._draw_ways_to_look(gui)
        self._draw_bar(gui, bar)
        self._draw_panel(gui, panel)

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The table at the moment that is seen."""
        moment = (self.playback.position, self.playback.playing)
        if moment != self._shown:
            self._shown = moment
            self._view.show(self._items(), lit=self._lit)
        return self._view.backdrop(size, now)

    # --- parts of the page

    def _keep_in_sight(self, size: tuple[float, float]) -> None:
        """In a new or changed window the tower is fitted in, unless somebody has moved the camera."""
        if self._fitted_for is None:
            self._view.fly_home(self._highest, 0.0)
        elif self._fitted_for != size and self._view.untouched:
            self._view.fly_fitted(self._highest, 0.0)
        self._fitted_for = size

    def _draw_ways_to_look(self, gui: Gui) -> None:
        if gui.button("replay/back", Box(_EDGE, _EDGE, 84, 36), "Back", kind=Kind.DARK, hint="Leave the replay (Esc)", size=14):
            self.program.back()
            return
        x = _EDGE + 84 + 20
        for name, words, hint, look in self._looks:
            if gui.button(f"replay/{name}", Box(x, _EDGE, 66, 36), words, kind=Kind.DARK, hint=hint, size=14):
                look()
            x += 72

    def _draw_bar(self, gui: Gui, box: Box) -> None:
        gui.panel(box)
        inner, playback = box.inset(14, 12), self.playback
        row = inner.top_part(44)
        draw_play(gui, "replay/play", Box(row.x, row.y, 58, row.h), playback)
        if draw_step(gui, "replay/previous", Box(row.x + 66, row.y, 44, row.h), -1, enabled=playback.position > 0, hint="Act before (,)"):
            playback.step(-1)
        enabled = playback.position < playback.length
        if draw_step(gui, "replay/next", Box(row.x + 114, row.y, 44, row.h), 1, enabled=enabled, hint="Next act (.)"):
            playback.step(1)
        words = f"Act {playback.act} of {len(self.match.acts)}"
        gui.paint.words_in(words, Box(row.x + 172, row.y + 2, 140, 22), 15, face=Face.SEMI, align=Align.LEFT)
        clock = f"{_clock(playback.position)} / {_clock(playback.length)}"
        gui.paint.words_in(clock, Box(row.x + 172, row.y + 23, 140, 18), 12.5, colour=SOFT_INK, align=Align.LEFT)
        wide = min(260.0, row.w - 172 - 128)
        draw_speed(gui, "replay/speed", Box(row.right - wide, row.y + 6, wide, 32), playback)
        self._timeline.draw(gui, inner.below(54))

    def _draw_panel(self, gui: Gui, box: Box) -> None:
        gui.panel(box)
        inner = box.inset(16, 14)
        gui.paint.words("Replay", inner.x + 2, inner.y, 24, face=Face.TITLE)
        y = inner.y + 38
        scores = self._scores
        for seat, place in enumerate(self.match.setup.seats):
            draw_seat(gui, seat, inner.x + 12, y + 11, 11)
            gui.paint.words_in(place.name, Box(inner.x + 32, y, inner.w - 80, 22), 14.5, face=Face.SEMI, align=Align.LEFT)
            gui.paint.words_in(str(scores[seat]), Box(inner.right - 44, y, 40, 22), 15, face=Face.BOLD, colour=INK, align=Align.RIGHT)
            y += 27
        gui.paint.line([(inner.x, y + 3), (inner.right, y + 3)], LINE, 1)
        foot = 96.0
        self._list.draw(gui, Box(inner.x, y + 10, inner.w, inner.bottom - foot - y - 18))
        left, right = Box(inner.x, inner.bottom - 92, inner.w, 40).row(2, 10)
        fall = self._next_fall
        hint = "Watch the next fall in slow motion (J)" if fall else "Nothing falls in this match"
        if gui.button("replay/fall", left, "To the fall", enabled=fall is not None, hint=hint):
            self._to_fall()
        self.menu.draw(gui, right)
        reason = self._no_play_reason
        words = "Play from here"
        play = Box(inner.x, inner.bottom - 44, inner.w, 44)
        if gui.button(
            "replay/continue", play, words, kind=Kind.PRIMARY, enabled=not reason, hint=reason or "A new match that goes on after this act"
        ):
            self._play_on()

    # --- what is seen

    def _items(self) -> list[Item]:
        fall = self._knock_over
        return tower_items(self.playback.tower(), highlights=fall_glows(fall) if fall else None)

    @property
    def _knock_over(self) -> KnockOver | None:
        """The fall that is seen, if it is one."""
        number = self.playback.act
        return self.match.act(number).knock_over if number else None

    @property
    def _scores(self) -> Sequence[int]:
        """Points by seat after the acts that are over."""
        done = self.playback.done
        state = self.match.table_before(done + 1).state if done < len(self.match.acts) else self.match.state
        return state.scores if state is not None else ()

    @property
    def _looks(self) -> list[tuple[str, str, str, Callable[[], None]]]:
        tower = self._highest
        return [
            ("top", "Top", "From above (1)", lambda: self._view.fly_top(tower)),
            ("front", "Front", "Level from the front (2)", lambda: self._view.fly_front(tower)),
            ("home", "Home", "The first view (3)", lambda: self._view.fly_home(tower)),
            ("last", "Move", "Look at this act's piece (F)", self._look_at_move),
        ]

    def _look_at_move(self) -> None:
        placement = self.match.act(self.playback.act).placement if self.playback.act else None
        if placement is not None:
            piece_set = self.match.setup.piece_set
            item = Item(piece_set.by_name[placement.piece], exact_pose(piece_set, placement), 0)
            self._view.look_at(placed_corners(piece_set, [item]))

    # --- falls, playing on, saving

    @property
    def _next_fall(self) -> int | None:
        """The first fall after what is seen, or else the first of all."""
        falls = self.playback.falls
        return next((number for number in falls if number > self.playback.act), falls[0] if falls else None)

    def _to_fall(self) -> None:
        number = self._next_fall
        if number is None:
            return
        self.playback.watch(number)
        first, last = self.playback.tower(), self.playback.tower(self.playback.spans[number - 1].rest)
        self._view.fly_fitted(Tower(first.piece_set, (*first.laid, *last.laid)))

    @property
    def _no_play_reason(self) -> str:
        """Why nobody can play on from what is seen; empty if one can."""
        done = self.playback.done
        if done and self.match.act(done).knock_over is not None:
            return "The tower has fallen here; choose an act before it"
        if done == len(self.match.acts) and self.match.over:
            return "The match ends here; choose an earlier act"
        return ""

    def _play_on(self) -> None:
        from viewer.screens.table import TablePage

        self.program.open(TablePage.continue_from(self.program, self.match, self.playback.done))

    def _exportable(self) -> Exportable:
        films: dict[str, Callable[[], Sequence[Shot]]] = {}
        if self.playback.act:
            films["Film of this act"] = lambda: self._shots([self.playback.act])
        films["Film of the match"] = lambda: self._shots(range(1, len(self.match.acts) + 1))
        return Exportable(self.playback.tower(), self._items(), self._view.free_camera, self._lit, films)

    def _shots(self, numbers: Sequence[int]) -> list[Shot]:
        from viewer.drawing import shot_of

        return [shot_of(self.match, self.match.act(number), self.playback.speed) for number in numbers]

    # --- events

    def on_drag(self, pointer: Pointer) -> None:
        """Look around."""
        self._view.drag(pointer)

    def on_scroll(self, pointer: Pointer) -> None:
        """Look nearer."""
        self._view.scroll(pointer)

    def on_key(self, key: Key) -> bool:
        """Space plays; comma, full stop and Shift with the arrows step; 1, 2, 3, F look; J goes to the fall."""
        if key.name in ("left", "right") and key.shift:
            self.playback.step(1 if key.name == "right" else -1)
        elif key.name in self._keys and not key.ctrl:
            self._keys[key.name]()
        elif key.name == "escape" and self.menu.escape():
            return True
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
    def _keys(self) -> dict[str, Callable[[], None]]:
        looks = {name: look for name, _, _, look in self._looks}
        return {
            "space": self.playback.toggle,
            "comma": lambda: self.playback.step(-1),
            "period": lambda: self.playback.step(1),
            "home": lambda: self.playback.jump(0),
            "end": lambda: self.playback.jump(len(self.match.acts)),
            "1": looks["top"],
            "2": looks["front"],
            "3": looks["home"],
            "f": looks["last"],
            "j": self._to_fall,
        }


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
