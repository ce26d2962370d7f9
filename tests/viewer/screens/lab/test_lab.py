"""The lab by clicks: a mesh is dropped, checked, marked and played with; a table tilts; sizes change."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
import trimesh

from meshes.export import export_piece
from meshes.mesh_file import read_mesh_file
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.grip import SHAKY
from physics.pose import Pose
from physics.table_motion import MotionKind
from physics.tower import LaidPiece, Tower
from tests.viewer.driver import HeadlessDriver
from viewer.program import Program
from viewer.screens.lab.chances import HANDS, LEVELS
from viewer.screens.lab.examine import Sign, check_lines, node_marks
from viewer.screens.lab.page import LabPage
from viewer.screens.match_setup import MatchSetupPage
from viewer.screens.screen import Screen

CLASSIC = load_piece_set("classic")


@pytest.fixture
def driver(program: Program) -> HeadlessDriver:
    """The lab as it is the first time, over an empty page."""
    program.open(Screen(program))
    program.open(LabPage(program))
    return HeadlessDriver(program, (320, 200), ratio=0.3)


def lab(driver: HeadlessDriver) -> LabPage:
    """The page."""
    assert isinstance(driver.program.screen, LabPage)
    return driver.program.screen


def wait(driver: HeadlessDriver, met: Callable[[], bool], seconds: float = 60.0) -> None:
    """Let frames pass, in real time, until something is so."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it never came to that"
        driver.frame(1)
        time.sleep(0.01)
    driver.frame(3)


def mesh_file(folder: Path, name: str, change: Callable[[trimesh.Trimesh], object] = lambda mesh: None) -> str:
    """A classic piece as an STL, perhaps changed; its path."""
    mesh = build_solid(CLASSIC, CLASSIC.by_name[name]).mesh.copy()
    change(mesh)
    path = folder / f"{name.lower()}.stl"
    path.write_bytes(trimesh.exchange.stl.export_stl(mesh))
    return str(path)


def test_a_dropped_piece_is_checked_marked_and_played_with(driver: HeadlessDriver, tmp_path: Path) -> None:
    """A TRIO dropped on the lab is told sound, has three right discs, and goes into a match in the TRIO's place."""
    driver.program.on_drop([mesh_file(tmp_path, "TRIO")])
    wait(driver, lambda: lab(driver).piece.seen is not None)
    seen = lab(driver).piece.seen
    assert seen is not None
    assert seen.check.sound
    assert lab(driver).piece.place == "TRIO"
    assert [mark.right for mark in node_marks(seen.check, CLASSIC)] == [True] * 3
    assert check_lines(seen.check, CLASSIC)[0].sign is Sign.GOOD
    driver.check_places()
    driver.click("lab/use")
    page = driver.program.screen
    assert isinstance(page, MatchSetupPage)
    assert page.draft.piece_set.by_name["TRIO"].mesh == seen.own
    assert page.draft.own is not None
    assert Path(page.draft.own).is_relative_to(os.environ["STAKD_HOME"])


def test_wrong_nodes_are_crossed_and_told(driver: HeadlessDriver, tmp_path: Path) -> None:
    """A DUO with one end drilled out has a wrong node, says so in words, and can't be played with."""

    def drill(mesh: trimesh.Trimesh) -> None:
        hole = trimesh.creation.cylinder(8.0, 8.0, sections=48)
        hole.apply_translation([30.0, 0, 10.0])
        drilled = trimesh.boolean.difference([mesh, hole])
        mesh.vertices, mesh.faces = drilled.vertices, drilled.faces

    driver.program.on_drop([mesh_file(tmp_path, "DUO", drill)])
    wait(driver, lambda: lab(driver).piece.seen is not None)
    seen = lab(driver).piece.seen
    assert seen is not None
    assert sorted(mark.right for mark in node_marks(seen.check, CLASSIC)) == [False, True]
    assert check_lines(seen.check, CLASSIC)[0].sign is Sign.BAD
    assert not driver.enabled("lab/use")
    assert not driver.enabled("lab/stack")


