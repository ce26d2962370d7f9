"""Records: a match as JSON Lines, one header and one line an act, each line sealed by a hash over all before it.

Saving replaces the file in one step, so the last good save always loads. Loading checks the version, the form, every hash and
every rule again and stops at the first line that differs; nothing in a record is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.bots import bot_names
from games.errors import IllegalMove
from games.match import ActKind, Match, MatchAct, MatchSetup, Seat
from games.stakd import RULES_VERSION
from games.stakd.rules import Options
from meshes.errors import Defect, DefectiveInput
from meshes.files import write_atomically
from meshes.piece_set import build_piece_set
from meshes.placement import Placement
from physics.grip import Steadiness
from physics.pose import Pose
from physics.track import PoseTrack
from physics.watch import KnockOver

FORMAT = "stakd-record"
VERSION = 1
MOST_BYTES = 256 * 1024 * 1024
"""A larger file is refused unread; an hour of play stays far below it."""


class BadRecord(DefectiveInput):
    """A file is not a record that this program can replay."""

    kind = "record"


def save_record(match: Match, path: str | Path) -> None:
    """Write `match` to `path`, replacing what was there in one step; raises `StakdError` if the place can't be written."""
    write_atomically(path, record_text(match).encode())


def record_text(match: Match) -> str:
    """The record of `match` as text."""
    seal, lines = "", []
    for content in (_header(match.setup), *(_line(act) for act in match.acts)):
        seal = _seal(seal, content)
        lines.append(_plain({**content, "hash": seal}))
    return "\n".join(lines) + "\n"


def load_record(path: str | Path) -> Match:
    """The match a record holds, ready to be replayed or played on; raises `BadRecord` naming the first line that is wrong."""
    name = str(path)
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise BadRecord(name, [Defect("too-large", "", f"the file is larger than {MOST_BYTES >> 20} MB, the most a record may have")])
        text = Path(path).read_bytes().decode("utf8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadRecord(name, [Defect("unreadable", "", f"the file can't be read as text: {error}")]) from error
    return read_record(name, text)


def read_record(name: str, text: str) -> Match:
    """The match held by the text of a record; see `load_record`."""
    lines = _sealed_lines(name, text)
    number, content = next(lines, (1, None))
    if content is None:
        raise BadRecord(name, [Defect("empty", "", "there is nothing in it; a record begins with a header line")])
    match = Match(_setup(name, number, content))
    for number, content in lines:
        try:
            events = match.restore(_act(name, number, content, match))
        except IllegalMove as error:
            raise BadRecord(name, [Defect("illegal-act", f"line {number}", f"the rules forbid this act: {error}")]) from error
        _check_outcome(name, number, content["events"], events)
    return match


def looks_like_record(text: str) -> bool:
    """Whether `text` begins as a record does, sound or not."""
    return f'"format":"{FORMAT}"' in text[:200].replace(" ", "")


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


_FormT = TypeVar("_FormT", bound=_Line)


class _SeatLine(_Line):
    name: str = Field(min_length=1, max_length=80)
    bot: str | None
    hand: str | None
    milliseconds: int | None = Field(ge=1)
    iterations: int | None = Field(ge=1)


class _HeaderLine(_Line):
    format: Literal["stakd-record"]
    version: int
    rules: int
    set_name: str
    set: dict[str, Any]
    seed: int = Field(ge=0, lt=1 << 63)
    options: dict[str, str]
    seats: list[_SeatLine] = Field(min_length=1, max_length=10)


_Number = Annotated[float, Field(strict=False, ge=-1e6, le=1e6)]
_PoseLine = tuple[int, _Number, _Number, _Number, _Number, _Number, _Number, _Number]


class _ActLine(_Line):
    act: int
    round: int
    player: int
    kind: str
    move: str | None
    hand: str = Field(max_length=16)
    offset_mm: _Number
    rest: list[Annotated[_PoseLine, Field(strict=False)]] = Field(max_length=1000)
    squared_up: bool
    knock_over: dict[str, Any] | None
    track: str | None
    events: list[dict[str, Any]]


def _header(setup: MatchSetup) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES_VERSION,
        "set_name": setup.piece_set.name,
        "set": setup.piece_set.source,
        "seed": setup.seed,
        "options": setup.options.to_json(),
        "seats": [_seat_line(seat) for seat in setup.seats],
    }


def _seat_line(seat: Seat) -> dict[str, Any]:
    hand = seat.hand.value if seat.hand else None
    return {"name": seat.name, "bot": seat.bot, "hand": hand, "milliseconds": seat.milliseconds, "iterations": seat.iterations}


def _line(act: MatchAct) -> dict[str, Any]:
    return {
        "act": act.number,
        "round": act.round,
        "player": act.player,
        "kind": act.kind.value,
        "move": str(act.placement) if act.placement else None,
        "hand": act.hand,
        "offset_mm": act.offset_mm,
        "rest": [[index, pose.x, pose.y, pose.z, *pose.rotation] for index, pose in act.rest],
        "squared_up": act.squared_up,
        "knock_over": act.knock_over.to_json() if act.knock_over else None,
        "track": act.track.to_text() if act.track else None,
        "events": list(act.events),
    }


