"""How items look: buttons, switches, choices, sliders, hints. Only paint: what is pressed, and by what, is for `Gui` to find out."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from viewer.gui.box import Box
from viewer.gui.painter import Align, Painter
from viewer.gui.theme import (
    CREAM,
    FAINT_INK,
    GOLD,
    GOLD_SOFT,
    INK,
    LINE,
    NIGHT,
    NIGHT_INK,
    ORANGE,
    ORANGE_DEEP,
    PAPER,
    SAND,
    SOFT_INK,
    Colour,
    Face,
    colour,
)

WHITE = colour("#ffffff")
KNOB = 9.0
"""Radius of a slider's knob."""
_GREY, _GREY_INK = colour("#d9cec2"), colour("#9d9085")


class Kind(Enum):
    """How much a button wants to be pressed."""

    PRIMARY = "primary"
    PLAIN = "plain"
    QUIET = "quiet"
    DARK = "dark"


class State(NamedTuple):
    """What is done with an item in this frame."""

    pressed: bool
    hovered: bool
    held: bool
    focused: bool


def draw_button(paint: Painter, box: Box, words: str, kind: Kind, state: State, *, size: float, enabled: bool, chosen: bool) -> None:
    """A plate that sinks when held, and its words."""
    ink = _button_plate(paint, box, kind, state, enabled=enabled, chosen=chosen)
    paint.words_in(words, box.inset(8, 0), size, face=Face.BOLD if kind is Kind.PRIMARY else Face.SEMI, colour=ink)


def draw_switch(paint: Painter, box: Box, words: str, on: bool, state: State, *, enabled: bool) -> None:
    """A knob in a track at the right, words at the left."""
    track = Box(box.right - 44, box.y + (box.h - 24) / 2, 44, 24)
    paint.plate(track, ORANGE if on else colour("#cbbba7"), ORANGE_DEEP if on else None, radius=12, border=None)
    paint.disc(track.right - 12 if on else track.x + 12, track.y + 12, 9, WHITE)
    ink = INK if enabled else FAINT_INK
    paint.words_in(words, Box(box.x, box.y, box.w - 56, box.h), 15, colour=ink, align=Align.LEFT)
    if state.focused:
        paint.frame(box, radius=8)


def choice_parts(paint: Painter, box: Box, options: Sequence[str]) -> tuple[list[Box], float]:
    """The plate on which options lie side by side; gives the part of each, and the size of words that fits them all."""
    paint.plate(box, colour("#e9dac2"), radius=10, border=LINE)
    parts = box.inset(3).row(len(options), 3)
    widest = max((paint.measure(words, 14, Face.SEMI)[0] for words in options), default=1.0)
    return parts, max(11.0, min(14.0, 14 * (parts[0].w - 8) / max(1.0, widest)))


def draw_option(paint: Painter, box: Box, words: str, state: State, *, size: float, enabled: bool, chosen: bool) -> None:
    """One option of a choice, on a lighter plate if it is chosen."""
    if chosen:
        paint.plate(box, PAPER, CREAM, radius=8, border=GOLD, thickness=1.5)
    elif state.hovered:
        paint.plate(box, colour("#fffaf0", 0.55), radius=8, border=None)
    ink = FAINT_INK if not enabled else INK if chosen else SOFT_INK
    paint.words_in(words, box.inset(3, 0), size, face=Face.SEMI, colour=ink)
    if state.focused:
        paint.frame(box, radius=8, away=1)


def draw_slider(paint: Painter, box: Box, share: float, state: State, *, enabled: bool) -> None:
    """A bar, filled to the knob at this share of the way."""
    along, middle = KNOB + share * (box.w - 2 * KNOB), box.y + box.h / 2
    paint.bar(Box(box.x, middle - 3, box.w, 6), along / box.w, ORANGE if enabled else _GREY, colour("#dccbb2"))
    paint.shadow(Box(box.x + along - KNOB, middle - KNOB, 2 * KNOB, 2 * KNOB), 0.3)
    paint.disc(box.x + along, middle, KNOB, WHITE)
    paint.circle(box.x + along, middle, KNOB, ORANGE_DEEP if enabled else _GREY_INK, 2)
    if state.focused:
        paint.frame(box, radius=8)


def draw_hint(paint: Painter, words: str, at: Box, size: tuple[float, float]) -> None:
    """A hint below `at`, or above it where the page of this size ends."""
    width, height = paint.measure(words, 13, Face.BODY, 300)
    box = Box(min(at.right, size[0] - width - 30), at.bottom, width + 22, height + 14)
    if box.bottom > size[1] - 6:
        box = Box(box.x, at.y - box.h - 10, box.w, box.h)
    paint.plate(box, colour("#2b1f18", 0.95), radius=8, border=None, shadow=0.4)
    paint.words(words, box.x + 11, box.y + 7, 13, colour=NIGHT_INK, wrap=300)


def _button_plate(paint: Painter, box: Box, kind: Kind, state: State, *, enabled: bool, chosen: bool) -> Colour:
    """The plate; gives the colour of the words on it."""
    radius = min(10.0, box.h / 2)
    sunk = Box(box.x, box.y + (1 if state.held else 0), box.w, box.h)
    if not enabled:
        if kind not in (Kind.QUIET, Kind.DARK):
            paint.plate(sunk, _GREY, radius=radius, border=None)
        return _GREY_INK
    light = 1.06 if state.hovered and not state.held else 1.0
    if kind is Kind.PRIMARY:
        paint.plate(sunk, _lit(ORANGE, light), _lit(ORANGE_DEEP, light), radius=radius, border=GOLD, thickness=2, shadow=0.35)
        ink = WHITE
    elif kind is Kind.PLAIN:
        paint.plate(sunk, PAPER if light > 1 else CREAM, SAND, radius=radius, border=GOLD if chosen else LINE, thickness=1.5, shadow=0.25)
        ink = INK
    elif kind is Kind.QUIET:
        if state.hovered or chosen:
            paint.plate(sunk, GOLD_SOFT, radius=radius, border=GOLD if chosen else None)
        ink = INK
    else:
        strength = 0.92 if state.hovered else 0.78
        paint.plate(sunk, (*NIGHT[:3], strength), radius=radius, border=GOLD if chosen else colour("#fff3df", 0.15), thickness=1.5)
        ink = NIGHT_INK
    if state.focused:
        paint.frame(box, radius=radius)
    return ink


def _lit(base: Colour, light: float) -> Colour:
    red, green, blue, alpha = base
    return min(1.0, red * light), min(1.0, green * light), min(1.0, blue * light), alpha
