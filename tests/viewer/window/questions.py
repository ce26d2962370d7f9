"""What tests ask of a running table page, besides plain expressions; evaluated in the program's own process. Places are units of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from imgui_bundle import imgui

from games.phases import Phase
from viewer.screens.live_hand import HOVER_MM
from viewer.screens.placing import Ghost
from viewer.screens.screen import Pointer, Screen
from viewer.screens.table import TablePage
from viewer.window import Window

Place = tuple[float, float]


def describe(page: Screen) -> str:
    """What is going on, for a test that waits in vain."""
    play = getattr(page, "play", None)
    phase = f", {play.phase}, {len(play.match.acts)} acts, {play.messages}" if play else ""
    return f"{type(page).__name__}{phase}, items {', '.join(sorted(page.program.gui.items))}"


def toasts(page: Screen) -> str:
    """The lines shown for some seconds."""
    return "\n".join(toast.words for toast in page.program._toasts)


def ready(page: TablePage) -> bool:
    """Whether a person may take a piece, and the camera has come to rest."""
    return page.play.phase is Phase.PERSON and page.view.orbit.camera == page.view.orbit.goal


def held() -> set[str]:
    """Modifiers that panels take to be held."""
    io = imgui.get_io()
    return {name for name, is_held in (("ctrl", io.key_ctrl), ("shift", io.key_shift)) if is_held}


class _Counted:
    """A function, and how often it was called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function, self.calls = function, 0

    def __call__(self, *values: Any) -> Any:
        self.calls += 1
        return self._function(*values)


def minimise(window: Window) -> int:
    """Take all pixels from a window, and count from now on how often its program is asked to go on; gives the frames drawn so far."""
    window.__dict__["get_framebuffer_size"] = lambda: (0, 0)
    window.program.__dict__["tick"] = _Counted(window.program.tick)
    window.program.wake()
    return window.frames


def legal_spot(page: TablePage, piece: str) -> tuple[int, Place]:
    """How often Q must turn a piece, and where it is then over a legal place that no panel covers."""
    pitch, thickness = page.view.piece_set.pitch_mm, page.view.piece_set.thickness_mm
    lattice = page.view.piece_set.lattice
    for move in page.play.legal(piece):
        x, y = np.mean([lattice.position(cell, pitch) for cell in move.cells], axis=0)
        place = _seen(page, x, y, move.layer * thickness)
        for turns, tried in _turned(page, piece):
            if _free(page, place):
                tried.move(Pointer(*place), page.play.match.state, page.play.tower)
                if tried.legal:
                    return turns, place
    raise LookupError(f"no legal place of {piece} is seen")


def illegal_spot(page: TablePage, piece: str) -> Place:
    """Where a piece as it is turned now has a place that breaks a rule."""
    tried = next(_turned(page, piece))[1]
    for y in np.linspace(page.view.free.y + 10, page.view.free.bottom - 10, 25):
        for x in np.linspace(page.view.free.x + 10, page.view.free.right - 10, 40):
            if _free(page, (x, y)):
                tried.move(Pointer(float(x), float(y)), page.play.match.state, page.play.tower)
                if tried.placement is not None and tried.violations:
                    return float(x), float(y)
    raise LookupError(f"{piece} may lie anywhere")


def rack_spot(page: TablePage, piece: str) -> Place:
    """Where a piece of this type is seen on the rack before the tower."""
    rack = page.scene.rack_items()
    for item in rack:
        if item.piece.name == piece:
            cell = item.piece.cells[0]
            node = [*page.view.piece_set.lattice.position(cell, page.view.piece_set.pitch_mm), page.view.piece_set.thickness_mm]
            place = _seen(page, *item.pose.apply(np.array([node]))[0])
            hit = page.view.pick(Pointer(*place))
            if hit is not None and hit.index >= len(page.play.poses) and _free(page, place):
                return place
    raise LookupError(f"no {piece} is seen on the rack")


def hand_spot(page: TablePage, piece: str) -> tuple[int, Place]:
    """How often Q must turn a piece held in the hand, and where the pointer must be for it to come down in a legal place."""
    piece_set = page.view.piece_set
    lattice = piece_set.lattice
    for move in page.play.legal(piece):
        cells = np.array([lattice.position(cell, piece_set.pitch_mm) for cell in move.cells])
        x, y = (cells.min(axis=0) + cells.max(axis=0)) / 2
        held = page.play.phase is Phase.HOLDING
        place = _seen(page, x, y, page.hand.plane_mm if held else move.layer * piece_set.thickness_mm + HOVER_MM)
        if _free(page, place):
            fit = lattice.turns_onto(piece_set.by_name[piece].cells, move.cells)
            assert fit is not None, "a legal place is the piece turned and moved"
            turns = fit[0]
            return (turns - page.ghost.turns) % lattice.turns, place
    raise LookupError(f"no legal place of {piece} is seen")


def steady(page: TablePage) -> bool:
    """Whether the piece held is where it is wanted."""
    poses, wanted = page.play.poses, page.hand._pose()
    if len(poses) == len(page.play.tower.laid):
        return False
    held = poses[-1][1]
    return bool(np.abs(held.matrix - wanted.matrix).max() < 0.02 and np.abs(held.position - wanted.position).max() < 2)


def point(page: TablePage, x: float, y: float, z: float) -> Place:
    """Where a point of the table (mm) is seen."""
    return _seen(page, x, y, z)


def top_nodes(page: TablePage) -> list[tuple[str, Place]]:
    """Pieces of the highest layer, each with a place on one of its nodes, beside the letter."""
    tower, radius = page.play.tower, page.view.piece_set.radius_mm
    height = tower.layers * tower.piece_set.thickness_mm
    found = []
    for index, laid in enumerate(tower.laid):
        if laid.placement.layer == tower.layers - 1:
            for cell in laid.placement.cells:
                x, y = tower.piece_set.lattice.position(cell, tower.piece_set.pitch_mm)
                found.append((tower.piece_type(index).name, _seen(page, x - 0.6 * radius, y - 0.3 * radius, height)))
    return found


def first_legal(page: TablePage) -> str:
    """A piece that can be laid now."""
    return page.play.legal()[-1].piece


def _seen(page: TablePage, x: float, y: float, z: float) -> Place:
    seen = page.view.project(np.array([[x, y, z]]))[0]
    return float(seen[0]), float(seen[1])


def _free(page: TablePage, place: Place) -> bool:
    return page.view.free.has(*place) and not page.program.gui.covers(*place)


def _turned(page: TablePage, piece: str) -> Iterator[tuple[int, Ghost]]:
    """Ghosts turned in each way, beginning with the way the page's own is turned."""
    lattice = page.view.piece_set.lattice
    for turns in range(lattice.turns):
        ghost = Ghost(page.view, page.view.piece_set)
        ghost.turns = (page.ghost.turns + turns) % lattice.turns
        ghost.take(piece)
        yield turns, ghost
