"""The panels of a table: players, log and buttons at the right, the tray below, what is going on above, and questions over everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from games.play import Phase
from games.stakd.rules import POINTS_TO_WIN
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GREEN, NIGHT_INK, RED, SOFT_INK, Face
from viewer.items import tower_items
from viewer.match_draft import Level
from viewer.screens.export_menu import Exportable, ExportMenu
from viewer.screens.fall_replay import FallReplay, without_cells
from viewer.screens.placing_words import margin_words
from viewer.screens.players_panel import LogLine, PlayerLine, draw_log, draw_players, draw_seat, players_height
from viewer.screens.reasons_panel import draw_reasons
from viewer.screens.screen import Key
from viewer.screens.table_questions import TableQuestions
from viewer.screens.tray import TRAY_HEIGHT, draw_tray, tray_width

if TYPE_CHECKING:
    from viewer.screens.table import TablePage

_WIDTH, _EDGE = 286.0, 16.0


class TablePanels:
    """Draws a table page's panels and does what is pressed there."""

    def __init__(self, page: TablePage) -> None:
        self._page = page
        self.questions = TableQuestions(page)
        self.fall: FallReplay | None = None
        """The fall that is being shown again."""
        self._save = ExportMenu(page.program, self._exportable)

    @property
    def busy(self) -> bool:
        """Whether a replay of a fall runs, or a file is being written."""
        return self._save.busy or (self.fall is not None and self.fall.busy)

    def update(self, seconds: float) -> bool:
        """A replay of a fall and the writing of files go on."""
        changed = self._save.update()
        return (self.fall is not None and self.fall.update(seconds)) or changed

    def phase_changed(self) -> None:
        """Another phase of the match has begun."""
        self.questions.seen_summary = False
        self._end_replay()
        act = self._page.play.last_act
        if self._page.play.phase is Phase.FALLEN and act is not None:
            self.fall = FallReplay(self._page.program, self._page.view, self._page.play.match, act.number)
            self.fall.look()

    def close(self) -> None:
        """Stop writing files."""
        self._save.close()
        self._end_replay()

    def _end_replay(self) -> None:
        if self.fall is not None:
            self.fall.close()
            self.fall = None

    def _exportable(self) -> Exportable:
        view = self._page.view
        tower = self._page.play.tower
        return Exportable(tower, tower_items(tower), view.free_camera)

    def on_key(self, key: Key) -> bool:
        """Questions come first; a replay of a fall hears its own keys, Enter leaves it."""
        if self.questions.on_key(key):
            return True
        if self.fall is not None and key.name == "enter":
            self._page.go_on()
            return True
        return (self.fall is not None and self.fall.key(key)) or (key.name == "escape" and self._save.escape())

    def draw(self, gui: Gui) -> None:
        """All of it."""
        page, (wide, high) = self._page, gui.size
        piece_set = page.view.piece_set
        side = Box(wide - _WIDTH - _EDGE, _EDGE, _WIDTH, high - 2 * _EDGE)
        tray_wide = min(tray_width(piece_set), side.x - 40)
        tray = Box((side.x - tray_wide) / 2, high - TRAY_HEIGHT - 12, tray_wide, TRAY_HEIGHT)
        page.view.free = Box(0, 56, side.x, tray.y - 56)
        with gui.blocked(self.questions.blocking):
            self._draw_side(gui, side)
            self._draw_status(gui, Box(16, 14, side.x - 32, 40))
            if page.play.phase in (Phase.PERSON, Phase.HOLDING):
                self._draw_tray(gui, tray)
            self._draw_views(gui, Box(16, 14, 40, 40))
            if self.fall is not None:
                wide = min(620.0, side.x - 130)
                page.view.free = Box(0, 56, side.x, high - 12 - FallReplay.LEAST_HEIGHT - 56)
                self._draw_fall(gui, Box((side.x - wide) / 2 + 34, high - 12 - FallReplay.LEAST_HEIGHT, wide, FallReplay.LEAST_HEIGHT))
            draw_reasons(gui, page, Box(16, 66, min(330.0, side.x * 0.42), tray.y - 80))
        self.questions.draw(gui)

    # --- at the right

    def _draw_side(self, gui: Gui, box: Box) -> None:
        play = self._page.play
        gui.panel(box)
        inner = box.inset(16, 16)
        column = Column(inner)
        state = play.match.state
        title = "Solo" if state.players == 1 else f"Round {state.round}"
        gui.paint.words(title, inner.x + 4, column.y, 23, face=Face.TITLE)
        laid, layers = len(play.tower.laid), play.tower.layers
        gui.paint.words(f"{laid} pieces · {layers} layers", inner.right - 2, column.y + 9, 13, colour=SOFT_INK, align=Align.RIGHT)
        column.take(32, 4)
        if self._page.program.settings.show_margins:
            self._draw_margin(gui, column.take(20, 6))
        lines = self._players()
        draw_players(gui, column.take(players_height(len(lines)), 10), self._page.view.piece_set, lines, points=POINTS_TO_WIN)
        buttons = Box(inner.x, inner.bottom - 88, inner.w, 88)
        log = Box(inner.x, column.y + 2, inner.w, buttons.y - column.y - 12)
        if log.h > 60:
            gui.note(log)
            pressed = draw_log(gui, log.inset(8, 6), self._log(), play.names, chosen=self._page.scene.shown_act)
            if pressed is not None:
                self._page.scene.show_act(pressed)
        self._draw_buttons(gui, buttons)

    def _draw_margin(self, gui: Gui, box: Box) -> None:
        """How surely the tower stands."""
        play = self._page.play
        judged = play.tower_verdict
        if not play.tower.laid or play.phase not in (Phase.PERSON, Phase.HOLDING, Phase.THINKING, Phase.LAYING):
            return
        if judged is None:
            words, good = ("Weighing the tower…" if play.weighing or not play.tower_verdict_asked else "The tower could not be weighed"), True
        else:
            words, good = margin_words(judged)
        gui.paint.words(words, box.x + 4, box.y, 13.5, face=Face.SEMI, colour=SOFT_INK if judged is None else GREEN if good else RED)

    def _players(self) -> list[PlayerLine]:
        play = self._page.play
        lines = []
        for seat, sitting in enumerate(play.match.setup.seats):
            kind = "" if sitting.bot is None else Level.of(sitting).words.lower()
            over = play.match.over
            lines.append(PlayerLine(sitting.name, kind, play.scores[seat], play.left[seat], seat == play.to_move and not over, play.why_out(seat)))
        return lines

    def _log(self) -> list[LogLine]:
        return [
            LogLine(entry.player if k == 0 else None, without_cells(words), entry.number)
            for entry in self._page.play.log
            for k, words in enumerate(entry.words)
        ]

    def _draw_buttons(self, gui: Gui, box: Box) -> None:
        page = self._page
        top, low = box.top_part(40), box.below(48)
        left, middle, right = top.row(3, 8)
        self._save.draw(gui, middle)
        if gui.button("table/undo", left, "Undo", enabled=page.play.can_undo, hint="Take back the last piece (Ctrl+Z)"):
            page.undo()
        if gui.button("table/menu", right, "Menu", hint="Save, leave, resign, rules, settings (Esc)"):
            self.questions.open_menu()
        mode = gui.choice(
            "table/mode",
            low,
            ("Board", "Hand"),
            int(page.grasp.by_hand),
            hints=("Pieces go exactly into place (H)", "You hold the piece yourself and let it go (H)"),
        )
        if bool(mode) != page.grasp.by_hand:
            page.grasp.swap_mode()

    # --- above and below

    def _draw_status(self, gui: Gui, box: Box) -> None:
        words, seat = self._status()
        wide = gui.paint.measure(words, 16, Face.SEMI)[0] + (76 if seat is not None else 44)
        wide = min(wide, box.w - 120)
        way = self._way_on()
        if way is not None:
            name, label, go = way
            button = Box(box.x + (box.w + wide - 150) / 2 + 4, box.y, 158, box.h)
            box = Box(box.x - 83, box.y, box.w, box.h)
            if gui.button(name, button, label, kind=Kind.PRIMARY):
                go()
        pill = Box(box.x + (box.w - wide) / 2, box.y, wide, box.h)
        gui.dark_panel(pill, radius=20)
        if seat is not None:
            draw_seat(gui, pill.x + 21, pill.y + 20, 13, seat, self._page.play.names[seat])
            gui.paint.words_in(words, Box(pill.x + 42, pill.y, pill.w - 58, pill.h), 16, face=Face.SEMI, colour=NIGHT_INK, align=Align.LEFT)
        else:
            gui.paint.words_in(words, pill.inset(18, 0), 16, face=Face.SEMI, colour=NIGHT_INK)

    def _status(self) -> tuple[str, int | None]:
        """What is going on, and the seat it is about."""
        page, play = self._page, self._page.play
        name, seat = play.names[play.to_move], play.to_move
        ghost = page.ghost
        if play.phase is Phase.PERSON:
            if ghost.piece is None:
                return f"{name}'s turn: take a piece", seat
            if ghost.placement is None:
                return f"Point to where the {ghost.piece.name} shall go · Q, E turn · N next place", seat
            return ("Click to lay it" if ghost.legal else "That place is not legal") + " · Q and E turn it", seat
        if play.phase is Phase.HOLDING:
            return "Space or the right button lowers · wheel turns · click lets go", seat
        if play.phase is Phase.THINKING:
            return f"{name} is thinking" + (" (paused)" if play.paused else "…"), seat
        if play.phase is Phase.LAYING:
            return f"{name} lays a {play.moving.name}" if play.moving else f"{name} lays a piece", seat
        if play.phase is Phase.SLIPPED:
            return f"It slipped: {name} takes it back", seat
        return {Phase.FALLEN: "The tower has fallen", Phase.ROUND_OVER: "The round is over"}.get(play.phase, "The match is over"), None

    def _way_on(self) -> tuple[str, str, Callable[[], None]] | None:
        """What waits for somebody to say so: item, words and deed of the button beside the status."""
        play = self._page.play
        if play.phase is Phase.THINKING and play.paused:
            return "table/go_on", "Let them go on", self._page.let_bots_go_on
        if play.phase in (Phase.ROUND_OVER, Phase.OVER) and self.questions.seen_summary:
            name, words = ("summary/home", "Home") if play.match.over else ("summary/on", "Next round")
            return name, words, self.questions.leave_summary
        return None

    def _draw_tray(self, gui: Gui, box: Box) -> None:
        page, play = self._page, self._page.play
        left = play.left[play.to_move]
        playable = {name: count > 0 and bool(play.legal(name)) for name, count in left.items()}
        chosen = page.ghost.piece.name if page.ghost.piece else play.moving.name if play.moving else None
        use = draw_tray(gui, box, page.view.piece_set, left, playable, chosen)
        if use.chosen:
            page.choose(use.chosen)
        elif use.dragged:
            page.grasp.drag_out(use.dragged)

    def _draw_views(self, gui: Gui, box: Box) -> None:
        page, tower = self._page, self._page.play.tower
        views: tuple[tuple[str, str, Callable[[], None]], ...] = (
            ("Home", "The whole tower (Home)", lambda: page.view.fly_home(tower)),
            ("Top", "From above (T)", lambda: page.view.fly_top(tower)),
            ("Front", "From the front (F)", lambda: page.view.fly_front(tower)),
            ("Last", "Look at the last piece (V)", page.scene.look_at_last),
        )
        high = gui.size[1]
        for number, (name, hint, go) in enumerate(views):
            if gui.button(f"view/{name.lower()}", Box(16, high - 16 - 34 * (4 - number), 62, 30), name, kind=Kind.DARK, hint=hint, size=13):
                go()
        shown = page.program.settings.show_legal
        if gui.button(
            "table/legal", Box(16, high - 16 - 34 * 5 - 8, 62, 34), "Places", kind=Kind.DARK, hint="Show all legal places (L)", size=13, chosen=shown
        ):
            page.program.change(show_legal=not shown)

    def _draw_fall(self, gui: Gui, box: Box) -> None:
        """What fell, again and again, until somebody goes on."""
        assert self.fall is not None, "a fall is shown"
        self.fall.draw(gui, box)
        if gui.button("fall/on", Box(box.right - 116, box.y - 52, 116, 42), "Go on", kind=Kind.PRIMARY, hint="Enter"):
            self._page.go_on()
