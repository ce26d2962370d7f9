"""Moves in words: their exact form, and what an illegal one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.sardines.codes import Code
from games.sardines.moves import Move
from tests.games.sardines.setting import codes, set_table


@pytest.mark.parametrize("text", ["gather OO", "gather B O", "gather B B", "fill 2 P PP", "fill 0 BO BO G", "discard BO P", "pass"])
def test_text_both_ways(text: str) -> None:
    """The protocol's examples are read and printed as they are."""
    assert str(Move.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "pass ",
        " pass",
        "Pass",
        "pass P",
        "gather",
        "gather ",
        "gather  OO",
        "gather OO ",
        "gather oo",
        "gather OB",
        "gather O B",
        "gather X",
        "gather OOO",
        "gather O,B",
        "gather\tOO",
        "gather OO\n",
        "fill P",
        "fill 0",
        "fill 00 P",
        "fill -1 P",
        "fill +1 P",
        "fill 1.0 P",
        "fill ٢ P",
        "fill 0 PP P",
        "fill 99999999999999999999 P",
        "discard",
        "discard P BO",
        "take OO",
        "gather " + "O " * 10_000,
        "gather" + " O" * 10_000,
        "[]",
        "None",
    ],
)
def test_other_forms_are_malformed(text: str) -> None:
    """Anything but the exact printed form is no move."""
    assert codes(set_table(), text) == ["malformed"]


def test_every_broken_rule_is_told() -> None:
    """A move wrong in several ways is told all of them, turn first."""
    state = set_table([["P"], ["G"]], row=("BBGG", "PPP", "special 2", "mixed 3"))
    assert codes(state, "fill 1 OP PP", player=1) == ["not-your-turn", "not-in-hand"]
    assert codes(state, "fill 0 O", player=1) == ["not-your-turn", "not-in-hand", "not-filled"]
    assert codes(state, "gather P PP") == ["not-in-market", "not-two-fish"]
    assert codes(state, "discard B P") == ["not-in-hand", "nothing-to-discard"]
    assert codes(state, "fill 4 G") == ["not-in-hand", "no-such-order"]
    assert codes(state, "nonsense", player=1) == ["not-your-turn", "malformed"]


def test_every_code_cites_rule_and_section() -> None:
    """Each way to be wrong names a row of the rules decisions and a place in the rulebook."""
    for code in Code:
        assert re.fullmatch(r"D([1-9]|1[0-9]|2[0-2])", code.rule), code
        assert code.section


def test_messages_name_what_is_wrong() -> None:
    """Messages say it in a player's words: which cards, which number, what the order asks for."""
    state = set_table([["PP"], []], row=("BBOO", "PPP", "special 4", "mixed 3"))
    told = {
        move: " ".join(broken.message for broken in state.explain(move)) for move in ("fill 0 PP", "fill 2 PP", "fill 3 PP", "gather OP", "fill 7 PP")
    }
    assert "BBOO" in told["fill 0 PP"]
    assert "4 fish of one colour" in told["fill 2 PP"]
    assert "3 fish of 3 colours" in told["fill 3 PP"]
    assert "not in the market: OP" in told["gather OP"]
    assert "no order 7; the row has 4" in told["fill 7 PP"]


def test_every_code_is_tested() -> None:
    """No way to be wrong is left without a test that provokes it."""
    texts = "".join(path.read_text("utf8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [code.value for code in Code if f'"{code.value}"' not in texts] == []
