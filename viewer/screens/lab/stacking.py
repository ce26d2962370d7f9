"""Stacking on the lab's table: pieces laid exactly where the pointer is, or by a hand that holds them."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING

from games.background import Failed
from meshes.errors import StakdError
from meshes.piece_set import PieceType
from physics.act import ActResult, Outcome
from viewer.gui.box import Column
from viewer.gui.gui import Gui
from viewer.gui.piece_icon import draw_piece
from viewer.items import Item
from viewer.screens.lab.hand import LabHand
from viewer.screens.lab.table import LabTable, Place
from viewer.screens.live_hand import FINE_TURN_DEG
from viewer.screens.placing import draw_landing
from viewer.screens.screen import Key, Pointer

if TYPE_CHECKING:
    from viewer.screens.lab.page import LabPage

MOST_PIECES = 60
FELL = (214, 69, 51)
_FREE, _TAKEN = (120, 210, 140), FELL
_GHOST = 99
_IN_A_ROW = 9
"""So many kinds of pieces stand in a row."""
_ROW_H = (52, 42, 34)
"""How high a row is if there are one, two or three; a set has 26 kinds at most."""


class Stacking:
    """Lays pieces of type `piece` on `table`. `by_hand`: a click takes a piece up, the next one lets go; else it lays the ghost exactly."""

    def __init__(self, page: LabPage, table: LabTable) -> None:
        self._page, self._table = page, table
        self.piece = page.piece_set.pieces[1].name
        self.by_hand = False
        self.hand = LabHand(table.tower, page.program.settings.animation_speed)
        self.words = ""
        """How the last act of the hand ended, or nothing."""
        self._fallen: ActResult | None = None
        self._place: Place | None = None
        self._turns = 0

    @property
    def busy(self) -> bool:
        """Whether something is held or on its way."""
        return self.hand.busy

    @property
    def fallen(self) -> bool:
        """Whether what the hand knocked over lies there still."""
        return self._fallen is not None

    @property
    def chosen(self) -> PieceType:
        """What is laid next."""
        return self._page.piece_set.by_name[self.piece]

    def choose(self, name: str) -> None:
        """Take another kind of piece."""
        self.put_back()
        self.piece, self._turns = name, 0

    def set_changed(self) -> None:
        """The set has other pieces now."""
        if self.piece not in self._page.piece_set.by_name:
            self.piece, self._turns = self._page.piece_set.pieces[1].name, 0
        self.rest()

    def go_by_hand(self, by_hand: bool) -> None:
        """Lay by hand from now on, or exactly."""
        self.put_back()
        self.by_hand = by_hand
        if by_hand:
            self._attempt(self.hand.start)

    def rest(self) -> None:
        """Have nothing in hand and the tower as it was laid."""
        self.hand.rest(self._table.tower)
        self._fallen, self._place, self.words = None, None, ""

    def put_back(self) -> None:
        """Put back what is held; what has fallen stays."""
        self._place = None
        if self.busy:
            self.rest()

    def items(self) -> list[Item]:
        """The tower, and the piece in hand: held, or as a ghost."""
        if self.busy or self._fallen is not None:
            knock = self._fallen and self._fallen.knock_over
            first = knock.first.piece if knock else None
            return [Item(piece, pose, k, highlight=FELL if k == first else None) for k, (piece, pose) in enumerate(self.hand.poses)]
        tower = self._table.tower
        items = [Item(tower.piece_type(k), laid.pose, k) for k, laid in enumerate(tower.laid)]
        if self._place is not None:
            items.append(Item(self.chosen, self._place.pose, _GHOST, highlight=_FREE if self._place.free else _TAKEN, ghost=True))
        return items

    def update(self, seconds: float) -> bool:
        """Time passes for the hand; whether something looks different."""
        heard = self.hand.update(seconds)
        for report in heard:
            if isinstance(report, ActResult):
                self._settle(report)
            elif isinstance(report, Failed):
                self.words = report.message
        return bool(heard)

    def _settle(self, result: ActResult) -> None:
        if result.outcome is Outcome.KNOCKED_OVER:
            self._fallen, self.words = result, f"{result.knock_over}."
            return
        self._table.put(result.tower)
        self.rest()
        if result.outcome is Outcome.TAKEN_BACK:
            where = "it did not come to lie flat on a layer" if result.offset_mm is None else f"it came to lie {result.offset_mm:.1f} mm off"
            self.words = f"Taken back: {where}."

    # --- pointer and keys

    def on_move(self, pointer: Pointer) -> None:
        """What is in hand follows."""
        if self.hand.holding:
            point = self._page.view.ground(pointer, self.hand.live.plane_mm)
            if point is not None:
                self.hand.live.move(point)
        elif not self.by_hand:
            self._aim(pointer)

    def _aim(self, pointer: Pointer) -> None:
        if self.fallen or self._table.motion is not None or len(self._table.tower.laid) >= MOST_PIECES:
            return
        hit = self._page.view.pick(pointer) if self._table.tower.laid else None
        point = hit.point if hit is not None else self._page.view.ground(pointer)
        covered = self._page.program.gui.covers(pointer.x, pointer.y)
        place = None if point is None or covered else self._table.place_at(self.chosen, float(point[0]), float(point[1]), self._turns)
        if place != self._place:
            self._place = place
            self._page.show()

    def on_click(self, pointer: Pointer) -> None:
        """Lay the ghost; by hand: let go, or take a piece up."""
        self.on_move(pointer)
        if self.hand.holding:
            self.hand.release()
        elif self.by_hand:
            self._take_up(pointer)
            self._page.show(fit=self._page.view.untouched)
        elif self._place is not None and self._place.free:
            self._table.lay(self._place)
            self.rest()
            self._page.show(fit=self._page.view.untouched)
        self._page.show()

    def _take_up(self, pointer: Pointer) -> None:
        point = self._page.view.ground(pointer)
        if self.busy or self.fallen or self._table.motion is not None or point is None or len(self._table.tower.laid) >= MOST_PIECES:
            return
        self.rest()
        self._attempt(lambda: self.hand.live.take(self.piece, point, self._turns * self._page.piece_set.lattice.turn_deg))

    def _attempt(self, deed: Callable[[], None]) -> None:
        """Begin something beside the window; say why if that can't be."""
        try:
            deed()
        except StakdError as error:
            self.words = str(error)

    def lower(self, down: bool) -> None:
        """Lower the piece in the hand, or no longer."""
        self.hand.live.lowering = down and self.hand.holding

    def on_scroll(self, pointer: Pointer) -> bool:
        """Turn the piece in the hand a little; whether there was one."""
        if self.hand.holding and not pointer.ctrl:
            self.hand.live.turn(FINE_TURN_DEG * pointer.dy)
            return True
        return False

    def on_key(self, key: Key) -> bool:
        """R turns what is in hand, Space lowers it, Escape puts it back."""
        if key.name == "r":
            self._turn(-1 if key.shift else 1)
        elif key.name == "space" and self.hand.holding:
            self.lower(True)
        elif key.name == "escape" and self.busy:
            self.rest()
            self._page.show()
        else:
            return False
        return True

    def _turn(self, steps: int) -> None:
        lattice = self._page.piece_set.lattice
        self._turns = (self._turns + steps) % lattice.turns
        self._place = None
        if self.hand.holding:
            self.hand.live.turn(steps * lattice.turn_deg)
        self._page.show()

    # --- items

    def draw(self, gui: Gui, column: Column) -> None:
        """The kinds of pieces, and how they are laid."""
        pieces = self._page.piece_set.pieces
        rows = math.ceil(len(pieces) / _IN_A_ROW)
        parts = chain.from_iterable(column.take(_ROW_H[rows - 1], 6).row(min(len(pieces), _IN_A_ROW), 6) for _ in range(rows))
        for piece, part in zip(pieces, parts, strict=False):  # the last row may not be full
            hint = f"{piece.name}: click on the table to {'take it up' if self.by_hand else 'lay it'}, R turns it"
            if gui.button(f"lab/piece/{piece.name}", part, "", chosen=piece.name == self.piece, hint=hint):
                self.choose(piece.name)
            draw_piece(gui.paint, self._page.piece_set, piece, part.inset(6, 6), largest=11)
        hints = ["A click lays the piece exactly.", "A click takes the piece up; you hold it until the next click."]
        by_hand = gui.choice("lab/way", column.take(30, 8), ["Laid exactly", "By hand"], int(self.by_hand), hints=hints) == 1
        if by_hand != self.by_hand:
            self.go_by_hand(by_hand)

    def draw_over(self, gui: Gui) -> None:
        """Where the held piece would come down."""
        if self.hand.holding:
            draw_landing(gui, self._page.view, *self.hand.live.below(None))
