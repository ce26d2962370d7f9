"""All cards of a game in one picture, with the tiles for shadow and halo, so that a table is drawn in one go."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFilter

from viewer.cards.card_art import draw_cards
from viewer.cards.card_paper import CREAM, HEIGHT, PADDING, RADIUS, WIDTH, rounded

LARGEST = 4096
"""Pixels a side that every graphics card can take."""
SHADOW, HALO = "shadow", "halo"
AROUND = (WIDTH + 2 * PADDING, HEIGHT + 2 * PADDING)
"""Width and height of a tile, in pixels."""
SMALL = 0.8
"""Size of the card whose shadow or halo fills a tile, over that of a card."""


@dataclass(frozen=True, slots=True)
class Atlas:
    """The picture, RGBA, and the left upper corner of each tile, padding included."""

    image: Image.Image
    corners: dict[str, tuple[int, int]]


def make_atlas(game: str) -> Atlas:
    """Draw the atlas of a game."""
    tiles = {card: _tile(face) for card, face in draw_cards(game).items()} | {SHADOW: _shadow(), HALO: _halo()}
    columns = min(len(tiles), (LARGEST // 2 if len(tiles) < 40 else LARGEST) // AROUND[0])
    rows = -(-len(tiles) // columns)
    image = Image.new("RGBA", (columns * AROUND[0], rows * AROUND[1]), (*CREAM, 0))
    corners = {}
    for k, (name, tile) in enumerate(tiles.items()):
        corners[name] = (k % columns * AROUND[0], k // columns * AROUND[1])
        image.paste(tile, corners[name])
    return Atlas(image, corners)


def _tile(face: Image.Image) -> Image.Image:
    tile = Image.new("RGBA", AROUND, (*CREAM, 0))
    card = face.copy()
    card.putalpha(rounded(WIDTH, HEIGHT, RADIUS))
    tile.paste(card, (PADDING, PADDING))
    return tile


def _small_card() -> tuple[tuple[float, float, float, float], float]:
    width, height = WIDTH * SMALL, HEIGHT * SMALL
    left, top = (AROUND[0] - width) / 2, (AROUND[1] - height) / 2
    return (left, top, left + width, top + height), RADIUS * SMALL


def _shadow() -> Image.Image:
    box, radius = _small_card()
    alpha = Image.new("L", AROUND)
    ImageDraw.Draw(alpha).rounded_rectangle(box, radius, fill=255)
    tile = Image.new("RGBA", AROUND, (12, 20, 10, 0))
    tile.putalpha(alpha.filter(ImageFilter.GaussianBlur(12)))
    return tile


def _halo() -> Image.Image:
    (left, top, right, bottom), radius = _small_card()
    line = Image.new("L", (2 * AROUND[0], 2 * AROUND[1]))
    box = (2 * left - 8, 2 * top - 8, 2 * right + 8, 2 * bottom + 8)
    ImageDraw.Draw(line).rounded_rectangle(box, 2 * radius + 8, outline=255, width=12)
    sharp = line.reduce(2)
    soft = sharp.filter(ImageFilter.GaussianBlur(8)).point(lambda value: min(255, int(value * 1.5)))
    tile = Image.new("RGBA", AROUND, (255, 255, 255, 0))
    alpha = Image.new("L", AROUND)
    alpha.paste(soft)
    alpha.paste(255, (0, 0), sharp)
    tile.putalpha(alpha)
    return tile
