"""The picture that holds all cards of a game fits every graphics card, and cards do not touch in it."""

from functools import cache

import numpy as np
import pytest

from viewer.cards.atlas import AROUND, HALO, LARGEST, SHADOW, Atlas, make_atlas
from viewer.cards.card_art import all_cards
from viewer.cards.card_paper import CREAM, HEIGHT, PADDING, WIDTH

GAMES = ("sakana", "sardines", "sakapuss")


@cache
def _atlas(game: str) -> Atlas:
    return make_atlas(game)


@pytest.mark.parametrize("game", GAMES)
def test_the_atlas_fits_and_its_tiles_do_not_overlap(game: str) -> None:
    """No side is over 4096 pixels, which is what weak graphics cards take, and each tile has its own place."""
    atlas = _atlas(game)
    assert max(atlas.image.size) <= LARGEST
    assert set(atlas.corners) == {*all_cards(game), SHADOW, HALO}
    assert len(set(atlas.corners.values())) == len(atlas.corners)
    for x, y in atlas.corners.values():
        assert (x % AROUND[0], y % AROUND[1]) == (0, 0)
        assert x + AROUND[0] <= atlas.image.width and y + AROUND[1] <= atlas.image.height


@pytest.mark.parametrize("game", GAMES)
def test_padding_is_clear_but_of_the_colour_of_the_paper(game: str) -> None:
    """Edges of turned and shrunken cards neither fray nor turn dark: what is clear around a card has its colour."""
    atlas = _atlas(game)
    pixels = np.asarray(atlas.image)
    for card in all_cards(game):
        x, y = atlas.corners[card]
        tile = pixels[y : y + AROUND[1], x : x + AROUND[0]]
        for strip in (tile[:PADDING], tile[-PADDING:], tile[:, :PADDING], tile[:, -PADDING:]):
            assert (strip[..., 3] == 0).all()
            assert (strip[..., :3] == CREAM).all()
        inner = tile[PADDING + 30 : PADDING + HEIGHT - 30, PADDING : PADDING + WIDTH]
        assert (inner[..., 3] == 255).all()
