"""The lines of a record: set-ups and acts as plain data and back. Everything read is checked; `LineFault` says what is wrong with a line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.acts import ActKind, MatchAct
from games.bots import make_bot
from games.forms import SeatName
from games.match import Match, MatchSetup, Seat
from games.sealing import LineFault
from games.stakd import RULES_VERSION
from games.stakd.rules import Options
from meshes.errors import Defect, StakdError
from meshes.forms import form_defects
from meshes.piece_set import build_piece_set
from meshes.placement import Placement
from physics.grip import STEADINESS
from physics.pose import Pose
from physics.tower import Tower
from physics.track import PoseTrack
from physics.watch import Fallen, KnockOver, Leaving, LostSupport, Support

FORMAT = "stakd-record"
VERSION = 1


def header_line(setup: MatchSetup) -> dict[str, Any]:
    """A set-up as the first line of a record."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES_VERSION,
        "physics": setup.physics,
        "set_name": setup.piece_set.name,
        "set": setup.piece_set.source,
        "seed": setup.seed,
        "options": setup.options.to_json(),
        "seats": [_seat_line(seat) for seat in setup.seats],
    }


def read_header(content: dict[str, Any]) -> MatchSetup:
    """The set-up in a header line; raises `LineFault`."""
    for key, wanted in (("format", FORMAT), ("version", VERSION), ("rules", RULES_VERSION)):
        if content.get(key) != wanted:
            message = f"{key} is {content.get(key)!r}; this program reads {wanted!r}. Open it with the version that wrote it"
            raise LineFault(Defect("other-version", key, message))
    line = _checked(_HeaderLine, content)
    try:
        piece_set = build_piece_set(line.set_name, line.set)
        setup = MatchSetup(piece_set, tuple(map(_seat, line.seats)), line.seed, Options.from_json(line.options), line.physics)
        Match(setup)
    except (StakdError, ValueError) as error:
        raise LineFault(Defect("bad-header", "", str(error))) from error
    return setup


def act_line(act: MatchAct) -> dict[str, Any]:
    """An act as a line of a record."""
    return {
        **act_facts(act),
        "rest": [[index, pose.x, pose.y, pose.z, *pose.rotation] for index, pose in act.rest],
        "track": act.track.to_text() if act.track else None,
    }


def act_facts(act: MatchAct) -> dict[str, Any]:
    """What an act was, as plain data, without the poses."""
    return {
        "act": act.number,
        "round": act.round,
        "player": act.player,
        "kind": act.kind.value,
        "move": str(act.placement) if act.placement else None,
        "hand": act.hand,
        "offset_mm": act.offset_mm,
        "squared_up": act.squared_up,
        "knock_over": _knock_over_line(act.knock_over) if act.knock_over else None,
        "events": list(act.events),
    }


def read_act(content: dict[str, Any], match: Match) -> MatchAct:
    """The act in a line, which must fit where `match` now stands; raises `LineFault`."""
    line = _checked(_ActLine, content)
    if line.act != len(match.acts) + 1 or line.round != match.state.round or not 0 <= line.player < len(match.setup.seats):
        raise LineFault(Defect("out-of-order", "act", f"act {line.act} of round {line.round} by seat {line.player} does not follow what came before"))
    kind = ActKind(line.kind)
    if match.over or (kind is not ActKind.RESIGNED and line.player != match.state.to_move):
        raise LineFault(Defect("not-to-move", "player", f"seat {line.player} is not to move here"))
    placement = Placement.parse(line.move) if line.move is not None else None
    if (placement is None) != (kind is ActKind.RESIGNED):
        raise LineFault(Defect("bad-move", "move", f"{line.move!r} is no move"))
    if (line.knock_over is not None) != (kind is ActKind.KNOCKED_OVER):
        raise LineFault(Defect("bad-act", "knock_over", f"does not go with an act of the kind {line.kind}"))
    tower = match.tower
    return MatchAct(
        number=line.act,
        round=line.round,
        player=line.player,
        kind=kind,
        placement=placement,
        hand=line.hand,
        offset_mm=line.offset_mm,
        rest=tuple(_rest(line, len(tower.laid) + (kind is ActKind.PLACED))),
        squared_up=line.squared_up,
        knock_over=_knock_over(line.knock_over, tower) if line.knock_over is not None else None,
        track=_track(line.track) if line.track is not None else None,
        events=tuple(line.events),
    )


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


_FormT = TypeVar("_FormT", bound=_Line)
_Number = Annotated[float, Field(ge=-1e6, le=1e6)]
_Index = Annotated[int, Field(ge=-1, lt=10_000)]
_PoseLine = Annotated[tuple[int, _Number, _Number, _Number, _Number, _Number, _Number, _Number], Field(strict=False)]


