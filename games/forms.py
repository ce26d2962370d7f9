"""Defects from pydantic's complaints about the form of JSON given to us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError

from meshes.errors import Defect


def _harmless(name: str) -> str:
    if any(sign < " " or "\x7f" <= sign <= "\x9f" for sign in name):
        raise ValueError("a name holds no control characters, which a terminal would obey; take them out")
    return name


SeatName = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_harmless)]
"""A player's name in a file."""

_CODES = {"extra_forbidden": "unknown-key", "missing": "missing-key"}
_MESSAGES = {"unknown-key": "unknown key; remove it or mend its spelling", "missing-key": "this key must be given"}


def form_defects(error: ValidationError) -> Iterator[Defect]:
    """Unknown or missing keys, wrong types, numbers out of range; `where` is a path like `hands[0].UNI`."""
    for entry in error.errors(include_url=False, include_input=False):
        code = _CODES.get(entry["type"], "bad-value")
        yield Defect(code, _path(entry["loc"]), _MESSAGES.get(code, entry["msg"]))


def _path(parts: tuple[int | str, ...]) -> str:
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
