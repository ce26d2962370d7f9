"""Options of the command line that several commands share, and what is checked of any."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Annotated, Any

import typer

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON value for programs.")]
SetName = Annotated[str, typer.Option("--set", metavar="SET", help="Piece set: classic, square, or the path of your own .toml file.")]
FileSet = Annotated[str | None, typer.Option("--set", metavar="SET", help="Piece set, if the file does not say which (default: classic).")]
SeedNumber = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same match.")]
ActNumber = Annotated[int | None, typer.Option("--act", min=1, metavar="N", help="The act of a record (default: the last).")]
Players = Annotated[int, typer.Option(min=1, max=10, help="How many play; 1 is solo.")]


class Hand(StrEnum):
    """How pieces are laid: `board` exactly, the others by the Grip at that steadiness."""

    board = "board"
    exact = "exact"
    steady = "steady"
    normal = "normal"
    shaky = "shaky"


class Level(StrEnum):
    """How steady a hand is."""

    exact = "exact"
    steady = "steady"
    normal = "normal"
    shaky = "shaky"


class TableFormat(StrEnum):
    """Forms of tables."""

    csv = "csv"
    parquet = "parquet"


def finite(value: Any) -> Any:
    """NaN and infinity slip through an option's limits; no command has a use for them."""
    for number in value if isinstance(value, tuple) else (value,):
        if number is not None and not math.isfinite(number):
            raise typer.BadParameter(f"{number} is not a number that can be used")
    return value


def refuse(when: str, holds: bool, options: dict[str, object]) -> None:
    """An option that would be ignored is bad use."""
    given = [name for name, value in options.items() if value is not None]
    if holds and given:
        means, it = ("has", "it") if len(given) == 1 else ("have", "them")
        raise typer.BadParameter(f"{', '.join(given)} {means} no meaning {when}; leave {it} out")


def member(values: type[Any], given: str | None, option: str) -> Any:
    """The member of an enumeration that has this value; None stays None."""
    try:
        return None if given is None else values(given)
    except ValueError as error:
        known = ", ".join(one.value for one in values)
        raise typer.BadParameter(f"{option} {given} is not known; give one of {known}") from error
