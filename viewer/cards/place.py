"""Where a card lies on the screen."""

from __future__ import annotations

import math
from typing import NamedTuple

from viewer.gui.box import Box

TALL = 1.4
"""Height of a card over its width."""


class Place(NamedTuple):
    """A card's middle, its width in units, and how far it is turned clockwise, in degrees."""

    x: float
    y: float
    width: float
    turn_deg: float = 0.0

    @property
    def height(self) -> float:
        """In units."""
        return TALL * self.width

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Clockwise from the upper left one."""
        half_width, half_height = self.width / 2, self.height / 2
        return self.around(-half_width, -half_height, half_width, half_height)

    @property
    def box(self) -> Box:
        """The smallest box around the turned card."""
        xs, ys = zip(*self.corners, strict=True)
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

    def around(self, left: float, top: float, right: float, bottom: float) -> tuple[tuple[float, float], ...]:
        """The corners of a rectangle that lies so many units to the card's own right and down from its middle, from the upper left one."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        found = (left, top), (right, top), (right, bottom), (left, bottom)
        return tuple([(self.x + cos * a - sin * b, self.y + sin * a + cos * b) for a, b in found])

    def at(self, along: float, down: float) -> tuple[float, float]:
        """The point so many units to the card's own right and down from its middle."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return self.x + cos * along - sin * down, self.y + sin * along + cos * down

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies on the card."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        dx, dy = x - self.x, y - self.y
        return abs(cos * dx + sin * dy) <= self.width / 2 and abs(cos * dy - sin * dx) <= self.height / 2
