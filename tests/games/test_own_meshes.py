"""Matches with a set whose piece brings a mesh file: whatever is kept or handed to another process holds the mesh itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest
import trimesh
from shapely import LineString, Point, union_all

from games.autosave import Autosave
from games.background import Background, Judged
from games.engine import Engine
from games.judgement import engine_judge, judge_tower
from games.match import Match, bot_setup
from games.record import RecordWriter, load_record, record_text, save_record
from games.registry import all_games
from games.tower_file import load_table, save_tower
from meshes.errors import StakdError
from meshes.piece_set import PieceSet, load_piece_set
from meshes.set_writer import set_text

CLASSIC = load_piece_set("classic")


@pytest.fixture(scope="module")
def peanut_set(tmp_path_factory: pytest.TempPathFactory) -> PieceSet:
    """The classic set, its DUO two discs with a narrow neck. The file it was read from is gone."""
    folder = tmp_path_factory.mktemp("set")
    ends = [Point(x, 0).buffer(12.8, 24) for x in (0, 30)]
    shape = union_all([*ends, LineString([(0, 0), (30, 0)]).buffer(6, 24)])
    mesh: trimesh.Trimesh = trimesh.creation.extrude_polygon(shape, 10)
    mesh.export(folder / "peanut.stl")
    duo = {**CLASSIC.source["pieces"]["DUO"], "mesh": "peanut.stl"}
    (folder / "mine.toml").write_text(set_text({**CLASSIC.source, "pieces": {**CLASSIC.source["pieces"], "DUO": duo}}), "utf8")
    piece_set = load_piece_set(folder / "mine.toml")
    (folder / "peanut.stl").unlink()
    return piece_set


@pytest.fixture(scope="module")
def match(peanut_set: PieceSet) -> Match:
    """Eighteen acts on the board; some lay a DUO."""
    laid = Match(bot_setup(peanut_set, ["random"], players=2, seed=5, hand="board"))
    while len(laid.acts) < 18 and not laid.over:
        laid.place(laid.think())
    assert "DUO" in {piece.placement.piece for piece in laid.table.tower.laid}
    return laid


def test_records_and_autosaves_hold_the_mesh(match: Match, tmp_path: Path) -> None:
    """A record and an autosave of the match are replayed without the mesh's file: equal set, equal tower, the same text again."""
    save_record(match, tmp_path / "record.stakd")
    saving = Autosave(RecordWriter(match.setup), tmp_path / "auto.stakd")
    saving.save(match.acts)
    assert saving.close() == []
    for name in ("record", "auto"):
        read = load_record(tmp_path / f"{name}.stakd")
        assert read.setup.piece_set == match.setup.piece_set
        assert read.table.tower == match.table.tower
        assert record_text(read) == record_text(match)


def test_a_record_with_a_changed_mesh_is_refused(match: Match, tmp_path: Path) -> None:
    """A mesh in a record that was tampered with is told, not played with."""
    text = record_text(match)
    mesh = match.setup.piece_set.by_name["DUO"].mesh
    assert mesh is not None
    kept = mesh.to_json()
    path = tmp_path / "changed.stakd"
    path.write_text(text.replace(kept, kept[:-40] + kept[-36:]), "utf8")
    with pytest.raises(StakdError):
        load_record(path)


def test_tower_files_hold_the_mesh(match: Match, tmp_path: Path) -> None:
    """A tower written and read again has the mesh."""
    save_tower(match.table.tower, tmp_path / "tower.json")
    read = load_table(tmp_path / "tower.json").tower
    assert read.piece_set.by_name["DUO"] == match.setup.piece_set.by_name["DUO"]
    assert [piece.pose for piece in read.laid] == [piece.pose for piece in match.table.tower.laid]


@pytest.fixture
def background() -> Iterator[Background]:
    """A worker of its own."""
    with Background(pace=inf) as started:
        yield started


def test_the_worker_process_judges_as_this_one(match: Match, background: Background) -> None:
    """The worker is handed the mesh and reckons the same margins with it as this process."""
    number = background.judge_tower(match.table.tower)
    end = time.monotonic() + 60
    judged: list[Judged] = []
    while not judged and time.monotonic() < end:
        judged = [report for report in background.poll() if isinstance(report, Judged) and report.request == number]
        time.sleep(0.002)
    here = judge_tower(match.table)
    assert judged[0].judgement.to_json() == here.to_json()


def test_the_engine_plays_and_judges(peanut_set: PieceSet) -> None:
    """Through the engine protocol a set with a mesh has the moves of the one without, as the rules know cells only, and pieces are judged with it."""
    with_mesh, without = (Engine(all_games(piece_set), judge=engine_judge).methods() for piece_set in (peanut_set, CLASSIC))
    for methods in (with_mesh, without):
        methods["new"]({"game": "stakd", "players": 2, "seed": 7})
    for _ in range(6):
        moves = with_mesh["moves"]({})
        assert isinstance(moves, list)
        assert moves == without["moves"]({})
        for methods in (with_mesh, without):
            methods["play"]({"move": moves[-1]})
    verdict = with_mesh["judge"]({"piece": "DUO", "x_mm": 0, "y_mm": 0, "yaw_deg": 0})
    assert isinstance(verdict, dict)
    assert verdict["words"]
