"""The demo of card games on the command line, and their records told again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from games.card_record import load_card_record
from stakd import app
from tests.games.card_tables import GAMES

RUNNER = CliRunner()


@pytest.mark.parametrize("game", GAMES)
def test_demo_tells_a_whole_game(game: str, tmp_path: Path) -> None:
    """Bots play a game in words; its record is kept and tells the same."""
    shown = RUNNER.invoke(app, ["demo", game, "--seed", "3", "--bots", "greedy,random", "--players", "3", "--out", str(tmp_path)])
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    assert "record: " in lines[-1]
    match = load_card_record(tmp_path / f"{game}.stakd")
    assert match.over
    assert [seat.bot for seat in match.setup.seats] == ["greedy", "random", "greedy"]
    again = RUNNER.invoke(app, ["replay", str(tmp_path / f"{game}.stakd")])
    assert again.output.splitlines() == lines[:-2]


def test_demo_for_programs(tmp_path: Path) -> None:
    """With --json there is one value on standard output, and hash seeds change nothing in it."""
    told = []
    for hash_seed in ("1", "2"):
        shown = subprocess.run(
            [sys.executable, "-m", "stakd", "demo", "sakapuss", "--json", "--out", str(tmp_path)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        told.append(json.loads(shown.stdout))
    assert told[0] == told[1]
    outcome = load_card_record(told[0]["record"]).state.outcome()
    assert outcome is not None
    assert told[0]["outcome"] == outcome.to_json()


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "chess"],
        ["demo", "sakapuss", "--players", "2"],
        ["demo", "sakapuss", "--players", "6"],
        ["demo", "sakana", "--hand", "shaky"],
        ["demo", "sakana", "--set", "square"],
        ["demo", "sardines", "--bots", "mcts"],
    ],
)
def test_bad_use(words: list[str], tmp_path: Path) -> None:
    """What makes no sense is refused before anything is written."""
    assert RUNNER.invoke(app, [*words, "--out", str(tmp_path / "out")]).exit_code != 0
    assert not (tmp_path / "out").exists()


def test_acts_of_a_record_one_by_one(tmp_path: Path) -> None:
    """`replay --act` tells one act, and refuses one that is not there."""
    RUNNER.invoke(app, ["demo", "sardines", "--out", str(tmp_path)])
    record = str(tmp_path / "sardines.stakd")
    one = json.loads(RUNNER.invoke(app, ["replay", record, "--act", "2", "--json"]).output)
    assert [act["act"] for act in one["acts"]] == [2]
    assert one["state"]["game"] == "sardines"
    assert RUNNER.invoke(app, ["replay", record, "--act", "999"]).exit_code != 0
    render = RUNNER.invoke(app, ["render", record])
    assert render.exit_code != 0
    assert "no tower" in str(render.exception)
