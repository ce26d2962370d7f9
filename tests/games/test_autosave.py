"""Saving after every act: quick, whole, and true to what was taken back."""

from __future__ import annotations

from pathlib import Path

from games.autosave import Autosave
from games.match import Match, MatchSetup, Seat
from games.record import RecordWriter, load_record, record_text
from meshes.piece_set import load_piece_set

SETUP = MatchSetup(load_piece_set("classic"), (Seat("A", "random"), Seat("B", "random")), seed=11)


def test_kept_lines_follow_what_is_taken_back() -> None:
    """A writer that has written a match before gives the same record as a fresh one, after undo and another act too."""
    match, writer = Match(SETUP), RecordWriter(SETUP)
    for _ in range(4):
        match.place(match.think())
        assert writer.text(match.acts) == record_text(match)
    match.undo()
    assert writer.text(match.acts) == record_text(match)
    match.place(match.state.legal_moves()[-1])
    match.place(match.think())
    assert writer.text(match.acts) == record_text(match)


def test_last_state_is_on_disk_after_close(tmp_path: Path) -> None:
    """However quickly acts follow each other, the last is saved when the match is left; nothing else stays in the folder."""
    match, saving = Match(SETUP), Autosave(RecordWriter(SETUP), tmp_path / "match.stakd")
    for _ in range(5):
        match.place(match.think())
        saving.save(match.acts)
    saving.close()
    assert record_text(load_record(tmp_path / "match.stakd")) == record_text(match)
    assert [path.name for path in tmp_path.iterdir()] == ["match.stakd"]
    assert saving.problems() == []
