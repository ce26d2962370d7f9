"""The ghost under the pointer."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import pytest

from games.stakd.lessons import lesson
from games.stakd.state import State
from meshes.placement import Placement
from physics.tower import Tower
from tests.viewer.driver import HeadlessDriver, headless_program
from viewer.camera import Array, Camera
from viewer.gui.gui import Gui
from viewer.items import tower_items
from viewer.screens.placing import CONCERNED, Ghost, legal_marks, light_up
from viewer.screens.screen import Pointer, Screen
from viewer.screens.table_view import TableView


class _Page(Screen):
    """A table and a ghost over it."""

    state: State
    tower: Tower
    view: TableView
    ghost: Ghost

    def set(self, state: State, camera: Camera) -> None:
        """Show a position as a camera fitted to it sees it."""
        self.state, self.tower = state, Tower.exact(state.rules.piece_set, state.placements())
        self.view = TableView(self.program, state.rules.piece_set)
        self.view.show(tower_items(self.tower))
        self.view.orbit.jump_to(self.view.fitted(self.tower, camera=camera))
        self.ghost = Ghost(self.view, state.rules.piece_set)

    def draw(self, gui: Gui) -> None:
        """Marks and ghost."""
        if self.ghost.piece is not None:
            legal_marks(gui, self.view, self.state, self.ghost.piece, self.ghost.turns)
        self.ghost.draw(gui)

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The table."""
        return self.view.backdrop(size, now)

    def at(self, placement: Placement, offset: Array | float = 0.0) -> Pointer:
        """The pointer at the middle of the place where a piece would stand."""
        piece_set = self.state.rules.piece_set
        middle = np.mean([piece_set.lattice.position(cell, piece_set.pitch_mm) for cell in placement.cells], axis=0) + offset
        x, y = self.view.project(np.array([[*middle, placement.layer * piece_set.thickness_mm]]))[0]
        return Pointer(float(x), float(y))

    def aim(self, placement: Placement, offset: Array | float = 0.0) -> Placement | None:
        """Take the piece, turn it as it lies there, point at it."""
        lattice, ghost = self.state.rules.piece_set.lattice, self.ghost
        ghost.take(placement.piece)
        fit = lattice.turns_onto(ghost.piece.cells, placement.cells)
        assert fit is not None
        ghost.turns = fit[0]
        ghost.move(self.at(placement, offset), self.state, self.tower)
        return ghost.placement


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Page]:
    """The page in a program of 1280×720."""
    with headless_program(tmp_path_factory.mktemp("home")) as program:
        page = _Page(program)
        page.set(lesson("first-piece").state(), Camera())
        program.open(page)
        HeadlessDriver(program)
        yield page


CAMERAS = {"above": Camera(elevation_deg=90.0), "usual": Camera(), "grazing": Camera(elevation_deg=9.0)}


def _later(seed: int, moves: int) -> State:
    state, rng = State.new(2), np.random.default_rng(seed)
    while len(state.placements()) < moves:
        legal = state.legal_moves()
        state.play(legal[int(rng.integers(len(legal)))])
    return state


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("moves", [2, 3, 9, 16])
def test_pointing_at_a_legal_place_gives_it(page: _Page, moves: int, camera: str) -> None:
    """Where the middle of a legal place is seen, the ghost lies exactly there, on every layer, from above and at a grazing angle."""
    state = _later(5, moves)
    page.set(state, CAMERAS[camera])
    seen = 0
    for move in state.legal_moves():
        hit = page.view.pick(page.at(move))
        below = -1 if hit is None else page.tower.laid[hit.id].placement.layer
        if camera != "above" and below != move.layer - 1:
            continue  # something else is in front, or one looks through a gap
        seen += 1
        page.ghost.drop()
        assert page.aim(move) == move
        assert page.ghost.legal
    assert seen


