"""The lab's table by clicks: pieces are stacked, the table moves under them, and hands are asked."""

from __future__ import annotations

import multiprocessing

import numpy as np
import pytest

from meshes.piece_set import build_piece_set, load_piece_set
from meshes.placement import Placement
from physics.grip import SHAKY
from physics.pose import Pose
from physics.table_motion import MotionKind
from physics.tower import LaidPiece, Tower
from tests.viewer.driver import HeadlessDriver
from tests.viewer.screens.lab.visit import lab, wait
from viewer.screens.lab.chances import HANDS, LEVELS
from viewer.screens.lab.page import LabPage

CLASSIC = load_piece_set("classic")
_ENDS: dict[str, list[tuple[int, int]]] = {"BAR": [], "ELL": [(0, 1)], "TEE": [(1, 1)]}
"""What is added to a bar for three shapes of pieces."""


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
    """The first share is seen before all are, the shaky ones first; asked again the same processes begin anew. If one is lost, though work was
    dropped before, it is told, and asked again others begin."""
    driver.click("lab/tab/1")
    driver.click("lab/piece/DUO")
    driver.click("lab/column")
    driver.click("lab/hands")
    chances = lab(driver).table.chances
    wait(driver, lambda: bool(chances.found))
    assert SHAKY.name in chances.found
    driver.frame()
    driver.check_places()
    first = set(multiprocessing.active_children())
    driver.click("lab/hands")
    wait(driver, lambda: bool(chances.found))
    assert set(multiprocessing.active_children()) == first
    driver.click("lab/hands")
    for child in first:
        child.kill()
    wait(driver, lambda: bool(chances.failure))
    assert "ended unexpectedly" in chances.failure
    assert not chances.busy
    driver.frame()
    driver.check_places()
    driver.click("lab/hands")
    wait(driver, lambda: bool(chances.found))
    assert not chances.failure
    assert not set(multiprocessing.active_children()) & first


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


@pytest.mark.parametrize("size", [(320, 200), (240, 150)])
def test_every_kind_of_the_largest_set_can_be_laid(driver: HeadlessDriver, size: tuple[int, int]) -> None:
    """A set of 26 kinds has a button for each, in windows of 1067×667 and 800×500, and the last one is laid as the first is."""
    bars = {f"{name}{length}": [*((x, 0) for x in range(length)), *more] for length in range(3, 10) for name, more in _ENDS.items()}
    letters = iter("ACEFGHIJKLMNOPRSVWXYZ")
    kinds = {name: {"cells": cells, "count": 4, "colour": "#3569BE", "letter": next(letters)} for name, cells in bars.items()}
    piece_set = build_piece_set("large", {**CLASSIC.source, "pieces": {**CLASSIC.source["pieces"], **kinds}})
    assert len(piece_set.pieces) == 26
    driver.resize(size)
    driver.click("lab/tab/1")
    lab(driver).use_set(piece_set)
    driver.frame()
    driver.check_places()
    for piece in (piece_set.pieces[0], piece_set.pieces[-1]):
        driver.click(f"lab/piece/{piece.name}")
        driver.click("lab/column")
        assert {laid.placement.piece for laid in lab(driver).table.lab_table.tower.laid} == {piece.name}
