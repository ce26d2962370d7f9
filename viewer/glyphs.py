"""Letters as distance fields: one small atlas from which a shader draws any capital letter sharp at any size."""

from __future__ import annotations

from functools import cache
from importlib import resources
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import distance_transform_edt

TILE_PIXELS = 64
REACH = 0.16
"""Distances are kept up to this share of a tile's side, inside and outside."""
_CAP_HEIGHT = 0.6
_OVERSAMPLING = 8


def font(name: str, size: float) -> ImageFont.FreeTypeFont:
    """A shipped font, `Fredoka-SemiBold` or `Nunito-Bold` for instance, at `size` pixels an em."""
    data = resources.files("viewer").joinpath("fonts", f"{name}.ttf").read_bytes()
    return ImageFont.truetype(BytesIO(data), size)


@cache
def letter_atlas(letters: str) -> NDArray[np.uint8]:
    """(64, 64 · n) uint8: the n capital `letters` side by side, a tile each.

    128 is a letter's edge, more is inside; 0 and 255 are `REACH` of a tile away. A capital is 0.6 of a tile high, in its middle.
    """
    return np.concatenate([_distance_tile(letter) for letter in letters], axis=1)


def _distance_tile(letter: str) -> NDArray[np.uint8]:
    side = TILE_PIXELS * _OVERSAMPLING
    face = font("Fredoka-SemiBold", side)
    face = font("Fredoka-SemiBold", side * _CAP_HEIGHT * side / -face.getbbox("H", anchor="ls")[1])
    picture = Image.new("L", (side, side))
    box = face.getbbox(letter, anchor="ls")
    baseline = side * (1 + _CAP_HEIGHT) / 2
    ImageDraw.Draw(picture).text((side / 2 - (box[0] + box[2]) / 2, baseline), letter, fill=255, font=face, anchor="ls")
    inside = np.asarray(picture) > 127
    distance = distance_transform_edt(inside) - distance_transform_edt(~inside)
    small = distance.reshape(TILE_PIXELS, _OVERSAMPLING, TILE_PIXELS, _OVERSAMPLING).mean(axis=(1, 3))
    tile: NDArray[np.uint8] = np.clip(128 + small / (side * REACH) * 127, 0, 255).round().astype(np.uint8)
    return tile