def test_open_meshes_are_shown_and_refused(driver: HeadlessDriver, tmp_path: Path) -> None:
    """A mesh with a hole is seen all the same, with why it is no piece; a file that is none is told too, and the lab goes on."""

    def tear(mesh: trimesh.Trimesh) -> None:
        mesh.update_faces(np.arange(len(mesh.faces)) > 40)

    driver.program.on_drop([mesh_file(tmp_path, "UNI", tear)])
    wait(driver, lambda: lab(driver).piece.seen is not None)
    seen = lab(driver).piece.seen
    assert seen is not None
    assert not seen.check.sound
    assert len(lab(driver).tab.items()) == 1
    (tmp_path / "none.stl").write_bytes(b"nothing of the kind")
    driver.write("lab/file", str(tmp_path / "none.stl"))
    driver.click("lab/open")
    wait(driver, lambda: bool(lab(driver).piece.failure))
    assert not lab(driver).busy
    assert [path.name for path in lab(driver).piece.recent] == ["none.stl", "uni.stl"]


def test_reading_can_be_cancelled(driver: HeadlessDriver, tmp_path: Path) -> None:
    """Cancel ends the process at once and says so; the same file can be opened again."""
    path = mesh_file(tmp_path, "UNI")
    driver.program.on_drop([path])
    driver.frame()
    driver.click("lab/cancel")
    assert not lab(driver).busy
    assert "cancelled" in lab(driver).piece.failure
    driver.click("lab/open")
    wait(driver, lambda: lab(driver).piece.seen is not None)


def test_a_column_tilts_until_it_falls(driver: HeadlessDriver) -> None:
    """Six UNIs on the table fall near what statics foretells, which is listed; the picture leans until they are up again and stand as before. Escape
    ends a tilt and not the visit."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/UNI")
    driver.click("lab/column")
    table = lab(driver).table
    assert len(table.lab_table.tower.laid) == 6
    driver.check_places()
    driver.click("lab/tilt")
    driver.frame(2)
    driver.key("escape")
    assert lab(driver).table.lab_table.motion is None
    driver.click("lab/tilt")
    driver.frame(2)
    driver.click("lab/skip")
    wait(driver, lambda: bool(table.results))
    result = table.results[0]
    assert result.amount is not None
    assert result.foretold == pytest.approx(np.degrees(np.arctan(12 / 30)), abs=0.3)
    assert result.amount == pytest.approx(result.foretold, abs=1.5)
    wait(driver, lambda: len(table.measures.limits) == 24)
    assert table.measures.limits[0] == pytest.approx(result.foretold, abs=0.03)
    view = lab(driver).view
    driver.frame(60)
    assert view.lean.deg == pytest.approx(result.reached, abs=0.1)
    driver.click("lab/undo")
    driver.frame(90)
    assert view.camera == view.orbit.camera
    assert table.lab_table.motion is None
    assert [pose.z for pose in table.lab_table.poses] == [10.0 * layer for layer in range(6)]


def test_plots_stand_beside_a_tower_that_was_moved(driver: HeadlessDriver) -> None:
    """A blow that a broad tower stands is kept with how far it moved the top, and plotted until another piece is laid."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/DUO")
    driver.click("lab/column")
    table, gui = lab(driver).table, driver.program.gui
    corner = 30.0, gui.size[1] - 30.0
    assert not gui.covers(*corner)
    driver.click("lab/bump")
    driver.click("lab/skip")
    wait(driver, lambda: bool(table.results))
    assert gui.covers(*corner)
    assert table.measures.of(MotionKind.BUMP) == table.results
    assert table.results[0].top_mm > 0
    driver.click("lab/undo")
    driver.frame()
    assert gui.covers(*corner)
    driver.key("backspace")
    assert not gui.covers(*corner)


def test_a_hint_gives_way_to_what_its_button_did(driver: HeadlessDriver) -> None:
    """A hint is shown under the pointer, is gone once the button was pressed, and is there again when the pointer comes back."""
    driver.click("lab/tab/1")
    gui, box = driver.program.gui, driver.box("lab/column")
    driver.move(*box.middle)
    assert gui.hint.startswith("Six of this piece")
    driver.click("lab/column")
    assert gui.hint == ""
    driver.move(5, 5)
    driver.move(*box.middle)
    assert gui.hint.startswith("Six of this piece")


