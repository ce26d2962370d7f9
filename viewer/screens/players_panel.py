"""Parts of the panel at the right of a table: who plays and what they have left, and what was done so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from meshes.piece_set import PieceSet
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align
from viewer.gui.piece_icon import draw_piece
from viewer.gui.theme import FAINT_INK, GOLD, GOLD_SOFT, INK, PAPER, RED, SEATS, SOFT_INK, Colour, Face, colour

_CARD, _GAP = 66.0, 8.0
_LINE = 13.5


class PlayerLine(NamedTuple):
    """A player as the panel shows them. `out`: why they can't lay any more in this round, in words; None if they can."""

    name: str
    kind: str
    score: int
    left: Mapping[str, int]
    to_move: bool
    out: str | None


class LogLine(NamedTuple):
    """Something that was done: by whom (None: by the rules), in words, and the act it belongs to."""

    player: int | None
    words: str
    act: int


def players_height(count: int) -> float:
    """How high `draw_players` draws."""
    return count * (_CARD + _GAP) - _GAP


def draw_players(gui: Gui, box: Box, piece_set: PieceSet, players: Sequence[PlayerLine], *, points: int) -> None:
    """One card a player; `points` wins the match."""
    for seat, player in enumerate(players):
        card = Box(box.x, box.y + seat * (_CARD + _GAP), box.w, _CARD)
        gui.area(f"player/{seat}", card, hint=player.out or "", enabled=True)
        if player.to_move:
            gui.paint.plate(card, GOLD_SOFT, colour("#f7d596"), radius=11, border=GOLD, thickness=1.5, shadow=0.25)
        alpha = 0.5 if player.out else 1.0
        with gui.faded(alpha):
            draw_seat(gui, card.x + 30, card.y + _CARD / 2, 17, seat, player.name)
            room = card.w - 62 - 74
            gui.paint.words(gui.paint.cut(player.name, room, 15.5, Face.BOLD), card.x + 58, card.y + 8, 15.5, face=Face.BOLD)
            if len(players) > 1:
                _draw_score(gui, card, player.score, points)
            _draw_left(gui, Box(card.x + 56, card.y + 33, card.w - 62, 27), piece_set, player.left)
        note = "out" if player.out else player.kind
        gui.paint.words(
            note, card.right - 12, card.y + 11 if len(players) == 1 else card.y + 24, 11.5, colour=RED if player.out else FAINT_INK, align=Align.RIGHT
        )


def draw_seat(gui: Gui, x: float, y: float, radius: float, seat: int, name: str) -> None:
    """A player's disc: the seat's colour and the first letter of the name."""
    paint = gui.paint
    paint.shadow(Box(x - radius, y - radius, 2 * radius, 2 * radius), 0.35)
    paint.disc(x, y, radius, SEATS[seat % len(SEATS)])
    paint.circle(x, y, radius, (1.0, 1.0, 1.0, 0.35), 1.5)
    paint.words(name[:1].upper(), x, y - radius * 0.72, radius * 1.15, face=Face.TITLE, colour=(1.0, 1.0, 1.0, 1.0), align=Align.CENTRE)


def _draw_score(gui: Gui, card: Box, score: int, points: int) -> None:
    if score < 0:
        gui.paint.words(f"−{-score}", card.right - 12, card.y + 6, 15, face=Face.BOLD, colour=RED, align=Align.RIGHT)
        return
    for point in range(points):
        x = card.right - 16 - 17 * (points - 1 - point)
        if point < score:
            gui.paint.disc(x, card.y + 16, 6.5, colour("#d9663d"))
            gui.paint.tick(x, card.y + 16, 6.5, (1.0, 1.0, 1.0, 1.0))
        else:
            gui.paint.disc(x, card.y + 16, 6.5, colour("#4a2b1a", 0.13))


def _draw_left(gui: Gui, box: Box, piece_set: PieceSet, left: Mapping[str, int]) -> None:
    pieces = [piece for piece in piece_set.pieces if piece.name in left]
    for piece, part in zip(pieces, box.row(max(1, len(pieces)), 2), strict=False):
        some = left[piece.name] > 0
        draw_piece(gui.paint, piece_set, piece, Box(part.x, part.y, part.w * 0.56, part.h), largest=5.5, alpha=1.0 if some else 0.25)
        ink: Colour = INK if some else FAINT_INK
        gui.paint.words_in(
            str(left[piece.name]), Box(part.x + part.w * 0.58, part.y, part.w * 0.4, part.h), 13, face=Face.SEMI, colour=ink, align=Align.LEFT
        )


def draw_log(gui: Gui, box: Box, lines: Sequence[LogLine], names: Sequence[str], *, chosen: int | None) -> int | None:
    """What was done, newest last and in view; gives the act of a line that was pressed."""
    pressed = None
    with gui.scrolled("log", box, to_end=chosen is None) as inner:
        y = inner.y
        for number, line in enumerate(lines):
            height = gui.paint.measure(line.words, _LINE, Face.BODY, inner.w - 34)[1]
            row = Box(inner.x, y, inner.w, height + 10)
            y = row.bottom
            if row.bottom < box.y - 40 or row.y > box.bottom + 40:
                continue
            state = gui.area(f"log/{number}", row, radius=7)
            if state.hovered or line.act == chosen:
                gui.paint.plate(row, PAPER, radius=7, border=GOLD if line.act == chosen else None)
            if line.player is not None:
                gui.paint.disc(row.x + 13, row.y + 14, 7, SEATS[line.player % len(SEATS)])
                gui.paint.words(
                    names[line.player][:1].upper(), row.x + 13, row.y + 8.5, 8.5, face=Face.TITLE, colour=(1, 1, 1, 1), align=Align.CENTRE
                )
            ink = INK if line.player is not None else SOFT_INK
            gui.paint.words(line.words, row.x + 28, row.y + 5, _LINE, colour=ink, wrap=inner.w - 34)
            if state.pressed:
                pressed = line.act
        gui.fill(y)
    return pressed
