"""The command line: every command does its job."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from games.match import BOARD, Match, MatchSetup, Seat
from games.record import load_record, save_record
from games.tower_file import load_table
from physics.grip import STEADINESS
from physics.tower import exact_pose
from tests.command import BASE, CLASSIC, data, run, shell, write_files
from tests.viewer.driver import headless_program
from viewer import launch, options
from viewer.program import Program
from viewer.screens.screen import Screen
from viewer.screens.show import ShowPage


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every kind, sound and broken."""
    return write_files(tmp_path_factory.mktemp("files"))


def test_demo_leaves_record_and_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A demo tells every act, and its record, picture and, after a fall, film can be opened."""
    out = tmp_path / "out"
    summary = data(capsys, "demo", "--bots", "random", "--players", 1, "--hand", "board", "--out", out, "--seed", 5)
    match = load_record(summary["record"])
    assert [act["move"] for act in summary["acts"]] == [str(act.placement) for act in match.acts]
    assert Image.open(summary["picture"]).size == (1280, 720)
    assert summary["pieces"] == len(match.acts) > 10


def test_demo_repeats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same seed gives the same demo, hands included, told in the same words."""
    small = tmp_path / "small.toml"
    text = resources.files("meshes.sets").joinpath("classic.toml").read_text("utf8")
    small.write_text(re.sub(r"(?m)^(\d) = .*$", r"\1 = { BASE = 1, UNI = 1, DUO = 1 }", text))
    told = []
    for folder in ("a", "b"):
        status, out, _ = run(capsys, "demo", "--bots", "random", "--hand", "shaky", "--set", small, "--out", tmp_path / folder, "--seed", 11)
        assert status == 0
        told.append([line for line in out.splitlines() if re.match(r" *\d+  ", line)])
    assert told[0] == told[1]


