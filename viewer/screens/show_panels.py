"""What a show writes over its table, to be read from across a room: who plays, and in a few words what happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align
from viewer.gui.theme import GOLD, NIGHT, NIGHT_INK, Face, colour
from viewer.screens.players_panel import draw_seat

_EDGE = 0.028
"""Margins, as a share of the page's height; so are all sizes here."""
_HEAD, _SUB, _NAME = 0.064, 0.036, 0.036
_HINT = "Press any key to end the demo"


class Caption(NamedTuple):
    """A few words, and a line that says more."""

    words: str
    more: str = ""


class PlayerChip(NamedTuple):
    """A player: who it is, how it plays, points, and whether it is his turn."""

    name: str
    kind: str
    points: int
    to_move: bool


def caption_height(high: float) -> float:
    """Units that the caption takes at the bottom of a page so high."""
    return high * 0.21


def header_height(high: float) -> float:
    """Units that the players take at the top."""
    return high * 0.115


def draw_caption(gui: Gui, caption: Caption, *, shown: float) -> None:
    """The caption at the bottom, `shown` 0–1 of it."""
    wide, high = gui.size
    paint, edge = gui.paint, high * _EDGE
    box = Box(edge, high - caption_height(high), wide - 2 * edge, caption_height(high) - edge)
    paint.plate(box, NIGHT, radius=high * 0.03, border=colour("#fff3df", 0.12), shadow=0.6)
    room = box.w - 2 * edge
    with gui.faded(shown):
        two = bool(caption.more)
        head = Box(box.x + edge, box.y + high * (0.018 if two else 0.04), room, high * 0.085)
        paint.words_in(caption.words, head, high * _HEAD, face=Face.TITLE, colour=NIGHT_INK)
        if two:
            _draw_more(gui, caption.more, Box(head.x, head.bottom, room, box.bottom - head.bottom - high * 0.012))
    paint.words(_HINT, wide - edge - 16, high - edge - 10 - high * 0.024, high * 0.024, colour=colour("#fff3df", 0.65), align=Align.RIGHT)


def _draw_more(gui: Gui, words: str, box: Box) -> None:
    """One line, or two smaller ones."""
    size = gui.size[1] * _SUB
    if gui.paint.measure(words, size, Face.SEMI)[0] <= box.w:
        gui.paint.words_in(words, Box(box.x, box.y, box.w, box.h * 0.8), size, face=Face.SEMI, colour=GOLD)
        return
    size *= 0.8
    for line, part in zip(_halves(gui, words, size, box.w), (0.0, 0.46), strict=False):
        gui.paint.words_in(line, Box(box.x, box.y + part * box.h, box.w, box.h * 0.46), size, face=Face.SEMI, colour=GOLD)


def _halves(gui: Gui, words: str, size: float, width: float) -> list[str]:
    """As many words as fit into the first line, the rest in a second."""
    parts = words.split()
    count = len(parts)
    while count > 1 and gui.paint.measure(" ".join(parts[:count]), size, Face.SEMI)[0] > width:
        count -= 1
    return [" ".join(parts[:count]), " ".join(parts[count:])]


def draw_header(gui: Gui, players: Sequence[PlayerChip], about: str) -> None:
    """The players at the left, whose turn it is in gold; `about` the tower at the right."""
    high = gui.size[1]
    paint, edge = gui.paint, high * _EDGE
    tall = header_height(high) - edge
    size = high * _NAME
    wide = paint.measure(about, size * 0.8, Face.SUBTITLE)[0] + 2 * size
    right = gui.size[0] - edge
    plate = Box(right - wide, edge, wide, tall * 0.62)
    paint.plate(plate, NIGHT, radius=plate.h / 2, border=colour("#fff3df", 0.12))
    paint.words_in(about, plate.inset(size / 2, 0), size * 0.8, face=Face.SUBTITLE, colour=NIGHT_INK)
    room = (plate.x - edge) / max(1, len(players)) - edge / 2
    x = edge
    for seat, player in enumerate(players):
        x = _draw_player(gui, Box(x, edge, room, tall), seat, player).right + edge / 2


def _draw_player(gui: Gui, room: Box, seat: int, player: PlayerChip) -> Box:
    paint, size = gui.paint, gui.size[1] * _NAME
    wide = max(paint.measure(player.name, size, Face.TITLE)[0], paint.measure(player.kind, size * 0.5, Face.SEMI)[0])
    points = size * 1.3
    box = Box(room.x, room.y, min(room.w, room.h + wide + points + size * 0.4), room.h)
    paint.plate(box, NIGHT, radius=box.h / 2, border=GOLD if player.to_move else colour("#fff3df", 0.12), thickness=3 if player.to_move else 1)
    draw_seat(gui, box.x + box.h / 2, box.y + box.h / 2, box.h * 0.38, seat, player.name)
    text = Box(box.x + box.h, box.y, box.w - box.h - points, box.h)
    paint.words_in(player.name, Box(text.x, text.y + 0.08 * box.h, text.w, 0.5 * box.h), size, face=Face.TITLE, colour=NIGHT_INK, align=Align.LEFT)
    kind = Box(text.x, text.y + 0.56 * box.h, text.w, 0.3 * box.h)
    paint.words_in(player.kind, kind, size * 0.5, face=Face.SEMI, colour=colour("#fff3df", 0.7), align=Align.LEFT)
    paint.words_in(str(player.points), Box(text.right, box.y, points - size * 0.2, box.h), size * 1.1, face=Face.TITLE, colour=GOLD)
    return box
