"""Records: a match as JSON Lines, one header and one line an act, each line sealed by a hash over all before it.

Saving replaces the file in one step, so the last good save always loads. Loading checks the version, the form, every seal and
every rule again and stops at the first line that differs; nothing in a record is ever executed. Forms: docs/formats.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from games.acts import MatchAct
from games.errors import IllegalMove
from games.match import Match, MatchSetup
from games.record_lines import FORMAT, act_line, header_line, read_act, read_header
from games.record_rest import rest_defects
from games.sealing import BadRecord, LineFault, SealedWriter, file_text, has_format, sealed_lines
from meshes.errors import Defect
from meshes.files import write_atomically

__all__ = ["BadRecord", "RecordWriter", "load_record", "looks_like_record", "read_record", "record_text", "save_record"]


def save_record(match: Match, path: str | Path) -> None:
    """Write `match` to `path`, replacing what was there in one step; raises `UnwritableFile`."""
    write_atomically(path, record_text(match).encode())


def record_text(match: Match) -> str:
    """The record of `match` as text."""
    return RecordWriter(match.setup).text(match.acts)


class RecordWriter(SealedWriter[MatchAct]):
    """Writes the record of one match again and again."""

    def __init__(self, setup: MatchSetup) -> None:
        super().__init__(header_line(setup), act_line)


def load_record(path: str | Path) -> Match:
    """The match a record holds, ready to be replayed or played on; raises `BadRecord` naming the first line that is wrong."""
    return read_record(str(path), file_text(path))


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
            raise fault.at_line(name, number) from fault
    assert match is not None, "splitting gives at least one line"
    return match


def looks_like_record(text: str) -> bool:
    """Whether `text` begins as a record does, sound or not."""
    return has_format(text, FORMAT)


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
