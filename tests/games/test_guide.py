"""The rules pages of the card games."""

from __future__ import annotations

from importlib import import_module

import pytest

from games.guide import Paragraph, card_rules_page
from games.sardines.card_list import standard

SECTIONS = {
    "sakana": {
        "Objective",
        "Game Setup",
        "Round Setup",
        "How to Play",
        "1 - Play a Stack",
        "2 - Pass",
        "Round End",
        "Game End and Scoring",
        "2 Player Rules",
    },
    "sardines": {
        "Components",
        "Objective",
        "Setup",
        "How to Play",
        "How to Play: Note",
        "1. Gather Sardines",
        "2. Complete An Order",
        "2. Complete An Order: SPECIAL ORDER",
        "2. Complete An Order: MIXED BAG",
        "Scoring / End of the Game",
    },
    "sakapuss": {"Overview", "Setup", "Playing a Round", "Card Types", "End of a Round", "End of the Game"},
}
"""The rulebooks' own headings."""

ROWS = {
    "sakana": {f"K{number}" for number in range(1, 40)} - {"K29"},
    "sardines": {f"D{number}" for number in range(1, 23)},
    "sakapuss": {f"P{number}" for number in range(1, 30)},
}
"""The rows of the rules decisions."""


def _paragraphs(game: str) -> list[Paragraph]:
    return [paragraph for section in card_rules_page(game) for paragraph in section.paragraphs]


@pytest.mark.parametrize("game", SECTIONS)
def test_page_covers_the_whole_rulebook(game: str) -> None:
    """Every heading and every decision is covered and no other named."""
    paragraphs = _paragraphs(game)
    assert {paragraph.source for paragraph in paragraphs} == SECTIONS[game]
    assert {row for paragraph in paragraphs for row in paragraph.rules} == ROWS[game]
    assert all(paragraph.rules for paragraph in paragraphs)
    titles = [section.title for section in card_rules_page(game)]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("game", SECTIONS)
def test_whatever_the_program_cites_can_be_read_up(game: str) -> None:
    """Each row named by a refusal stands on the page."""
    codes = import_module(f"games.{game}.codes").Code
    assert {code.rule for code in codes} - {"Game Setup"} <= {row for paragraph in _paragraphs(game) for row in paragraph.rules}


def test_readings_of_our_own_are_marked() -> None:
    """Where a rulebook is silent the paragraph says that it is our reading; what it states outright is not only so marked."""
    ours = {row for game in SECTIONS for paragraph in _paragraphs(game) if paragraph.ours for row in paragraph.rules}
    theirs = {row for game in SECTIONS for paragraph in _paragraphs(game) if not paragraph.ours for row in paragraph.rules}
    assert {"K5", "K6", "K7", "K15", "K37", "D8", "D18", "D22", "P2", "P6", "P11", "P12", "P25", "P26", "P27", "P28"} <= ours - theirs
    assert {"K10", "K11", "K20", "K22", "K23", "D3", "D7", "D13", "P1", "P9", "P15", "P22"} <= theirs - ours


def test_cards_of_the_sardines_are_those_of_the_card_list() -> None:
    """All kinds of sardine cards and all orders, from the data file."""
    sardines, orders = (paragraph.items for paragraph in _paragraphs("sardines") if paragraph.source == "Components" and paragraph.items)
    assert sum(int(line.partition(" ")[0]) for line in sardines) == sum(standard().sardines.values())
    assert len(orders) == len(standard().orders)
    assert {"3 pink: 3 points", "2 blue, 2 orange: 4 points", "4 fish of one colour (special): 4 points"} <= set(orders)
