"""What lies in the pile of Sakapuss: lice, fleas and ticks, spray cans against them, and the shower."""

from __future__ import annotations

import math

from PIL import Image

from viewer.cards.pen import Pen, Rgb, mixed, oval, rgb

PARASITE_COLOURS = {"L": rgb("#4f7d3a"), "F": rgb("#b5482f"), "K": rgb("#6a4a94")}
SHOWER_COLOUR, SPRAY_COLOUR = rgb("#1f7fa8"), rgb("#2f7f86")
_WHITE, _INK, _RED = (255, 253, 246), (43, 31, 24), rgb("#c8321f")


def draw_parasite(kind: str, pixels: int) -> Image.Image:
    """One louse, flea or tick, RGBA."""
    pen = Pen(pixels)
    _DRAWN[kind](pen, PARASITE_COLOURS[kind])
    return pen.finish()


def draw_insecticide(kind: str, pixels: int) -> Image.Image:
    """A spray can and, crossed out, what it is against, RGBA."""
    pen = Pen(pixels)
    steel = mixed(SPRAY_COLOUR, _WHITE, 0.75)
    for k, y in enumerate((-0.86, -0.7, -0.54)):
        for x in (0.02, 0.24, 0.46)[: 2 + k % 2]:
            pen.disc(x - 0.1, y, 0.045, mixed(SPRAY_COLOUR, _WHITE, 0.35))
    pen.plate(-0.66, -0.96, -0.36, -0.6, 0.06, _INK)
    pen.plate(-0.38, -0.86, -0.24, -0.72, 0.03, _INK)
    pen.plate(-0.82, -0.66, -0.2, -0.46, 0.1, steel)
    pen.plate(-0.94, -0.52, -0.08, 0.96, 0.14, mixed(SPRAY_COLOUR, _INK, 0.3))
    pen.plate(-0.9, -0.48, -0.12, 0.92, 0.11, SPRAY_COLOUR)
    pen.plate(-0.8, -0.4, -0.7, 0.84, 0.05, steel)
    image = pen.finish()
    mark = draw_parasite(kind, round(pixels * 0.44))
    ring = Pen(pixels)
    ring.disc(0.38, 0.34, 0.62, _RED)
    ring.disc(0.38, 0.34, 0.51, _WHITE)
    image.alpha_composite(ring.finish())
    image.alpha_composite(mark, (round(pixels * 0.69 - mark.width / 2), round(pixels * 0.67 - mark.height / 2)))
    bar = Pen(pixels)
    bar.line([(0.38 - 0.4, 0.34 - 0.4), (0.38 + 0.4, 0.34 + 0.4)], _RED, 0.11)
    image.alpha_composite(bar.finish())
    return image


def draw_shower(pixels: int) -> Image.Image:
    """A shower head and its water, RGBA."""
    pen = Pen(pixels)
    pen.curve([(0.86, 0.9), (0.86, -0.3), (0.7, -0.82), (0.2, -0.86), (-0.08, -0.6)], mixed(SHOWER_COLOUR, _INK, 0.35), 0.13)
    pen.shape([(-0.22, -0.66), (0.06, -0.66), (0.4, -0.3), (-0.56, -0.3)], mixed(SHOWER_COLOUR, _INK, 0.35))
    pen.plate(-0.64, -0.34, 0.48, -0.2, 0.06, SHOWER_COLOUR)
    for row, y in enumerate((0.04, 0.4, 0.76)):
        for k in range(4):
            x = -0.08 + (k - 1.5) * (0.28 + 0.05 * row)
            pen.shape([(x, y - 0.17), (x + 0.07, y), (x - 0.07, y)], mixed(SHOWER_COLOUR, _WHITE, 0.25))
            pen.disc(x, y + 0.02, 0.08, mixed(SHOWER_COLOUR, _WHITE, 0.25))
    return pen.finish()


