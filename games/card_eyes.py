"""What everybody at a table may see: what all views of one moment have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def bystander(views: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The views of all players (at least two), in protocol form, without what only some of them see: that is replaced by its length."""
    return {key: _common([view[key] for view in views]) for key in views[0]}


def _common(values: list[Any]) -> Any:
    first = values[0]
    if all(value == first for value in values):
        return first
    hidden = [value for value in values if isinstance(value, int)]
    if hidden:
        return hidden[0]
    return [_common(list(entries)) for entries in zip(*values, strict=True)]
