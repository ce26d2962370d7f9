"""The piece lab: a mesh looked at and checked, a table moved under a stack, a set's sizes changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from meshes.errors import StakdError
from meshes.piece_set import PieceSet, build_piece_set, load_piece_set, shipped_sets
from viewer.camera import Array, Camera
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import Face
from viewer.item_buffer import placed_corners
from viewer.screens.lab.design_tab import DesignTab
from viewer.screens.lab.own_sets import LAB
from viewer.screens.lab.piece_tab import PieceTab
from viewer.screens.lab.tab import Tab
from viewer.screens.lab.table_tab import TableTab
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.table_view import TableView

if TYPE_CHECKING:
    from viewer.program import Program

_WIDEST, _TITLE = 400.0, 44.0
_LONGEST = 11
"""A set's name of so many letters leaves room to say that it is changed."""


class LabPage(Screen):
    """Three tabs beside one 3D view; all of them work with the same set."""

    def __init__(self, program: Program, file: Path | None = None) -> None:
        """`file`: a mesh or a set to begin with."""
        super().__init__(program)
        self._shipped = shipped_sets()
        self.set_names = self._shipped
        self.set_name = "classic"
        self.piece_set = self._opened = build_piece_set(LAB, load_piece_set("classic").source)
        self.view = TableView(program, self.piece_set)
        self.piece, self.table, self.design = PieceTab(self), TableTab(self), DesignTab(self)
        self._tabs: tuple[Tab, ...] = (self.piece, self.table, self.design)
        self._tab = 0
        self._free: Box | None = None
        self._lit: Array | None = None
        self._pressed: tuple[float, float] | None = None
        if file is not None:
            self.on_drop([str(file)])
        self.show(fit=True)

    @property
    def tab(self) -> Tab:
        """The tab in front."""
        return self._tabs[self._tab]

    def go_to(self, tab: Tab) -> None:
        """Put another tab in front."""
        self.tab.leave()
        self._tab = self._tabs.index(tab)
        self.show(fit=True)

    def choose_set(self, name: str) -> None:
        """Work with a shipped set or one of one's own by its path; tells what is wrong with it."""
        try:
            piece_set = load_piece_set(name)
        except StakdError as error:
            self.program.tell(str(error))
            return
        if name not in self.set_names:
            self.set_names = [*self._shipped, name]
        self.set_name = name
        self._opened = build_piece_set(LAB, piece_set.source)
        self.use_set(self._opened)

    def use_set(self, piece_set: PieceSet) -> None:
        """Work with this set, whose name is that of all sets of the lab."""
        self.piece_set = self.view.piece_set = piece_set
        for tab in self._tabs:
            tab.set_changed()
        self.show()

    def show(self, *, fit: bool = False) -> None:
        """Show what the tab has; with `fit` so that all of it is seen, if nobody has turned the camera away."""
        items = self.tab.items()
        points = placed_corners(self.piece_set, [item for item in items if not item.ghost]) if items else np.zeros((0, 3))
        if fit or self._lit is None:
            self._lit = np.concatenate([points, _empty_table()])
        self.view.show(items, lit=self._lit)
        if fit:
            self._fit(points)
        self.program.wake()

    def _fit(self, points: Array) -> None:
        camera = self.view.framed(np.concatenate([points, _empty_table()]), Camera(elevation_deg=38.0))
        self.view.orbit.jump_to(camera)

    # --- the page

    @property
    def busy(self) -> bool:
        """Whether a tab is at work."""
        return any(tab.busy for tab in self._tabs)

    def enter(self) -> None:
        """Take the stage over."""
        self.view.enter()

    def leave(self) -> None:
        """Nothing is held any longer."""
        self.tab.leave()
        self.view.leave()

    def close(self) -> None:
        """Nothing works on."""
        for tab in self._tabs:
            tab.close()

    def update(self, seconds: float) -> bool:
        """Tabs and camera go on."""
        changed = [tab.update(seconds) for tab in self._tabs]
        return self.view.update(seconds) or any(changed)

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The table."""
        return self.view.backdrop(size, now)

    def draw(self, gui: Gui) -> None:
        """The panel on the right, and marks over the table."""
        width = min(_WIDEST, 0.42 * gui.size[0])
        box = Box(gui.size[0] - width - 16, 16, width, gui.size[1] - 32)
        left = self.tab.covered_left
        free = Box(left, 0, box.x - left, gui.size[1])
        if free != self._free:
            self._free = self.view.free = free
            self.show(fit=True)
        self.tab.draw_over(gui)
        gui.panel(box)
        inner = box.inset(20, 16)
        gui.paint.words("Piece lab", inner.x, inner.y, 25, face=Face.TITLE)
        if gui.button("lab/back", Box(inner.right - 84, inner.y, 84, 34), "Back", size=14):
            self.program.back()
        titles = [tab.title for tab in self._tabs]
        chosen = gui.choice("lab/tab", Box(inner.x, inner.y + _TITLE, inner.w, 36), titles, self._tab)
        if chosen != self._tab:
            self.go_to(self._tabs[chosen])
        self.tab.draw(gui, inner.below(_TITLE + 46))

    @property
    def set_titles(self) -> list[str]:
        """What the sets to choose from are called; the chosen one says so if it is no longer as it was opened."""
        titles = [name.capitalize() if name in self._shipped else Path(name).stem for name in self.set_names]
        if self.piece_set != self._opened:
            now = self.set_names.index(self.set_name)
            title = titles[now] if len(titles[now]) <= _LONGEST else f"{titles[now][: _LONGEST - 1].rstrip()}…"
            titles[now] = f"{title}, changed"
        return titles

    def draw_sets(self, gui: Gui, box: Box) -> None:
        """The choice of the set."""
        titles, now = self.set_titles, self.set_names.index(self.set_name)
        hints = ["A .toml file dropped on this window is a set too."] * len(titles)
        if self.piece_set != self._opened:
            hints[now] = "It has other sizes now, or a piece of your own; choose another set and this one again to have it as it was."
        chosen = gui.choice("lab/set", box, titles, now, hints=hints)
        if chosen != now:
            self.choose_set(self.set_names[chosen])

    # --- events

    def on_drop(self, paths: list[str]) -> None:
        """A set, or a mesh to look at."""
        if Path(paths[0]).suffix.lower() == ".toml":
            self.choose_set(paths[0])
        else:
            self.go_to(self.piece)
            self.piece.open(Path(paths[0]))

    def on_press(self, pointer: Pointer) -> None:
        """The beginning of a click or of a turn."""
        self._pressed = (pointer.x, pointer.y) if pointer.button == "left" else None
        if pointer.button == "right":
            self.tab.on_lower(True)

    def on_release(self, pointer: Pointer) -> None:
        """A click if the pointer stayed where it was pressed."""
        if pointer.button == "right":
            self.tab.on_lower(False)
        if self._pressed is not None and np.hypot(pointer.x - self._pressed[0], pointer.y - self._pressed[1]) < 4:
            self.tab.on_click(pointer)

    def on_move(self, pointer: Pointer) -> None:
        """Over the table."""
        self.tab.on_move(pointer)

    def on_drag(self, pointer: Pointer) -> None:
        """Look around."""
        self.view.drag(pointer)

    def on_scroll(self, pointer: Pointer) -> None:
        """What the tab does with it; else look nearer. What is looked at may not be closed, so nothing is picked."""
        if self.tab.on_scroll(pointer):
            return
        self.view.zoom(pointer, self.view.ground(pointer))

    def on_key(self, key: Key) -> bool:
        """The tab first, then the camera."""
        return self.tab.on_key(key) or self.view.key(key, True)

    def on_key_up(self, key: Key) -> None:
        """Look around no more."""
        self.tab.on_key_up(key)
        self.view.key(key, False)


def _empty_table() -> Array:
    """What of the table is always lit and seen."""
    return np.array([[x, y, 0.0] for x in (-45.0, 45.0) for y in (-45.0, 45.0)])