def test_pieces_are_laid_where_the_pointer_is(driver: HeadlessDriver) -> None:
    """A click lays the chosen piece on the table, another click on it lays one on top; Backspace takes it back."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/UNI")
    view, table = lab(driver).view, lab(driver).table
    for layer, height in enumerate((0.0, 10.0)):
        x, y = view.project(np.array([[0.0, 0.0, height]]))[0]
        driver.click_at(float(x), float(y))
        assert [laid.placement.layer for laid in table.lab_table.tower.laid] == list(range(layer + 1))
    assert {laid.placement.cells for laid in table.lab_table.tower.laid} == {((0, 0),)}
    driver.key("backspace")
    assert len(table.lab_table.tower.laid) == 1
    assert table.lab_table.stability is not None
    assert table.lab_table.stability.stable


def held(driver: HeadlessDriver, at: tuple[float, float, float]) -> LabPage:
    """The lab with a UNI that hangs in the hand over a place on the table."""
    page = lab(driver)
    x, y = page.view.project(np.array([at]))[0]
    driver.click_at(float(x), float(y))
    wait(driver, lambda: len(page.table.stacking.hand.poses) > len(page.table.lab_table.tower.laid))
    for _ in range(2):  # the piece moves on a plane of its own height
        x, y = page.view.project(np.array([[at[0], at[1], page.table.stacking.hand.live.plane_mm]]))[0]
        driver.move(float(x), float(y))
        wait(driver, lambda: np.hypot(*(page.table.stacking.hand.poses[-1][1].position[:2] - at[:2])) < 0.5)
    return page


def test_pieces_are_stacked_by_hand(driver: HeadlessDriver) -> None:
    """By hand a click takes a UNI up, the right button lowers it onto the one that lies there, and the next click lets it go where it lies."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/UNI")
    driver.click("lab/way/1")
    for layer in range(2):
        page = held(driver, (0.0, 0.0, 0.0))
        driver.press("right")
        wait(driver, lambda: lab(driver).table.stacking.hand.feels_support)
        driver.release("right")
        x, y = page.view.project(np.array([[0.0, 0.0, page.table.stacking.hand.live.plane_mm]]))[0]
        driver.click_at(float(x), float(y))
        wait(driver, lambda: not lab(driver).table.stacking.busy)
        assert [(laid.placement.layer, laid.placement.cells) for laid in page.table.lab_table.tower.laid] == [
            (below, ((0, 0),)) for below in range(layer + 1)
        ]


def test_what_a_hand_knocks_over_is_told_and_put_up_again(driver: HeadlessDriver) -> None:
    """A UNI let go on the free end of a DUO that lies across one tips it over: it is said which piece lost its hold, and all goes up again."""
    page = lab(driver)
    driver.click("lab/tab/1")
    uni = LaidPiece(Placement("UNI", 0, ((0, 0),)), Pose(7.0, 0.0, 0.0))
    page.table.lab_table.put(Tower(page.piece_set, (uni,)).with_piece(Placement("DUO", 1, ((0, 0), (1, 0)))))
    page.table.stacking.rest()
    driver.click("lab/piece/UNI")
    driver.click("lab/way/1")
    held(driver, (32.0, 0.0, 20.0))
    x, y = page.view.project(np.array([[32.0, 0.0, page.table.stacking.hand.live.plane_mm]]))[0]
    driver.click_at(float(x), float(y))
    wait(driver, lambda: not lab(driver).table.stacking.busy)
    assert page.table.stacking.fallen
    assert page.table.stacking.words.startswith("DUO on layer 1")
    assert not driver.enabled("lab/tilt")
    driver.click("lab/way/0")
    driver.click_at(float(x), float(y))
    assert page.table.stacking.fallen
    driver.click("lab/undo")
    assert [item.pose.z for item in page.table.items()] == [0.0, 10.0]


def test_hands_are_asked_how_likely_they_topple_it(driver: HeadlessDriver) -> None:
    """For the last piece of a column that stands well all three levels of hands are told to be safe, beside the tower, until that is another one."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/DUO")
    assert not driver.enabled("lab/hands")
    driver.click("lab/column")
    driver.click("lab/hands")
    chances = lab(driver).table.chances
    assert chances.busy
    wait(driver, lambda: not chances.busy)
    assert {level: (chance.hands, chance.falls) for level, chance in chances.found.items()} == dict.fromkeys(LEVELS, (HANDS, 0))
    driver.frame()
    driver.check_places()
    driver.click("lab/undo")
    driver.frame()
    assert chances.tower is None


def test_what_hands_do_is_shown_while_more_of_them_come(driver: HeadlessDriver) -> None:
    """The first share is seen before all are, the shaky ones first; a process that is lost is told, and asked again others begin anew."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/DUO")
    driver.click("lab/column")
    driver.click("lab/hands")
    chances = lab(driver).table.chances
    wait(driver, lambda: bool(chances.found))
    assert SHAKY.name in chances.found
    assert chances.busy
    driver.frame()
    driver.check_places()
    before = set(multiprocessing.active_children())
    for child in before:
        child.kill()
    wait(driver, lambda: bool(chances.failure))
    assert "ended unexpectedly" in chances.failure
    assert not chances.busy
    driver.frame()
    driver.check_places()
    driver.click("lab/hands")
    wait(driver, lambda: bool(chances.found))
    assert not chances.failure
    again = set(multiprocessing.active_children())
    assert not again & before
    driver.key("escape")
    driver.click("lab/hands")
    wait(driver, lambda: bool(chances.found))
    assert set(multiprocessing.active_children()) == again


