"""Saved matches as a list."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest

from games.card_match import CardMatch
from games.card_record import save_card_record
from games.match import Match, MatchSetup, Seat
from games.record import record_text, save_record
from meshes.errors import UnwritableFile
from meshes.piece_set import PieceSet
from tests.games.card_tables import bots_only, played
from viewer.saves import Export, _moment, delete_save, export_path, latest_unfinished, list_saves, new_save_path

NOW = datetime(2031, 2, 3, 4, 5, 6)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test."""
    monkeypatch.setenv("STAKD_HOME", str(tmp_path))
    return tmp_path


def match_of(classic: PieceSet, acts: int, players: int = 2) -> Match:
    """A match with some pieces laid on the board."""
    seats = (Seat("Ada"), *(Seat(f"Bot {i}", "random") for i in range(1, players)))
    match = Match(MatchSetup(classic, seats, seed=4))
    for _ in range(acts):
        match.place(match.state.legal_moves()[0])
    return match


def save(match: Match, second: int) -> Path:
    """Save a match as if at that second of an hour."""
    path = new_save_path(NOW)
    save_record(match, path)
    os.utime(path, (second, second))
    return path


def test_no_folder_holds_no_saves() -> None:
    """Before anything was saved the list is empty."""
    assert list_saves() == []
    assert latest_unfinished() is None


def test_list_tells_each_match(classic: PieceSet) -> None:
    """The last played comes first, with its players, pieces and scores, and whether it is over."""
    going, ended = match_of(classic, 3), match_of(classic, 2)
    ended.resign(0)
    first, second = save(going, 100), save(ended, 200)
    over, unfinished = list_saves()
    assert (over.path, over.over, over.winners, over.scores, over.acts) == (second, True, ("Bot 1",), ended.state.scores, 3)
    assert (unfinished.path, unfinished.names, unfinished.bots) == (first, ("Ada", "Bot 1"), (None, "random"))
    assert (unfinished.round, unfinished.pieces, unfinished.scores, unfinished.over) == (1, 3, (0, 0), False)
    assert unfinished.when.timestamp() == 100
    assert latest_unfinished() == unfinished


def test_new_round_counts_its_own_pieces(classic: PieceSet) -> None:
    """Between rounds the table is empty; then only pieces of the new round count."""
    match = match_of(classic, 1, players=3)
    while match.state.round == 1:
        match.place(match.state.legal_moves()[0])
    save(match, 100)
    (between,) = list_saves()
    assert (between.round, between.pieces, between.scores) == (2, 0, match.state.scores)
    match.place(match.state.legal_moves()[0])
    save(match, 200)
    assert (list_saves()[0].round, list_saves()[0].pieces) == (2, 1)


@pytest.mark.parametrize("damage", ["", "nonsense", "cut", "changed", "bytes", "folder"])
def test_damaged_save_is_listed_with_its_reason(classic: PieceSet, home: Path, damage: str) -> None:
    """A damaged file neither hides nor stops the others, and says what is wrong with it."""
    sound = save(match_of(classic, 2), 100)
    text = record_text(match_of(classic, 2))
    bad = home / "matches" / "bad.stakd"
    if damage == "folder":
        bad.mkdir()
    elif damage == "bytes":
        bad.write_bytes(b"\xff\xfe\0")
    else:
        bad.write_text({"cut": text[:-40], "changed": text.replace('"act":1', '"act":9')}.get(damage, damage), "utf8")
    newest, other = list_saves()
    assert (newest.path, newest.names) == (bad, ())
    assert newest.defect
    assert "\n" not in newest.defect
    assert (other.path, other.defect) == (sound, None)
    assert latest_unfinished() == other


def test_continuing_reads_no_older_files(classic: PieceSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many matches are kept, the way back into the last one is short."""
    for second in range(5):
        save(match_of(classic, 1), second)
    read = []
    monkeypatch.setattr("games.sealing.file_text", lambda path: read.append(path) or record_text(match_of(classic, 1)))  # type: ignore[func-returns-value]
    assert latest_unfinished().path == read[0]
    assert len(read) == 1


def test_changed_file_is_read_again(classic: PieceSet) -> None:
    """A match that was played on shows where it is now."""
    path = save(match_of(classic, 2), 100)
    assert list_saves()[0].pieces == 2
    save_record(match_of(classic, 3), path)
    assert list_saves()[0].pieces == 3


def test_deleting(classic: PieceSet, home: Path) -> None:
    """A deleted match is gone, deleting it twice is no fault, and what can't be deleted says why."""
    path = save(match_of(classic, 1), 100)
    delete_save(path)
    delete_save(path)
    assert list_saves() == []
    with pytest.raises(UnwritableFile, match="can't be deleted"):
        delete_save(home / "matches")


def test_names_are_never_taken_twice(home: Path) -> None:
    """Two saves or pictures of the same second both stay."""
    for kind in Export:
        paths = []
        for _ in range(3):
            paths.append(export_path(kind, NOW))
            paths[-1].write_text("x")
        assert len(set(paths)) == 3
        assert {(path.parent, path.suffix) for path in paths} == {(home / "pictures", f".{kind}")}
    first = new_save_path(NOW)
    first.write_text("x")
    assert (first.name, new_save_path(NOW).name) == ("2031-02-03 04-05-06.stakd", "2031-02-03 04-05-06-2.stakd")


def test_no_folder_can_be_made(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Where no folder can be made, the error names it."""
    (home / "file").write_text("")
    monkeypatch.setenv("STAKD_HOME", str(home / "file"))
    with pytest.raises(UnwritableFile, match="matches"):
        new_save_path(NOW)


def test_card_games_are_among_the_saves(classic: PieceSet) -> None:
    """Matches of card games are listed with their game, how far they are and who won; hidden points stay 0 until the end."""
    save(match_of(classic, 1), 1)
    folder = list_saves()[0].path.parent
    for number, game in enumerate(("sakana", "sakapuss", "sardines")):
        whole = played(bots_only(game))
        part = CardMatch(whole.setup)
        for act in whole.acts[:50]:
            part.restore(act)
        for path, match in ((folder / f"{game}.stakd", part), (folder / f"{game} over.stakd", whole)):
            save_card_record(match, path)
            os.utime(path, (1000 + number, 1000 + number))
    found = {entry.path.stem: entry for entry in list_saves()}
    assert len(found) == 7
    for game in ("sakana", "sakapuss", "sardines"):
        outcome = played(bots_only(game)).state.outcome()
        assert outcome is not None
        over, open_one = found[f"{game} over"], found[game]
        assert (over.game, over.over, over.scores) == (game, True, outcome.scores)
        assert over.winners == tuple(over.names[winner] for winner in outcome.winners)
        assert (open_one.over, open_one.acts, open_one.bots) == (False, 50, ("greedy",) * 3)
    assert found["sardines"].scores == (0, 0, 0)
    assert found["sakana"].round > 1
    broken = folder / "sakana.stakd"
    broken.write_text(broken.read_text().replace('"act":3', '"act":4'))
    defect = next(entry.defect for entry in list_saves() if entry.path == broken)
    assert defect is not None
    assert "line 4" in defect


@pytest.mark.parametrize("seconds", [253402300800, -62135596801])
def test_times_no_calendar_has(tmp_path: Path, seconds: int) -> None:
    """A save written at an impossible time is listed all the same; files systems without such times cap them."""
    path = tmp_path / "a.stakd"
    path.write_text("no record")
    os.utime(path, (seconds, seconds))
    assert [save.path for save in list_saves(tmp_path)] == [path]
    assert _moment(seconds * 10**9).tzinfo is not None
