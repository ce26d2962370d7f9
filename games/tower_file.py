"""Tower files: what stands on the table, read from a tower file, a position of the rules or an act of a record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.card_record import is_card_record
from games.forms import form_defects
from games.match import Table
from games.record import load_record, looks_like_record
from games.stakd.state import State
from meshes.errors import Defect, DefectiveInput, StakdError, UnknownPiece
from meshes.files import write_atomically
from meshes.piece_set import PieceSet, build_piece_set, load_piece_set, shipped_sets
from meshes.placement import Placement
from physics.pose import Pose
from physics.tower import LaidPiece, Tower, exact_pose

MOST_BYTES = 16 * 1024 * 1024
MOST_PIECES = 1000


class BadTower(DefectiveInput):
    """A file does not say what stands on the table."""

    kind = "tower file"


def load_table(path: str | Path, *, set_name: str | Path | None = None, act: int | None = None) -> Table:
    """What stands on the table according to a file.

    A record gives the table after `act` (default: its last act); a position (state JSON of the engine protocol) the tower with
    every piece exactly in its place; a tower file the poses it lists, and no state. `set_name` is the piece set of a position (None: classic);
    the others have their own. Raises `BadTower`, `BadRecord`, `BadState` or `BadPieceSet` with what is wrong, `StakdError` for a set or an act that
    such a file has no use for.
    """
    name, text = str(path), _text(path)
    if looks_like_record(text):
        _need_no_set(name, set_name)
        return _recorded_table(path, act)
    if is_card_record(text):
        raise BadTower(name, [Defect("no-tower", "", "this is the record of a card game, which has no tower; `stakd replay` tells it")])
    if act is not None:
        raise StakdError(f"{name} is not a record, so it has no act {act}; leave --act out")
    content = _object(name, text)
    if content.get("game") == "stakd":
        return position_table(State.from_json(content, piece_set=load_piece_set(set_name or "classic")))
    _need_no_set(name, set_name)
    return Table(_read_tower(name, content))


def _need_no_set(name: str, set_name: str | Path | None) -> None:
    if set_name is not None:
        raise StakdError(f"{name} says itself which piece set it is of, so it can't be of {set_name}; leave --set out")


def position_table(state: State) -> Table:
    """The table of a position, every piece exactly in its place."""
    return Table(Tower.exact(state.rules.piece_set, state.placements()), state)


def save_tower(tower: Tower, path: str | Path) -> None:
    """Write a tower file, in one step."""
    pieces = [
        {
            "piece": laid.placement.piece,
            "layer": laid.placement.layer,
            "cells": laid.placement.cells,
            "pose": [laid.pose.x, laid.pose.y, laid.pose.z, *laid.pose.rotation],
        }
        for laid in tower.laid
    ]
    write_atomically(path, json.dumps({"tower": 1, "set": _set_value(tower.piece_set), "pieces": pieces}, indent=1).encode())


def _set_value(piece_set: PieceSet) -> str | dict[str, Any]:
    """A shipped set by its name, another whole, so that the file stands by itself."""
    return piece_set.name if piece_set.name in shipped_sets() else dict(piece_set.source)


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


_Number = Annotated[float, Field(ge=-1e5, le=1e5)]
_Whole = Annotated[int, Field(strict=True, ge=-1000, le=1000)]


class _PieceLine(_Line):
    piece: str
    layer: Annotated[int, Field(strict=True, ge=0, le=1000)]
    cells: list[tuple[_Whole, _Whole]] = Field(min_length=1)
    pose: tuple[_Number, _Number, _Number, _Number, _Number, _Number, _Number] | None = None


class _TowerFile(_Line):
    tower: int
    set: str | dict[str, Any]
    pieces: list[_PieceLine] = Field(max_length=MOST_PIECES)


def _text(path: str | Path) -> str:
    """The text of a file; of a large one only the beginning, which must be that of a record, as those have a limit of their own."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) <= MOST_BYTES:
            return data.decode("utf8")
    except (OSError, ValueError) as error:
        raise BadTower(str(path), [Defect("unreadable", "", f"the file can't be read as text: {error}")]) from error
    start = data[:300].decode("utf8", "replace")
    if looks_like_record(start):
        return start
    raise BadTower(str(path), [Defect("too-large", "", f"the file is larger than {MOST_BYTES >> 20} MB, the most a tower or position may have")])


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadTower(name, [Defect("not-json", "", f"neither a record nor a JSON object: {error}")]) from error
    if not isinstance(content, dict):
        raise BadTower(name, [Defect("not-json", "", "a position or tower file is a JSON object")])
    return content


def _recorded_table(path: str | Path, act: int | None) -> Table:
    match = load_record(path)
    if act is None and not match.acts:
        return match.table
    return match.table_after(act if act is not None else len(match.acts))


def _read_tower(name: str, content: dict[str, Any]) -> Tower:
    try:
        file = _TowerFile.model_validate(content)
    except ValidationError as error:
        raise BadTower(name, form_defects(error)) from error
    if file.tower != 1:
        raise BadTower(name, [Defect("other-version", "tower", f"version {file.tower}; this program reads version 1")])
    if isinstance(file.set, str) and file.set not in shipped_sets():
        message = f"no shipped set is called {file.set}; a set of your own stands in the file whole, and no other file is opened"
        raise BadTower(name, [Defect("unknown-set", "set", message)])
    piece_set = load_piece_set(file.set) if isinstance(file.set, str) else build_piece_set(f"{name} (set)", file.set)
    laid, defects = [], []
    for number, line in enumerate(file.pieces):
        try:
            laid.append(_laid(piece_set, line))
        except (ValueError, UnknownPiece) as error:
            defects.append(Defect("bad-piece", f"pieces.{number}", str(error)))
    if defects:
        raise BadTower(name, defects)
    return Tower(piece_set, tuple(laid))


def _laid(piece_set: PieceSet, line: _PieceLine) -> LaidPiece:
    piece_set.piece(line.piece)
    cells = tuple(sorted(set(line.cells)))
    if len(cells) != len(line.cells):
        raise ValueError("a cell is listed twice")
    placement = Placement(line.piece, line.layer, cells)
    pose = exact_pose(piece_set, placement)
    if line.pose is not None:
        pose = _read_pose(line.pose)
    return LaidPiece(placement, pose)


def _read_pose(numbers: tuple[float, ...]) -> Pose:
    x, y, z, *rotation = numbers
    i, j, k, w = rotation
    if abs(i * i + j * j + k * k + w * w - 1) > 1e-4:
        raise ValueError("the last four numbers of a pose are a unit quaternion x, y, z, w")
    return Pose(x, y, z, (i, j, k, w))
