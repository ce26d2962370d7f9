"""The table: a match of STAKD being played, by persons at this screen and bots."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from games.acts import ActKind
from games.background import Background
from games.match import Match, MatchSetup
from games.play import Phase, Play
from meshes.errors import StakdError
from physics.pose import as_array
from viewer.gui.gui import Gui
from viewer.impacts import Impacts
from viewer.saves import new_save_path
from viewer.screens.placing import Ghost
from viewer.screens.press import Press
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.table_hand import TableHand
from viewer.screens.table_keys import table_key
from viewer.screens.table_panels import TablePanels
from viewer.screens.table_scene import TableScene
from viewer.screens.table_view import TableView

if TYPE_CHECKING:
    from physics.judge import Verdict
    from viewer.program import Program

BOT_PAUSE_S = 0.5
"""Bots begin so long after the act before, so that eyes can follow."""


class TablePage(Screen):
    """A match at one screen. Autosaved after every act."""

    def __init__(self, program: Program, setup: MatchSetup, *, match: Match | None = None, path: Path | None = None) -> None:
        super().__init__(program)
        self._background = Background(pace=program.settings.animation_speed)
        pause_s = BOT_PAUSE_S / program.settings.animation_speed
        self.play = Play(match or Match(setup), self._background, path=path or _save_path(program), pause_s=pause_s)
        piece_set = setup.piece_set
        self.view = TableView(program, piece_set)
        self.ghost = Ghost(self.view, piece_set)
        self.scene = TableScene(program, self.play, self.view, self.ghost)
        self.grasp = TableHand(program, self.play, self.view, self.ghost, self.scene)
        self.hand = self.grasp.live
        self.panels = TablePanels(self)
        self._press = Press()
        self._impacts: Impacts | None = None
        self._fitted_to: tuple[tuple[int, int], float] | None = None

    @classmethod
    def resume(cls, program: Program, path: Path) -> TablePage:
        """Go on with a saved match. Raises `StakdError` if it can't be read."""
        from games.record import load_record

        match = load_record(path)
        return cls(program, match.setup, match=match, path=path)

    @classmethod
    def continue_from(cls, program: Program, match: Match, act_number: int) -> TablePage:
        """A new match that begins as `match` did, up to and with an act."""
        copy = Match(match.setup)
        for act in match.acts[:act_number]:
            copy.restore(act)
        return cls(program, match.setup, match=copy)

    # --- what goes on

    @property
    def busy(self) -> bool:
        """While the background works, or the ghost rests and is about to be judged."""
        play = self.play
        bots = play.phase is Phase.THINKING and not play.paused
        moving = bots or play.phase in (Phase.HOLDING, Phase.LAYING, Phase.SLIPPED)
        return moving or self._background.busy or self.grasp.unasked or play.weighing or self.panels.busy

    def enter(self) -> None:
        """The stage may have shown another page."""
        self._background.start()
        self.scene.forget()

    def leave(self) -> None:
        """Nothing is held any longer."""
        self.view.leave()
        self.play.put_back()

    def close(self) -> None:
        """Save and end the background."""
        self.panels.close()
        self.play.close()
        self._pass_messages()
        self._background.close()

    def update(self, seconds: float) -> bool:
        """Hear the background, move camera and hand on."""
        before, acts = self.play.phase, len(self.play.match.acts)
        changed = self.play.update()
        self.grasp.update(seconds)
        changed |= self.panels.update(seconds)
        moved = self.view.update(seconds)
        if changed:
            self._hear()
        if self.play.phase is not before or len(self.play.match.acts) != acts:
            self._act_done(acts)
        self._pass_messages()
        return changed or moved

    def _pass_messages(self) -> None:
        """What the match has to tell is shown."""
        for message in self.play.messages:
            self.program.tell(message)
        self.play.messages.clear()

    def _act_done(self, acts: int) -> None:
        """Something came to an end: sounds, the camera, the ghost."""
        play, sounds = self.play, self.program.sounds
        self._impacts = None
        if len(play.match.acts) > acts and play.last_act is not None:
            act = play.last_act
            if act.kind is ActKind.PLACED:
                sounds.clack(len(act.placement.cells) if act.placement else 1, 110.0)
            elif act.kind is ActKind.KNOCKED_OVER:
                sounds.play("lose")
            self.ghost.drop()
            self._tell_out(acts)
            self.scene.follow_tower()
        if play.phase in (Phase.ROUND_OVER, Phase.OVER) and play.account is None:
            sounds.play("win")
        self.panels.phase_changed()

    def _tell_out(self, acts: int) -> None:
        """Persons hear at once why they are out; a round that is over tells it in its summary."""
        seats = self.play.match.setup.seats
        events = [event for act in self.play.match.acts[acts:] for event in act.events]
        if any(event["type"] == "round_over" for event in events):
            return
        for event in events:
            if event["type"] == "out" and seats[event["player"]].bot is None:
                self.program.tell(self.play.why_out(event["player"]) or "")

    def _hear(self) -> None:
        """Pieces land."""
        poses = self.play.poses
        if self.play.phase not in (Phase.LAYING, Phase.SLIPPED) or len(poses) == len(self.play.tower.laid):
            return
        if self._impacts is None:
            self._impacts = Impacts(self.view.piece_set, [piece.name for piece, _ in poses])
        self.program.sounds.land(self._impacts.update(np.array([as_array(pose) for _, pose in poses]), self.play.act_seconds))

    # --- what is seen

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The tower, the rack, the ghost."""
        self.scene.show(self.grasp.lights.pieces, self.panels.fall)
        if self._fitted_to != (size, self.program.scale) and (self._fitted_to is None or self.view.untouched):
            self.view.fly_home(self.play.tower, 0.0)
        self._fitted_to = size, self.program.scale
        return self.view.backdrop(size, now)

    def draw(self, gui: Gui) -> None:
        """Marks on the table, then the panels."""
        self.grasp.draw(gui)
        self.panels.draw(gui)
        self.grasp.end_drag(gui)

    # --- what persons do

    def choose(self, piece: str) -> None:
        """Take a piece of this type."""
        self.grasp.choose(piece)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on where the ghost is now, if it is there."""
        return self.grasp.verdict

    def undo(self) -> None:
        """Take back the last piece; several persons are asked first."""
        if not self.play.can_undo:
            return
        must_agree = self.play.undo()
        if must_agree:
            self.panels.questions.ask_undo(must_agree)
        else:
            self.ghost.drop()
            self.program.sounds.play("slide")

    # --- events

    def on_move(self, pointer: Pointer) -> None:
        """The ghost or the hand follows."""
        self.grasp.follow(pointer)

    def on_press(self, pointer: Pointer) -> None:
        """A click begins, or a drag of the camera; a right button lowers the piece in the hand, or puts the ghost back."""
        self._press.begin(pointer)
        self.grasp.pointer = pointer
        if pointer.button == "right" and self.play.phase is Phase.HOLDING:
            self.hand.lowering = True

    def on_drag(self, pointer: Pointer) -> None:
        """Turn or move the camera."""
        if not self.hand.lowering and self._press.drags(pointer):
            self.view.drag(pointer)

    def on_release(self, pointer: Pointer) -> None:
        """If the pointer stayed where it was, it was a click."""
        self.grasp.pointer = pointer
        lowering, self.hand.lowering = self.hand.lowering, False
        if not self._press.end() or lowering:
            return
        if pointer.button == "right":
            self.grasp.put_back()
        elif pointer.button == "left":
            self._clicked(pointer)

    def _clicked(self, pointer: Pointer) -> None:
        on_rack = self.scene.rack_piece_at(pointer)
        if on_rack is not None:
            self.choose(on_rack)
        elif self.grasp.full:
            self.grasp.click()
        else:
            act = self.scene.act_at(pointer)
            if act is None:
                self.scene.shown_act = None
            else:
                self.scene.show_act(act)

    def on_scroll(self, pointer: Pointer) -> None:
        """Turn what is in hand; else, or with Ctrl, zoom."""
        if pointer.ctrl or not self.grasp.scroll(pointer):
            self.view.scroll(pointer)

    def on_key(self, key: Key) -> bool:
        """What is asked comes first."""
        return self.panels.on_key(key) or table_key(self, key)

    def on_key_up(self, key: Key) -> None:
        """Lowering ends, steering ends."""
        if key.name == "space":
            self.hand.lowering = False
        self.view.key(key, False)

    def on_blur(self) -> None:
        """No key is held any longer."""
        self.hand.lowering = False
        self.view.orbit.release_all()

    def go_on(self) -> None:
        """Leave the account of a fall or the end of a round."""
        self.play.go_on()
        self.program.wake()

    def let_bots_go_on(self) -> None:
        """After failures: try again."""
        self.play.paused = False
        self.program.wake()


def _save_path(program: Program) -> Path | None:
    try:
        return new_save_path(datetime.now())
    except StakdError as error:
        program.tell(f"This match is not saved: {error}")
        return None
