"""The five cats of Sakapuss: each has its own ears, fur and eyes."""

from __future__ import annotations

from PIL import Image

from viewer.cards.pen import Pen, Rgb, mirrored, mixed, oval, rgb, smooth

CAT_COLOURS = {"A": rgb("#8a5a2b"), "B": rgb("#33313d"), "C": rgb("#d96d1a"), "D": rgb("#3f82b8"), "E": rgb("#5c7f2e")}
"""Of letter and ground."""
_FUR = {"A": rgb("#b98a57"), "B": rgb("#3a3843"), "C": rgb("#ee9240"), "D": rgb("#fbf6ee"), "E": rgb("#d9cdb8")}
_EYES = {"A": rgb("#7fae3f"), "B": rgb("#f2c230"), "C": rgb("#3f8a55"), "D": rgb("#3f82d0"), "E": rgb("#d08a25")}
_WHITE, _INK, _PINK = (255, 253, 246), (43, 31, 24), rgb("#e8909a")
_CHEEK = [(0.0, -0.44), (0.42, -0.38), (0.68, -0.1), (0.76, 0.24), (0.56, 0.58), (0.24, 0.74), (0.0, 0.78)]


def draw_cat(cat: str, pixels: int) -> Image.Image:
    """The head of a cat, RGBA."""
    pen = Pen(pixels)
    fur = _FUR[cat]
    edge = mixed(fur, _INK, 0.75) if cat != "B" else mixed(fur, _WHITE, 0.3)
    _ears(pen, cat, fur, edge)
    half = [(x * 1.12, y) for x, y in _CHEEK] if cat in "DB" else _CHEEK
    head = smooth([*half, *mirrored(half[1:-1])], closed=True)
    if cat == "D":
        for side in (-1, 1):
            for y in (0.3, 0.46, 0.6):
                tuft = [(side * 0.5, y - 0.18), (side * 0.97, y + 0.02), (side * 0.5, y + 0.14)]
                pen.shape(tuft, fur)
                pen.line(tuft, edge, 0.04)
    pen.shape(head, fur)
    with pen.within(head):
        _markings(pen, cat, fur)
    pen.line(head, edge, 0.045, closed=True)
    _muzzle(pen, cat)
    return pen.finish()


def _ears(pen: Pen, cat: str, fur: Rgb, edge: Rgb) -> None:
    for side in (-1, 1):
        if cat == "A":  # tall and pointed
            ear, inner = [(0.12, -0.36), (0.4, -0.98), (0.7, -0.08)], [(0.26, -0.4), (0.41, -0.78), (0.58, -0.24)]
        elif cat == "B":  # wide apart, with tufts
            ear, inner = [(0.28, -0.3), (0.9, -0.86), (0.82, 0.06)], [(0.46, -0.3), (0.8, -0.66), (0.74, -0.1)]
        elif cat == "C":  # folded down
            ear, inner = [(0.16, -0.46), (0.6, -0.52), (0.78, -0.2), (0.86, 0.12), (0.56, -0.02), (0.3, -0.26)], []
        elif cat == "D":  # small and blunt
            ear = smooth([(0.2, -0.36), (0.38, -0.68), (0.62, -0.78), (0.76, -0.58), (0.8, -0.12)])
            inner = smooth([(0.36, -0.38), (0.48, -0.58), (0.61, -0.62), (0.67, -0.48), (0.68, -0.22)])
        elif side < 0:  # one upright, one bent over
            ear, inner = [(0.14, -0.36), (0.5, -0.94), (0.72, -0.08)], [(0.28, -0.38), (0.49, -0.74), (0.6, -0.24)]
        else:
            ear, inner = [(0.14, -0.36), (0.36, -0.74), (0.96, -0.6), (0.72, -0.08)], [(0.4, -0.7), (0.94, -0.58), (0.6, -0.34)]
        placed = [(side * x, y) for x, y in ear]
        pen.shape(placed, fur)
        if inner:
            pen.shape([(side * x, y) for x, y in inner], mixed(_PINK, fur, 0.25) if cat != "E" or side < 0 else mixed(fur, _INK, 0.35))
        pen.line(placed, edge, 0.045, closed=True)
        if cat == "B":
            for tip in ((0.99, -0.97), (0.9, -0.99), (1.0, -0.84)):
                pen.line([(side * 0.88, -0.83), (side * min(0.97, tip[0]), max(-0.97, tip[1]))], edge, 0.04)


def _markings(pen: Pen, cat: str, fur: Rgb) -> None:
    dark = mixed(fur, _INK, 0.6)
    if cat == "A":
        for x, bottom in ((0.0, -0.08), (-0.2, -0.14), (0.2, -0.14)):
            pen.line([(x, -0.5), (x * 0.8, bottom)], dark, 0.085)
        for side in (-1, 1):
            for y in (0.12, 0.3, 0.48):
                pen.line([(side * 0.86, y - 0.06), (side * 0.5, y)], dark, 0.075)
    elif cat == "B":
        pen.blob([(-0.12, 0.62), (0.0, 0.5), (0.12, 0.62), (0.0, 0.9)], mixed(fur, _WHITE, 0.2))
    elif cat == "C":
        pen.blob([(0.0, -0.5), (0.12, 0.0), (0.4, 0.4), (0.3, 0.85), (-0.3, 0.85), (-0.4, 0.4), (-0.12, 0.0)], mixed(fur, _WHITE, 0.85))
    elif cat == "E":
        pen.blob([(0.02, -0.5), (0.1, 0.1), (0.44, 0.24), (0.9, 0.1), (0.8, -0.5)], rgb("#5a463a"))
        for x, y, size in (
            (-0.34, -0.3, 0.1),
            (-0.6, 0.16, 0.1),
            (-0.46, 0.44, 0.08),
            (-0.66, 0.4, 0.05),
            (0.44, 0.48, 0.09),
            (0.62, 0.34, 0.06),
            (-0.12, -0.24, 0.06),
        ):
            pen.disc(x, y, size, rgb("#5a463a"))


def _muzzle(pen: Pen, cat: str) -> None:
    dark = cat == "B"
    line = (225, 218, 208) if dark else _INK
    for side in (-1, 1):
        white = oval(side * 0.32, 0.06, 0.19, 0.2)
        pen.shape(white, _EYES[cat])
        with pen.within(white):
            pen.oval(side * 0.32, 0.06, 0.075 if cat != "D" else 0.11, 0.17 if cat != "D" else 0.13, _INK)
            pen.disc(side * 0.32 - 0.05, -0.02, 0.045, _WHITE)
            if cat == "C":  # sleepy
                pen.shape([(side * 0.1, -0.3), (side * 0.6, -0.3), (side * 0.6, 0.02), (side * 0.1, -0.02)], mixed(_FUR["C"], _INK, 0.3))
        pen.line(white, _INK, 0.035, closed=True)
        for tilt in (-0.07, 0.03, 0.13):
            pen.line([(side * 0.34, 0.44 + tilt / 2), (side * 0.92, 0.4 + tilt * 1.4)], line, 0.022)
        pen.curve([(0.0, 0.42), (side * 0.06, 0.52), (side * 0.2, 0.5)], line, 0.045)
    pen.blob([(-0.11, 0.28), (0.11, 0.28), (0.06, 0.38), (0.0, 0.42), (-0.06, 0.38)], _PINK, edge=None if dark else _INK, thickness=0.03)
