"""Words to read: the rules pages of all games."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

Lists = Mapping[str, Callable[[], Iterable[str]]]
"""The lists a text names, such as the cards of a game, from its data."""


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
    """One headed part of a rules page."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def card_rules_page(game: str) -> tuple[Section, ...]:
    """The whole rules of a card game in our own words."""
    if game == "sardines":
        from games.sardines.guide import LISTS

        return read_rules_page("games.sardines", LISTS)
    return read_rules_page(f"games.{game}")


def read_rules_page(package: str, lists: Lists | None = None) -> tuple[Section, ...]:
    """The rules page in the texts of a game's package."""
    sections = read_text(package, "rules_page")["section"]
    return tuple(Section(section["title"], tuple(_paragraph(entry, lists or {}) for entry in section["paragraph"])) for section in sections)


def read_text(package: str, name: str) -> dict[str, Any]:
    """A data file in the texts of a game's package."""
    return tomllib.loads(resources.files(package).joinpath("texts", f"{name}.toml").read_text("utf8"))


def _paragraph(entry: Mapping[str, Any], lists: Lists) -> Paragraph:
    items = tuple(lists[entry["list"]]()) if "list" in entry else tuple(entry.get("items", ()))
    return Paragraph(entry["text"], items, entry["source"], tuple(entry["rules"]), entry.get("ours", False))
