"""The rules page and the tips."""

from __future__ import annotations

from games.stakd.codes import Code
from games.stakd.events import OutReason
from games.stakd.guide import rules_page, tips
from meshes.piece_set import load_piece_set

PAGE = rules_page()
PARAGRAPHS = [paragraph for section in PAGE for paragraph in section.paragraphs]
ROWS = {f"S{number}" for number in range(1, 54)}
SECTIONS = {
    "Setup: Game Pieces",
    "Setup: Pieces Per Player",
    "Game Play",
    "Step 1: Lay the Base Foundation",
    "Step 2: Stack and Block",
    "Step 2: No Overhanging",
    "Step 2: One Piece Type Allowed Per Piece Below",
    "Step 2: No Duplicate Stacking",
    "Step 3: New Layers",
    "Step 4: Repeat",
    "Step 5: Win",
    "Solo Mode",
}
"""The rulebook's own headings."""


def test_page_covers_the_whole_rulebook() -> None:
    """Every heading of the rulebook is covered and no other named; every row named exists."""
    assert {paragraph.source for paragraph in PARAGRAPHS} == SECTIONS
    assert all(paragraph.rules and set(paragraph.rules) <= ROWS for paragraph in PARAGRAPHS)
    assert len({section.title for section in PAGE}) == len(PAGE)


def test_whatever_the_program_cites_can_be_read_up() -> None:
    """Each rule named by a refusal or by a player going out stands on the page."""
    cited = {code.rule for code in Code} | {reason.value for reason in OutReason}
    assert cited <= {row for paragraph in PARAGRAPHS for row in paragraph.rules}


def test_readings_of_our_own_are_marked() -> None:
    """Where the rulebook is silent or unclear the paragraph says that it is our reading; what it states outright is not marked."""
    ours = {row for paragraph in PARAGRAPHS if paragraph.ours for row in paragraph.rules}
    theirs = {row for paragraph in PARAGRAPHS if not paragraph.ours for row in paragraph.rules}
    assert {"S2", "S3", "S7", "S27", "S31", "S41", "S42", "S43", "S45", "S53"} <= ours - theirs
    assert {"S8", "S14", "S16", "S17", "S21", "S33", "S34", "S48"} <= theirs - ours


def test_hands_are_those_of_the_rulebook() -> None:
    """The list of hands gives the rulebook's numbers, and that of another set its own."""
    (hands,) = (paragraph.items for paragraph in PARAGRAPHS if paragraph.items and paragraph.source == "Setup: Pieces Per Player")
    assert hands[0] == "Solo: 2 BASE, 16 UNI, 10 DUO, 6 TRIO, 4 QUAD"
    assert hands[1] == "2 players, each: 2 BASE, 12 UNI, 8 DUO, 4 TRIO, 2 QUAD"
    assert hands[3] == "4 players, each: 1 BASE, 6 UNI, 4 DUO, 2 TRIO, 1 QUAD"
    square = rules_page(load_piece_set("square"))
    assert len(square) == len(PAGE)


def test_boxes_contents() -> None:
    """Five types with nodes and counts as the rulebook lists them."""
    items = next(paragraph.items for paragraph in PARAGRAPHS if paragraph.source == "Setup: Game Pieces" and paragraph.items)
    assert set(items) == {
        "BASE: 5 nodes, 6 in the box",
        "UNI: 1 node, 24 in the box",
        "DUO: 2 nodes, 18 in the box",
        "TRIO: 3 nodes, 12 in the box",
        "QUAD: 4 nodes, 6 in the box",
    }


def test_tips_are_single_lines() -> None:
    """A dozen or more different tips, each short enough for one line and a whole sentence."""
    assert len(set(tips())) == len(tips()) >= 12
    assert all(len(tip) <= 120 and "\n" not in tip and tip.endswith(".") for tip in tips())
