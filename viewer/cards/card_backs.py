"""The backs of the cards: a colour and a pattern for each kind of deck."""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image

from viewer.cards.card_paper import CREAM, HEIGHT, WHITE, WIDTH, paper, rounded
from viewer.cards.pen import Pen, Rgb, mixed, oval, rgb

_BACKS: dict[tuple[str, str], tuple[Rgb, str]] = {
    ("sakana", "back"): (rgb("#27578a"), "waves"),
    ("sardines", "back"): (rgb("#1f7d7a"), "fish"),
    ("sardines", "back:orders"): (rgb("#9a6a35"), "tickets"),
    ("sakapuss", "back"): (rgb("#7a4d93"), "paws"),
    ("sakapuss", "back:pile"): (rgb("#a4473a"), "dots"),
}
_RIM = 16


def draw_back(game: str, back: str) -> Image.Image:
    """A back, RGBA."""
    base, pattern = _BACKS[game, back]
    card = paper(CREAM, CREAM)
    width, height = WIDTH - 2 * _RIM, HEIGHT - 2 * _RIM
    pen = Pen(width, height)
    pen.plate(-1, -height / width, 1, height / width, 0, base)
    _PATTERNS[pattern](pen, mixed(base, WHITE, 0.3), base)
    card.paste(pen.finish(), (_RIM, _RIM), rounded(width, height, 14))
    return card


def _waves(pen: Pen, light: Rgb, base: Rgb) -> None:
    reach = 0.2
    for row in range(-1, 17):
        y = -1.5 + row * reach
        for k in range(-6, 7):
            x = (2 * k + row % 2) * reach
            for share, colour in ((1.0, light), (0.86, base), (0.62, light), (0.48, base), (0.24, light)):
                pen.disc(x, y + reach, reach * share, colour)


def _fish(pen: Pen, light: Rgb, base: Rgb) -> None:
    def draw(x: float, y: float, turn: float) -> None:
        pen.oval(x, y, 0.17, 0.085, light)
        tail = x + turn * 0.15
        pen.shape([(tail, y), (tail + turn * 0.11, y - 0.09), (tail + turn * 0.11, y + 0.09)], light)
        pen.disc(x - turn * 0.09, y - 0.02, 0.022, base)

    _tiled(draw, 0.5, 0.28)


def _tickets(pen: Pen, light: Rgb, base: Rgb) -> None:
    for k in range(-14, 15):
        pen.line([(k * 0.24 - 1.6, -1.6), (k * 0.24 + 1.6, 1.6)], mixed(base, light, 0.35), 0.05)
    pen.plate(-0.56, -0.56, 0.56, 0.56, 0.1, light)
    pen.plate(-0.52, -0.52, 0.52, 0.52, 0.08, base)
    pen.plate(-0.4, -0.28, 0.4, 0.34, 0.18, light)
    pen.plate(-0.34, -0.22, 0.34, 0.28, 0.13, base)
    pen.line([(0.1, -0.3), (0.34, -0.42)], light, 0.07)
    pen.oval(-0.04, 0.03, 0.2, 0.1, light)
    pen.shape([(0.12, 0.03), (0.26, -0.07), (0.26, 0.13)], light)


def _paws(pen: Pen, light: Rgb, base: Rgb) -> None:
    def draw(x: float, y: float, turn: float) -> None:
        pen.oval(x, y + 0.05, 0.1, 0.085, light)
        for k in range(4):
            angle = math.radians(-150 + 40 * k)
            pen.disc(x + 0.14 * math.cos(angle), y + 0.05 + 0.14 * math.sin(angle), 0.042, light)

    _tiled(draw, 0.46, 0.34)


def _dots(pen: Pen, light: Rgb, base: Rgb) -> None:
    def draw(x: float, y: float, turn: float) -> None:
        for side in (-1, 1):
            for end in (-0.09, 0.0, 0.09):
                pen.line([(x, y + end / 2), (x + side * 0.13, y + end)], light, 0.025)
        pen.shape(oval(x, y, 0.075, 0.1), light)
        pen.disc(x, y - 0.11, 0.045, light)

    _tiled(draw, 0.44, 0.34)


def _tiled(draw: Callable[[float, float, float], None], across: float, down: float) -> None:
    for row in range(-5, 6):
        for k in range(-4, 5):
            x, y = (k + 0.5 * (row % 2)) * across, row * down
            if abs(x) < 1.2:
                draw(x, y, 1.0 if row % 2 else -1.0)


_PATTERNS: dict[str, Callable[[Pen, Rgb, Rgb], None]] = {"waves": _waves, "fish": _fish, "tickets": _tickets, "paws": _paws, "dots": _dots}
