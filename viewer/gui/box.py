"""Boxes: where something is on the screen, in units (pixels at a scale of 100 %), y downwards."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """x of the right side."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """y of the bottom."""
        return self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        """x and y."""
        return self.x + self.w / 2, self.y + self.h / 2

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, dx: float, dy: float | None = None) -> Box:
        """Smaller by `dx` on the left and right and `dy` (or `dx`) at top and bottom."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def row(self, count: int, gap: float = 10.0) -> list[Box]:
        """`count` boxes of equal width side by side."""
        width = (self.w - gap * (count - 1)) / count
        return [Box(self.x + k * (width + gap), self.y, width, self.h) for k in range(count)]

    def top_part(self, height: float) -> Box:
        """The upper `height` of it."""
        return Box(self.x, self.y, self.w, height)

    def below(self, height: float) -> Box:
        """What is left under the upper `height`."""
        return Box(self.x, self.y + height, self.w, self.h - height)


class Column:
    """Hands out boxes from top to bottom."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.y = box.y

    def take(self, height: float, gap: float = 10.0) -> Box:
        """The next box of this height; `gap` stays free below it."""
        taken = Box(self.box.x, self.y, self.box.w, height)
        self.y += height + gap
        return taken

    @property
    def rest(self) -> Box:
        """What is left."""
        return Box(self.box.x, self.y, self.box.w, max(0.0, self.box.bottom - self.y))
