"""What the program remembers about its user: a small JSON file that is never trusted and never fatal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from meshes.errors import UnwritableFile
from meshes.files import make_folder, read_plain, write_atomically
from viewer.folders import config_folder, matches_folder

__all__ = ["HandLevel", "Placing", "SeatChoice", "Settings", "config_folder", "load_settings", "matches_folder", "save_settings"]

FILE_NAME = "settings.json"
MOST_BYTES = 1 << 20


class Placing(StrEnum):
    """How a person lays pieces: gliding to legal places, or held in the hand."""

    BOARD = "board"
    HAND = "hand"


HandLevel = Literal["board", "exact", "steady", "normal", "shaky"]
"""How a seat's bot lays pieces: on the board, or by the Grip with a named steadiness."""

_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
_CHECKED = ConfigDict(allow_inf_nan=False, extra="ignore")


@dataclass(frozen=True, slots=True, config=_CHECKED)
class SeatChoice:
    """One seat of the last match set up; `bot` None is a person, `milliseconds` None lets a bot think as long as it likes."""

    name: _Name
    bot: _Name | None = None
    hand: HandLevel = "board"
    milliseconds: Annotated[int, Field(ge=1, le=600_000)] | None = None


@dataclass(frozen=True, slots=True, config=_CHECKED)
class Settings:
    """All settings. Change one with `dataclasses.replace`, which checks it.

    `window_size` in logical pixels; speeds are factors, 1 being usual. `seats`, `piece_set` (a name, or the path of a file) and the two options
    of the rules are those of the last match set up. `unknown` holds what a newer version wrote, to be written back.
    """

    ui_scale: Annotated[int, Field(ge=100, le=200)] = 100
    full_screen: bool = False
    window_size: tuple[Annotated[int, Field(ge=960, le=15360)], Annotated[int, Field(ge=600, le=8640)]] = (1280, 720)
    volume: Annotated[float, Field(ge=0, le=1)] = 0.7
    muted: bool = False
    placing: Placing = Placing.BOARD
    show_legal: bool = False
    show_margins: bool = False
    reduced_motion: bool = False
    camera_speed: Annotated[float, Field(ge=0.25, le=4)] = 1.0
    animation_speed: Annotated[float, Field(ge=0.25, le=4)] = 1.0
    player_name: _Name = "Player"
    seats: tuple[SeatChoice, ...] = ()
    piece_set: Annotated[str, Field(min_length=1, max_length=4096)] = "classic"
    new_layer_exception: Literal["mover", "all"] = "mover"
    base_contact: Literal["one_base", "two_pairs", "any"] = "one_base"
    learned: frozenset[_Name] = frozenset()
    first_start: bool = True
    unknown: dict[str, Any] = field(default_factory=dict)


def load_settings(folder: Path | None = None) -> tuple[Settings, str | None]:
    """The settings in `folder` (default: `config_folder()`), and one line for the user if something was wrong with them.

    No file: the defaults. A file that can't be read is set aside as `settings.damaged-N.json`; a value that can't be used becomes the
    nearest that can, or its default.
    """
    path = (folder or config_folder()) / FILE_NAME
    try:
        return _mended(_table(path))
    except FileNotFoundError:
        return Settings(), None
    except (OSError, ValueError, RecursionError) as error:
        return Settings(), _set_aside(path, error)


def save_settings(settings: Settings, folder: Path | None = None) -> str | None:
    """Write the settings in one step; gives one line for the user if that is not possible."""
    table: dict[str, Any] = _SETTINGS.dump_python(settings, mode="json")
    text = json.dumps({**table.pop("unknown"), **table, "learned": sorted(settings.learned)}, indent=1)
    try:
        write_atomically(make_folder(folder or config_folder()) / FILE_NAME, text.encode())
    except (UnwritableFile, ValueError) as error:
        return f"Settings are not kept: {error}"
    return None


_SETTINGS = TypeAdapter(Settings)
_KNOWN = {entry.name for entry in fields(Settings)} - {"unknown"}


def _table(path: Path) -> dict[str, Any]:
    """The file's content; raises `OSError`, `ValueError` or `RecursionError` if it is none."""
    data = read_plain(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"it is larger than {MOST_BYTES >> 20} MB")
    table = json.loads(data.decode("utf8"), parse_constant=_refuse)
    if not isinstance(table, dict):
        raise ValueError("it holds no table of settings")
    return table


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number JSON knows")


def _mended(table: Mapping[str, Any]) -> tuple[Settings, str | None]:
    """Settings from a table, mended value by value: each round puts at least one wrong value right."""
    values = {key: value for key, value in table.items() if key in _KNOWN}
    unknown = {key: value for key, value in table.items() if key not in _KNOWN}
    mended: dict[str, None] = {}
    while True:
        try:
            settings = _SETTINGS.validate_python({**values, "unknown": unknown})
        except ValidationError as error:
            for entry in error.errors(include_url=False):
                mended[str(entry["loc"][0])] = None
                _mend(values, entry["loc"], entry.get("ctx", {}), entry["type"])
        else:
            return settings, f"Settings put right, as their values could not be used: {', '.join(mended)}." if mended else None


def _mend(values: dict[str, Any], where: Sequence[int | str], limits: Mapping[str, Any], fault: str) -> None:
    """Put a number out of range to the end of its range; leave anything else to its default."""
    key, rest = where[0], where[1:]
    limit = limits.get("le" if fault == "less_than_equal" else "ge") if fault in ("less_than_equal", "greater_than_equal") else None
    if limit is None or len(rest) > 1 or (rest and not isinstance(values.get(str(key)), list)):
        values.pop(str(key), None)
    elif rest:
        values[str(key)][int(rest[0])] = limit
    else:
        values[str(key)] = limit


def _set_aside(path: Path, error: Exception) -> str:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    try:
        path.rename(aside)
    except OSError:
        return f"The settings can't be read, so the usual ones are used ({path}: {reason})."
    return f"The settings were damaged and are set aside as {aside.name}; the usual ones are used ({reason})."
