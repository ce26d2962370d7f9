from __future__ import annotations

import numpy as np
import pytest

from viewer.glyphs import TILE_PIXELS, font, letter_atlas


def test_edges_of_letters_are_where_the_font_has_them() -> None:
    """The middle of an I is inside, of an O outside; the field is 128 at the letter's edge, a fifth of a tile from an O's middle."""
    atlas = letter_atlas("IO").astype(float)
    middle = TILE_PIXELS // 2
    assert atlas[middle, middle] > 128
    assert atlas[middle, TILE_PIXELS + middle] < 128
    row = atlas[middle, TILE_PIXELS + middle :]
    assert 0.1 < np.argmax(row > 128) / TILE_PIXELS < 0.25


def test_capitals_stand_upright_in_the_middle() -> None:
    """A capital is 0.6 of a tile high and centred; a T has its bar at the top."""
    inside = letter_atlas("T") > 128
    rows = np.flatnonzero(inside.any(axis=1))
    assert abs(len(rows) / TILE_PIXELS - 0.6) < 0.05
    assert abs(rows.mean() - (TILE_PIXELS - 1) / 2) < 1.5
    assert inside[rows[0] + 2].sum() > 2 * inside[rows[-1] - 2].sum()


@pytest.mark.parametrize("name", ["Nunito-Regular", "Nunito-SemiBold", "Nunito-Bold", "Fredoka-Medium", "Fredoka-SemiBold"])
def test_shipped_fonts_have_european_letters(name: str) -> None:
    """Names such as Björn and Łukasz have glyphs of their own in both families; Nunito knows all Latin and Cyrillic ones."""
    letters = "äöüßÅéñŁłšž·–“”" + ("čőąřЖя" if name.startswith("Nunito") else "")
    face = font(name, 40)
    missing = bytes(face.getmask("\uffff"))
    assert [letter for letter in letters if bytes(face.getmask(letter)) == missing] == []
