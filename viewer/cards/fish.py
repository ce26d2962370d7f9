"""The fish of Sunny Day Sardines, each with a pattern of its own, and the tin they are packed in."""

from __future__ import annotations

from functools import cache

from PIL import Image

from viewer.cards.pen import Pen, Rgb, mixed, rgb, smooth

FISH_COLOURS = {"B": rgb("#2f6fb8"), "G": rgb("#3a8a4e"), "O": rgb("#e2761b"), "P": rgb("#d95f98")}
_WHITE, _INK = (255, 253, 246), (43, 31, 24)
_ANY = rgb("#8d8378")

_BODY = smooth(
    [
        (-1.9, 0.05),
        (-1.5, -0.4),
        (-0.7, -0.66),
        (0.2, -0.6),
        (1.0, -0.28),
        (1.35, -0.1),
        (1.35, 0.12),
        (1.0, 0.3),
        (0.2, 0.58),
        (-0.7, 0.62),
        (-1.5, 0.4),
    ],
    closed=True,
)


@cache
def draw_fish(fish: str, width: int, height: int) -> Image.Image:
    """A fish that swims to the left, RGBA, about twice as wide as high; `?` is a fish of any colour."""
    pen = Pen(width, height)
    base = FISH_COLOURS.get(fish, _ANY)
    dark = mixed(base, _INK, 0.35)
    pen.blob([(1.25, 0.0), (1.55, -0.35), (1.92, -0.62), (1.75, 0.0), (1.92, 0.62), (1.55, 0.35)], dark)
    pen.blob([(-0.6, -0.6), (-0.1, -0.92), (0.5, -0.8), (0.6, -0.45)], dark)
    pen.blob([(-0.3, 0.55), (0.0, 0.86), (0.4, 0.82), (0.5, 0.45)], dark)
    pen.shape(_BODY, base)
    with pen.within(_BODY):
        _pattern(pen, fish, base)
        pen.blob([(-2.0, -0.7), (-1.15, -0.7), (-0.98, 0.0), (-1.15, 0.7), (-2.0, 0.7)], base)
    pen.line(_BODY, dark, 0.09, closed=True)
    pen.curve([(-1.08, -0.42), (-0.94, 0.0), (-1.08, 0.42)], dark, 0.07)
    pen.disc(-1.38, -0.12, 0.19, _WHITE)
    pen.disc(-1.42, -0.12, 0.1, _INK)
    pen.curve([(-1.78, 0.16), (-1.6, 0.22), (-1.46, 0.2)], dark, 0.06)
    return pen.finish()


def _pattern(pen: Pen, fish: str, base: Rgb) -> None:
    light, dark = mixed(base, _WHITE, 0.72), mixed(base, _INK, 0.3)
    if fish == "O":  # bars
        for x in (-0.62, -0.12, 0.38, 0.88):
            pen.line([(x, -0.8), (x, 0.8)], light, 0.2)
    elif fish == "B":  # dots
        for x, y in ((-0.6, -0.3), (-0.6, 0.26), (-0.22, -0.02), (0.14, -0.32), (0.14, 0.28), (0.5, 0.0), (0.82, -0.16), (0.86, 0.16)):
            pen.disc(x, y, 0.13, light)
    elif fish == "G":  # zigzag
        for y in (-0.3, 0.2):
            pen.line([(-0.95 + 0.24 * k, y + (0.24 if k % 2 else 0.0)) for k in range(11)], light, 0.11)
    elif fish == "P":  # a light belly and a band along the side
        pen.shape([(-1.2, 0.2), (1.5, 0.08), (1.5, 1.0), (-1.2, 1.0)], light)
        pen.line([(-1.2, -0.1), (1.5, -0.06)], dark, 0.1)


@cache
def draw_tin(width: int, height: int, *, gold: bool) -> Image.Image:
    """An open tin, seen from above, RGBA."""
    pen = Pen(width, height)
    metal = rgb("#e3bd62") if gold else rgb("#b9c0c6")
    across, down = width / min(width, height), height / min(width, height)
    for away, colour in (
        (0.0, mixed(metal, _INK, 0.45)),
        (0.025, mixed(metal, _WHITE, 0.45)),
        (0.06, metal),
        (0.1, mixed(metal, _INK, 0.55)),
        (0.125, mixed(metal, _INK, 0.12)),
    ):
        pen.plate(-across + away, -down + away, across - away, down - away, 0.3 - away, colour)
    return pen.finish()