def test_demo_pushes_what_stands(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tower that stands to the end of the demo is pushed over when asked for; the film of the fall moves, the record knows nothing of it."""
    monkeypatch.setattr("viewer.demo.FILM_SIZE", (64, 36))
    monkeypatch.setattr("viewer.demo.FILM_SPEED", 1.0)
    summary = data(capsys, "demo", "--bots", "random", "--players", 1, "--hand", "board", "--push", "--out", tmp_path, "--seed", 5)
    with Image.open(summary["film"]) as film:
        assert sum(1 for _ in ImageSequence.Iterator(film)) > 5
    assert not summary["fell"] and load_record(summary["record"]).acts[-1].kind.value == "placed"


def test_judge_tower(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """A sound tower is judged stable with exit status 0, one whose piece hangs beyond its edge unstable with 1."""
    status, out, _ = run(capsys, "judge", files / "tower.json")
    assert (status, "stands" in out) == (0, True)
    status, out, _ = run(capsys, "judge", files / "unstable.json")
    assert (status, "would fall" in out) == (1, True)


def test_judge_piece_joins_rules(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """On a position the rules are judged with physics; on a tower file it says that they can't be."""
    state = load_table(files / "position.json").state
    assert state is not None
    move = state.legal_moves()[0]
    pose = exact_pose(CLASSIC, move)
    at = ("--x", pose.x, "--y", pose.y, "--yaw", pose.yaw_deg, "--layer", move.layer)
    legal = data(capsys, "judge", files / "position.json", "--piece", move.piece, *at)
    assert (legal["holds"], legal["violations"], legal["placement"]) == (True, [], str(move))
    far = data(capsys, "judge", files / "position.json", "--piece", "UNI", "--x", 900, "--y", 0, "--layer", 1)
    assert not far["holds"] and {entry["rule"] for entry in far["violations"]} >= {"S14"}
    assert data(capsys, "judge", files / "tower.json", "--piece", "UNI", "--x", 0, "--y", 0)["violations"] is None


def test_hands_are_those_there_are() -> None:
    """The levels that can be named are all that physics has, and laying on the board beside them for bots."""
    assert [level.value for level in options.Level] == list(STEADINESS)
    assert [hand.value for hand in options.Hand] == [BOARD, *STEADINESS]


def test_judge_asks_hands(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """How often hands knock the tower over is told with its interval and repeats for a seed; where something is no hand can lay a piece."""
    piece = ("judge", files / "tower.json", "--piece", "UNI", "--x", 0, "--y", 0, "--hand", "steady")
    first, again = data(capsys, *piece), data(capsys, *piece)
    assert first == again
    assert (first["hand"], first["chance"]["hands"]) == ("steady", 200)
    assert 0 <= first["chance"]["low"] <= first["chance"]["rate"] <= first["chance"]["high"] <= 1
    assert "knock the tower over" in first["words"][-2]
    assert "slips off are not among those" in first["words"][-1]
    status, _, error = run(capsys, *piece, "--layer", 0)
    assert (status, error.count("can't lay the UNI where BASE")) == (2, 1)
    status, _, error = run(capsys, *piece, "--layer", 9)
    assert (status, error.count("nothing bears UNI 9 0,0")) == (2, 1)
    status, _, error = run(capsys, *piece[:-2], "--seed", 3)
    assert (status, error.count("--seed has no meaning without --hand")) == (2, 1)


def test_judge_tells_of_a_fall(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """A record that ends in a fall is judged as the tower stood before, and this is said; other acts of it need no word."""
    _, _, told = run(capsys, "judge", files / "match.stakd")
    assert "fell in act 13" in told
    _, _, told = run(capsys, "judge", files / "match.stakd", "--act", 12)
    assert "note" not in told


def test_judge_asks_bullet(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """With --settle Bullet is a second witness, for the tower that stands and the one that does not."""
    assert data(capsys, "judge", files / "tower.json", "--settle")["settled"]["stands"] is True
    assert data(capsys, "judge", files / "unstable.json", "--settle")["settled"]["stands"] is False


def test_replay_tells_all(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """A replay tells every act in words, the fall and what failed first among them."""
    status, out, _ = run(capsys, "replay", files / "match.stakd")
    assert status == 0
    assert "The tower falls" in out
    assert len(data(capsys, "replay", files / "match.stakd")["acts"]) == 13
    assert len(data(capsys, "replay", files / "match.stakd", "--act", 3)["acts"]) == 1


def test_replay_of_a_finished_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A finished match tells its outcome; square brackets in names are plain text; with --act the state is that of the act."""
    own = MatchSetup(CLASSIC, (Seat("[/x] Eve", "random"),), seed=4)
    match = Match(own)
    while not match.over:
        match.place(match.think())
    save_record(match, tmp_path / "solo.stakd")
    outcome = match.state.outcome()
    assert outcome is not None
    assert data(capsys, "replay", tmp_path / "solo.stakd")["outcome"] == outcome.to_json()
    assert "[/x] Eve adds a BASE" in run(capsys, "replay", tmp_path / "solo.stakd")[1]
    state = data(capsys, "replay", tmp_path / "solo.stakd", "--act", 4)["state"]
    assert sum(len(layer) for layer in state["layers"]) == 4


@pytest.mark.parametrize("name", ["tower.json", "position.json", "match.stakd"])
def test_render_draws_every_kind_of_file(capsys: pytest.CaptureFixture[str], files: Path, tmp_path: Path, name: str) -> None:
    """Tower file, position and record become a PNG of the size asked for."""
    picture = tmp_path / "picture.png"
    assert run(capsys, "render", files / name, "-o", picture, "--size", "160x90")[0] == 0
    assert Image.open(picture).size == (160, 90)


def test_render_films_the_fall(capsys: pytest.CaptureFixture[str], files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The film of a fall is drawn from the record's pose track alone: no physics is run, so no frame waits for it."""
    monkeypatch.setattr("physics.world.World.__init__", lambda *_, **__: pytest.fail("a world was built"))
    film = tmp_path / "fall.gif"
    told = data(capsys, "render", files / "match.stakd", "--film", film, "--size", "128x72", "--speed", 2)
    assert told["acts"] == [13]
    # a GIF holds a frame that looks like the one before it only longer
    assert 5 < Image.open(film).n_frames <= told["frames"]  # type: ignore[attr-defined]


def test_towers_of_own_sets_are_judged_drawn_and_exported(capsys: pytest.CaptureFixture[str], files: Path, tmp_path: Path) -> None:
    """Every command that takes a tower file takes one of a set beside it, and one that names none together with `--set`."""
    text = resources.files("meshes.sets").joinpath("classic.toml").read_text("utf8")
    (tmp_path / "mine.toml").write_text(text.replace('"UNI"', '"DOT"').replace("[pieces.UNI]", "[pieces.DOT]").replace("UNI = ", "DOT = "), "utf8")
    piece = {"piece": "DOT", "layer": 0, "cells": [[0, 0]]}
    for named, chosen in (({"set": "mine.toml"}, ()), ({}, ("--set", tmp_path / "mine.toml"))):
        tower = tmp_path / "t.json"
        tower.write_text(json.dumps({"tower": 1, **named, "pieces": [piece]}))
        assert data(capsys, "judge", tower, *chosen)["holds"]
        assert data(capsys, "render", tower, "-o", tmp_path / "t.png", "--size", "64x64", *chosen)["pieces"] == 1
        assert data(capsys, "export", tmp_path / "t.stl", "--tower", tower, *chosen)["files"]


@pytest.mark.parametrize("suffix", ["stl", "3mf", "glb"])
def test_export_writes_pieces_plates_towers(capsys: pytest.CaptureFixture[str], files: Path, tmp_path: Path, suffix: str) -> None:
    """A piece, a plate and a tower are written in each format, and it says what and how large."""
    for extra in (("--piece", "QUAD"), ("--one-of-each",), ("--tower", files / "match.stakd")):
        told = data(capsys, "export", tmp_path / f"x.{suffix}", *extra)
        assert all(Path(file["path"]).stat().st_size > 1000 for file in told["files"])


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """Perft gives the known counts; divided, they add up."""
    assert data(capsys, "perft", 3)["count"] == 3328
    divided = data(capsys, "perft", 3, "--players", 1, "--divide")
    assert sum(divided["divided"].values()) == divided["count"] == 1600
    assert data(capsys, "perft", 0)["count"] == 1


def test_pieces_lists_the_box(capsys: pytest.CaptureFixture[str]) -> None:
    """The classic box holds 66 pieces of the rulebook's counts."""
    counts = {piece["name"]: piece["count"] for piece in data(capsys, "pieces")["pieces"]}
    assert counts == {"BASE": 6, "UNI": 24, "DUO": 18, "TRIO": 12, "QUAD": 6}
    assert "concave" in run(capsys, "pieces", "--set", "square")[1]


def test_arena_prints_rates(capsys: pytest.CaptureFixture[str]) -> None:
    """The arena gives each bot's wins of all rounds and an interval around its rate."""
    result = data(capsys, "arena", "--bots", "random,random", "--games", 4, "--processes", 1)
    assert sum(bot["wins"] for bot in result["bots"]) == 4
    assert all(bot["low"] <= bot["rate"] <= bot["high"] for bot in result["bots"])


def test_doctor_says_what_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    """The doctor finds everything needed on a machine that runs these tests, OpenGL included."""
    health = data(capsys, "doctor")
    assert health["well"] is True
    assert {"python", "bullet", "opengl", "numpy"} <= {finding["name"] for finding in health["findings"]}


def test_engine_speaks_the_protocol_only() -> None:
    """The engine's standard output holds protocol lines and nothing else, the judge's physics included; end of input ends it with 0."""
    lines = [
        {"id": 1, "method": "new", "params": {"game": "stakd", "players": 2, "seed": 0}},
        {"id": 2, "method": "play", "params": {"move": str(BASE)}},
        {"id": 3, "method": "judge", "params": {"piece": "UNI", "x_mm": 0.5, "y_mm": 0, "yaw_deg": 0}},
        {"id": 4, "method": "moves"},
    ]
    done = shell("engine", text="".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, [answer["id"] for answer in answers]) == (0, [1, 2, 3, 4])
    assert answers[2]["result"]["layer"] == 1
    assert len(answers[3]["result"]) == 50


def test_headless_commands_need_no_display(files: Path) -> None:
    """Without a display everything here works, drawing included."""
    done = shell("render", files / "tower.json", "-o", files / "blind.png", "--size", "64x64", DISPLAY="", WAYLAND_DISPLAY="")
    assert done.returncode == 0, done.stderr


def test_old_opengl_is_named(files: Path) -> None:
    """With OpenGL 2.1 drawing is refused with the version found, and exit status 2."""
    done = shell("render", files / "tower.json", "-o", files / "old.png", MESA_GL_VERSION_OVERRIDE="2.1", MESA_GLSL_VERSION_OVERRIDE="120")
    assert done.returncode == 2
    assert "3.3" in done.stderr and "2.1" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "page"),
    [
        ("demo --window --seed 4 --players 3 --set square --bots greedy --hand shaky", "ShowPage"),
        ("play", "MatchSetupPage"),
        ("play {files}/match.stakd", "TablePage"),
        ("replay {files}/match.stakd --window", "ReplayPage"),
    ],
)
def test_commands_open_the_window(
    capsys: pytest.CaptureFixture[str], files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, page: str
) -> None:
    """What is to be seen in the window opens it at its page."""
    opened: list[Screen] = []

    def run_headless(first: Callable[[Program], Screen]) -> None:
        with headless_program(tmp_path) as program:
            program.open(first(program))
            opened.append(program.screen)

    monkeypatch.setattr(launch, "run_program", run_headless)
    assert run(capsys, *(word.format(files=files) for word in line.split()))[0] == 0
    assert [type(screen).__name__ for screen in opened] == [page]
    if isinstance(opened[0], ShowPage):
        setup = opened[0].casting.setup(0)
        assert (opened[0].casting.seed, setup.piece_set.name) == (4, "square")
        assert [(seat.bot, seat.hand and seat.hand.name) for seat in setup.seats] == [("greedy", "shaky")] * 3


@pytest.mark.parametrize("line", ["", "play", "demo --window"])
def test_window_needs_a_display(tmp_path: Path, line: str) -> None:
    """Without a display the window is refused in one line, with exit status 2."""
    done = shell(*line.split(), DISPLAY="", WAYLAND_DISPLAY="", STAKD_HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no display" in done.stderr and len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("command", ["replay {files}/match.stakd", "pieces --json"])
def test_closed_pipe_is_quiet(files: Path, command: str) -> None:
    """A reader that has gone is no error and no answer: nothing is said, and the status is 141 as of a program that the broken pipe killed."""
    reading, writing = os.pipe()
    os.close(reading)
    line = [sys.executable, "-m", "stakd", *command.format(files=files).split()]
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(line, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (141, "")
