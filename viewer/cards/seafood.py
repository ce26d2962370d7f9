"""The six suits of Sakana Stack: scallop, eel, pufferfish, shrimp, tuna, urchin."""

from __future__ import annotations

import math

from PIL import Image

from viewer.cards.pen import Pen, Rgb, mirrored, mixed, oval, rgb, smooth

SUIT_COLOURS = {
    "C": rgb("#d4629f"),
    "E": rgb("#0f6b5e"),
    "P": rgb("#c98a10"),
    "S": rgb("#c8421f"),
    "T": rgb("#2a62b4"),
    "U": rgb("#3c3358"),
}
_WHITE, _INK = (255, 253, 246), (43, 31, 24)


def draw_suit(suit: str, pixels: int) -> Image.Image:
    """The animal of a suit, RGBA."""
    pen = Pen(pixels)
    _DRAWN[suit](pen, SUIT_COLOURS[suit])
    return pen.finish()


def _scallop(pen: Pen, base: Rgb) -> None:
    ribs = 7
    rim = []
    for k in range(ribs):
        for part in (0.0, 0.25, 0.5, 0.75):
            angle = math.radians(-205 + 230 * (k + part) / ribs)
            reach = 0.84 + 0.09 * math.sin(math.pi * part)
            rim.append((reach * math.cos(angle), 0.02 + reach * math.sin(angle)))
    foot = [(0.3, 0.66), (0.0, 0.74), (-0.3, 0.66)]
    pen.shape([(-0.5, 0.62), (0.5, 0.62), (0.42, 0.9), (-0.42, 0.9)], mixed(base, _INK, 0.25))
    body = [*rim, *foot]
    pen.shape(body, base)
    with pen.within(body):
        for k in range(ribs):
            angle = math.radians(-205 + 230 * (k + 0.5) / ribs)
            tip = math.cos(angle), 0.02 + math.sin(angle)
            pen.line([(0.0, 0.72), tip], mixed(base, _WHITE, 0.55), 0.075)
        pen.line(oval(0, 0.75, 0.5, 0.42)[24:], mixed(base, _WHITE, 0.3), 0.04)
    pen.line(body, mixed(base, _INK, 0.3), 0.05, closed=True)


def _eel(pen: Pen, base: Rgb) -> None:
    dark = mixed(base, _INK, 0.35)
    way = smooth(
        [
            (-0.62, -0.55),
            (-0.1, -0.72),
            (0.45, -0.6),
            (0.62, -0.3),
            (0.3, -0.05),
            (-0.3, 0.05),
            (-0.62, 0.32),
            (-0.3, 0.62),
            (0.3, 0.64),
            (0.86, 0.42),
        ]
    )
    for extra, colour in ((0.05, dark), (0.0, base)):
        for k, (x, y) in enumerate(way):
            share = k / (len(way) - 1)
            pen.disc(x, y, 0.055 + 0.15 * (1 - share) ** 0.55 + extra, colour)
    pen.curve([(-0.4, -0.76), (0.1, -0.86), (0.6, -0.72), (0.82, -0.32), (0.5, 0.06)], dark, 0.07)
    for k in range(14, len(way) - 4, 7):
        x, y = way[k]
        pen.disc(x, y, 0.05 * (1 - k / len(way)) + 0.025, mixed(base, _WHITE, 0.6))
    pen.oval(-0.68, -0.54, 0.25, 0.2, base)
    pen.disc(-0.66, -0.62, 0.085, _WHITE)
    pen.disc(-0.68, -0.62, 0.045, _INK)
    pen.curve([(-0.92, -0.5), (-0.78, -0.42), (-0.62, -0.42)], dark, 0.04)


def _pufferfish(pen: Pen, base: Rgb) -> None:
    dark = mixed(base, _INK, 0.35)
    for k in range(18):
        angle = 2 * math.pi * (k + 0.5) / 18
        near, far = angle - 0.1, angle + 0.1
        tip = 0.93 * math.cos(angle), 0.93 * math.sin(angle)
        pen.shape([(0.7 * math.cos(near), 0.7 * math.sin(near)), tip, (0.7 * math.cos(far), 0.7 * math.sin(far))], dark)
    body = oval(0, 0, 0.74, 0.72)
    pen.shape(body, base)
    with pen.within(body):
        pen.oval(0, 0.5, 0.66, 0.52, mixed(base, _WHITE, 0.72))
        for x, y in ((-0.35, -0.5), (0.0, -0.6), (0.35, -0.5), (-0.14, -0.4), (0.16, -0.4)):
            pen.disc(x, y, 0.055, dark)
    pen.line(body, dark, 0.045, closed=True)
    for side in (-1, 1):
        pen.blob([(side * 0.7, -0.02), (side * 0.96, -0.16), (side * 0.97, 0.18), (side * 0.7, 0.16)], mixed(base, _INK, 0.15), edge=dark)
        pen.disc(side * 0.33, -0.14, 0.19, _WHITE)
        pen.disc(side * 0.3, -0.12, 0.1, _INK)
        pen.disc(side * 0.27, -0.16, 0.035, _WHITE)
    pen.oval(0, 0.17, 0.13, 0.09, mixed(base, _INK, 0.55))


