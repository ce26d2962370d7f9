"""`stakd study`: from a set to tables and a report, and what it refuses."""

from __future__ import annotations

import csv
import errno
import json
import os
from pathlib import Path

import pytest

from tests.command import data, run
from tests.games.study.conftest import SMALL


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A set of the user's own."""
    path = tmp_path / "own.toml"
    path.write_text(SMALL)
    return path


QUICK = ("--hand", "board", "--bots", "random", "--processes", "1")


def test_a_study_leaves_tables_summary_and_report(capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path) -> None:
    """Every file is there, the tables have a row a game and a row an act, and the summary is what --json prints."""
    out = tmp_path / "study"
    printed = data(capsys, "study", own, "--vary", "thickness=8:12,friction", "--games", 5, "--out", out, *QUICK)
    games, acts = (list(csv.DictReader((out / f"{name}.csv").open())) for name in ("games", "acts"))
    assert [row["game"] for row in games] == list("01234")
    assert sum(int(row["acts"]) for row in games) == len(acts)
    assert all(8 <= float(row["thickness"]) <= 12 for row in games)
    assert printed["designs"][0]["games"] == 5
    assert printed["designs"][0]["fell"]["value"] == 0
    assert json.loads((out / "summary.json").read_text()) == {key: value for key, value in printed.items() if key != "files"}
    assert all(Path(path).exists() for path in printed["files"].values())


def test_parquet_holds_what_csv_does(capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path) -> None:
    """The ending says the form."""
    from pyarrow import parquet

    data(capsys, "study", own, "--games", 2, "--out", tmp_path / "p", "--tables", "parquet", *QUICK)
    data(capsys, "study", own, "--games", 2, "--out", tmp_path / "c", *QUICK)
    rows = parquet.read_table(tmp_path / "p" / "acts.parquet").to_pylist()
    plain = [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
    assert plain == list(csv.DictReader((tmp_path / "c" / "acts.csv").open()))


def test_two_sets_stand_side_by_side(capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path) -> None:
    """The words name both sets and the differences."""
    thick = tmp_path / "thick.toml"
    thick.write_text(SMALL.replace("thickness_mm = 10.0", "thickness_mm = 12.0"))
    status, out, _ = run(capsys, "study", own, "--against", thick, "--games", 3, "--out", tmp_path / "s", *QUICK)
    assert status == 0
    assert "thick beside own" in out
    summary = json.loads((tmp_path / "s" / "summary.json").read_text())
    height = next(row for row in summary["differences"] if row["what"] == "height reached")
    assert height["second"]["value"] == pytest.approx(1.2 * height["first"]["value"])


def test_a_study_goes_on_only_when_asked(capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path) -> None:
    """A folder with a study is refused without --resume and extended with it; where there is none yet, --resume says so and begins one."""
    words = ("study", own, "--out", tmp_path / "s", *QUICK)
    status, out, _ = run(capsys, *words, "--games", 1, "--resume")
    assert (status, "no study" in out) == (0, True)
    status, _, err = run(capsys, *words, "--games", 2)
    assert (status, "--resume" in err) == (2, True)
    assert data(capsys, *words, "--games", 2, "--resume")["designs"][0]["games"] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("study", "classik"), "did you mean classic"),
        (("study", "classic", "--vary", "width"), "no such dimension"),
        (("study", "classic", "--vary", "radius=13.5"), "at most 12.84 mm"),
        (("study", "classic", "--vary", "radius", "--against", "square"), "has no meaning with --against"),
        (("study", "classic", "--processes", "2", "--cluster", "tcp://x:1"), "has no meaning with --cluster"),
        (("study", "classic", "--bots", "clever"), "no bot clever"),
        (("study", "classic", "--players", "9"), "9 can't play"),
    ],
)
def test_bad_use_ends_with_one_message(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    """Exit status 2, one message, and nothing is written."""
    status, out, err = run(capsys, *words, "--out", tmp_path / "s")
    assert (status, out) == (2, "")
    assert message in " ".join(err.replace("│", " ").split())
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("out", "message"),
    [("own.toml", "own.toml: it is a file; name a folder"), ("own.toml/below", "own.toml is a file; name a folder")],
)
def test_a_folder_that_cannot_be_used_is_told(capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path, out: str, message: str) -> None:
    """A file in the place of the folder, or of one above it, is one clear error."""
    status, _, err = run(capsys, "study", own, "--games", 1, "--out", tmp_path / out, *QUICK)
    assert status == 2
    assert message in err
    assert own.read_text() == SMALL


@pytest.mark.parametrize(
    ("code", "message"),
    [(errno.ENOSPC, "the disk is full; make room"), (errno.EROFS, "it is read-only"), (errno.EACCES, "you may not write there")],
)
def test_a_place_that_takes_nothing_is_told(
    capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, message: str
) -> None:
    """A full disk and a place that may not be written to are told in plain words, and no empty journal is left that a next try would stumble on."""

    def refuses(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuses)
    status, _, err = run(capsys, "study", own, "--games", 1, "--out", tmp_path / "s", *QUICK)
    assert (status, message in err) == (2, True)
    assert list((tmp_path / "s").iterdir()) == []


def test_a_disk_that_fills_up_keeps_what_was_written(
    capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The study ends with the reason, and goes on with the games that were written once there is room."""
    written = []

    def fills_up(_: int) -> None:
        written.append(1)
        if len(written) > 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    words = ("study", own, "--games", 3, "--out", tmp_path / "s", *QUICK)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fills_up)
        status, _, err = run(capsys, *words)
    assert (status, "the disk is full" in err, "--resume goes on" in err) == (2, True, True)
    assert data(capsys, *words, "--resume")["designs"][0]["games"] == 3
