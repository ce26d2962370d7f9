"""The journal of a study: one line for its set-up, one for each game as it ends. A study that was stopped goes on from it.

Lines are written whole and forced to disk one by one, each with a check hash of its own. A last line that was cut off by a crash is dropped;
anything else that does not fit is refused, so that no damaged figure is ever counted.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from games.sealing import LineFault
from games.study.result import GameResult
from games.study.setup import STUDY_VERSION, StudySetup, Task
from meshes.errors import Defect, DefectiveInput, StakdError, UnwritableFile
from meshes.files import make_folder, writing_fault
from physics.build import physics_build

FORMAT = "stakd-study"
NAME = "journal.jsonl"


class BadJournal(DefectiveInput):
    """A journal is damaged, or of another study."""

    kind = "journal"


class StudyThere(StakdError):
    """A folder holds a study already and nobody asked to go on with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(f"{folder} holds a study already: go on with it by --resume, or name another folder by --out")


class Journal:
    """The journal of one study, open for writing; `results` are the games known so far. Use it as a context manager.

    Raises `StudyThere` if there is one and `resume` is not set, `BadJournal` if it is damaged, of another study or in use, `UnwritableFile`.
    """

    def __init__(self, folder: Path, setup: StudySetup, *, resume: bool) -> None:
        self.path = folder / NAME
        self.results: dict[Task, GameResult] = {}
        make_folder(folder)
        try:
            known = self.path.exists()
            if known and not resume:
                raise StudyThere(folder)
            self._file: BinaryIO = self.path.open("r+b" if known else "x+b")
        except OSError as error:
            raise UnwritableFile(self.path, writing_fault(error)) from error
        claimed = False
        try:
            self._claim()
            claimed = True
            self._open(setup)
        except BaseException:
            with suppress(OSError):
                self._file.close()
            if claimed and not known:  # unclaimed it is another program's by now
                self.path.unlink(missing_ok=True)
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with suppress(OSError):  # what a full disk did not take is tried again here, and was told when it failed
            self._file.close()

    def add(self, result: GameResult) -> None:
        """Write one game down for good."""
        if result.task in self.results:
            return
        self._write(json.loads(result.model_dump_json()), more="; the games written before are kept, and --resume goes on with them")
        self.results[result.task] = result

    def _open(self, setup: StudySetup) -> None:
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        lines = whole.splitlines()
        if not lines:
            if text and not _line(_header(setup)).startswith(text):
                raise self._no_journal()
            self._file.seek(0)
            self._file.truncate()
            self._write(_header(setup))
            return
        self._check_header(_content(self.path, lines[0], 1), setup)
        for number, line in enumerate(lines[1:], 2):
            self._take(_content(self.path, line, number), number, setup)
        self._file.seek(len(whole))
        self._file.truncate()

    def _check_header(self, found: dict[str, Any], setup: StudySetup) -> None:
        wanted = _header(setup)
        if found.get("format") != FORMAT:
            raise self._no_journal()
        for key in ("version", "physics"):
            if found.get(key) != wanted[key]:
                message = f"{key} is {found.get(key)!r}, here it is {wanted[key]!r}, so further games would not be of the same study; begin a new one"
                raise BadJournal(str(self.path), [Defect("other-version", "line 1", message)])
        if found.get("digest") != wanted["digest"]:
            others = ", ".join(key for key, value in wanted["setup"].items() if key != "games" and found.get("setup", {}).get(key) != value)
            message = f"it is of another study (other {others or 'content'}); ask for the same to go on, or name another folder"
            raise BadJournal(str(self.path), [Defect("other-study", "line 1", message)])

    def _no_journal(self) -> BadJournal:
        return BadJournal(str(self.path), [Defect("not-a-journal", "line 1", "this file is no journal of a study; name another folder")])

    def _take(self, content: dict[str, Any], number: int, setup: StudySetup) -> None:
        try:
            result = GameResult.of(content)
        except LineFault as fault:
            raise BadJournal(str(self.path), [Defect(d.code, f"line {number}, {d.where}", d.message) for d in fault.defects]) from fault
        if result.task in self.results or not 0 <= result.design < len(setup.designs) or result.game < 0:
            raise BadJournal(str(self.path), [Defect("wrong-game", f"line {number}", f"game {result.game} is there twice or can't be")])
        self.results[result.task] = result

    def _write(self, content: dict[str, Any], *, more: str = "") -> None:
        try:
            self._file.write(_line(content))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise UnwritableFile(self.path, writing_fault(error) + more) from error

    def _claim(self) -> None:
        """Keep other programs out as long as this one writes; the system lets go when the program ends, however it does."""
        try:
            if os.name == "nt":
                import msvcrt

                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            else:
                import fcntl

                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadJournal(str(self.path), [Defect("in-use", "", "another program is at work on this study; wait for it or stop it")]) from error


def _header(setup: StudySetup) -> dict[str, Any]:
    return {"format": FORMAT, "version": STUDY_VERSION, "physics": physics_build(), "digest": setup.digest, "setup": setup.to_json()}


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps({**content, "check": _check(content)}, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _check(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


def _content(path: Path, line: bytes, number: int) -> dict[str, Any]:
    """What a line holds, after its check hash has been looked at."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadJournal(str(path), [Defect("not-json", f"line {number}", f"the line is damaged: {error}")]) from error
    if not isinstance(content, dict) or content.pop("check", None) != _check(content):
        message = "the line was changed or damaged; take a copy of the journal from before, or begin a new study"
        raise BadJournal(str(path), [Defect("wrong-check", f"line {number}", message)])
    return content
