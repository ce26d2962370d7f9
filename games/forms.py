"""Defects from pydantic's complaints about the form of JSON given to us."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from meshes.errors import Defect

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
