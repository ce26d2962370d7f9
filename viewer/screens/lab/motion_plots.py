"""Plots beside the tower: a rose of the tilts it stands, how far its top moves while the table is shaken, and what blows it took."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from physics.statics import Tilt
from physics.table_motion import MotionKind
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align, Painter
from viewer.gui.theme import BLUE, GOLD, GREEN, INK, ORANGE_DEEP, PAPER, SOFT_INK, Colour, Face, colour
from viewer.screens.lab.measures import HEADINGS_DEG, Measures
from viewer.screens.lab.plot_axes import GRID, Axes, round_step

WIDTH, HEIGHT = 272.0, 316.0
_TITLES = {MotionKind.TILT: "Tilt until it falls", MotionKind.SHAKE: "How far its top moved", MotionKind.BUMP: "What blows it took"}
_WATER, _GLOW = colour("#cfe0f2"), colour("#fbdcc8")
_MOST_MM = 20.0
"""What moves farther has left the plot."""
_BINS = 72


def draw_plot(gui: Gui, box: Box, measures: Measures, least: Tilt | None, azimuth_deg: float, *, moving: bool) -> None:
    """What fits the last motion, which may be `moving` still, in a panel. Headings of a rose are as the camera at `azimuth_deg` sees them."""
    if measures.motion is None:
        return
    gui.panel(box)
    inner, kind = box.inset(16, 12), measures.motion.kind
    gui.paint.words(_TITLES[kind], inner.x, inner.y, 15.5, face=Face.SUBTITLE)
    plot = Box(inner.x, inner.y + 24, inner.w, inner.h - 24)
    if kind is MotionKind.TILT:
        Rose(plot, measures, azimuth_deg).draw(gui.paint, least, moving=moving)
    elif kind is MotionKind.SHAKE:
        draw_course(gui.paint, plot, measures)
    else:
        draw_blows(gui.paint, plot, measures)


class Rose:
    """Tilts about the middle: outwards is how far, around is where to. Away from the camera is up."""

    def __init__(self, box: Box, measures: Measures, azimuth_deg: float) -> None:
        self._measures, self._azimuth_deg = measures, azimuth_deg
        self._radius = min(box.w / 2 - 22, (box.h - 44) / 2 - 18)
        self._middle = box.middle[0], box.y + (box.h - 24) / 2
        self._foot = Box(box.x, box.bottom - 38, box.w, 38)
        self._falls = [(result.heading_deg, result.amount) for result in measures.of(MotionKind.TILT) if result.amount is not None]
        most = max([*measures.limits.values(), *(deg for _, deg in self._falls), 5.0])
        self._step = round_step(most, 3)
        self._end = math.ceil(most / self._step - 1e-9) * self._step

    @property
    def curve(self) -> list[tuple[float, float]]:
        """Headings and degrees of what statics has found so far."""
        return [(heading, self._measures.limits[heading]) for heading in HEADINGS_DEG if heading in self._measures.limits]

    def place(self, heading_deg: float, deg: float) -> tuple[float, float]:
        """Where a tilt is drawn."""
        angle, far = math.radians(heading_deg - self._azimuth_deg), self._radius * min(1.05, deg / self._end)
        return self._middle[0] + far * math.sin(angle), self._middle[1] + far * math.cos(angle)

    def draw(self, paint: Painter, least: Tilt | None, *, moving: bool) -> None:
        """Rings, the curve of statics, the least direction, the tilt now, and falls."""
        paint.disc(*self._middle, self._radius, PAPER)
        points = [self.place(*entry) for entry in self.curve]
        whole = len(points) == len(HEADINGS_DEG)
        if whole:
            paint.area(points, _WATER)
        self._draw_rings(paint)
        if len(points) > 1:
            paint.line(points, BLUE, 2.4, closed=whole)
        if least is not None:
            paint.line([self._middle, self.place(least.towards_deg, least.deg)], GOLD, 2.4)
            paint.disc(*self.place(least.towards_deg, least.deg), 3.6, GOLD)
        motion = self._measures.motion
        if motion is not None and moving:
            paint.line([self._middle, self.place(motion.heading_deg, motion.frame.amount)], ORANGE_DEEP, 3.0)
        for fall in self._falls:
            _dot(paint, self.place(*fall), ORANGE_DEEP)
        key = [("no statics" if self._measures.failure else "statics", BLUE), ("fell", ORANGE_DEEP)]
        _draw_key(paint, self._foot, [*key, (f"least {least.deg:.1f}°", GOLD)] if least else key)

    def _draw_rings(self, paint: Painter) -> None:
        for heading in range(0, 360, 30):
            paint.line([self._middle, self.place(heading, self._end)], GRID, 1.0)
        for k in range(1, round(self._end / self._step) + 1):
            paint.circle(*self._middle, self._radius * k * self._step / self._end, colour("#cdb999"), 1.2)
            x, y = self.place(self._azimuth_deg + 165.0, k * self._step)
            paint.words(f"{k * self._step:g}°", x, y - 1, 11.0, colour=SOFT_INK, align=Align.CENTRE)
        for heading in range(0, 360, 90):
            x, y = self.place(heading, self._end)
            x, y = (end + 13 * (end - start) / self._radius for start, end in zip(self._middle, (x, y), strict=True))
            paint.words(f"{heading}°", x, y - 8, 11.5, face=Face.SEMI, colour=INK, align=Align.CENTRE)


def course_points(course: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """(strength, mm) of a course, from (0, 0): the most of each of a few stretches, at their ends."""
    amounts, far = np.array([(0.0, 0.0), *course]).T
    stretch = max(float(amounts.max()), 1e-9) / _BINS
    most = np.full(_BINS, -1.0)
    np.maximum.at(most, np.minimum(_BINS - 1, (amounts / stretch).astype(int)), far)
    ends = (np.arange(_BINS) + 1) * stretch
    return [(0.0, 0.0), *((float(end), float(mm)) for end, mm in zip(ends, most, strict=True) if mm >= 0)]


def draw_course(paint: Painter, box: Box, measures: Measures) -> None:
    """How far the top was off its place at each strength of the last shaking until it left the plot, beside the strength that statics foretells."""
    motion = measures.motion
    assert motion is not None, "it is shaken"
    outcome = motion.outcome
    fall, foretold = (outcome.amount, outcome.foretold) if outcome else (None, None)
    points = course_points(motion.course)
    standing = [mm for amount, mm in points if fall is None or amount <= fall]
    axes = Axes.over(_frame(box), 1.1 * max(points[-1][0], foretold or 0.0, 0.1), min(_MOST_MM, max(1.0, 1.2 * max(standing))))
    inside = next((k + 1 for k, (_, mm) in enumerate(points) if mm > axes.y_end), len(points))
    places = [axes.place(*point) for point in points[:inside]]
    for (x, y), (on, higher) in pairwise(places):
        paint.area([(x, axes.box.bottom), (x, y), (on, higher), (on, axes.box.bottom)], _GLOW)
    axes.draw(paint, "to and fro, g", "mm")
    paint.line(places, ORANGE_DEEP, 2.2)
    key: list[tuple[str, Colour]] = []
    if foretold is not None:
        axes.draw_dashes(paint, foretold, BLUE)
        key.append((f"statics {foretold:.2f} g", BLUE))
    if fall is not None:
        _dot(paint, axes.place(fall, standing[-1]), ORANGE_DEEP)
        key.append((f"fell {fall:.2f} g", ORANGE_DEEP))
    _draw_key(paint, Box(box.x, box.bottom - 18, box.w, 18), key or [("top of the tower", ORANGE_DEEP)])


def draw_blows(paint: Painter, box: Box, measures: Measures) -> None:
    """Each blow as a stem as high as it moved the top; those that felled the tower go to the top of the plot."""
    blows = sorted((result.reached, result.amount is not None, result.top_mm) for result in measures.of(MotionKind.BUMP))
    stood = [mm for _, fell, mm in blows if not fell]
    axes = Axes.over(_frame(box), 1.1 * max([300.0, *(blow for blow, _, _ in blows)]), min(_MOST_MM, max([2.0, *(1.2 * mm for mm in stood)])))
    axes.draw(paint, "blow, mm/s", "mm")
    for blow, fell, mm in blows:
        ink, (x, y) = ORANGE_DEEP if fell else GREEN, axes.place(blow, math.inf if fell else mm)
        paint.line([(x, axes.box.bottom), (x, y)], (*ink[:3], 0.55), 3.0)
        if fell:
            paint.disc(x, y, 8.0, PAPER)
            paint.cross(x, y, 12, ink)
        else:
            _dot(paint, (x, y), ink)
    _draw_key(paint, Box(box.x, box.bottom - 18, box.w, 18), [("stood", GREEN), ("fell", ORANGE_DEEP)])


def _frame(box: Box) -> Box:
    """Where axes lie, with room for their words and the key."""
    return Box(box.x + 26, box.y + 26, box.w - 34, box.h - 84)


def _dot(paint: Painter, place: tuple[float, float], ink: Colour) -> None:
    paint.disc(*place, 6.0, PAPER)
    paint.disc(*place, 4.6, ink)


def _draw_key(paint: Painter, box: Box, entries: list[tuple[str, Colour]]) -> None:
    """What the colours mean, in the middle of the bottom of a box."""
    widths = [paint.measure(words, 12.5)[0] + 15 for words, _ in entries]
    x, y = box.middle[0] - (sum(widths) + 14 * (len(entries) - 1)) / 2, box.bottom - 9
    for (words, ink), width in zip(entries, widths, strict=True):
        paint.disc(x + 5, y, 4.4, ink)
        paint.words_in(words, Box(x + 14, y - 9, width, 18), 12.5, colour=INK, align=Align.LEFT)
        x += width + 14
