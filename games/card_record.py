"""Records of card games: sealed JSON Lines, one header and one line an act. Loading plays every act again by the rules.

A record holds the seed and so all that is hidden: it is for those who have played, or for replays that hide it again
(`CardMatch.frames`). Forms: docs/formats.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.card_acts import CardAct, CardActKind
from games.card_match import CardMatch, CardSeat, CardSetup
from games.errors import IllegalMove
from games.forms import SeatName
from games.sealing import BadRecord, LineFault, SealedWriter, file_text, has_format, sealed_lines
from meshes.errors import Defect, StakdError
from meshes.files import write_atomically
from meshes.forms import form_defects

__all__ = [
    "BadRecord",
    "CardRecordWriter",
    "card_record_text",
    "is_card_file",
    "is_card_record",
    "load_card_record",
    "read_card_header",
    "read_card_record",
]

FORMAT = "stakd-cards"
VERSION = 1


class CardRecordWriter(SealedWriter[CardAct]):
    """Writes the record of one match again and again."""

    def __init__(self, setup: CardSetup) -> None:
        super().__init__(_header_line(setup), CardAct.to_json)


def save_card_record(match: CardMatch, path: str | Path) -> None:
    """Write `match` to `path`, replacing what was there in one step; raises `UnwritableFile`."""
    write_atomically(path, card_record_text(match).encode())


def card_record_text(match: CardMatch) -> str:
    """The record of `match` as text."""
    return CardRecordWriter(match.setup).text(match.acts)


def load_card_record(path: str | Path) -> CardMatch:
    """The match a record holds, to be replayed or played on; raises `BadRecord` naming the first line that is wrong."""
    return read_card_record(str(path), file_text(path))


def read_card_record(name: str, text: str) -> CardMatch:
    """The match held by the text of a record; see `load_card_record`."""
    match = None
    for number, content in sealed_lines(name, text):
        try:
            if match is None:
                match = CardMatch(read_card_header(content))
                _check_deal(match, content["deal"])
            else:
                _replay(match, content)
        except LineFault as fault:
            raise fault.at_line(name, number) from fault
    assert match is not None, "splitting gives at least one line"
    return match


def is_card_record(text: str) -> bool:
    """Whether `text` begins as a record of a card game does, sound or not."""
    return has_format(text, FORMAT)


def is_card_file(path: str | Path) -> bool:
    """Whether a file begins as such a record does; raises `BadRecord` if it can't be read."""
    return is_card_record(file_text(path))


def read_card_header(content: Mapping[str, Any]) -> CardSetup:
    """The set-up in a header line; raises `LineFault`."""
    for key, wanted in (("format", FORMAT), ("version", VERSION)):
        _need(content, key, wanted)
    line = _checked(_HeaderLine, content)
    _need(content, "rules", _rules_version(line.game))
    setup = CardSetup(line.game, tuple(CardSeat(**seat.model_dump()) for seat in line.seats), line.seed, line.options)
    try:
        CardMatch(setup)
    except StakdError as error:
        raise LineFault(Defect("bad-header", "", str(error))) from error
    return setup


def _need(content: Mapping[str, Any], key: str, wanted: object) -> None:
    if content.get(key) != wanted:
        message = f"{key} is {content.get(key)!r}; this program reads {wanted!r}. Open it with the version that wrote it"
        raise LineFault(Defect("other-version", key, message))


def _rules_version(game: str) -> int:
    version: int = import_module(f"games.{game}").RULES_VERSION
    return version


def _header_line(setup: CardSetup) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": setup.game,
        "rules": _rules_version(setup.game),
        "seed": setup.seed,
        "options": dict(setup.options),
        "seats": [
            {"name": seat.name, "bot": seat.bot, "level": seat.level, "milliseconds": seat.milliseconds, "iterations": seat.iterations}
            for seat in setup.seats
        ],
        "deal": _digest(CardMatch(setup)),
    }


def _digest(match: CardMatch) -> str:
    """Tells first deals apart: with other cards, or another way to shuffle, the same seed deals otherwise."""
    return hashlib.sha256(json.dumps(match.state_before(1).to_json(), sort_keys=True).encode()).hexdigest()[:16]


def _check_deal(match: CardMatch, deal: str) -> None:
    if deal != _digest(match):
        message = (
            "this program deals other cards from this seed (it has another card list or shuffles otherwise); open it with the version that wrote it"
        )
        raise LineFault(Defect("other-version", "deal", message))


def _replay(match: CardMatch, content: dict[str, Any]) -> None:
    """Do the act in a line again: it must follow the one before, be legal, and its events must be those of the rules."""
    line = _checked(_ActLine, content)
    if line.act != len(match.acts) + 1 or line.round != match.round:
        raise LineFault(Defect("out-of-order", "act", f"act {line.act} of round {line.round} does not follow what came before"))
    if match.acts and line.seconds < match.acts[-1].seconds:
        raise LineFault(Defect("out-of-order", "seconds", "this act is earlier than the one before"))
    act = CardAct(line.act, line.round, line.player, CardActKind(line.kind), line.move, tuple(line.events), line.seconds)
    try:
        now = match.restore(act)
    except IllegalMove as error:
        raise LineFault(Defect("illegal-act", "move", f"the rules forbid this act: {error}")) from error
    except StakdError as error:
        raise LineFault(Defect("bad-act", "", str(error))) from error
    if now != act:
        raise LineFault(Defect("other-outcome", "events", f"recorded {list(act.events)}, but the rules now give {list(now.events)}"))


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


_FormT = TypeVar("_FormT", bound=_Line)


class _SeatLine(_Line):
    name: SeatName
    bot: str | None
    level: str
    milliseconds: int | None = Field(ge=1, le=10**9)
    iterations: int | None = Field(ge=1, le=10**9)


class _HeaderLine(_Line):
    format: Literal["stakd-cards"]
    version: int
    game: Literal["sakana", "sakapuss", "sardines"]
    rules: int
    seed: int = Field(ge=0, lt=1 << 63)
    options: dict[str, bool | int | str]
    seats: list[_SeatLine] = Field(min_length=1, max_length=10)
    deal: str


class _ActLine(_Line):
    act: int
    round: int
    player: Annotated[int, Field(ge=0, le=9)] | None
    kind: Literal["moved", "left", "redealt"]
    move: Annotated[str, Field(max_length=400)] | None
    events: list[dict[str, Any]] = Field(max_length=200)
    seconds: float = Field(ge=0, le=1e9)


def _checked(form: type[_FormT], content: Mapping[str, Any]) -> _FormT:
    try:
        return form.model_validate({key: value for key, value in content.items() if key != "hash"})
    except ValidationError as error:
        raise LineFault(*form_defects(error)) from error
