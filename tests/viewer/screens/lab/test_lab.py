"""The lab by clicks: a mesh is dropped, checked, marked and played with; sizes change; sets are named."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
import trimesh

from meshes.export import export_piece
from meshes.mesh_file import read_mesh_file
from meshes.piece_set import load_piece_set
from meshes.solid import build_solid
from tests.viewer.driver import HeadlessDriver
from tests.viewer.screens.lab.visit import lab, wait
from viewer.screens.lab.examine import Sign, check_lines, node_marks
from viewer.screens.match_setup import MatchSetupPage

CLASSIC = load_piece_set("classic")


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
