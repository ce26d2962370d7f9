"""Home: where the program begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import moderngl

from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.theme import FAINT_INK, SOFT_INK, Face
from viewer.saves import Save, latest_unfinished
from viewer.screens.screen import Key, Pointer, Screen

if TYPE_CHECKING:
    from viewer.program import Program
    from viewer.screens.home_tower import HomeTower

_WIDTH = 320.0


class Home(Screen):
    """A tower to look at, and the ways into everything."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._tower: HomeTower | None = None
        self._free = Box(0, 0, *program.gui.size)
        self._unfinished: Save | None = None
        self._begun = False

    def enter(self) -> None:
        """Saves may have changed."""
        if self._tower is not None:
            self._unfinished = latest_unfinished()
            self._tower.view.enter()

    def update(self, seconds: float) -> bool:
        """The camera may still be moving."""
        return self._tower is not None and self._tower.view.update(seconds)

    def draw(self, gui: Gui) -> None:
        """The panel on the left."""
        high = min(gui.size[1] - 48, 616.0)
        box = Box(40, (gui.size[1] - high) / 2, _WIDTH, high)
        self._free = Box(box.right, 0, gui.size[0] - box.right, gui.size[1])
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
        """The tower. The very first frame goes without it and all it needs, so that the panel is there at once."""
        if not self._begun:
            self._begun = True
            return None, True
        if self._tower is None:
            from viewer.screens.home_tower import HomeTower

            self._tower = HomeTower(self.program)
            self._unfinished = latest_unfinished()
        self._tower.fit(self._free)
        return self._tower.view.backdrop(size, now)

    def on_drag(self, pointer: Pointer) -> None:
        """Look around."""
        if self._tower is not None:
            self._tower.view.drag(pointer)

    def on_scroll(self, pointer: Pointer) -> None:
        """Look nearer."""
        if self._tower is not None:
            self._tower.view.scroll(pointer)

    def on_key(self, key: Key) -> bool:
        """Look around; F1 shows the rules."""
        if key.name == "f1":
            self._read_rules()
            return True
        return self._tower is not None and self._tower.view.key(key, True)

    def on_key_up(self, key: Key) -> None:
        """Look around no more."""
        if self._tower is not None:
            self._tower.view.key(key, False)

    def on_blur(self) -> None:
        """No key is held any longer."""
        if self._tower is not None:
            self._tower.view.orbit.release_all()

    def leave(self) -> None:
        """No key is held any longer."""
        if self._tower is not None:
            self._tower.view.leave()

    @property
    def _first(self) -> str:
        return "continue" if self._unfinished else "learn" if self.program.settings.first_start else "play"

    def _hint(self, name: str) -> str:
        if name != "continue" or self._unfinished is None:
            return ""
        from viewer.screens.matches import save_words

        return "\n".join(save_words(self._unfinished))

    def _ways(self) -> list[tuple[str, str, Callable[[], None]]]:
        """Name, words and what happens, of each button."""
        ways = [
            ("play", "Play STAKD", self._play),
            ("cards", "Card games", self._play_cards),
            ("learn", "Learn", self._learn),
            ("rules", "Rules", self._read_rules),
            ("demo", "Demo", self._show),
            ("lab", "Piece lab", self._experiment),
            ("matches", "Matches", self._look_back),
            ("settings", "Settings", self._set),
            ("about", "About", self._tell_about),
            ("quit", "Quit", self.program.back),
        ]
        return [("continue", "Continue", self._go_on), *ways] if self._unfinished is not None else ways

    # --- pages, each loaded when it is wanted

    def _go_on(self) -> None:
        from viewer.screens.matches import continue_match

        assert self._unfinished is not None, "there is a match to go on with"
        continue_match(self.program, self._unfinished.path)

    def _play(self) -> None:
        from viewer.screens.match_setup import MatchSetupPage

        self.program.open(MatchSetupPage(self.program))

    def _play_cards(self) -> None:
        from viewer.screens.cards.setup import CardSetupPage

        self.program.open(CardSetupPage(self.program))

    def _learn(self) -> None:
        from viewer.screens.learn import LearnPage

        self.program.open(LearnPage(self.program))

    def _read_rules(self) -> None:
        from viewer.screens.rules import RulesPage

        self.program.open(RulesPage(self.program))

    def _show(self) -> None:
        from viewer.screens.show import ShowPage

        self.program.open(ShowPage(self.program))

    def _experiment(self) -> None:
        from viewer.screens.lab.page import LabPage

        self.program.open(LabPage(self.program))

    def _look_back(self) -> None:
        from viewer.screens.matches import Matches

        self.program.open(Matches(self.program))

    def _set(self) -> None:
        from viewer.screens.settings import SettingsPage

        self.program.open(SettingsPage(self.program))

    def _tell_about(self) -> None:
        from viewer.screens.about import About

        self.program.open(About(self.program))
