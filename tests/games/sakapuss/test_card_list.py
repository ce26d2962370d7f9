"""The cards of the pile: what ships, and what other lists must keep to."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from games.sakapuss.card_list import BadCardList, read_card_list, standard

TEXT = files("games.sakapuss").joinpath("cards.toml").read_text("utf8")


def test_the_list_that_ships_is_marked_as_made_up() -> None:
    """The numbers on the real cards are not known (RULES 4.2)."""
    assert standard().stand_in is True


def test_the_list_that_ships_is_fair_to_all_kinds() -> None:
    """Six cards of each kind of parasite showing 1, 1, 2, 2, 3, 3, two insecticides against each, one shower (RULES 4.2)."""
    counts = Counter(standard().cards)
    assert counts == {**{f"{kind}{number}": 2 for kind in "LFK" for number in (1, 2, 3)}, "iL": 2, "iF": 2, "iK": 2, "shower": 1}


def test_other_numbers_are_a_change_of_one_file() -> None:
    """A list with another split of the cards is read like the one that ships."""
    other = read_card_list(TEXT.replace("L = [1, 1, 2, 2, 3, 3]", "L = [4, 4, 4, 4, 4]").replace("F = [1,", "F = [1, 1,"))
    assert Counter(other.cards)["L4"] == 5
    assert len(other.cards) == 25


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("L = [1, 1, 2, 2, 3, 3]", "L = [1, 1, 2, 2, 3]", "parasites"),
        ("L = 2", "L = 1", "insecticides"),
        ("L = [1, 1,", "L = [0, 1,", "parasites.L[0]"),
        ("stand_in = true", "stand_in = 1", "stand_in"),
        ("[insecticides]", "[insecticide]", "insecticide"),
        ("stand_in = true", "stand_in =", ""),
        ("K = 2", "X = 2", "insecticides.X"),
    ],
)
def test_defects_are_named(old: str, new: str, where: str) -> None:
    """A list that does not fit the rulebook's counts or the form is refused."""
    assert old in TEXT
    with pytest.raises(BadCardList) as refused:
        read_card_list(TEXT.replace(old, new, 1))
    assert where in [defect.where for defect in refused.value.defects]
