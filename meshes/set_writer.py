"""Writing a piece set as the TOML file it could have been read from; meshes stand in it as text, so the file needs no other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from meshes.files import write_atomically
from meshes.piece_set import PieceSet


def write_piece_set(piece_set: PieceSet, path: str | Path) -> None:
    """Write the set's file, in one step. Raises `UnwritableFile`."""
    write_atomically(path, set_text(piece_set.source).encode())


def set_text(source: Mapping[str, Any]) -> str:
    """A set's data as TOML; reading it gives equal data."""
    return "\n".join(_lines(source)) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """Values first, as TOML wants it, then tables; hands in one line each."""
    inline = path == ("hands",)
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping) and not inline}
    if path and (len(tables) < len(table) or not table):
        yield f"\n[{'.'.join(map(_key, path))}]"
    yield from (f"{_key(key)} = {_value(value)}" for key, value in table.items() if key not in tables)
    for key, value in tables.items():
        yield from _lines(value, (*path, key))


def _key(key: str) -> str:
    return key if key.replace("_", "a").replace("-", "a").isalnum() and key.isascii() else json.dumps(key)


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
