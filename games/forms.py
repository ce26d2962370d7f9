"""Values that files of several games hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field


def _harmless(name: str) -> str:
    if any(sign < " " or "\x7f" <= sign <= "\x9f" for sign in name):
        raise ValueError("a name holds no control characters, which a terminal would obey; take them out")
    return name


SeatName = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_harmless)]
"""A player's name in a file."""
