"""Home: where the program begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from games.stakd.state import State
from meshes.piece_set import PieceSet, load_piece_set
from physics.tower import Tower
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.theme import FAINT_INK, SOFT_INK, Face
from viewer.items import tower_items
from viewer.saves import Save, latest_unfinished
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.table_view import TableView

if TYPE_CHECKING:
    from viewer.program import Program

_SEED = 12
_WIDTH = 320.0


class Home(Screen):
    """A tower to look at, and the ways into everything."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._tower = random_tower(load_piece_set("classic"), np.random.default_rng(_SEED))
        self._view = TableView(program, self._tower.piece_set)
        self._unfinished: Save | None = None
        self._frames = 0

    def enter(self) -> None:
        """Saves may have changed."""
        self._unfinished = latest_unfinished()
        if self._frames:
            self._view.enter()

    def update(self, seconds: float) -> bool:
        """The camera may still be moving."""
        return self._view.update(seconds)

    def draw(self, gui: Gui) -> None:
        """The panel on the left."""
        high = min(gui.size[1] - 48, 616.0)
        box = Box(40, (gui.size[1] - high) / 2, _WIDTH, high)
        self._view.free = Box(box.right, 0, gui.size[0] - box.right, gui.size[1])
        gui.panel(box)
        column = Column(box.inset(28, 22))
        gui.paint.words("STAKD", box.x + 27, column.y, 46, face=Face.TITLE)
        column.take(58, 0)
        gui.paint.words("Stack higher. Don't let it fall.", box.x + 28, column.y, 15, colour=SOFT_INK)
        column.take(36, 0)
        ways = self._ways()
        gap = 9.0
        tall = min(48.0, (column.rest.h - 26) / len(ways) - gap)
        for name, words, go in ways:
            kind = Kind.PRIMARY if name == self._first else Kind.PLAIN
            if gui.button(f"home/{name}", column.take(tall, gap), words, kind=kind, hint=self._hint(name)):
                go()
        gui.paint.words("Tab and Enter work everywhere · F11 full screen", box.x + 28, box.bottom - 29, 11.5, colour=FAINT_INK)

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The tower. The very first frame goes without it, so that the panel is there at once."""
        self._frames += 1
        if self._frames == 1:
            return None, True
        if self._frames == 2:
            self._view.show(tower_items(self._tower))
            self._view.fly_home(self._tower, 0.0)
        return self._view.backdrop(size, now)

    def on_drag(self, pointer: Pointer) -> None:
        """Look around."""
        self._view.drag(pointer)

    def on_scroll(self, pointer: Pointer) -> None:
        """Look nearer."""
        self._view.scroll(pointer)

    def on_key(self, key: Key) -> bool:
        """Look around; F1 shows the rules."""
        if key.name == "f1":
            self._read_rules()
            return True
        return self._view.key(key, True)

    def on_key_up(self, key: Key) -> None:
        """Look around no more."""
        self._view.key(key, False)

    def leave(self) -> None:
        """No key is held any longer."""
        self._view.leave()

    @property
    def _first(self) -> str:
        return "continue" if self._unfinished else "learn" if self.program.settings.first_start else "play"

    def _hint(self, name: str) -> str:
        from viewer.screens.matches import save_words

        return "\n".join(save_words(self._unfinished)) if name == "continue" and self._unfinished else ""

    def _play(self) -> None:
        from viewer.screens.match_setup import MatchSetupPage

        self.program.open(MatchSetupPage(self.program))

    def _read_rules(self) -> None:
        from viewer.screens.rules import RulesPage

        self.program.open(RulesPage(self.program))

    def _ways(self) -> list[tuple[str, str, Callable[[], None]]]:
        """Name, words and what happens, of each button."""
        from viewer.screens.about import About
        from viewer.screens.learn import LearnPage
        from viewer.screens.matches import Matches, continue_match
        from viewer.screens.settings import SettingsPage
        from viewer.screens.show import ShowPage

        program, unfinished = self.program, self._unfinished
        ways: list[tuple[str, str, Callable[[], None]]] = []
        if unfinished is not None:
            ways.append(("continue", "Continue", lambda: continue_match(program, unfinished.path)))
        ways += [
            ("play", "Play", self._play),
            ("learn", "Learn", lambda: program.open(LearnPage(program))),
            ("rules", "Rules", self._read_rules),
            ("demo", "Demo", lambda: program.open(ShowPage(program))),
            ("matches", "Matches", lambda: program.open(Matches(program))),
            ("settings", "Settings", lambda: program.open(SettingsPage(program))),
            ("about", "About", lambda: program.open(About(program))),
            ("quit", "Quit", program.back),
        ]
        return ways


def random_tower(piece_set: PieceSet, rng: np.random.Generator) -> Tower:
    """The tower at the end of a round of two who lay at random, every piece exactly in its place."""
    state = State.new(2, piece_set=piece_set)
    placements = state.placements()
    while state.round == 1 and not state.over:
        moves = state.legal_moves()
        move = moves[int(rng.integers(len(moves)))]
        placements = [*state.placements(), move]
        state.play(move)
    return Tower.exact(piece_set, placements)
