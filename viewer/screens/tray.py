"""The tray at the foot of a table: the pieces of whoever is to move, to take up by click, drag or key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from meshes.piece_set import PieceSet
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.painter import Align
from viewer.gui.piece_icon import draw_piece
from viewer.gui.theme import GOLD, GOLD_SOFT, NIGHT_INK, Face, colour

TRAY_HEIGHT = 92.0
_SLOT = 96.0


class TrayUse(NamedTuple):
    """What was done with the tray: a piece (by name) was chosen by a click, or is being dragged out of it."""

    chosen: str | None = None
    dragged: str | None = None


def tray_width(piece_set: PieceSet) -> float:
    """How wide the tray of a set is."""
    return len(piece_set.pieces) * _SLOT + 16


def draw_tray(gui: Gui, box: Box, piece_set: PieceSet, left: Mapping[str, int], playable: Mapping[str, bool], chosen: str | None) -> TrayUse:
    """Draw the pieces in hand, each with its number of left ones and its key; those without a legal place are dim."""
    gui.dark_panel(box)
    use = TrayUse()
    for number, (piece, slot) in enumerate(zip(piece_set.pieces, box.inset(8, 6).row(len(piece_set.pieces), 6), strict=True)):
        count, can = left[piece.name], playable[piece.name]
        hint = "" if can else f"no {piece.name} left" if not count else f"no {piece.name} can be laid now; take it to see why"
        state = gui.area(f"tray/{piece.name}", slot, enabled=count > 0, hint=hint)
        if piece.name == chosen:
            gui.paint.plate(slot, (*GOLD_SOFT[:3], 0.28), radius=10, border=GOLD, thickness=2)
        elif state.hovered:
            gui.paint.plate(slot, colour("#fff3df", 0.12), radius=10, border=None)
        alpha = 1.0 if can else 0.4 if count else 0.16
        draw_piece(gui.paint, piece_set, piece, Box(slot.x + 6, slot.y + 4, slot.w - 12, slot.h - 26), alpha=alpha)
        with gui.faded(max(0.35, alpha)):
            gui.paint.words(piece.name, slot.x + 8, slot.bottom - 21, 12, face=Face.SEMI, colour=NIGHT_INK)
            gui.paint.words(f"×{count}", slot.right - 8, slot.bottom - 22, 13.5, face=Face.BOLD, colour=NIGHT_INK, align=Align.RIGHT)
            gui.paint.words(str(number + 1), slot.right - 5, slot.y - 1, 10.5, colour=(*NIGHT_INK[:3], 0.6), align=Align.RIGHT)
        if state.pressed:
            use = TrayUse(chosen=piece.name)
        elif state.held and not box.has(*gui.pointer):
            use = TrayUse(dragged=piece.name)
    return use