def test_a_nearly_right_place_snaps(page: _Page) -> None:
    """A pointer half a pitch off still finds the legal place, and shows it as legal."""
    page.set(lesson("side-by-side").state(), CAMERAS["above"])
    wanted = Placement("DUO", 1, ((1, 1), (2, 0)))
    assert page.aim(wanted, np.array([0.0, 14.0])) == wanted
    assert page.ghost.legal
    item = page.ghost.item()
    assert item is not None and item.ghost


def test_an_illegal_place_is_shown_where_the_pointer_is_with_its_reasons(page: _Page) -> None:
    """Far from every legal place the ghost stays under the pointer and tells what is wrong, and the piece concerned lights up."""
    taught = lesson("one-of-each")
    page.set(taught.state(), CAMERAS["usual"])
    wrong = Placement("DUO", 2, ((1, 0), (1, 1)))
    page.ghost.drop()
    assert page.aim(wrong) == wrong and not page.ghost.legal
    violations = taught.state().explain(wrong)
    lights = light_up(violations, page.tower, layer=2)
    trio = next(k for k, laid in enumerate(page.tower.laid) if laid.placement.piece == "TRIO")
    assert lights.pieces[trio] == CONCERNED
    assert ((1, 0), 20.0) in lights.cells


def test_the_ghost_never_jumps_far(page: _Page) -> None:
    """Wherever the pointer goes over the tower, the ghost's middle stays within a pitch or so of it on the page."""
    state = _later(5, 12)
    page.set(state, CAMERAS["usual"])
    piece_set = state.rules.piece_set
    page.ghost.take("DUO")
    pitch = float(np.linalg.norm(np.diff(page.view.project(np.array([[0.0, 0, 10], [30, 0, 10]])), axis=0)))
    hits = 0
    for x in range(400, 880, 20):
        for y in range(200, 560, 20):
            if page.view.pick(Pointer(x, y)) is None:
                continue
            page.ghost.move(Pointer(x, y), state, page.tower)
            placement = page.ghost.placement
            assert placement is not None
            there = page.at(placement)
            assert np.hypot(there.x - x, there.y - y) < 1.1 * pitch
            hits += 1
    assert hits > 50 and piece_set.name == "classic"


def test_turning_steps_through_the_directions_of_the_lattice(page: _Page) -> None:
    """Q and E: after one turn the DUO lies along another row, after three it lies as before."""
    page.set(lesson("first-piece").state(), CAMERAS["above"])
    first = page.aim(Placement("DUO", 1, ((1, 0), (1, 1))))
    page.ghost.turn(1)
    assert page.ghost.placement != first
    page.ghost.turn(2)
    assert page.ghost.placement == first


def test_the_first_base_finds_its_only_place_however_it_is_turned(page: _Page) -> None:
    """On the empty table the BASE goes to the one place there is (RULES S9)."""
    state = State.new(2)
    page.set(state, CAMERAS["usual"])
    page.ghost.take("BASE")
    page.ghost.turns = 4
    page.ghost.move(Pointer(640, 400), state, page.tower)
    assert page.ghost.placement == state.legal_moves()[0]
    assert page.ghost.legal


def test_nothing_hangs_in_the_sky_or_far_off(page: _Page) -> None:
    """Above the horizon there is no ghost, and far out on the table neither."""
    page.set(lesson("first-piece").state(), CAMERAS["grazing"])
    page.ghost.take("DUO")
    page.ghost.move(Pointer(640, 5), page.state, page.tower)
    assert page.ghost.placement is None
    assert page.ghost.item() is None


def test_a_place_is_explained_anew_when_the_position_changes(page: _Page) -> None:
    """The pointer at rest while a piece is laid: the ghost's place becomes illegal."""
    state = lesson("first-piece").state()
    page.set(state, CAMERAS["above"])
    place = Placement("DUO", 1, ((1, 1), (2, 0)))
    assert page.aim(place) == place and page.ghost.legal
    state.play(place)
    page.tower = page.tower.with_piece(place)
    page.view.show(tower_items(page.tower))
    page.ghost.move(page.at(place), state, page.tower)
    assert not page.ghost.legal and page.ghost.violations