class _SeatLine(_Line):
    name: SeatName
    bot: str | None
    hand: str | None
    milliseconds: int | None = Field(ge=1)
    iterations: int | None = Field(ge=1)


class _HeaderLine(_Line):
    format: Literal["stakd-record"]
    version: int
    rules: int
    physics: str = Field(min_length=1, max_length=200)
    set_name: str = Field(min_length=1, max_length=200)
    set: dict[str, Any]
    seed: int = Field(ge=0, lt=1 << 63)
    options: dict[str, str]
    seats: list[_SeatLine] = Field(min_length=1, max_length=10)


class _FirstLine(_Line):
    piece: _Index
    lost: list[Annotated[tuple[int, int, _Index], Field(strict=False)]] = Field(max_length=30)
    supports: int = Field(ge=0, le=30)
    seconds: float = Field(ge=0, le=1e4)


class _KnockOverLine(_Line):
    words: str
    fallen: list[Annotated[tuple[_Index, str], Field(strict=False)]] = Field(min_length=1, max_length=10_000)
    first: _FirstLine


class _ActLine(_Line):
    act: int
    round: int
    player: int
    kind: Literal["placed", "taken_back", "knocked_over", "resigned"]
    move: str | None
    hand: str = Field(max_length=16)
    offset_mm: _Number | None
    rest: list[_PoseLine] = Field(max_length=1000)
    squared_up: bool
    knock_over: _KnockOverLine | None
    track: str | None
    events: list[dict[str, Any]]


def _knock_over_line(knock_over: KnockOver) -> dict[str, Any]:
    """What fell, and what failed first, as plain data; pieces are indices into the tower."""
    first = knock_over.first
    return {
        "words": str(knock_over),
        "fallen": [[fallen.piece, fallen.how.value] for fallen in knock_over.fallen],
        "first": {
            "piece": first.piece,
            "lost": [[*support.cell, support.carrier] for support in first.lost],
            "supports": first.supports,
            "seconds": first.seconds,
        },
    }


def _seat_line(seat: Seat) -> dict[str, Any]:
    hand = seat.hand.name if seat.hand else None
    return {"name": seat.name, "bot": seat.bot, "hand": hand, "milliseconds": seat.milliseconds, "iterations": seat.iterations}


def _seat(line: _SeatLine) -> Seat:
    if line.bot is not None:
        make_bot("stakd", line.bot)
    if line.hand is not None and line.hand not in STEADINESS:
        raise StakdError(f"no hand is called {line.hand}; there are {', '.join(STEADINESS)}")
    hand = STEADINESS[line.hand] if line.hand is not None else None
    return Seat(line.name, line.bot, hand, line.milliseconds, line.iterations)


def _rest(line: _ActLine, pieces: int) -> Iterator[tuple[int, Pose]]:
    for index, x, y, z, i, j, k, w in line.rest:
        if not 0 <= index < pieces:
            raise LineFault(Defect("bad-pose", "rest", f"there is no piece {index}; {pieces} are laid"))
        if abs(math.hypot(i, j, k, w) - 1) > 1e-6:
            raise LineFault(Defect("bad-pose", "rest", f"the rotation of piece {index} is not a unit quaternion"))
        yield index, Pose(x, y, z, (i, j, k, w))


def _track(text: str) -> PoseTrack:
    try:
        return PoseTrack.from_text(text)
    except StakdError as error:
        raise LineFault(Defect("bad-track", "track", str(error))) from error


def _knock_over(line: _KnockOverLine, tower: Tower) -> KnockOver:
    pieces = range(len(tower.laid))
    first = line.first
    if first.piece not in pieces or any(piece not in pieces for piece, _ in line.fallen) or any(c != -1 and c not in pieces for *_, c in first.lost):
        raise LineFault(Defect("bad-knock-over", "knock_over", f"names a piece that is not there; {len(pieces)} are laid"))
    try:
        fallen = tuple(Fallen(piece, Leaving(how)) for piece, how in line.fallen)
    except ValueError as error:
        raise LineFault(Defect("bad-knock-over", "knock_over", str(error))) from error
    lost = tuple(Support((q, r), carrier) for q, r, carrier in first.lost)
    return KnockOver(tower, fallen, LostSupport(first.piece, lost, first.supports, first.seconds))


def _checked(form: type[_FormT], content: dict[str, Any]) -> _FormT:
    try:
        return form.model_validate(content)
    except ValidationError as error:
        raise LineFault(*form_defects(error)) from error
