"""What a person does with a piece at a table: take it, turn it, find its place, lay it; as a ghost or by the live Grip."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from games.play import Phase, Play
from meshes.errors import StakdError
from viewer.gui.gui import Gui
from viewer.screens.live_hand import FINE_TURN_DEG, LiveHand
from viewer.screens.placing import NO_LIGHTS, Ghost, Lights, draw_landing, legal_marks, light_up
from viewer.screens.placing_words import verdict_words
from viewer.screens.screen import Pointer
from viewer.screens.table_scene import TableScene
from viewer.screens.table_view import TableView
from viewer.settings import Placing

if TYPE_CHECKING:
    from physics.judge import Verdict
    from viewer.program import Program

_REST_S = 0.12
"""A ghost that has rested so long is judged."""


class TableHand:
    """Has a piece of `play` in hand: the `ghost`, or by the `live` Grip. `lights`: what the rules say against the ghost's place."""

    def __init__(self, program: Program, play: Play, view: TableView, ghost: Ghost, scene: TableScene) -> None:
        self.program, self.play, self.view, self.ghost, self._scene = program, play, view, ghost, scene
        self.live = LiveHand(play)
        self.lights: Lights = NO_LIGHTS
        self.pointer = Pointer(0, 0)
        self._dragging = False
        self._rested = 0.0

    @property
    def full(self) -> bool:
        """Whether anything is in hand."""
        return self.ghost.piece is not None or self.play.phase is Phase.HOLDING

    def update(self, seconds: float) -> None:
        """Time has passed: the held piece moves on, a ghost that rests is judged."""
        if self.play.phase is Phase.HOLDING:
            self.live.update(seconds)
        self._judge(seconds)

    def follow(self, pointer: Pointer) -> None:
        """The pointer has moved."""
        self.pointer = pointer
        if self.play.phase is Phase.HOLDING:
            point = self.view.ground(pointer, self.live.plane_mm)
            if point is not None:
                self.live.move(point)
        elif self.ghost.piece is not None and self.play.phase is Phase.PERSON and not self.program.gui.covers(pointer.x, pointer.y):
            self._aim()

    def scroll(self, pointer: Pointer) -> bool:
        """Turn what is in hand by the wheel; whether there was anything to turn."""
        if self.play.phase is Phase.HOLDING:
            self.live.turn(FINE_TURN_DEG * pointer.dy)
        elif self.ghost.piece is not None and pointer.dy:
            self.turn(1 if pointer.dy > 0 else -1)
        else:
            return False
        return True

    def draw(self, gui: Gui) -> None:
        """Marks on the table."""
        if self.play.phase is Phase.PERSON:
            if self.ghost.piece is not None and self.program.settings.show_legal:
                legal_marks(gui, self.view, self.play.match.state, self.ghost.piece, self.ghost.turns)
            self.ghost.draw(gui)
            self.lights.draw(gui, self.view)
        elif self.play.phase is Phase.HOLDING and self.play.moving is not None:
            if self.program.settings.show_legal:
                legal_marks(gui, self.view, self.play.match.state, self.play.moving, self.ghost.turns)
            draw_landing(gui, self.view, *self.live.below(self.play.legal(self.play.moving.name)))

    def end_drag(self, gui: Gui) -> None:
        """Once all is drawn: what was dragged out of the tray may have been let go. Over the table it is laid, over a panel it goes back."""
        if self._dragging and not gui.holding:
            self._dragging = False
            if gui.covers(self.pointer.x, self.pointer.y):
                self.put_back()
            else:
                self.click()

    @property
    def by_hand(self) -> bool:
        """Whether persons lay by the live Grip."""
        return self.program.settings.placing is Placing.HAND

    def choose(self, piece: str) -> None:
        """Take a piece of this type: as a ghost, or up by the Grip."""
        if self.play.phase is Phase.HOLDING:
            self.play.put_back()
        if self.play.phase is not Phase.PERSON or self.play.left[self.play.to_move].get(piece, 0) == 0:
            return
        if self.ghost.piece is not None and self.ghost.piece.name == piece and not self.by_hand:
            self.put_back()
            return
        self._scene.shown_act = None
        self.program.sounds.play("lift")
        self.ghost.take(piece)
        if self.by_hand:
            self._take_up(piece)
        else:
            self._aim()

    def _take_up(self, piece: str) -> None:
        at = self.view.ground(self.pointer) if self.view.free.has(self.pointer.x, self.pointer.y) else None
        turn = self.view.piece_set.lattice.turn_deg * self.ghost.turns
        self.ghost.drop()
        self._attempt(lambda: self.live.take(piece, at if at is not None else np.zeros(3), turn))

    def drag_out(self, piece: str) -> None:
        """A piece is dragged out of the tray: it is laid where the button goes up."""
        if not self._dragging and self.play.phase is Phase.PERSON:
            self._dragging = True
            if self.ghost.piece is None or self.ghost.piece.name != piece:
                self.choose(piece)

    def put_back(self) -> None:
        """Have nothing in hand."""
        self.ghost.drop()
        self.play.put_back()
        self.lights = NO_LIGHTS
        self.program.wake()

    def turn(self, steps: int) -> None:
        """Turn what is in hand by lattice turns."""
        if self.play.phase is Phase.HOLDING:
            self.live.turn(steps * self.view.piece_set.lattice.turn_deg)
        elif self.ghost.piece is not None:
            self.ghost.turn(steps)
            self._aimed()

    def next_place(self, step: int) -> None:
        """Without a pointer: the ghost goes to the next legal place, or the one before."""
        if self.play.phase is Phase.PERSON and self.ghost.piece is not None:
            self.ghost.cycle(step, self.play.match.state)
            self._aimed()
            self.program.wake()

    def click(self) -> None:
        """Lay the ghost, or let go of the piece in the hand."""
        if self.play.phase is Phase.HOLDING:
            self.play.release()
        elif self.play.phase is Phase.PERSON and self.ghost.placement is not None:
            if self.ghost.legal:
                placement = self.ghost.placement
                self.ghost.drop()
                self._attempt(lambda: self.play.lay(placement))
            else:
                self.program.sounds.play("no")

    def swap_mode(self) -> None:
        """From Board to Hand and back."""
        self.put_back()
        self.program.change(placing=Placing.BOARD if self.by_hand else Placing.HAND)

    @property
    def unasked(self) -> bool:
        """Whether the ghost is where it may be laid, but nobody has asked yet whether it would stand there."""
        return self.play.phase is Phase.PERSON and self.ghost.legal and self.ghost.placement != self.play.verdict_asked

    @property
    def unsafe(self) -> bool:
        """Whether statics finds the ghost's place wanting: it would fall, or nearly."""
        return self.verdict is not None and not verdict_words(self.verdict)[1]

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on where the ghost is now, if it is there."""
        found = self.play.verdict
        return found.verdict if found is not None and found.verdict.placement == self.ghost.placement else None

    def _judge(self, seconds: float) -> None:
        """Ask for the margin of a ghost that has come to rest, and for the tower's own where it is to be shown."""
        play = self.play
        if self.program.settings.show_margins and play.tower.laid and not play.tower_verdict_asked and play.phase in (Phase.PERSON, Phase.THINKING):
            play.ask_tower_verdict()
        self.ghost.unsafe = self.unsafe
        if not self.unasked:
            return
        self._rested += seconds
        if self._rested >= _REST_S and self.ghost.placement is not None:
            self._rested = 0.0
            play.ask_verdict(self.ghost.placement)

    def _attempt(self, deed: Callable[[], None]) -> None:
        try:
            deed()
        except StakdError as error:
            self.program.sounds.play("no")
            self.program.tell(str(error))

    def _aim(self) -> None:
        self.ghost.move(self.pointer, self.play.match.state, self.play.tower)
        self._aimed()

    def _aimed(self) -> None:
        """The ghost may be elsewhere: what it breaks lights up."""
        self._rested = 0.0
        broken, placement = self.ghost.violations, self.ghost.placement
        self.lights = light_up(broken, self.play.tower, layer=placement.layer if placement else 0) if broken else NO_LIGHTS
