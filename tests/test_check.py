"""The command `stakd check`: tables, data, exit statuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import trimesh

import stakd
from meshes.piece_set import load_piece_set
from meshes.solid import build_solid
from tests.meshes.piece_shapes import joined, moved

CLASSIC = load_piece_set("classic")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sound TRIO, one that is too small, an open one, one that is no mesh, and a file of two parts."""
    folder = tmp_path_factory.mktemp("files")
    trio, uni = (build_solid(CLASSIC, CLASSIC.piece(name)).mesh for name in ("TRIO", "UNI"))
    moved(trio, 20.0, (5, 6, 0)).export(folder / "trio.stl")
    small = trio.copy()
    small.apply_scale([28.4 / 30, 28.4 / 30, 1])
    small.export(folder / "small.stl")
    trimesh.Trimesh(trio.vertices, trio.faces[4:], process=False).export(folder / "open.stl")
    (folder / "rubbish.stl").write_text("no mesh at all")
    joined(moved(small, 0.0, (100, 0, 0)), uni).export(folder / "two.stl")
    return folder


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object) -> tuple[int, str, str]:
    """Run the command in this process: exit status, standard output, standard error."""
    monkeypatch.setattr(sys, "argv", ["stakd", "check", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        stakd.main()
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


def test_a_sound_piece(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    """A sound piece ends with status 0 and a table of its weight, nodes and falls; the unit and axis that were inferred are told."""
    status, out, _ = run(capsys, monkeypatch, files / "trio.stl", "--set", "classic")
    assert status == 0
    for words in ("sound", "in mm (inferred)", "+z up", "watertight", "3 (TRIO)", "pitch 30.00 mm", "4 of 4 falls", "inertia", "thinnest wall"):
        assert words in out


def test_an_unsound_piece_says_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    """A piece that parts from the set, and one that is open, end with status 1 and the figures."""
    status, out, _ = run(capsys, monkeypatch, files / "small.stl", "--set", "classic")
    assert status == 1 and "pitch 28.40 mm, the set has 30 mm" in out
    status, out, _ = run(capsys, monkeypatch, files / "open.stl")
    assert status == 1 and "not closed" in out


def test_one_bad_file_does_not_stop_the_others(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    """Of three files each is told of, the unreadable one on standard error; a summary lists them all, and the status is 2."""
    status, out, err = run(capsys, monkeypatch, files / "rubbish.stl", files / "trio.stl", files / "open.stl", files / "missing.stl")
    assert status == 2
    assert "rubbish.stl" in err and "missing.stl" in err
    summary = out[out.index("all files") :]
    assert summary.count("unreadable") == 2 and "unsound: open" in summary and "trio.stl" in summary


def test_names_of_files_can_not_move_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    """An escape sequence and a line break in the name of a file are shown as signs, in headings and in errors."""
    for name in ("bad\n\x1b[31mme.stl", "gone\n\x1b[31m.stl"):
        path = files / name
        if name.startswith("bad"):
            path.write_bytes((files / "open.stl").read_bytes())
        _, out, errors = run(capsys, monkeypatch, path)
        assert "\x1b" not in out + errors
        assert "[31m" in out + errors


def test_data_is_what_the_table_shows(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    """With --json one value holds every file with its parts, verdicts, figures and errors."""
    status, out, _ = run(capsys, monkeypatch, files / "trio.stl", files / "rubbish.stl", "--set", "classic", "--json")
    data = json.loads(out)
    assert (status, data["sound"]) == (2, False)
    good, bad = data["files"]
    (part,) = good["parts"]
    assert (good["unit"], good["unit_inferred"], good["up"], good["sound"]) == ("mm", True, "+z", True)
    assert part["weight"]["mass_g"] == pytest.approx(build_solid(CLASSIC, CLASSIC.piece("TRIO")).mass_g, abs=1e-3)
    assert [node["cell"] for node in part["nodes"]["nodes"]] == [[0, 0], [0, 1], [1, 0]]
    assert part["drop"]["lies_flat"] and part["printable"]["printable"]
    assert "rubbish.stl" in bad["error"] and bad["parts"] == []


def test_every_part_or_the_one_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    """All parts of a file are checked unless one is named; a name it does not have is refused with those it has."""
    status, out, _ = run(capsys, monkeypatch, files / "two.stl", "--set", "classic", "--json")
    parts = json.loads(out)["files"][0]["parts"]
    assert (status, sorted(part["sound"] for part in parts)) == (1, [False, True])
    name = next(part["name"] for part in parts if part["sound"])
    assert run(capsys, monkeypatch, files / "two.stl", "--set", "classic", "--part", name)[0] == 0
    status, _, err = run(capsys, monkeypatch, files / "two.stl", "--part", "nose")
    assert status == 2 and name in err


def test_unit_and_axis_can_be_given(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    """A unit that makes it too large is refused with its size; a unit or axis that is none is bad use and lists those there are."""
    status, out, err = run(capsys, monkeypatch, files / "trio.stl", "--unit", "m")
    assert status in (1, 2) and "mm" in out + err
    for option, wrong, right in (("--unit", "furlong", "inch"), ("--up", "sideways", "+z")):
        status, _, err = run(capsys, monkeypatch, files / "trio.stl", option, wrong)
        assert status == 2 and right in err


def test_no_file_is_bad_use(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file the command says what it wants."""
    status, _, err = run(capsys, monkeypatch)
    assert status == 2 and "FILE" in err
