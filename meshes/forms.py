"""Defects of data given to us: where a text breaks off from JSON, and pydantic's complaints about a form, in plain words and with their place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from meshes.errors import Defect, harmless

_WANTED = {
    "string_type": "text in double quotes",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object of keys and values",
    "mapping_type": "an object of keys and values",
    "model_type": "an object of keys and values",
    "model_attributes_type": "an object of keys and values",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "greater_than": "more than {gt}",
    "less_than": "less than {lt}",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "none_required": "null",
    "string_pattern_mismatch": "of the form {pattern}",
}
"""What a value must be, by the type of pydantic's complaint."""

_ENDS = {
    "too_short": "must have at least {min_length} entries; it has {actual_length}",
    "too_long": "must have at most {max_length} entries; it has more",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
}
_BREAKS = (
    ("Expecting value", "a value is missing"),
    ("Expecting property name", "a key in double quotes is missing"),
    ("Expecting ',' delimiter", "a comma or the closing bracket is missing"),
    ("Expecting ':' delimiter", "the colon after a key is missing"),
    ("Extra data", "something follows after its end"),
    ("Unterminated string", "a text begins that is not closed"),
    ("Invalid control character", "a text holds a line end or a control character"),
    ("Invalid \\", "a text holds a backslash that means nothing"),
)
"""What Python's words about broken JSON mean."""

_OF_KEY = ("[key]",)
"""What pydantic adds to the place if not the value is wrong but its key."""
_MOST_SHOWN = 50

Place = tuple[int | str, ...]
"""Keys and numbers of entries that lead to a part of the data."""


def form_defects(error: ValidationError, *, known: Callable[[Place], Iterable[str]] | None = None) -> Iterator[Defect]:
    """Unknown or missing keys, wrong types, numbers out of range; `where` is a path like `hands[0].UNI`.

    `known` gives the keys that may stand where an unknown one does, to be told with it.
    """
    for entry in error.errors(include_url=False):
        place = entry["loc"]
        if entry["type"] == "extra_forbidden":
            keys = f" (known here: {', '.join(known(place))})" if known else ""
            yield Defect("unknown-key", path_text(place), f"unknown key; remove it or mend its spelling{keys}")
        elif entry["type"] == "missing":
            what = "key" if isinstance(place[-1], str) else "entry of the list"
            yield Defect("missing-key", path_text(place), f"this {what} must be given")
        elif place[-1:] == _OF_KEY:
            yield Defect("bad-value", path_text(place[:-1]), f"the key {_message(entry)}")
        else:
            yield Defect("bad-value", path_text(place), _message(entry))


def json_fault(error: ValueError | RecursionError) -> str:
    """Where and why a text is no JSON, from the error that `json.loads` gave."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if not isinstance(error, json.JSONDecodeError):
        return "a number has thousands of digits" if "set_int_max_str_digits" in str(error) else str(error)
    if not error.doc.strip():
        return "it is empty"
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return f"it ends too soon, in line {error.doc.count(chr(10), 0, len(error.doc.rstrip())) + 1}; it was cut short"
    meant = next((words for start, words in _BREAKS if error.msg.startswith(start)), error.msg)
    return f"in line {error.lineno}, column {error.colno}, {meant}"


def path_text(place: Iterable[int | str]) -> str:
    """`pieces.UNI.cells[2]`, the way the file's author would say it."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{key_text(part)}" for part in place)
    return path.removeprefix(".")


def key_text(key: str) -> str:
    """A key as it is, or in quotes if it holds anything that could confuse a reader or a terminal."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", key) else value_text(key)


def value_text(value: object) -> str:
    """A value as JSON has it, in short, and of a large one no more than is shown; nothing unprintable."""
    text = ""
    try:
        for part in _JSON.iterencode(value):
            text += part
            if len(text) > _MOST_SHOWN:
                text = f"{text[: _MOST_SHOWN - 1]}…"
                break
    except (TypeError, ValueError):  # nothing JSON has, or a number too long to print
        return f"a value of type {type(value).__name__}"
    return harmless(text)


_JSON = json.JSONEncoder(ensure_ascii=False)


def _message(entry: Mapping[str, Any]) -> str:
    kind = entry["type"]
    plain = {key: f"{value:g}" if isinstance(value, float) else value for key, value in entry.get("ctx", {}).items()}
    if kind in _ENDS:
        return _ENDS[kind].format(**plain)
    if kind in _WANTED:
        return f"must be {_WANTED[kind].format(**plain)}; found {value_text(entry['input'])}"
    message: str = entry["msg"]
    return message.removeprefix("Value error, ")
