"""Words to read: the rules page of the program, and tips for idle moments."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from meshes.piece_set import PieceSet, PieceType, load_piece_set


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph. `items` is a short list below `text`; `source` the section of the rulebook, `rules` the rows of the rules decisions.

    `ours` marks where the rulebook is silent or unclear and this is our reading.
    """

    text: str
    items: tuple[str, ...]
    source: str
    rules: tuple[str, ...]
    ours: bool


@dataclass(frozen=True, slots=True)
class Section:
    """One headed part of the rules page."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def rules_page(piece_set: PieceSet | None = None) -> tuple[Section, ...]:
    """The whole rules of STAKD in our own words; lists of pieces and hands are those of the set, by default the classic one."""
    piece_set = piece_set or load_piece_set("classic")
    return tuple(
        Section(section["title"], tuple(_paragraph(entry, piece_set) for entry in section["paragraph"])) for section in _read("rules_page")["section"]
    )


def tips() -> tuple[str, ...]:
    """One-line tips on play and on steady hands, for the classic set."""
    return tuple(_read("tips")["tips"])


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("games.stakd").joinpath("texts", f"{name}.toml").read_text("utf8"))


def _paragraph(entry: Mapping[str, Any], piece_set: PieceSet) -> Paragraph:
    items = tuple(_LISTS[entry["list"]](piece_set)) if "list" in entry else tuple(entry.get("items", ()))
    return Paragraph(entry["text"], items, entry["source"], tuple(entry["rules"]), entry.get("ours", False))


def _piece_lines(piece_set: PieceSet) -> Iterator[str]:
    return (f"{piece.name}: {_nodes(piece)}, {piece.count} in the box" for piece in piece_set.pieces)


def _nodes(piece: PieceType) -> str:
    return "1 node" if piece.is_uni else f"{len(piece.cells)} nodes"


def _hand_lines(piece_set: PieceSet) -> Iterator[str]:
    for players in range(1, piece_set.max_players + 1):
        who = "Solo" if players == 1 else f"{players} players, each"
        yield f"{who}: " + ", ".join(f"{count} {name}" for name, count in piece_set.hand(players).items() if count)


_LISTS = {"pieces": _piece_lines, "hands": _hand_lines}
