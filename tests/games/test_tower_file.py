"""Tower files: what stands on the table, from every kind of file, and what is wrong with bad ones."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib import resources
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
from meshes.set_changes import with_sizes
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


def test_own_set_beside_the_file(tmp_path: Path) -> None:
    """A tower file may name a set's file beside it, as a set names its meshes; `--set` serves one that names none."""
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "mine.toml").write_text(resources.files("meshes.sets").joinpath("square.toml").read_text("utf8"), "utf8")
    pieces = [{"piece": "UNI", "layer": 0, "cells": [[1, 0]]}]
    wanted = Tower.exact(replace(SQUARE, name="mine"), [Placement("UNI", 0, ((1, 0),))])
    assert load_table(written(tmp_path, {"tower": 1, "set": "sets/mine.toml", "pieces": pieces})).tower == wanted
    without = written(tmp_path, {"tower": 1, "pieces": pieces})
    assert load_table(without, set_name=tmp_path / "sets" / "mine.toml").tower == wanted
    assert load_table(without).tower.piece_set == CLASSIC


def test_set_beside_the_file_is_no_way_out(tmp_path: Path) -> None:
    """A link in the folder that leads to a set elsewhere is not followed."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "mine.toml").write_text("")
    (home / "mine.toml").symlink_to(tmp_path / "mine.toml")
    with pytest.raises(BadTower, match="nothing elsewhere is opened"):
        load_table(written(home, {"tower": 1, "set": "mine.toml", "pieces": []}))


def test_changed_set_of_a_shipped_name_travels_whole(tmp_path: Path) -> None:
    """Sizes changed under a shipped set's name are not lost: the name alone would give the shipped sizes back."""
    thick = with_sizes(CLASSIC, name="classic", thickness_mm=12.0)
    save_tower(Tower.exact(thick, [Placement("UNI", 0, ((0, 0),))]), tmp_path / "t.json")
    assert load_table(tmp_path / "t.json").tower.piece_set.thickness_mm == 12.0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is empty"),
        ("[" * 100_000, "nested too deeply"),
        ('{"tower": 1,\n "set": "classic",\n "pieces": [,]}', "in line 3, column 13, a value is missing"),
        ('{"tower": 1,\n "set": "cla', "it ends too soon, in line 2"),
        ({"tower": 1, "pieces": [{**BASE, "layer": "a"}]}, 'pieces[0].layer: must be a whole number; found "a"'),
        ({"tower": 1, "pieces": [{**BASE, "pose": [1e9, 0, 0, 0, 0, 0, 1]}]}, "pieces[0].pose[0]: must be at most 100000; found 1000000000.0"),
        ({"tower": 1, "pieces": [BASE, {**BASE, "cells": [[0, 0]]}]}, "pieces[1]: the cells 0,0 have not the shape of BASE"),
        ({"game": "stakd"}, "players: this key must be given"),
    ],
)
def test_broken_files_are_told_in_plain_words(tmp_path: Path, content: Any, words: str) -> None:
    """The message names the file, the place in it and what is wrong, and has no word of Python's or of its libraries'."""
    path = written(tmp_path, content)
    with pytest.raises(StakdError) as refused:
        load_table(path)
    message = str(refused.value)
    assert str(path) in message
    assert words in message
    assert not any(foreign in message for foreign in ("Input should", "valid", "Expecting", "recursion", "codec", "Errno", "char "))


def test_unreadable_files_are_told_in_plain_words(tmp_path: Path) -> None:
    """A missing file, a missing folder, a folder and a file that is no text each have their own words, with the folder that was looked in."""
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for name, words in (
        ("none.json", f"no such file in {tmp_path}"),
        ("away/t.json", f"no folder {tmp_path / 'away'}"),
        ("", "it is a folder"),
        ("bytes.json", "not text in UTF-8"),
    ):
        with pytest.raises(BadTower, match=re.escape(words)):
            load_table(tmp_path / name)


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
        ({"tower": 1, "set": "../classic.toml", "pieces": []}, "set-elsewhere"),
        ({"tower": 1, "set": "/etc/classic.toml", "pieces": []}, "set-elsewhere"),
        ({"tower": 1, "set": 5, "pieces": []}, "bad-value"),
        ({"tower": True, "set": "classic", "pieces": []}, "other-version"),
        ({"game": "sakana", "players": 2}, "missing-key"),
        ('{"tower": 1, "tower": 1, "set": "classic", "pieces": []}', "not-json"),
        ('{"tower": ' + "9" * 5000 + "}", "not-json"),
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
