"""Card games in words: every event has a sentence, cards have names, hidden cards have none."""

from __future__ import annotations

import pytest

from games.card_words import card_name, tell, tell_event, winners_sentence
from games.sardines.words import order_name
from tests.games.card_tables import GAMES, bots_only, played

NAMES = ("Ada", "Björn", "Chloé")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_every_act_is_told(game: str, bot: str) -> None:
    """Every act of whole games is told in whole sentences that name who acts."""
    match = played(bots_only(game, bot=bot))
    for act in match.acts:
        lines = list(tell(game, act, match.names))
        assert match.names[act.player or 0] in lines[0]
        assert all(line[0].isupper() and line.endswith((".", "!")) and "{" not in line for line in lines)


@pytest.mark.parametrize(
    ("game", "card", "name"),
    [
        ("sakana", "U10", "10 urchin"),
        ("sakana", "C1", "1 scallop"),
        ("sardines", "B", "blue"),
        ("sardines", "PP", "double pink"),
        ("sardines", "BO", "blue-orange"),
        ("sakapuss", "L3", "3 lice"),
        ("sakapuss", "F1", "1 flea"),
        ("sakapuss", "iK", "insecticide against ticks"),
        ("sakapuss", "shower", "a shower"),
        ("sakapuss", "A", "the tabby cat (A)"),
    ],
)
def test_names_of_cards(game: str, card: str, name: str) -> None:
    """Cards are called by what they show."""
    assert card_name(game, card) == name


def test_orders_in_words() -> None:
    """Orders say what they ask for and what they are worth."""
    assert order_name({"kind": "regular", "need": "BBOO", "points": 4}) == "the order for 2 blue, 2 orange (4 points)"
    assert order_name({"kind": "special", "need": 3, "points": 3}) == "the order for 3 fish of one colour (3 points)"
    assert order_name({"kind": "mixed", "need": 2, "points": 1}) == "the order for 2 fish of 2 colours (1 point)"


def test_fewest_parasites_win() -> None:
    """What is told at the end names the winners by seat, several together."""
    assert list(tell_event("sakapuss", {"type": "game_over", "winners": [1]}, NAMES)) == ["Björn wins the game."]
    assert winners_sentence([0, 1, 2], NAMES) == "Ada, Björn and Chloé share the victory."


def test_effects_of_drawn_cards() -> None:
    """Insecticide and shower say what they did, or that they found nothing (RULES P16–P18)."""
    told = [
        next(tell_event("sakapuss", {"type": "drew", "player": 0, "card": card, "removed": removed}, NAMES))
        for card, removed in (("K2", []), ("iL", ["L1", "L3"]), ("shower", []))
    ]
    assert told == [
        "Ada draws 2 ticks.",
        "Ada draws insecticide against lice and is rid of 1 louse, 3 lice.",
        "Ada draws a shower, which finds nothing and goes under the pile.",
    ]
