"""Sealed lines: JSON Lines in which a hash over all before it seals each line, so that none can be changed or left out unnoticed.

Records of all games are such files. Nothing in them is ever executed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from meshes.errors import Defect, DefectiveInput
from meshes.files import plain_status, read_plain, reading_fault
from meshes.forms import json_fault

MOST_BYTES = 256 << 20
"""A larger file is refused unread; an hour of play stays far below it."""

ActT = TypeVar("ActT")


class BadRecord(DefectiveInput):
    """A file is not a record that this program can replay."""

    kind = "record"


class LineFault(Exception):
    """A line is not what it should be; becomes a `BadRecord` where its number is known."""

    def __init__(self, *defects: Defect) -> None:
        self.defects = defects
        super().__init__("; ".join(map(str, defects)))

    def at_line(self, name: str, number: int) -> BadRecord:
        """This fault as one of line `number` of the record `name`."""
        where = f"line {number}"
        return BadRecord(name, [Defect(d.code, f"{where}, {d.where}" if d.where else where, d.message) for d in self.defects])


class SealedWriter(Generic[ActT]):
    """Writes the record of one match again and again: lines once written are kept, so that only new acts cost time."""

    def __init__(self, header: dict[str, Any], act_line: Callable[[ActT], dict[str, Any]]) -> None:
        self._lines = [_line("", header)]
        self._act_line = act_line
        self._acts: list[ActT] = []

    def text(self, acts: Sequence[ActT]) -> str:
        """The record of the match after `acts`, some of which may have taken the place of acts taken back."""
        same = next((i for i, (old, new) in enumerate(zip(self._acts, acts, strict=False)) if old is not new), min(len(self._acts), len(acts)))
        del self._acts[same:], self._lines[same + 1 :]
        for act in acts[same:]:
            self._lines.append(_line(self._lines[-1][0], self._act_line(act)))
            self._acts.append(act)
        return "".join(f"{text}\n" for _, text in self._lines)


def file_text(path: str | Path) -> str:
    """The text of a record's file; raises `BadRecord` if it can't be read or is too large."""
    name = str(path)
    try:
        if plain_status(path).st_size > MOST_BYTES:
            raise BadRecord(name, [Defect("too-large", "", f"the file is larger than {MOST_BYTES >> 20} MB, the most a record may have")])
        return read_plain(path, MOST_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise BadRecord(name, [Defect("unreadable", "", reading_fault(path, error))]) from error


def sealed_lines(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and content of each line of a record, its seal checked but not the rules; raises `BadRecord` at the first that does not fit."""
    before = ""
    # not splitlines(): names may hold characters that it takes for line ends
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            content, before = _unsealed(line, before)
        except LineFault as fault:
            raise fault.at_line(name, number) from fault
        yield number, content


def seal(before: str, content: dict[str, Any]) -> str:
    """Hash of a line: of the seal before it and of its own content with keys sorted."""
    text = before + json.dumps(content, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def has_format(text: str, name: str) -> bool:
    """Whether `text` begins as a record of this format does, sound or not."""
    return f'"format":"{name}"' in text[:200].replace(" ", "")


def _line(before: str, content: dict[str, Any]) -> tuple[str, str]:
    """The seal of a line, given the one before it, and its text."""
    own = seal(before, content)
    return own, json.dumps({**content, "hash": own}, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _unsealed(line: str, before: str) -> tuple[dict[str, Any], str]:
    """The content of a line and its seal, after that has been checked against the seal before it."""
    try:
        content = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise LineFault(Defect("not-json", "", f"the line is not JSON: {json_fault(error)}")) from error
    if not isinstance(content, dict) or not isinstance(content.get("hash"), str):
        raise LineFault(Defect("no-hash", "", "every line of a record is a JSON object with a hash"))
    found = content.pop("hash")
    if found != seal(before, content):
        raise LineFault(Defect("wrong-hash", "", "the hash does not fit: this line was changed, or one before it is missing"))
    return content, found


def _refuse_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not a number JSON knows")
