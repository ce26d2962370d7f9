"""The cards: what the data file says, and what it may not say."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from games.sardines.card_list import BadCardList, OrderKind, read_card_list, standard
from tests.games.sardines.setting import ORDERS, SARDINES, order

TEXT = files("games.sardines").joinpath("cards.toml").read_text("utf8")


def test_sardine_cards() -> None:
    """The stand-in list is that of the rules decisions: 32 cards, 52 fish, 13 of each colour (RULES 3.3)."""
    assert Counter(standard().sardines) == SARDINES
    assert sum(SARDINES.values()) == 32
    fish = Counter("".join(SARDINES.elements()))
    assert fish == {"B": 13, "G": 13, "O": 13, "P": 13}


def test_order_cards() -> None:
    """14 regular, 3 special and 3 mixed bag orders, 71 points in all (rulebook: Components; RULES 3.3)."""
    orders = standard().orders
    assert Counter(entry.kind for entry in orders) == {OrderKind.REGULAR: 14, OrderKind.SPECIAL: 3, OrderKind.MIXED: 3}
    assert sorted(str(entry.to_json()) for entry in orders) == sorted(str(order(short)) for short in ORDERS)
    assert sum(entry.points for entry in orders) == 71


def test_list_is_marked_as_stand_in() -> None:
    """Whoever reads the file or the list learns that it is made up (RULES 3.3)."""
    assert standard().stand_in
    assert "STAND-IN" in TEXT


@pytest.mark.parametrize(
    ("old", "new", "code", "where"),
    [
        ("B = 3", "B = 4", "wrong-total", "sardines"),
        ("B = 3", "B = 8", "bad-value", "sardines.B"),
        ("B = 3", "B = 0", "bad-value", "sardines.B"),
        ("B = 3", "B = true", "bad-value", "sardines.B"),
        ("B = 3", "X = 3", "bad-card", "sardines.X"),
        ("BG = 2", "GB = 2", "bad-card", "sardines.GB"),
        ("BG = 2", "BGO = 2", "bad-card", "sardines.BGO"),
        ("BG = 2", '"" = 2', "bad-card", "sardines."),
        ('"BBB", ', "", "wrong-total", "orders"),
        ('"BBB"', '"BBA"', "bad-need", "orders"),
        ('"BBB"', '"PBB"', "bad-need", "orders"),
        ('"BBB"', '""', "bad-need", "orders"),
        ('"BBB"', "3", "bad-need", "orders"),
        ("need = [2]", "need = [5]", "bad-need", "orders"),
        ("need = [2]", "need = [0]", "bad-need", "orders"),
        ("need = [2]", 'need = ["BB"]', "bad-need", "orders"),
        ('kind = "special"', 'kind = "odd"', "bad-value", "orders[3].kind"),
        ("points = 3", "points = -1", "bad-value", "orders[0].points"),
        ("stand_in = true", "", "missing-key", "stand_in"),
        ("stand_in = true", "stand_in = true\ncolour = 1", "unknown-key", "colour"),
        ("stand_in = true", "stand_in = ", "not-toml", ""),
    ],
)
def test_broken_lists_are_refused(old: str, new: str, code: str, where: str) -> None:
    """Each way to spoil the file is named, and where."""
    with pytest.raises(BadCardList) as refused:
        read_card_list(TEXT.replace(old, new, 1))
    assert (code, where) in [(defect.code, defect.where) for defect in refused.value.defects]


def test_another_list_is_read() -> None:
    """A list found later needs no other change than the file: other counts and points that keep the totals are taken."""
    cards = read_card_list(TEXT.replace("B = 3", "B = 4", 1).replace("BB = 2", "BB = 1", 1).replace("points = 5", "points = 6"))
    assert (cards.sardines["B"], cards.sardines["BB"]) == (4, 1)
    assert sum(entry.points for entry in cards.orders) == 75
