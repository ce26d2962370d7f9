"""Records: a match as JSON Lines, one header and one line an act, each line sealed by a hash over all before it.

Saving replaces the file in one step, so the last good save always loads. Loading checks the version, the form, every seal and
every rule again and stops at the first line that differs; nothing in a record is ever executed. Forms: docs/formats.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from games.acts import MatchAct
from games.errors import IllegalMove
from games.match import Match, MatchSetup
from games.record_lines import FORMAT, LineFault, act_line, header_line, read_act, read_header
from games.record_rest import rest_defects
from meshes.errors import Defect, DefectiveInput
from meshes.files import write_atomically

MOST_BYTES = 256 << 20
"""A larger file is refused unread; an hour of play stays far below it."""


class BadRecord(DefectiveInput):
    """A file is not a record that this program can replay."""

    kind = "record"


def save_record(match: Match, path: str | Path) -> None:
    """Write `match` to `path`, replacing what was there in one step; raises `UnwritableFile`."""
    write_atomically(path, record_text(match).encode())


def record_text(match: Match) -> str:
    """The record of `match` as text."""
    return RecordWriter(match.setup).text(match.acts)


class RecordWriter:
    """Writes the record of one match again and again: lines once written are kept, so that only new acts cost time."""

    def __init__(self, setup: MatchSetup) -> None:
        self._lines = [_line("", header_line(setup))]
        self._acts: list[MatchAct] = []

    def text(self, acts: Sequence[MatchAct]) -> str:
        """The record of the match after `acts`, some of which may have taken the place of acts taken back."""
        same = next((i for i, (old, new) in enumerate(zip(self._acts, acts, strict=False)) if old is not new), min(len(self._acts), len(acts)))
        del self._acts[same:], self._lines[same + 1 :]
        for act in acts[same:]:
            self._lines.append(_line(self._lines[-1][0], act_line(act)))
            self._acts.append(act)
        return "".join(f"{text}\n" for _, text in self._lines)


def _line(before: str, content: dict[str, Any]) -> tuple[str, str]:
    """The seal of a line, given the one before it, and its text."""
    seal = _seal(before, content)
    return seal, _plain({**content, "hash": seal})


def load_record(path: str | Path) -> Match:
    """The match a record holds, ready to be replayed or played on; raises `BadRecord` naming the first line that is wrong."""
    return read_record(str(path), file_text(path))


def file_text(path: str | Path) -> str:
    """The text of a record's file; raises `BadRecord` if it can't be read or is too large."""
    name = str(path)
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise BadRecord(name, [Defect("too-large", "", f"the file is larger than {MOST_BYTES >> 20} MB, the most a record may have")])
        return Path(path).read_bytes().decode("utf8")
    except (OSError, ValueError) as error:
        raise BadRecord(name, [Defect("unreadable", "", f"the file can't be read as text: {error}")]) from error


def read_record(name: str, text: str) -> Match:
    """The match held by the text of a record; see `load_record`."""
    match = None
    for number, content in sealed_lines(name, text):
        try:
            if match is None:
                match = Match(read_header(content))
            else:
                _replay(match, content)
        except LineFault as fault:
            raise _bad_line(name, number, fault) from fault
    assert match is not None, "splitting gives at least one line"
    return match


def sealed_lines(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and content of each line of a record, its seal checked but not the rules; raises `BadRecord` at the first that does not fit."""
    seal = ""
    # not splitlines(): names may hold characters that it takes for line ends
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            content, seal = _unsealed(line, seal)
        except LineFault as fault:
            raise _bad_line(name, number, fault) from fault
        yield number, content


def looks_like_record(text: str) -> bool:
    """Whether `text` begins as a record does, sound or not."""
    return f'"format":"{FORMAT}"' in text[:200].replace(" ", "")


def _replay(match: Match, content: dict[str, Any]) -> None:
    """Do the act in a line again: it must be legal, its pieces must rest where they count, its events must be those of the rules."""
    act, before = read_act(content, match), match.tower
    try:
        events = match.restore(act)
    except IllegalMove as error:
        raise LineFault(Defect("illegal-act", "move", f"the rules forbid this act: {error}")) from error
    defects = rest_defects(act, before)
    if defects:
        raise LineFault(*defects)
    if list(act.events) != list(events):
        raise LineFault(Defect("other-outcome", "events", f"recorded {list(act.events)}, but the rules now give {events}"))


def _unsealed(line: str, seal: str) -> tuple[dict[str, Any], str]:
    """The content of a line and its seal, after that has been checked against the seal before it."""
    try:
        content = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise LineFault(Defect("not-json", "", f"not a JSON object: {error}")) from error
    if not isinstance(content, dict) or not isinstance(content.get("hash"), str):
        raise LineFault(Defect("no-hash", "", "every line of a record is a JSON object with a hash"))
    found = content.pop("hash")
    if found != _seal(seal, content):
        raise LineFault(Defect("wrong-hash", "", "the hash does not fit: this line was changed, or one before it is missing"))
    return content, found


def _bad_line(name: str, number: int, fault: LineFault) -> BadRecord:
    where = f"line {number}"
    return BadRecord(name, [Defect(d.code, f"{where}, {d.where}" if d.where else where, d.message) for d in fault.defects])


def _refuse_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not a number JSON knows")


def _plain(content: dict[str, Any]) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _seal(before: str, content: dict[str, Any]) -> str:
    """Hash of a line: of the seal before it and of its own content with keys sorted."""
    text = before + json.dumps(content, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