def _shrimp(pen: Pen, base: Rgb) -> None:
    dark = mixed(base, _INK, 0.3)
    for start, end in (((0.52, -0.5), (0.98, -0.9)), ((0.5, -0.56), (0.3, -0.98))):
        pen.curve([start, ((start[0] + end[0]) / 2 - 0.05, (start[1] + end[1]) / 2 - 0.08), end], dark, 0.045)
    for k in range(5):
        x = 0.3 - 0.14 * k
        pen.curve([(x, 0.0), (x + 0.02, 0.24 - 0.02 * k), (x + 0.13, 0.36 - 0.03 * k)], dark, 0.05)
    pen.shape([(-0.02, 0.66), (0.42, 0.4), (0.5, 0.66), (0.62, 0.84), (0.36, 0.92)], dark)
    way = smooth([(0.56, -0.42), (0.2, -0.5), (-0.2, -0.44), (-0.52, -0.16), (-0.54, 0.24), (-0.3, 0.56), (0.08, 0.66)])
    for k, (x, y) in enumerate(way):
        pen.disc(x, y, 0.3 - 0.17 * k / (len(way) - 1) + 0.03, dark)
    for k, (x, y) in enumerate(way):
        pen.disc(x, y, 0.3 - 0.17 * k / (len(way) - 1), base)
    for k in range(14, len(way), 9):
        (x, y), (ax, ay) = way[k], way[k - 1]
        away = math.hypot(x - ax, y - ay) or 1.0
        reach = 0.29 - 0.17 * k / (len(way) - 1)
        across = -(y - ay) / away * reach, (x - ax) / away * reach
        pen.line([(x - across[0], y - across[1]), (x + across[0], y + across[1])], mixed(base, _WHITE, 0.6), 0.065)
    pen.shape([(0.5, -0.68), (0.98, -0.46), (0.62, -0.22)], base)
    pen.disc(0.5, -0.5, 0.095, _WHITE)
    pen.disc(0.52, -0.5, 0.055, _INK)


def _tuna(pen: Pen, base: Rgb) -> None:
    dark = mixed(base, _INK, 0.3)
    pen.blob([(0.6, 0.0), (0.78, -0.2), (0.98, -0.5), (0.88, 0.0), (0.98, 0.5), (0.78, 0.2)], dark)
    pen.shape([(-0.2, -0.3), (0.18, -0.7), (0.28, -0.62), (0.2, -0.24)], dark)
    pen.shape([(-0.05, 0.3), (0.22, 0.66), (0.32, 0.58), (0.24, 0.2)], dark)
    for k in range(3):
        pen.shape([(0.32 + 0.13 * k, -0.22 + 0.05 * k), (0.42 + 0.13 * k, -0.32 + 0.05 * k), (0.43 + 0.13 * k, -0.14 + 0.03 * k)], rgb("#e8ae45"))
    body = smooth(
        [(-0.96, 0.04), (-0.7, -0.22), (-0.2, -0.38), (0.3, -0.24), (0.72, -0.05), (0.72, 0.05), (0.3, 0.24), (-0.2, 0.36), (-0.7, 0.24)], closed=True
    )
    pen.shape(body, base)
    with pen.within(body):
        pen.blob([(-1.0, 0.12), (-0.4, 0.1), (0.2, 0.06), (0.8, 0.02), (0.4, 0.5), (-0.4, 0.6), (-1.0, 0.4)], mixed(base, _WHITE, 0.72))
    pen.line(body, dark, 0.04, closed=True)
    pen.curve([(-0.5, -0.22), (-0.42, 0.0), (-0.5, 0.22)], dark, 0.045)
    pen.blob([(-0.32, 0.04), (0.06, 0.1), (0.14, 0.2), (-0.2, 0.16)], dark)
    pen.disc(-0.7, -0.04, 0.085, _WHITE)
    pen.disc(-0.71, -0.04, 0.045, _INK)


def _urchin(pen: Pen, base: Rgb) -> None:
    for ring, count in ((0.97, 20), (0.8, 20)):
        for k in range(count):
            angle = 2 * math.pi * (k + (0.5 if ring < 0.9 else 0.0)) / count
            pen.line([(0.3 * math.cos(angle), 0.3 * math.sin(angle)), (ring * math.cos(angle), ring * math.sin(angle))], base, 0.055)
    pen.disc(0, 0, 0.56, base)
    light = mixed(base, _WHITE, 0.5)
    for k in range(8):
        angle = 2 * math.pi * (k + 0.5) / 8
        for reach, size in ((0.42, 0.05), (0.28, 0.038)):
            pen.disc(reach * math.cos(angle), reach * math.sin(angle), size, light)
    half = [(0.0, -0.17), (0.1, -0.1)]
    pen.blob([*half, (0.17, 0.05), (0.0, 0.16), (-0.17, 0.05), *mirrored(half[1:])], rgb("#e8ae45"))


_DRAWN = {"C": _scallop, "E": _eel, "P": _pufferfish, "S": _shrimp, "T": _tuna, "U": _urchin}
