"""Files written beside the window."""

from __future__ import annotations

import sys
import time
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest
import trimesh
from PIL import Image

from meshes.errors import MissingExtra, StakdError
from physics.tower import Tower
from tests.viewer.told_match import told_match
from viewer.camera import Camera
from viewer.exporting import Exported, Exporter, ExportFailed, FilmOrder, ModelOrder, Order, PictureOrder
from viewer.items import tower_items
from viewer.shots import Shot


@pytest.fixture(scope="module")
def tower() -> Tower:
    """Two BASEs."""
    return told_match(falls=False).tower


def _outcome(exporter: Exporter, order: Order) -> tuple[Exported | ExportFailed, list[float]]:
    """What comes of an order, and the shares done that were seen meanwhile."""
    exporter.start(order)
    seen, begun = [], time.monotonic()
    while (report := exporter.poll()) is None:
        seen.append(exporter.progress)
        assert time.monotonic() - begun < 120, "it never ended"
        time.sleep(0.002)
    assert not exporter.busy
    return report, seen


def test_writes_a_picture_a_model_and_a_film(tower: Tower, tmp_path: Path) -> None:
    """Each kind of file is written whole, one after the other, and films tell how far they are."""
    exporter = Exporter()
    picture = PictureOrder(tmp_path / "a.png", tower.piece_set, tower_items(tower), Camera(), size=(96, 64))
    assert _outcome(exporter, picture)[0] == Exported(tmp_path / "a.png")
    assert Image.open(tmp_path / "a.png").size == (96, 64)
    assert _outcome(exporter, ModelOrder(tmp_path / "a.stl", tower))[0] == Exported(tmp_path / "a.stl")
    extents = trimesh.load_mesh(tmp_path / "a.stl").extents
    assert extents[2] == pytest.approx(tower.piece_set.thickness_mm, abs=1e-3)
    film = FilmOrder(tmp_path / "a.gif", [Shot(tower, hold_s=1.0)], Camera(), size=(64, 48), fps=10)
    report, seen = _outcome(exporter, film)
    assert report == Exported(tmp_path / "a.gif")
    assert getattr(Image.open(tmp_path / "a.gif"), "format", "") == "GIF"
    assert seen == sorted(seen)
    assert set(seen) <= {k / 10 for k in range(11)}


def test_one_line_says_what_went_wrong(tower: Tower, tmp_path: Path) -> None:
    """A place that can't be written to is named, on one line; the next order goes well again."""
    report, _ = _outcome(exporter := Exporter(), ModelOrder(tmp_path / "gone" / "a.glb", tower))
    assert isinstance(report, ExportFailed)
    assert "a.glb" in report.message
    assert "\n" not in report.message
    assert isinstance(_outcome(exporter, ModelOrder(tmp_path / "a.glb", tower))[0], Exported)


def test_cancelled_orders_leave_nothing(tower: Tower, tmp_path: Path) -> None:
    """A film that is dropped half-way is not there, and another can be begun at once; two at a time can't."""
    exporter = Exporter()
    long_film = FilmOrder(tmp_path / "a.gif", [Shot(tower, hold_s=600.0)], Camera(), size=(64, 48))
    exporter.start(long_film)
    with pytest.raises(StakdError, match="another file"):
        exporter.start(long_film)
    exporter.cancel()
    assert not exporter.busy
    assert exporter.poll() is None
    assert isinstance(_outcome(exporter, ModelOrder(tmp_path / "a.stl", tower))[0], Exported)
    assert [path.name for path in tmp_path.iterdir()] == ["a.stl"]


def test_no_process_to_write_with(tower: Tower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no process can be started that is told, and the next order goes well."""
    exporter, order = Exporter(), ModelOrder(tmp_path / "a.stl", tower)
    with monkeypatch.context() as patch:
        patch.setattr(SpawnProcess, "start", _refuse)
        with pytest.raises(StakdError, match="too many processes"):
            exporter.start(order)
        assert not exporter.busy
        assert exporter.poll() is None
        exporter.close()
    assert isinstance(_outcome(exporter, order)[0], Exported)


def _refuse(process: SpawnProcess) -> None:
    raise OSError("too many processes")


def test_film_without_its_extra_says_how_to_get_it(tower: Tower, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the `video` extra an MP4 is refused at once, with the name of what is missing."""
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    exporter = Exporter()
    with pytest.raises(MissingExtra, match="video"):
        exporter.start(FilmOrder(tmp_path / "a.mp4", [Shot(tower)], Camera()))
    assert not exporter.busy
