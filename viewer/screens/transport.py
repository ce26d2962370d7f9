"""Play, pause and speed: what every replay has."""

from __future__ import annotations

import math

from viewer.gui.box import Box
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import INK, SOFT_INK, Colour, Face, colour
from viewer.playback import LEAST_SPEED, MOST_SPEED, Playhead

_WHITE = colour("#ffffff")
_ROUND_SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0)
_CAUGHT = 0.06
"""A speed this near to a round one becomes it."""


def draw_play(gui: Gui, name: str, box: Box, playhead: Playhead) -> None:
    """The button that plays and pauses."""
    if gui.button(name, box, "", kind=Kind.PRIMARY, enabled=playhead.length > 0, hint="Pause (Space)" if playhead.playing else "Play (Space)"):
        playhead.toggle()
    x, y = box.middle
    if playhead.playing:
        for side in (-1, 1):
            gui.paint.plate(Box(x + side * 5 - 2.5, y - 8, 5, 16), _WHITE, radius=2, border=None)
    else:
        gui.paint.arrow(x + 1, y, 17, _WHITE)


def draw_step(gui: Gui, name: str, box: Box, direction: int, *, enabled: bool, hint: str) -> bool:
    """A button that goes one act on (1) or back (−1); whether it was pressed."""
    pressed = gui.button(name, box, "", enabled=enabled, hint=hint)
    ink: Colour = INK if enabled else colour("#9d9085")
    x, y = box.middle
    gui.paint.arrow(x - direction, y, 13, ink, turn_deg=0 if direction > 0 else 180)
    gui.paint.plate(Box(x + direction * 7 - 1.5, y - 6.5, 3, 13), ink, radius=1.5, border=None)
    return pressed


def draw_speed(gui: Gui, name: str, box: Box, playhead: Playhead) -> None:
    """A slider for the speed, equal steps being equal factors, and the speed in words after it."""
    at = math.log(playhead.speed)
    wanted = gui.slider(name, Box(box.x, box.y, box.w - 56, box.h), at, math.log(LEAST_SPEED), math.log(MOST_SPEED), hint="Speed")
    if wanted != at:
        speed = math.exp(wanted)
        playhead.speed = next((fine for fine in _ROUND_SPEEDS if abs(speed / fine - 1) < _CAUGHT), round(speed, 2))
    gui.paint.words_in(f"{playhead.speed:.2g}×", Box(box.right - 48, box.y, 48, box.h), 14, face=Face.SEMI, colour=SOFT_INK, align=Align.LEFT)