def _plain(content: dict[str, Any]) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _seal(before: str, content: dict[str, Any]) -> str:
    """Hash of a line: of the line before it and of its own content with keys sorted."""
    text = before + json.dumps(content, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _sealed_lines(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line's number and content, after its hash has been checked."""
    seal = ""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            content = json.loads(line, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise BadRecord(name, [Defect("not-json", f"line {number}", f"not a JSON object: {error}")]) from error
        if not isinstance(content, dict) or not isinstance(content.get("hash"), str):
            raise BadRecord(name, [Defect("no-hash", f"line {number}", "every line of a record is a JSON object with a hash")])
        found = content.pop("hash")
        seal = _seal(seal, content)
        if found != seal:
            message = "the hash does not fit: this line, or one before it, was changed or is missing"
            raise BadRecord(name, [Defect("wrong-hash", f"line {number}", message)])
        yield number, content


def _refuse_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not a number JSON knows")


def _setup(name: str, number: int, content: dict[str, Any]) -> MatchSetup:
    header = _checked(_HeaderLine, name, number, content)
    _check_version(name, header)
    unknown = [seat.bot for seat in header.seats if seat.bot is not None and seat.bot not in bot_names("stakd")]
    if unknown:
        raise BadRecord(name, [Defect("unknown-bot", f"line {number}", f"no bot is named {bot}") for bot in unknown])
    try:
        piece_set = build_piece_set(header.set_name, header.set)
        seats = tuple(_seat(seat) for seat in header.seats)
        setup = MatchSetup(piece_set, seats, header.seed, Options.from_json(header.options))
        Match(setup)
    except (DefectiveInput, ValueError) as error:
        raise BadRecord(name, [Defect("bad-header", f"line {number}", str(error))]) from error
    return setup


def _check_version(name: str, header: _HeaderLine) -> None:
    for what, found, wanted in (("format", header.version, VERSION), ("rules", header.rules, RULES_VERSION)):
        if found != wanted:
            message = f"{what} version {found}; this program reads version {wanted}. Open it with the version that wrote it"
            raise BadRecord(name, [Defect("other-version", "line 1", message)])


def _seat(line: _SeatLine) -> Seat:
    hand = Steadiness(line.hand) if line.hand is not None else None
    return Seat(line.name, line.bot, hand, line.milliseconds, line.iterations)


def _act(name: str, number: int, content: dict[str, Any], match: Match) -> MatchAct:
    """The act a line tells of; everything that can be wrong with it is a defect of that line."""
    line = _checked(_ActLine, name, number, content)
    where = f"line {number}"
    if line.act != len(match.acts) + 1 or line.round != match.state.round or not 0 <= line.player < len(match.setup.seats):
        raise BadRecord(name, [Defect("out-of-order", where, f"act {line.act} of round {line.round} does not follow what came before")])
    if match.over or (line.kind != ActKind.RESIGNED and line.player != match.state.to_move):
        raise BadRecord(name, [Defect("not-to-move", where, f"seat {line.player} is not to move here")])
    placement = Placement.parse(line.move) if line.move is not None else None
    try:
        kind = ActKind(line.kind)
        track = PoseTrack.from_text(line.track) if line.track is not None else None
        knock_over = KnockOver.from_json(line.knock_over) if line.knock_over is not None else None
    except (ValueError, DefectiveInput) as error:
        raise BadRecord(name, [Defect("bad-act", where, str(error))]) from error
    if (placement is None) != (kind is ActKind.RESIGNED):
        raise BadRecord(name, [Defect("bad-move", where, f"{line.move!r} is no move")])
    return MatchAct(
        line.act,
        line.round,
        line.player,
        kind,
        placement,
        line.hand,
        line.offset_mm,
        tuple(_rest(name, number, line, len(match.tower.laid) + (kind is ActKind.PLACED))),
        line.squared_up,
        knock_over,
        track,
        tuple(line.events),
    )


def _rest(name: str, number: int, line: _ActLine, pieces: int) -> Iterator[tuple[int, Pose]]:
    for index, x, y, z, *rotation in line.rest:
        i, j, k, w = rotation
        if not 0 <= index < pieces:
            raise BadRecord(name, [Defect("bad-pose", f"line {number}", f"there is no piece {index}; {pieces} are laid")])
        if abs(math.hypot(i, j, k, w) - 1) > 1e-6:
            raise BadRecord(name, [Defect("bad-pose", f"line {number}", f"the rotation of piece {index} is not a unit quaternion")])
        yield index, Pose(x, y, z, (i, j, k, w))


def _check_outcome(name: str, number: int, recorded: list[dict[str, Any]], events: Sequence[dict[str, Any]]) -> None:
    """The events the rules give now must be those that were recorded."""
    if recorded != list(events):
        message = f"the rules now give another outcome: recorded {recorded}, now {list(events)}"
        raise BadRecord(name, [Defect("other-outcome", f"line {number}", message)])


def _checked(form: type[_FormT], name: str, number: int, content: dict[str, Any]) -> _FormT:
    try:
        return form.model_validate(content)
    except ValidationError as error:
        defects = [
            Defect("bad-form", ".".join([f"line {number}", *map(str, entry["loc"])]), entry["msg"]) for entry in error.errors(include_url=False)
        ]
        raise BadRecord(name, defects) from error
