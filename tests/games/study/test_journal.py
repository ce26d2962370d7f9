"""The journal: what is done is kept, what is damaged is refused."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from games.study.game import play_game
from games.study.journal import BadJournal, Journal, StudyThere
from games.study.setup import StudySetup, Task
from meshes.errors import UnwritableFile


@pytest.fixture
def kept(quick: StudySetup, tmp_path: Path) -> Path:
    """A folder with the journal of two games."""
    with Journal(tmp_path, quick, resume=False) as journal:
        for game in range(2):
            journal.add(play_game(quick, Task(0, game)))
    return tmp_path


def lines(folder: Path) -> list[str]:
    """The lines of a journal."""
    return (folder / "journal.jsonl").read_text().splitlines(keepends=True)


def rewrite(folder: Path, text: str) -> None:
    """Another text for a journal."""
    (folder / "journal.jsonl").write_text(text)


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """As if the disk were full: the system takes only so many bytes of any file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_was_written_comes_back(quick: StudySetup, kept: Path) -> None:
    """Games read from the journal equal those played."""
    with Journal(kept, quick, resume=True) as journal:
        assert list(journal.results.values()) == [play_game(quick, Task(0, game)) for game in range(2)]


def test_a_study_is_never_overwritten_unasked(quick: StudySetup, kept: Path) -> None:
    """Without --resume a folder that holds a study is refused, untouched."""
    before = lines(kept)
    with pytest.raises(StudyThere, match="--resume"):
        Journal(kept, quick, resume=False)
    assert lines(kept) == before


def test_what_the_disk_does_not_take_is_told_once(quick: StudySetup, kept: Path) -> None:
    """A line that is written by half, as on a full disk, ends with our own error, which closing the file does not hide; the rest is kept."""
    result, size = play_game(quick, Task(0, 2)), (kept / "journal.jsonl").stat().st_size
    with pytest.raises(UnwritableFile, match="--resume"), no_file_beyond(size + 10), Journal(kept, quick, resume=True) as journal:
        journal.add(result)
    with Journal(kept, quick, resume=True) as journal:
        assert list(journal.results) == [Task(0, 0), Task(0, 1)]


@pytest.mark.parametrize("keep", [1, 40, -1])
def test_a_last_line_that_was_cut_off_is_dropped(quick: StudySetup, kept: Path, keep: int) -> None:
    """A crash amid writing costs that game alone, and the next line begins clean."""
    whole = lines(kept)
    rewrite(kept, "".join(whole[:-1]) + whole[-1][:keep])
    with Journal(kept, quick, resume=True) as journal:
        assert list(journal.results) == [Task(0, 0)]
        journal.add(play_game(quick, Task(0, 1)))
    assert lines(kept) == whole


def test_a_header_that_was_cut_off_is_written_anew(quick: StudySetup, kept: Path) -> None:
    """A crash right at the beginning leaves a study with no games."""
    rewrite(kept, lines(kept)[0][:50])
    with Journal(kept, quick, resume=True) as journal:
        assert journal.results == {}
    assert len(lines(kept)) == 1


def test_a_changed_figure_is_refused(quick: StudySetup, kept: Path) -> None:
    """A line with one digit changed does not count; the line is named."""
    header, first, second = lines(kept)
    rewrite(kept, header + first.replace('"layers":', '"layers":1') + second)
    with pytest.raises(BadJournal, match="line 2: the line was changed"):
        Journal(kept, quick, resume=True)


def test_a_damaged_line_in_the_middle_is_refused(quick: StudySetup, kept: Path) -> None:
    """Only the last line may be half."""
    header, first, second = lines(kept)
    rewrite(kept, header + first[:30] + "\n" + second)
    with pytest.raises(BadJournal, match="line 2: the line is damaged"):
        Journal(kept, quick, resume=True)


def test_a_game_that_is_there_twice_is_refused(quick: StudySetup, kept: Path) -> None:
    """No game counts twice."""
    header, first, second = lines(kept)
    rewrite(kept, header + first + second + first)
    with pytest.raises(BadJournal, match="line 4: game 0 is there twice"):
        Journal(kept, quick, resume=True)


def test_another_study_is_refused_with_what_differs(quick: StudySetup, kept: Path) -> None:
    """A journal goes on only for the same study; more games are the same study."""
    with pytest.raises(BadJournal, match=r"other hand, seed"):
        Journal(kept, replace(quick, hand="shaky", seed=6), resume=True)
    with Journal(kept, replace(quick, games=99), resume=True) as journal:
        assert len(journal.results) == 2


@pytest.mark.parametrize("text", ["hello\n", "[]\n", '{"a":1}\n', "\x00\xff", json.dumps({"format": "stakd-record"}) + "\n"])
def test_other_files_are_refused(quick: StudySetup, tmp_path: Path, text: str) -> None:
    """A file of that name that is no journal is left alone."""
    rewrite(tmp_path, text)
    with pytest.raises(BadJournal):
        Journal(tmp_path, quick, resume=True)
    assert (tmp_path / "journal.jsonl").read_text() == text


def test_two_programs_do_not_write_one_journal(quick: StudySetup, kept: Path) -> None:
    """The second is told that the first is at work."""
    with Journal(kept, quick, resume=True), pytest.raises(BadJournal, match="another program"):
        Journal(kept, quick, resume=True)
