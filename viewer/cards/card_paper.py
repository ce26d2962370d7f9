"""The paper of a card: what faces and backs are drawn on, and what all of them share."""

from __future__ import annotations

from functools import cache

from PIL import Image, ImageDraw, ImageFont

from viewer.cards.pen import Rgb, mixed, rgb
from viewer.glyphs import font

WIDTH, HEIGHT = 260, 364
"""Of a card in its atlas, in pixels; twice as large as it is usually shown."""
PADDING = 10
"""Transparent pixels around each card, of the colour of its rim."""
CREAM, SAND, RIM = rgb("#fffcf4"), rgb("#f6ecd9"), rgb("#dccbb0")
INK, WHITE = rgb("#4a2b1a"), (255, 255, 255)
RADIUS = 22
_FINER = 4


def paper(top: Rgb = CREAM, bottom: Rgb = SAND) -> Image.Image:
    """An empty card, RGBA, shaded from top to bottom, with a rim."""
    return _paper(top, bottom).copy()


def panel(card: Image.Image, box: tuple[int, int, int, int], colour: Rgb, *, radius: int = 18) -> None:
    """A plate in a box (left, top, right, bottom) of the card, a little see-through at the bottom."""
    width, height = box[2] - box[0], box[3] - box[1]
    card.paste(Image.new("RGBA", (width, height), (*colour, 255)), box[:2], rounded(width, height, radius))


def stamp(card: Image.Image, picture: Image.Image, x: float, y: float) -> None:
    """A picture around a place of the card."""
    card.alpha_composite(picture, (round(x - picture.width / 2), round(y - picture.height / 2)))


def words(card: Image.Image, text: str, x: float, y: float, size: float, colour: Rgb, *, face: str = "Fredoka-SemiBold", widest: float = 0.0) -> None:
    """A line of words around a place; made smaller where it would be wider than `widest`."""
    kind = _font(face, size)
    if widest and kind.getlength(text) > widest:
        kind = _font(face, size * widest / kind.getlength(text))
    ImageDraw.Draw(card).text((x, y), text, fill=colour, font=kind, anchor="mm")


def last_corner(card: Image.Image, text: str, colour: Rgb) -> None:
    """The card's number or letter upside down in the lower right corner."""
    corner = Image.new("RGBA", (72, 72))
    words(corner, text, 36, 36, 82, colour, widest=70)
    card.alpha_composite(corner.transpose(Image.Transpose.ROTATE_180), (card.width - 82, card.height - 84))


@cache
def rounded(width: int, height: int, radius: int) -> Image.Image:
    """The mask of a rectangle with round corners."""
    mask = Image.new("L", (width * _FINER, height * _FINER))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius * _FINER, fill=255)
    return mask.reduce(_FINER)


@cache
def _paper(top: Rgb, bottom: Rgb) -> Image.Image:
    column = Image.new("RGB", (1, HEIGHT))
    for y in range(HEIGHT):
        column.putpixel((0, y), mixed(top, bottom, y / (HEIGHT - 1)))
    card = Image.new("RGBA", (WIDTH, HEIGHT), (*RIM, 255))
    card.paste(column.resize((WIDTH - 6, HEIGHT - 6)), (3, 3), rounded(WIDTH - 6, HEIGHT - 6, RADIUS - 3))
    return card


@cache
def _font(face: str, size: float) -> ImageFont.FreeTypeFont:
    return font(face, size)
