"""The JSON of a glTF file, asked for one value at a time and never believed."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from meshes.reading.limits import MOST_JSON_BYTES
from meshes.reading.scene import Unreadable

Table = dict[str, Any]
"""One JSON object."""


def parsed(data: bytes) -> Table:
    """The JSON object in `data`; raises `Unreadable`."""
    if len(data) > MOST_JSON_BYTES:
        raise Unreadable("too-large-file", f"its JSON has more than {MOST_JSON_BYTES / 2**20:.0f} MiB; save it as GLB")
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Unreadable("bad-json", f"its JSON is damaged ({type(error).__name__}); export it again") from error
    if not isinstance(tree, dict):
        bad("its JSON is no object")
    return tree


def bad(what: str, where: str = "") -> NoReturn:
    """Refuses the file for something glTF does not allow."""
    raise Unreadable("bad-gltf", f"{what}; export it again", where)


def table(tree: Table, key: str) -> Table:
    """The object at `key`; empty if there is none."""
    value = tree.get(key, {})
    if not isinstance(value, dict):
        bad(f"{key} is no object")
    return value


def tables(tree: Table, key: str) -> list[Table]:
    """The list of objects at `key`; empty if there is none. It looks at each of them."""
    values = _list(tree, key)
    if not all(isinstance(value, dict) for value in values):
        bad(f"{key} is no list of objects")
    return values


def entry(tree: Table, key: str, index: int) -> Table:
    """Object `index` of the list at `key`; it looks at no other."""
    values = _list(tree, key)
    if index >= len(values):
        bad(f"{key}/{index} is not there")
    if not isinstance(values[index], dict):
        bad(f"{key}/{index} is no object")
    found: Table = values[index]
    return found


def whole(tree: Table, key: str, default: int | None = None, *, below: int = 2**40) -> int:
    """The whole number at `key`, 0 or more and less than `below`."""
    value = tree.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
        bad(f"{key} is {_shown(value)}, not a whole number from 0 to {below - 1}")
    return value


def indices(tree: Table, key: str, *, below: int) -> list[int]:
    """The list of indices at `key`, each once and less than `below`; empty if there is none."""
    values = _list(tree, key)
    if not all(isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below for value in values):
        bad(f"{key} names what is not there")
    if len(set(values)) < len(values):
        bad(f"{key} names one twice")
    return values


def numbers(tree: Table, key: str, default: tuple[float, ...]) -> list[float]:
    """The list of as many finite numbers as `default` has."""
    values = tree.get(key, list(default))
    if not isinstance(values, list) or len(values) != len(default):
        bad(f"{key} is no list of {len(default)} numbers")
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(_float(value)) for value in values):
        bad(f"{key} holds what is no number")
    return [float(value) for value in values]


def name_of(tree: Table) -> str:
    """The name of a thing, empty if it has none."""
    name = tree.get("name", "")
    return name if isinstance(name, str) else ""


def strings(tree: Table, key: str) -> list[str]:
    """The list of texts at `key`; empty if there is none."""
    values = _list(tree, key)
    if not all(isinstance(value, str) for value in values):
        bad(f"{key} is no list of texts")
    return values


def _list(tree: Table, key: str) -> list[Any]:
    values = tree.get(key, [])
    if not isinstance(values, list):
        bad(f"{key} is no list")
    return values


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _shown(value: object) -> str:
    return "missing" if value is None else str(value)[:20]