def test_a_held_piece_goes_back_when_the_tab_is_left(driver: HeadlessDriver) -> None:
    """Leaving the tab, Escape and another kind of piece put back what is held, and nothing is laid."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/UNI")
    driver.click("lab/way/1")
    for leave in (lambda: driver.click("lab/tab/0"), lambda: driver.key("escape"), lambda: driver.click("lab/piece/DUO")):
        driver.click("lab/tab/1")
        page = held(driver, (0.0, 0.0, 0.0))
        leave()
        assert not page.table.stacking.busy
        assert page.table.lab_table.tower.laid == ()


def test_sizes_change_the_pieces_at_once(driver: HeadlessDriver, told: list[str]) -> None:
    """A smaller radius makes lighter pieces; one that can't be built is said and changes nothing; what is saved has the new size."""
    driver.click("lab/tab/2")
    design = lab(driver).design
    before = build_solid(lab(driver).piece_set, lab(driver).piece_set.by_name["UNI"]).mass_g
    design.change("radius_mm", 12.0)
    driver.frame()
    after = lab(driver).piece_set
    assert build_solid(after, after.by_name["UNI"]).mass_g == pytest.approx(before * (12.0 / 12.8) ** 2, rel=0.02)
    design.change("radius_mm", 14.0)
    assert "outlines" in design.fault
    assert lab(driver).piece_set == after
    driver.frame()
    driver.click("lab/export/stl")
    files = list((Path(os.environ["STAKD_HOME"]) / "pictures").glob("*.stl"))
    assert len(files) == 1
    assert "Saved as" in told[-1]
    uni = min(read_mesh_file(files[0]).parts, key=lambda part: part.mesh.volume)
    assert uni.mesh.extents[0] == pytest.approx(24.0, abs=0.05)
    driver.click("lab/reset")
    assert lab(driver).piece_set.radius_mm == 12.8


def test_a_changed_set_says_so_by_its_name(driver: HeadlessDriver) -> None:
    """The chosen set is called changed as long as its sizes are not those it was opened with, on every tab; another set is not."""
    driver.click("lab/tab/2")
    page = lab(driver)
    assert page.set_titles == ["Classic", "Square"]
    page.design.change("friction", 0.6)
    driver.click("lab/tab/0")
    assert page.set_titles == ["Classic, changed", "Square"]
    page.design.change("friction", CLASSIC.friction)
    assert page.set_titles == ["Classic", "Square"]
    page.design.change("thickness_mm", 9.0)
    driver.click("lab/set/1")
    assert page.set_titles == ["Classic", "Square"]
    driver.click("lab/set/0")
    assert page.piece_set.thickness_mm == CLASSIC.thickness_mm


def test_a_long_name_leaves_room_for_the_word_changed(driver: HeadlessDriver, tmp_path: Path) -> None:
    """A set of one's own with a long name is shortened before the word that tells it is changed, not after."""
    own = tmp_path / "beech with round ends.toml"
    own.write_text(resources.files("meshes.sets").joinpath("square.toml").read_text("utf8"), "utf8")
    driver.program.on_drop([str(own)])
    page = lab(driver)
    assert page.set_titles[-1] == "beech with round ends"
    page.design.change("friction", 0.6)
    assert page.set_titles[-1] == "beech with…, changed"


def test_a_dropped_set_is_worked_with(driver: HeadlessDriver, tmp_path: Path) -> None:
    """A set's file dropped on the lab, with a mesh beside it, is the set of all tabs."""
    export_piece(CLASSIC, CLASSIC.by_name["UNI"], tmp_path / "uni.stl")
    text = "\n".join(f'mesh = "uni.stl"\n{line}' if line == 'letter = "U"' else line for line in _classic_text().splitlines())
    (tmp_path / "mine.toml").write_text(text, "utf8")
    driver.program.on_drop([str(tmp_path / "mine.toml")])
    driver.frame()
    assert lab(driver).piece_set.by_name["UNI"].mesh is not None
    driver.click("lab/tab/2")
    driver.frame()
    assert len(lab(driver).tab.items()) == 5


def _classic_text() -> str:
    from importlib import resources

    return resources.files("meshes.sets").joinpath("classic.toml").read_text("utf8")
