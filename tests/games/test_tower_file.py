"""Tower files: what stands on the table, from every kind of file, and what is wrong with bad ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games import tower_file
from games.match import Match, bot_setup
from games.record import save_record
from games.stakd.state import State
from games.tower_file import BadTower, load_table, save_tower
from meshes.errors import StakdError
from meshes.piece_set import build_piece_set, load_piece_set
from meshes.placement import Placement
from physics.pose import Pose
from physics.tower import Tower
from tests.games.test_match import play

CLASSIC, SQUARE = load_piece_set("classic"), load_piece_set("square")
BASE = {"piece": "BASE", "layer": 0, "cells": [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]]}


def written(folder: Path, content: Any) -> Path:
    """A file with `content` as JSON."""
    path = folder / "tower.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_tower_reads_back_exactly(tmp_path: Path) -> None:
    """A tower written and read is the same tower, poses to the last digit."""
    tower = Tower.exact(SQUARE, []).with_piece(Placement("UNI", 0, ((2, -1),)), Pose.flat(1 / 3, -2 / 7, 0.0, 11.1))
    save_tower(tower, tmp_path / "t.json")
    assert load_table(tmp_path / "t.json").tower == tower


def test_own_set_travels_with_its_tower(tmp_path: Path) -> None:
    """A tower of a set that is not shipped holds the set whole, so that the file stands by itself."""
    own = build_piece_set("own", {**CLASSIC.source, "title": "mine"})
    save_tower(Tower.exact(own, [Placement("UNI", 0, ((0, 0),))]), tmp_path / "t.json")
    assert load_table(tmp_path / "t.json").tower.piece_set.title == "mine"


def test_position_gives_exact_tower_and_state(tmp_path: Path) -> None:
    """A position of the rules becomes its tower, every piece exactly in its place, with the state kept for judging."""
    state = State.new(3)
    for _ in range(5):
        state.play(state.legal_moves()[-1])
    table = load_table(written(tmp_path, state.to_json()))
    assert table.tower == Tower.exact(CLASSIC, state.placements())
    assert table.state is not None
    assert table.state.to_json() == state.to_json()


def test_record_gives_any_act(tmp_path: Path) -> None:
    """A record gives the table after any of its acts, the last by default."""
    match = play(Match(bot_setup(CLASSIC, ["random"], players=2, seed=1, hand="board")), 9)
    save_record(match, tmp_path / "m.stakd")
    for act in (1, 5, 9):
        assert load_table(tmp_path / "m.stakd", act=act).tower == match.table_after(act).tower
    assert load_table(tmp_path / "m.stakd").tower == match.tower
    with pytest.raises(StakdError, match="leave --set out"):
        load_table(tmp_path / "m.stakd", set_name="square")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "not-json"),
        ("[1]", "not-json"),
        ("[" * 100_000, "not-json"),
        ({}, "missing-key"),
        ({"tower": 2, "set": "classic", "pieces": []}, "other-version"),
        ({"tower": 1, "set": "../classic.toml", "pieces": []}, "unknown-set"),
        ({"tower": 1, "set": "/etc/hostname", "pieces": []}, "unknown-set"),
        ({"tower": 1, "set": "classic", "pieces": [], "extra": 1}, "unknown-key"),
        ({"tower": 1, "set": "classic", "pieces": [{**BASE, "piece": "OCTO"}]}, "bad-piece"),
        ({"tower": 1, "set": "classic", "pieces": [{**BASE, "cells": [[0, 0], [0, 0], [1, 0], [1, 1], [2, 0]]}]}, "bad-piece"),
        ({"tower": 1, "set": "classic", "pieces": [{**BASE, "cells": [[0, 0]]}]}, "bad-piece"),
        ({"tower": 1, "set": "classic", "pieces": [{**BASE, "layer": -1}]}, "bad-value"),
        ({"tower": 1, "set": "classic", "pieces": [{**BASE, "cells": [[10**9, 0]]}]}, "bad-value"),
        ({"tower": 1, "set": "classic", "pieces": [{**BASE, "pose": [0, 0, 0, 0, 0, 0, 0]}]}, "bad-piece"),
        ({"tower": 1, "set": "classic", "pieces": [{**BASE, "pose": [0, 0, 0]}]}, "missing-key"),
        ('{"tower": 1, "set": "classic", "pieces": [{"piece": "UNI", "layer": 0, "cells": [[0,0]], "pose": [NaN,0,0,0,0,0,1]}]}', "bad-value"),
        ({"tower": 1, "set": "classic", "pieces": [BASE] * 1001}, "bad-value"),
    ],
)
def test_bad_towers_are_named(tmp_path: Path, content: Any, code: str) -> None:
    """What is wrong with a tower file is named; nothing of it is used."""
    with pytest.raises(BadTower) as refused:
        load_table(written(tmp_path, content))
    assert {defect.code for defect in refused.value.defects} == {code}


def test_act_needs_a_record(tmp_path: Path) -> None:
    """Asking a tower file for an act says that it has none."""
    with pytest.raises(StakdError, match="no act 3"):
        load_table(written(tmp_path, {"tower": 1, "set": "classic", "pieces": []}), act=3)


def test_large_files_are_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is named as too large, not as bad JSON; a record has a limit of its own."""
    monkeypatch.setattr(tower_file, "MOST_BYTES", 1000)
    with pytest.raises(BadTower) as refused:
        load_table(written(tmp_path, {"tower": 1, "set": "classic", "pieces": [BASE] * 50}))
    assert [defect.code for defect in refused.value.defects] == ["too-large"]
    match = play(Match(bot_setup(CLASSIC, ["random"], players=2, seed=1, hand="board")), 3)
    save_record(match, tmp_path / "m.stakd")
    assert (tmp_path / "m.stakd").stat().st_size > 1000
    assert load_table(tmp_path / "m.stakd").tower == match.tower
