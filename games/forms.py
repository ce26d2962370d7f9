"""Defects of JSON given to us: where its text breaks off from JSON, and pydantic's complaints about its form, in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from meshes.errors import Defect


def _harmless(name: str) -> str:
    if any(sign < " " or "\x7f" <= sign <= "\x9f" for sign in name):
        raise ValueError("a name holds no control characters, which a terminal would obey; take them out")
    return name


SeatName = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_harmless)]
"""A player's name in a file."""

_CODES = {"extra_forbidden": "unknown-key", "missing": "missing-key"}
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
}
"""What a value must be, by the type of pydantic's complaint."""

_ENDS = {
    "too_short": "must have at least {min_length} entries; it has {actual_length}",
    "too_long": "must have at most {max_length} entries; it has more",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "extra_forbidden": "unknown key; remove it or mend its spelling",
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

_MOST_SHOWN = 40


def form_defects(error: ValidationError) -> Iterator[Defect]:
    """Unknown or missing keys, wrong types, numbers out of range; `where` is a path like `hands[0].UNI`."""
    for entry in error.errors(include_url=False):
        yield Defect(_CODES.get(entry["type"], "bad-value"), _path(entry["loc"]), _message(entry))


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


def _message(entry: Mapping[str, Any]) -> str:
    kind, context = entry["type"], entry.get("ctx", {})
    if kind == "missing":
        return "this key must be given" if isinstance(entry["loc"][-1], str) else "this entry of the list must be given"
    plain = {key: f"{value:g}" if isinstance(value, float) else value for key, value in context.items()}
    if kind in _ENDS:
        return _ENDS[kind].format(**plain)
    if kind in _WANTED:
        return f"must be {_WANTED[kind].format(**plain)}; found {_found(entry['input'])}"
    message: str = entry["msg"]
    return message.removeprefix("Value error, ")


def _found(value: object) -> str:
    """A value in short, as JSON has it."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError):  # nothing JSON has, or a number too long to print
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def _path(parts: tuple[int | str, ...]) -> str:
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{_key(part)}" if path else _key(part)
    return path


def _key(key: str) -> str:
    """A key as it is, or in short and in quotes if it holds what a terminal would obey."""
    return key if key.isprintable() and len(key) <= _MOST_SHOWN else _found(key)
