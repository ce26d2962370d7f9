"""Running the command line, and files of every kind to run it on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import stakd
from games.match import Match, bot_setup
from games.record import save_record
from games.stakd.state import State
from games.tower_file import save_tower
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.pose import Pose
from physics.tower import Tower
from tests.games.test_match import play, toppled

CLASSIC = load_piece_set("classic")
BASE = Placement("BASE", 0, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))


def write_files(folder: Path) -> Path:
    """Fill a folder with a sound record that ends in a fall, a tower, an unstable tower, a position, and broken files."""
    match = Match(bot_setup(CLASSIC, ["random"], players=2, seed=3, hand="board"))
    play(match, 12)
    match.settle_act(match.think(), toppled(match), hand="shaky")
    save_record(match, folder / "match.stakd")
    save_tower(match.table_after(12).tower, folder / "tower.json")
    off = Tower.exact(CLASSIC, [BASE]).with_piece(Placement("UNI", 1, ((0, 0),)), Pose(-20.0, 0.0, 10.0))
    save_tower(off, folder / "unstable.json")
    state = State.new(2)
    for _ in range(6):
        state.play(state.legal_moves()[0])
    (folder / "position.json").write_text(json.dumps(state.to_json()))
    (folder / "broken.json").write_text('{"tower": 1, "set": "classic", "pieces": [{"piece": "OCTO"}]}')
    (folder / "escape.json").write_text(json.dumps({"tower": 1, "pieces": [{"piece": "\x1b[31mOCTO", "layer": 0, "cells": [[0, 0]]}]}))
    (folder / "binary.json").write_bytes(b"\x00\xff\xfe" * 50)
    (folder / "cut.stakd").write_text((folder / "match.stakd").read_text()[:-300])
    (folder / "own.toml").write_text("title = 3\n")
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run the command line in this process: exit status, standard output, standard error."""
    arguments = sys.argv
    sys.argv = ["stakd", *map(str, words)]
    try:
        stakd.main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 2
    else:
        status = 0
    finally:
        sys.argv = arguments
    out, err = capsys.readouterr()
    return status, out, err


def data(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    """What a command prints with --json."""
    status, out, err = run(capsys, *words, "--json")
    assert status in (0, 1), err
    return json.loads(out)


def shell(*words: object, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program in a process of its own."""
    command = [sys.executable, "-m", "stakd", *map(str, words)]
    return subprocess.run(command, input=text, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
