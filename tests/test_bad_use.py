"""The command line refuses bad use and bad input with one message and exit status 2."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.command import run, write_files


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every kind, sound and broken."""
    return write_files(tmp_path_factory.mktemp("files"))


BAD: Sequence[tuple[str, str]] = [
    ("demo --players 6 --out {tmp}/o", "hands for 1 to 5"),
    ("demo --players 0 --out {tmp}/o", "--players"),
    ("demo --bots deep --out {tmp}/o", "no bot deep"),
    ("demo --seed -1 --out {tmp}/o", "--seed"),
    ("demo --set {files}/own.toml --out {tmp}/o", "title"),
    ("demo --set nothing --out {tmp}/o", "classic"),
    ("demo --out {files}/tower.json", "tower.json"),
    ("demo --window --out {tmp}/o", "--out"),
    ("demo --window --json", "--json"),
    ("demo --window --players 6", "hands for 1 to 5"),
    ("demo --window --bots deep", "no bot deep"),
    ("demo --window --set nothing", "classic"),
    ("play {files}/none.stakd", "none.stakd"),
    ("play {files}/cut.stakd", "line"),
    ("play {files}/tower.json", "tower.json"),
    ("judge {files}/none.json", "none.json"),
    ("judge {files}/broken.json", "broken.json"),
    ("judge {files}/binary.json", "binary.json"),
    ("judge {files}/tower.json --piece OCTO", "OCTO"),
    ("judge {files}/tower.json --piece UNI --x nan", "x"),
    ("judge {files}/tower.json --piece UNI --x 1e308", "x"),
    ("judge {files}/tower.json --piece UNI --yaw inf", "yaw"),
    ("judge {files}/tower.json --x 3", "--x"),
    ("judge {files}/tower.json --act 3", "act"),
    ("judge {files}/match.stakd --act 99", "99"),
    ("replay {files}/cut.stakd", "line"),
    ("replay {files}/cut.stakd --window", "line"),
    ("replay {files}/match.stakd --window --act 3", "--act"),
    ("replay {files}/match.stakd --window --json", "--json"),
    ("replay {files}/tower.json", "tower.json"),
    ("replay {files}", "{files}"),
    ("render {files}/cut.stakd", "line"),
    ("render {files}/tower.json --size 1x1", "1x1"),
    ("render {files}/tower.json --size 99999x99999", "99999"),
    ("render {files}/tower.json --size big", "big"),
    ("render {files}/tower.json --size 8000x64", "8000x64"),
    ("render {files}/tower.json -o {tmp}/x.bmp2", "x.bmp2"),
    ("render {files}/tower.json -o {tmp}/no/x.png", "x.png"),
    ("render {files}/tower.json --azimuth nan", "--azimuth"),
    ("render {files}/tower.json --azimuth inf", "--azimuth"),
    ("render {files}/tower.json --elevation -40", "--elevation"),
    ("render {files}/tower.json --speed 2", "--speed"),
    ("render {files}/tower.json --whole", "--whole"),
    ("render {files}/match.stakd --film {tmp}/x.gif --azimuth 4", "--azimuth"),
    ("render {files}/match.stakd --film {tmp}/x.gif -o {tmp}/x.png", "--output"),
    ("render {files}/tower.json --film {tmp}/x.gif", "record"),
    ("render {files}/match.stakd --film {tmp}/x.gif --set square", "--set"),
    ("render {files}/none.json -o {tmp}/x.png", "no such file in {files}"),
    ("render .", "it is a folder"),
    ("play " + "n" * 300, "neither a game nor a file"),
    ("lab " + "n" * 300, "the lab can't open"),
    ("lab {files}/none.stl", "no such file in {files}"),
    ("export {tmp}/x.stl --tower {files}/away/t.json", "no folder {files}/away"),
    ("judge {files}/escape.json", "\N{REPLACEMENT CHARACTER}[31mOCTO"),
    ("render {files}/match.stakd --film {tmp}/x.avi", "x.avi"),
    ("render {files}/match.stakd --film {tmp}/x.gif --speed 0", "--speed"),
    ("judge {files}/tower.json --piece UNI --x 0 --y 0 --layer 99999999999", "--layer"),
    ("export {tmp}/x.step", "x.step"),
    ("export {tmp}/x.stl --piece OCTO", "OCTO"),
    ("export {tmp}/x.stl --piece UNI --tower {files}/tower.json", "--tower"),
    ("export {tmp}/x.stl --plate 10 10", "10"),
    ("export {tmp}/x.stl --plate nan 10", "nan"),
    ("export {tmp}/x.stl --gap inf", "--gap"),
    ("export {tmp}/x.stl --piece UNI --one-of-each", "--one-of-each"),
    ("export {tmp}/x.stl --act 3", "--act"),
    ("pieces --set {files}/own.toml", "title"),
    ("pieces --set {files}", "{files}"),
    ("demo --out {tmp}/o[/b] --players 9", "5"),
    ("replay {files}/[/b].stakd", "[/b]"),
    ("arena --bots random", "1"),
    ("arena --bots deep,random", "deep"),
    ("arena --games 0", "--games"),
    ("perft 99", "depth"),
    ("perft -1", "-1"),
    ("perft 2 --players 9", "players"),
    ("engine --set nothing", "nothing"),
    ("frobnicate", "frobnicate"),
]


@pytest.mark.parametrize(("line", "named"), BAD, ids=[line.replace("{files}/", "").replace("{tmp}/", "") for line, _ in BAD])
def test_bad_use_is_one_message(capsys: pytest.CaptureFixture[str], files: Path, tmp_path: Path, line: str, named: str) -> None:
    """Bad use and bad input: exit status 2, the thing named on standard error, nothing on standard output, nothing half-written."""
    words = [word.format(files=files, tmp=tmp_path) for word in line.split()]
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, ""), err
    # the message may be wrapped and framed
    flat = re.sub(r"[\s│]+", "", err)
    assert named.format(files=files, tmp=tmp_path).replace(" ", "") in flat
    assert "Traceback" not in err
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize(
    "line",
    [
        "judge {pipe}.json",
        "judge {files}/position.json --set {pipe}.toml",
        "play {pipe}.stakd",
        "lab {pipe}.stl",
        "replay {pipe}.stakd",
        "render {pipe}.stakd",
        "render {pipe}.stakd --film {pipe}.gif",
        "export {files}/x.stl --tower {pipe}.json",
        "check {pipe}.stl",
        "pieces --set {pipe}.toml",
        "study {pipe}.toml",
        "engine --set {pipe}.toml",
    ],
)
def test_nobody_waits_for_a_pipe(capsys: pytest.CaptureFixture[str], files: Path, tmp_path: Path, line: str) -> None:
    """A named pipe that nobody writes to is refused at once, with its name, the reason and what to do."""
    pipe = tmp_path / "pipe"
    for suffix in ("json", "toml", "stakd", "stl"):
        os.mkfifo(f"{pipe}.{suffix}")
    status, out, err = run(capsys, *line.format(files=files, pipe=pipe).split())
    assert (status, out) == (2, "")
    flat = re.sub(r"[\s│]+", "", err)
    assert "pipe." in flat and "itisapipe,notaplainfile;writewhatitholdstoafileandnamethat" in flat
