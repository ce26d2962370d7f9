"""Draws the pictures on cards: shapes in coordinates of their own, drawn finer than they are shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PIL import Image, ImageDraw

from viewer.glyphs import font

Rgb = tuple[int, int, int]
Points = Sequence[tuple[float, float]]

_FINER = 4
_STEPS = 10
"""Straight pieces between two points of a curve."""


class Pen:
    """Draws on a transparent picture. The origin is its middle, y points down, and 1 is half its shorter side."""

    def __init__(self, width: int, height: int | None = None) -> None:
        height = width if height is None else height
        self._image = Image.new("RGBA", (width * _FINER, height * _FINER))
        self._draw = ImageDraw.Draw(self._image)
        self._scale = min(width, height) * _FINER / 2
        self._middle = width * _FINER / 2, height * _FINER / 2

    def finish(self) -> Image.Image:
        """The picture, RGBA."""
        return self._image.reduce(_FINER)

    def shape(self, points: Points, fill: Rgb) -> None:
        """A filled polygon."""
        self._draw.polygon(self._placed(points), fill)

    def blob(self, points: Points, fill: Rgb, *, edge: Rgb | None = None, thickness: float = 0.04) -> None:
        """A filled closed curve through points, with an edge if one is given."""
        curve = smooth(points, closed=True)
        self.shape(curve, fill)
        if edge is not None:
            self.line(curve, edge, thickness, closed=True)

    def curve(self, points: Points, colour: Rgb, thickness: float) -> None:
        """A smooth line through points, with round ends."""
        self.line(smooth(points), colour, thickness)

    def line(self, points: Points, colour: Rgb, thickness: float, *, closed: bool = False) -> None:
        """Straight lines between points, with round corners and ends."""
        placed = self._placed([*points, points[0]] if closed else points)
        self._draw.line(placed, colour, max(1, round(thickness * self._scale)))
        reach = thickness * self._scale / 2
        if reach > 1:
            for x, y in placed:
                self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), colour)

    def oval(self, x: float, y: float, rx: float, ry: float, fill: Rgb, *, turn_deg: float = 0.0) -> None:
        """A filled ellipse around (x, y), turned clockwise."""
        if turn_deg:
            self.shape(oval(x, y, rx, ry, turn_deg), fill)
        else:
            self._draw.ellipse([*self._placed([(x - rx, y - ry)])[0], *self._placed([(x + rx, y + ry)])[0]], fill)

    def disc(self, x: float, y: float, radius: float, fill: Rgb) -> None:
        """A filled circle."""
        self.oval(x, y, radius, radius, fill)

    def plate(self, left: float, top: float, right: float, bottom: float, radius: float, fill: Rgb) -> None:
        """A filled rectangle with round corners."""
        (a, b), (c, d) = self._placed([(left, top), (right, bottom)])
        self._draw.rounded_rectangle((a, b, c, d), radius * self._scale, fill)

    def words(self, words: str, x: float, y: float, size: float, fill: Rgb, *, face: str = "Fredoka-SemiBold") -> None:
        """A line of words around (x, y); `size` is that of an em."""
        (place,) = self._placed([(x, y)])
        self._draw.text(place, words, fill=fill, font=font(face, size * self._scale), anchor="mm")

    @contextmanager
    def within(self, points: Points) -> Iterator[None]:
        """What is drawn within is cut at a polygon."""
        outer, self._image = self._image, Image.new("RGBA", self._image.size)
        self._draw = ImageDraw.Draw(self._image)
        yield
        mask = Image.new("L", outer.size)
        ImageDraw.Draw(mask).polygon(self._placed(points), fill=255)
        cut = Image.composite(self._image, Image.new("RGBA", outer.size), mask)
        outer.alpha_composite(cut)
        self._image, self._draw = outer, ImageDraw.Draw(outer)

    def _placed(self, points: Points) -> list[tuple[float, float]]:
        across, down = self._middle
        return [(across + self._scale * x, down + self._scale * y) for x, y in points]


def rgb(code: str) -> Rgb:
    """A colour from `#rrggbb`."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    """The first colour with a share of the second."""
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(first, second, strict=True))
    return red, green, blue


def oval(x: float, y: float, rx: float, ry: float, turn_deg: float = 0.0) -> list[tuple[float, float]]:
    """Points of an ellipse around (x, y), turned clockwise."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    around = [2 * math.pi * k / 48 for k in range(48)]
    found = [(rx * math.cos(angle), ry * math.sin(angle)) for angle in around]
    return [(x + cos * a - sin * b, y + sin * a + cos * b) for a, b in found]


def mirrored(points: Points) -> list[tuple[float, float]]:
    """Points seen in a mirror that stands on the y axis, in reverse so that they go on where the others end."""
    return [(-x, y) for x, y in reversed(points)]


def smooth(points: Points, *, closed: bool = False) -> list[tuple[float, float]]:
    """Points of a smooth curve through points (Catmull and Rom's)."""
    count = len(points)
    knots = [points[k % count] for k in range(-1, count + 2)] if closed else [points[0], *points, points[-1]]
    found = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):
        for step in range(_STEPS):
            t = step / _STEPS
            found.append((_between(ax, bx, cx, dx, t), _between(ay, by, cy, dy, t)))
    return found if closed else [*found, points[-1]]


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
