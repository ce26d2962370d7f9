"""Every card has a face, and no two look alike, in colour, to the colour-blind or in grey."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from games.registry import all_games
from viewer.cards.card_art import all_cards, back_of, draw_cards, order_card
from viewer.cards.card_paper import HEIGHT, WIDTH

GAMES = ("sakana", "sardines", "sakapuss")
SMALL = (64, 90)
"""A card as small as tables show them."""
# linear light seen by a deuteranope (Machado, Oliveira and Fernandes 2009, severity 1)
_DEUTERANOPIA = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]])


@cache
def _faces(game: str) -> dict[str, Image.Image]:
    return draw_cards(game)


def _in_grey(card: Image.Image) -> NDArray[np.float64]:
    return np.asarray(card.convert("L").resize(SMALL, Image.Resampling.BOX), dtype=float)


def _colour_blind(card: Image.Image) -> NDArray[np.float64]:
    light = (np.asarray(card.convert("RGB").resize(SMALL, Image.Resampling.BOX)) / 255.0) ** 2.2
    seen: NDArray[np.float64] = 255 * np.clip(light @ _DEUTERANOPIA.T, 0, 1) ** (1 / 2.2)
    return seen


def _cards_of_states(game: str) -> set[str]:
    """All cards that the states of the rules hold, for each number of players."""
    found: set[str] = set()
    rules = all_games()[game]
    for players in range(rules.players[0], rules.players[1] + 1):
        state = rules.new(players, options={}, rng=np.random.default_rng(1)).to_json()
        for zone in ("draw", "deck", "pile", "market", "discard"):
            found.update(state.get(zone, []))
        for hand in state["hands"]:
            found.update(hand)
        found.update(order_card(order) for order in [*state.get("orders", []), *state.get("order_deck", [])])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_the_rules_has_a_face_and_a_back(game: str) -> None:
    """Whatever lies on the table can be drawn, face up and face down."""
    cards = _cards_of_states(game)
    assert cards and cards <= set(all_cards(game))
    assert {back_of(game, card) for card in cards} == {card for card in all_cards(game) if card.startswith("back")}
    assert set(_faces(game)) == set(all_cards(game))
    assert {face.size for face in _faces(game).values()} == {(WIDTH, HEIGHT)}


@pytest.mark.parametrize("seen", [_in_grey, _colour_blind], ids=["grey", "deuteranopia"])
@pytest.mark.parametrize("game", GAMES)
def test_no_two_cards_look_alike_where_colour_is_not_seen(game: str, seen: object) -> None:
    """At 90 pixels of height any two cards differ plainly in at least 12 pixels, though colours are not told apart."""
    assert callable(seen)
    small = {card: seen(face) for card, face in _faces(game).items()}
    for one, other in combinations(small, 2):
        away = np.abs(small[one] - small[other])
        away = away.max(axis=2) if away.ndim == 3 else away
        assert (away > 40).sum() >= 12, (one, other)


def test_suits_differ_in_shape_and_not_only_in_their_letter() -> None:
    """The animals of two suits cover different parts of the card: half or less of what either darkens is darkened by both and alike."""
    shapes = {suit: _in_grey(_faces("sakana")[f"{suit}5"])[10:66, 18:60] for suit in "CEPSTU"}
    for one, other in combinations(shapes, 2):
        assert (np.abs(shapes[one] - shapes[other]) > 30).mean() > 0.15, (one, other)


def test_the_order_card_is_named_by_all_it_shows() -> None:
    """Two orders that differ in anything are two cards."""
    regular = {"kind": "regular", "need": "BBGG", "points": 4}
    assert order_card(regular) == "order:regular:BBGG:4"
    assert len({order_card(regular | change) for change in ({}, {"points": 5}, {"need": "BBOO"}, {"kind": "special", "need": 2})}) == 4
