"""Axes of the lab's plots: round steps, a frame with ticks, and marks in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from viewer.gui.box import Box
from viewer.gui.painter import Align, Painter
from viewer.gui.theme import SOFT_INK, Colour, Face, colour

GRID = colour("#e9dcc6")
_AXIS = colour("#b9a48a")
_STEPS = (1.0, 2.0, 5.0, 10.0)


def round_step(most: float, count: int) -> float:
    """The least of 1, 2 and 5 times a power of ten that reaches `most` in `count` steps."""
    least = max(most, 1e-9) / count
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * step for step in _STEPS if power * step >= least * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class Axes:
    """A frame whose lower left corner is (0, 0); it ends at whole steps."""

    box: Box
    x_step: float
    y_step: float
    x_end: float
    y_end: float

    @classmethod
    def over(cls, box: Box, x_most: float, y_most: float) -> Axes:
        """Axes up to the next whole steps."""
        x_step, y_step = round_step(x_most, 5), round_step(y_most, 5)
        return cls(box, x_step, y_step, math.ceil(x_most / x_step - 1e-9) * x_step, math.ceil(y_most / y_step - 1e-9) * y_step)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a value is drawn; what is above the frame at its top."""
        return self.box.x + self.box.w * x / self.x_end, self.box.bottom - self.box.h * min(1.0, y / self.y_end)

    def draw(self, paint: Painter, x_unit: str, y_unit: str) -> None:
        """Grid, ticks and units."""
        box = self.box
        for k in range(round(self.y_end / self.y_step) + 1):
            y = self.place(0.0, k * self.y_step)[1]
            paint.line([(box.x, y), (box.right, y)], GRID if k else _AXIS, 1.2)
            paint.words(f"{k * self.y_step:g}", box.x - 6, y - 8, 11.5, colour=SOFT_INK, align=Align.RIGHT)
        for k in range(round(self.x_end / self.x_step) + 1):
            x = self.place(k * self.x_step, 0.0)[0]
            paint.line([(x, box.y), (x, box.bottom)], GRID if k else _AXIS, 1.2)
            paint.words(f"{k * self.x_step:g}", x, box.bottom + 3, 11.5, colour=SOFT_INK, align=Align.CENTRE)
        paint.words(y_unit, box.x - 6, box.y - 22, 11.5, face=Face.SEMI, colour=SOFT_INK, align=Align.RIGHT)
        paint.words(x_unit, box.right, box.bottom + 17, 11.5, face=Face.SEMI, colour=SOFT_INK, align=Align.RIGHT)

    def draw_dashes(self, paint: Painter, x: float, ink: Colour) -> None:
        """A dashed line up the frame at `x`."""
        at, long = self.place(x, 0.0)[0], self.box.h / 15
        for k in range(0, 15, 2):
            paint.line([(at, self.box.y + k * long), (at, self.box.y + (k + 1) * long)], ink, 2.0)