def _louse(pen: Pen, base: Rgb) -> None:
    dark = mixed(base, _INK, 0.5)
    for side in (-1, 1):
        for y, end in ((-0.34, -0.62), (-0.2, -0.14), (-0.06, 0.3)):
            pen.line([(side * 0.16, y), (side * 0.56, (y + end) / 2 - 0.06), (side * 0.62, end)], dark, 0.09)
        pen.curve([(side * 0.1, -0.78), (side * 0.26, -0.9), (side * 0.4, -0.88)], dark, 0.07)
    pen.oval(0, 0.4, 0.38, 0.54, dark)
    pen.oval(0, 0.4, 0.32, 0.48, base)
    for y in (0.12, 0.34, 0.56):
        pen.line([(-0.26, y), (0.26, y)], mixed(base, _WHITE, 0.55), 0.07)
    pen.oval(0, -0.22, 0.26, 0.25, dark)
    pen.oval(0, -0.22, 0.2, 0.19, mixed(base, _WHITE, 0.15))
    pen.oval(0, -0.64, 0.23, 0.24, dark)
    pen.oval(0, -0.64, 0.18, 0.19, base)
    _eyes(pen, 0.0, -0.66, 0.1)


def _flea(pen: Pen, base: Rgb) -> None:
    dark = mixed(base, _INK, 0.5)
    pen.line([(0.14, 0.3), (0.48, 0.0), (0.66, 0.5), (0.96, 0.62)], dark, 0.11)
    pen.line([(-0.1, 0.4), (0.1, 0.68), (-0.06, 0.92)], dark, 0.09)
    pen.line([(-0.36, 0.34), (-0.34, 0.66), (-0.56, 0.86)], dark, 0.09)
    pen.oval(0.06, -0.04, 0.66, 0.48, dark, turn_deg=-28)
    body = oval(0.06, -0.04, 0.6, 0.42, -28)
    pen.shape(body, base)
    with pen.within(body):
        for k in range(4):
            x = -0.12 + 0.22 * k
            pen.curve([(x - 0.16, -0.72), (x + 0.06, -0.12), (x + 0.02, 0.56)], mixed(base, _WHITE, 0.5), 0.06)
    pen.oval(-0.58, 0.22, 0.27, 0.24, dark)
    pen.oval(-0.58, 0.22, 0.21, 0.18, base)
    pen.line([(-0.74, 0.36), (-0.86, 0.6)], dark, 0.07)
    pen.disc(-0.62, 0.18, 0.1, _WHITE)
    pen.disc(-0.64, 0.18, 0.05, _INK)


def _tick(pen: Pen, base: Rgb) -> None:
    dark = mixed(base, _INK, 0.5)
    for side in (-1, 1):
        for angle in (-48, -16, 16, 46):
            x, y = side * math.cos(math.radians(angle)), math.sin(math.radians(angle))
            pen.line([(0.4 * x, 0.08 + 0.4 * y), (0.78 * x, 0.78 * y - 0.06), (0.95 * x, 0.95 * y + 0.1)], dark, 0.085)
        pen.line([(side * 0.08, -0.62), (side * 0.12, -0.9)], dark, 0.075)
    pen.disc(0, 0.14, 0.62, dark)
    pen.disc(0, 0.14, 0.55, base)
    pen.blob([(-0.34, -0.22), (0.0, -0.38), (0.34, -0.22), (0.2, 0.12), (-0.2, 0.12)], mixed(base, _WHITE, 0.5))
    for x, y in ((-0.28, 0.34), (0.0, 0.46), (0.28, 0.34)):
        pen.disc(x, y, 0.075, mixed(base, _WHITE, 0.5))
    pen.oval(0, -0.54, 0.2, 0.16, dark)
    _eyes(pen, 0.0, -0.12, 0.13)


def _eyes(pen: Pen, x: float, y: float, apart: float) -> None:
    for side in (-1, 1):
        pen.disc(x + side * apart, y, 0.085, _WHITE)
        pen.disc(x + side * apart, y, 0.045, _INK)


_DRAWN = {"L": _louse, "F": _flea, "K": _tick}
