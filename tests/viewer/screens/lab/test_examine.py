"""What the lab finds out about a mesh file beside the window."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import trimesh
from shapely import LineString, Point, union_all

from meshes.piece_set import load_piece_set
from viewer.screens.lab.examine import FileSeen, PieceSeen, Wish, examine, node_marks
from viewer.screens.lab.worker import Failed, Worker

CLASSIC = load_piece_set("classic")


def peanut(folder: Path, pitch: float = 30.0, radius: float = 12.8) -> Path:
    """Two discs with a neck, a DUO of another pitch or radius perhaps, away from the middle of its file."""
    ends = [Point(100 + x, 50).buffer(radius, 24) for x in (0, pitch)]
    mesh: trimesh.Trimesh = trimesh.creation.extrude_polygon(union_all([*ends, LineString([(100, 50), (100 + pitch, 50)]).buffer(6, 24)]), 10)
    mesh.export(folder / "peanut.stl")
    return folder / "peanut.stl"


def examined(path: Path) -> tuple[FileSeen, PieceSeen]:
    """What arrives for a file, carried from process to process."""
    told: list[FileSeen | PieceSeen] = []
    examine(told.append, Wish(path, CLASSIC))
    file, seen = (pickle.loads(pickle.dumps(step)) for step in told)  # noqa: S301 – our own
    assert isinstance(file, FileSeen)
    assert isinstance(seen, PieceSeen)
    return file, seen


def test_a_sound_piece_is_marked_where_its_nodes_are(tmp_path: Path) -> None:
    """A DUO's mesh is read in mm, found to be a DUO and can be played with; its right nodes are marked 30 mm apart on top of it."""
    file, seen = examined(peanut(tmp_path))
    assert (file.unit.value, file.unit_inferred, file.parts) == ("mm", True, (file.part,))
    marks = {mark.cell: mark for mark in node_marks(seen.check, CLASSIC)}
    assert seen.own is not None
    assert set(marks) == {(0, 0), (1, 0)}
    assert all(mark.right for mark in marks.values())
    assert marks[0, 0].middle == pytest.approx([0, 0, 10], abs=0.05)
    assert marks[1, 0].middle == pytest.approx([30, 0, 10], abs=0.05)


def test_nodes_off_their_places_are_marked_wrong(tmp_path: Path) -> None:
    """At a pitch of 32 mm in a set of 30 mm each node is a millimetre off: both are marked wrong, and the mesh is shown but not played with."""
    _, seen = examined(peanut(tmp_path, pitch=32.0))
    assert not seen.check.sound
    assert seen.own is None
    assert len(seen.shown.faces) > 0
    marks = node_marks(seen.check, CLASSIC)
    assert len(marks) == 2
    assert not any(mark.right for mark in marks)


def test_nodes_with_too_small_discs_are_marked_wrong(tmp_path: Path) -> None:
    """At a pitch of 30.5 mm each node is in place well enough, but discs of 11.5 mm are too small for a set of 12.8 mm."""
    _, seen = examined(peanut(tmp_path, pitch=30.5, radius=11.5))
    assert [mark.right for mark in node_marks(seen.check, CLASSIC)] == [False, False]


def test_an_open_mesh_is_shown_and_refused(tmp_path: Path) -> None:
    """A disc with a hole in its wall is shown as it is, in the middle of the table, told of, and has no marks."""
    mesh = trimesh.creation.cylinder(12.8, 10, sections=48)
    mesh.faces = mesh.faces[10:]
    mesh.apply_translation([500, 0, 0])
    mesh.export(tmp_path / "open.stl")
    _, seen = examined(tmp_path / "open.stl")
    assert (seen.check.sound, seen.own, node_marks(seen.check, CLASSIC)) == (False, None, [])
    low, high = seen.shown.vertices_mm.min(axis=0), seen.shown.vertices_mm.max(axis=0)
    assert (low + high)[:2] == pytest.approx([0, 0], abs=0.1)
    assert low[2] == pytest.approx(0.0)


@pytest.fixture
def worker() -> Iterator[Worker]:
    """Ended whatever happens."""
    started = Worker()
    yield started
    started.cancel()


def test_a_bad_file_is_told_by_the_worker(worker: Worker, tmp_path: Path) -> None:
    """What can't be read comes back as a message that names the file, and the worker is free again."""
    (tmp_path / "no.stl").write_text("no mesh")
    assert worker.start(examine, Wish(tmp_path / "no.stl", CLASSIC)) is None
    heard: list[object] = []
    end = time.monotonic() + 60
    while worker.busy and time.monotonic() < end:
        heard += worker.poll()
        time.sleep(0.01)
    assert isinstance(heard[-1], Failed)
    assert "no.stl" in heard[-1].message
    assert not worker.busy


def test_cancelling_is_at_once(worker: Worker, tmp_path: Path) -> None:
    """A file that is being read is dropped when cancelled, and nothing of it arrives later."""
    assert worker.start(examine, Wish(peanut(tmp_path), CLASSIC)) is None
    assert worker.busy
    worker.cancel()
    assert not worker.busy
    assert list(worker.poll()) == []
