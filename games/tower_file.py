"""Tower files: what stands on the table, read from a tower file, a position of the rules or an act of a record."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from games.card_record import is_card_record
from games.errors import BadState
from games.match import Table
from games.record import load_record, looks_like_record
from games.stakd.state import State
from meshes.errors import Defect, DefectiveInput, StakdError, UnknownPiece
from meshes.files import path_inside, read_plain, reading_fault, write_atomically
from meshes.forms import form_defects, json_fault
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
    every piece exactly in its place; a tower file the poses it lists, and no state. `set_name` is the piece set of a position or of a
    tower file that names none (None: classic); the others have their own. Raises `BadTower`, `BadRecord`, `BadState` or `BadPieceSet`
    with what is wrong, `StakdError` for a set or an act that such a file has no use for.
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
        return position_table(_read_position(name, content, load_piece_set(set_name or "classic")))
    return Table(_read_tower(Path(path), content, set_name))


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
    """A shipped set by its name, another whole, so that the file stands by itself; a name alone makes no shipped set."""
    name = piece_set.name
    return name if name in shipped_sets() and piece_set == load_piece_set(name) else dict(piece_set.source)


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


def _is_set(value: object) -> object:
    if not isinstance(value, str | dict | None):
        raise ValueError("must be a shipped set's name, the name of a .toml file beside this one, or the whole content of a set")
    return value


_Number = Annotated[float, Field(strict=True, ge=-1e5, le=1e5)]
_Whole = Annotated[int, Field(strict=True, ge=-1000, le=1000)]


class _PieceLine(_Line):
    piece: str
    layer: Annotated[int, Field(strict=True, ge=0, le=1000)]
    cells: list[tuple[_Whole, _Whole]] = Field(min_length=1)
    pose: tuple[_Number, _Number, _Number, _Number, _Number, _Number, _Number] | None = None


class _TowerFile(_Line):
    tower: int
    set: Annotated[Any, AfterValidator(_is_set)] = None
    pieces: list[_PieceLine] = Field(max_length=MOST_PIECES)


def _text(path: str | Path) -> str:
    """The text of a file; of a large one only the beginning, which must be that of a record, as those have a limit of their own."""
    try:
        data = read_plain(path, MOST_BYTES + 1)
        if len(data) <= MOST_BYTES:
            return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise BadTower(str(path), [Defect("unreadable", "", reading_fault(path, error))]) from error
    start = data[:300].decode("utf8", "replace")
    if looks_like_record(start):
        return start
    raise BadTower(str(path), [Defect("too-large", "", f"the file is larger than {MOST_BYTES >> 20} MB, the most a tower or position may have")])


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text, object_pairs_hook=_once_each)
    except (ValueError, RecursionError) as error:
        raise BadTower(name, [Defect("not-json", "", f"it is neither a record nor JSON: {json_fault(error)}; mend or write it again")]) from error
    if not isinstance(content, dict):
        raise BadTower(name, [Defect("not-json", "", "a position or tower file is one JSON object, in curly brackets; docs/formats.md shows one")])
    return content


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        twice = max(Counter(key for key, _ in pairs).items(), key=lambda found: found[1])[0]
        raise ValueError(f"an object has the key {json.dumps(twice[:40])} twice")
    return content


def _recorded_table(path: str | Path, act: int | None) -> Table:
    match = load_record(path)
    if act is None and not match.acts:
        return match.table
    return match.table_after(act if act is not None else len(match.acts))


def _read_position(name: str, content: dict[str, Any], piece_set: PieceSet) -> State:
    try:
        return State.from_json(content, piece_set=piece_set)
    except BadState as error:
        raise BadState(name, error.defects) from error


def _read_tower(path: Path, content: dict[str, Any], set_name: str | Path | None) -> Tower:
    name = str(path)
    _check_kind(name, content)
    try:
        file = _TowerFile.model_validate(content)
    except ValidationError as error:
        raise BadTower(name, form_defects(error)) from error
    if file.set is not None:
        _need_no_set(name, set_name)
    piece_set = _own_set(path, file.set) if file.set is not None else load_piece_set(set_name or "classic")
    laid, defects = [], []
    for number, line in enumerate(file.pieces):
        try:
            laid.append(_laid(piece_set, line))
        except (ValueError, UnknownPiece) as error:
            defects.append(Defect("bad-piece", f"pieces[{number}]", str(error)))
    if defects:
        raise BadTower(name, defects)
    return Tower(piece_set, tuple(laid))


def _check_kind(name: str, content: dict[str, Any]) -> None:
    """That this is a tower file of our version at all, before anything is said of what it lacks."""
    if "tower" not in content:
        other = f"a position of {str(content['game'])[:40]}" if "game" in content else "another JSON file"
        message = f'a tower file begins {{"tower": 1, …}}, a position {{"game": "stakd", …}}; this is {other}, which has no tower'
        raise BadTower(name, [Defect("missing-key", "tower", message)])
    if content["tower"] is True or content["tower"] != 1:
        raise BadTower(name, [Defect("other-version", "tower", f"version {str(content['tower'])[:40]}; this program reads version 1")])


def _own_set(path: Path, given: str | dict[str, Any]) -> PieceSet:
    """The set a tower file says it is of: a shipped one, one in a file beside it or below its folder, or the one it holds."""
    if isinstance(given, dict):
        return build_piece_set(f"{path} (set)", given)
    if given in shipped_sets():
        return load_piece_set(given)
    if not given.lower().endswith(".toml"):
        known = ", ".join(shipped_sets())
        message = f"no shipped set is called {given[:80]!r}; there are {known}, and a set of your own is named by its .toml file beside this one"
        raise BadTower(str(path), [Defect("unknown-set", "set", message)])
    file = path_inside(path.parent, given)
    if file is None:
        message = "is not in the folder of this file or below it, and nothing elsewhere is opened; copy it there, or leave set out and give --set"
        raise BadTower(str(path), [Defect("set-elsewhere", "set", f"{given[:80]} {message}")])
    return load_piece_set(file)


def _laid(piece_set: PieceSet, line: _PieceLine) -> LaidPiece:
    piece = piece_set.piece(line.piece)
    cells = tuple(sorted(set(line.cells)))
    if len(cells) != len(line.cells):
        raise ValueError("a cell is listed twice; list each once")
    placement = Placement(line.piece, line.layer, cells)
    try:
        pose = exact_pose(piece_set, placement)
    except ValueError as error:
        own, given = (" ".join(f"{q},{r}" for q, r in some) for some in (piece.cells, cells[:30]))
        raise ValueError(f"the cells {given} have not the shape of {piece.name}: give {own}, moved and turned, but not flipped") from error
    if line.pose is not None:
        pose = _read_pose(line.pose)
    return LaidPiece(placement, pose)


def _read_pose(numbers: tuple[float, ...]) -> Pose:
    x, y, z, *rotation = numbers
    i, j, k, w = rotation
    length = math.sqrt(i * i + j * j + k * k + w * w)
    if abs(length**2 - 1) > 1e-4:
        form = "the last four numbers of a pose are a quaternion x, y, z, w of length 1 (0, 0, 0, 1: not turned)"
        raise ValueError(f"{form}; here its length is {length:.4g}")
    return Pose(x, y, z, (i, j, k, w))
