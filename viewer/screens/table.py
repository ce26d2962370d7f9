"""The table: a match of STAKD being played, by persons at this screen and bots."""

from __future__ import annotations

from collections.abc import Callable
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
from viewer.fitting import pictured_items
from viewer.gui.gui import Gui
from viewer.impacts import Impacts
from viewer.item_buffer import placed_corners
from viewer.items import Colour, Item
from viewer.rack import rack_items
from viewer.saves import new_save_path
from viewer.screens.live_hand import FINE_TURN_DEG, LiveHand
from viewer.screens.placing import NO_LIGHTS, Ghost, Lights, draw_landing, legal_marks, light_up
from viewer.screens.placing_words import verdict_words
from viewer.screens.rules import RulesPage
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.table_panels import TablePanels
from viewer.screens.table_view import TableView
from viewer.settings import Placing

if TYPE_CHECKING:
    from physics.judge import Verdict
    from viewer.program import Program

BOT_PAUSE_S = 0.5
"""Bots begin so long after the act before, so that eyes can follow."""
_CLICK = 6.0
"""A press that moves less than this many units is a click, not a drag of the camera."""
_REST_S = 0.12
"""A ghost that has rested so long is judged."""
_CHOSEN: Colour = (250, 190, 70)


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
        self.hand = LiveHand(self.play)
        self.panels = TablePanels(self)
        self.shown_act: int | None = None
        self._pressed: Pointer | None = None
        self._pointer = Pointer(0, 0)
        self._dragging = False
        self._lights: Lights = NO_LIGHTS
        self._rested = 0.0
        self._impacts: Impacts | None = None
        self._rack: tuple[object, list[Item]] = (None, [])
        self._seen: tuple[object, ...] = ()
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
        return moving or self._background.busy or self._unasked or play.weighing or self.panels.busy

    def enter(self) -> None:
        """The stage may have shown another page."""
        self._background.start()
        self._seen = ()

    def leave(self) -> None:
        """Nothing is held any longer."""
        self.view.leave()
        self.play.put_back()

    def close(self) -> None:
        """Save and end the background."""
        self.panels.close()
        self.play.close()
        self._background.close()

    def update(self, seconds: float) -> bool:
        """Hear the background, move camera and hand on."""
        before, acts = self.play.phase, len(self.play.match.acts)
        changed = self.play.update()
        if self.play.phase is Phase.HOLDING:
            self.hand.update(seconds)
        self._judge(seconds)
        changed |= self.panels.update(seconds)
        moved = self.view.update(seconds)
        if changed:
            self._hear()
        if self.play.phase is not before or len(self.play.match.acts) != acts:
            self._act_done(acts)
        for message in self.play.messages:
            self.program.tell(message)
        self.play.messages.clear()
        return changed or moved

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
            self._follow_tower()
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

    def _follow_tower(self) -> None:
        """Keep the tower whole in the picture; a camera that somebody has moved only follows when it must."""
        tower = self.play.tower
        if not tower.laid:
            return
        seen = self.view.project(placed_corners(tower.piece_set, pictured_items(tower)))
        free = self.view.free
        inside = (seen[:, 0] > free.x) & (seen[:, 0] < free.right) & (seen[:, 1] > free.y) & (seen[:, 1] < free.bottom)
        if self.view.untouched or not inside.all():
            self.view.fly_fitted(tower)

    def _hear(self) -> None:
        """Pieces land."""
        poses = self.play.poses
        if self.play.phase not in (Phase.LAYING, Phase.SLIPPED) or len(poses) == len(self.play.tower.laid):
            return
        if self._impacts is None:
            self._impacts = Impacts(self.view.piece_set, [piece.name for piece, _ in poses])
        self.program.sounds.land(self._impacts.update(np.array([as_array(pose) for _, pose in poses]), self.play.act_seconds))

    def _judge(self, seconds: float) -> None:
        """Ask for the margin of a ghost that has come to rest, and for the tower's own where it is to be shown."""
        play = self.play
        if self.program.settings.show_margins and play.tower.laid and not play.tower_verdict_asked and play.phase in (Phase.PERSON, Phase.THINKING):
            play.ask_tower_verdict()
        self.ghost.unsafe = self.unsafe
        if not self._unasked:
            return
        self._rested += seconds
        if self._rested >= _REST_S and self.ghost.placement is not None:
            self._rested = 0.0
            play.ask_verdict(self.ghost.placement)

    @property
    def _unasked(self) -> bool:
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

    # --- what is seen

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The tower, the rack, the ghost."""
        self._show()
        if self._fitted_to != (size, self.program.scale) and (self._fitted_to is None or self.view.untouched):
            self.view.fly_home(self.play.tower, 0.0)
        self._fitted_to = size, self.program.scale
        return self.view.backdrop(size, now)

    def _show(self) -> None:
        """Give the stage what has changed."""
        play = self.play
        if self.panels.fall is not None:
            if self._seen != (self.panels.fall.playback.position,):
                self._seen = (self.panels.fall.playback.position,)
                self.view.show(self.panels.fall.items(), lit=self.panels.fall.lit)
            return
        poses = play.poses
        ghost = self.ghost.item() if play.phase is Phase.PERSON else None
        lights = dict(self._lights.pieces)
        chosen = self._shown_index()
        if chosen is not None:
            lights[chosen] = _CHOSEN
        seen = (tuple(pose for _, pose in poses), ghost, tuple(lights.items()), self._rack_key())
        if seen == self._seen:
            return
        self._seen = seen
        items = [Item(piece, pose, i, lights.get(i)) for i, (piece, pose) in enumerate(poses)]
        lit = placed_corners(self.view.piece_set, pictured_items(play.tower)) if play.tower.laid else None
        self.view.show([*items, *self._rack_items(), *([ghost] if ghost else [])], lit=lit)

    def _rack_key(self) -> object:
        moving = self.play.moving.name if self.play.moving else self.ghost.piece.name if self.ghost.piece else None
        return len(self.play.match.acts), self.play.to_move, moving, self.play.match.over

    def _rack_items(self) -> list[Item]:
        """The pieces of whoever is to move, in front of the tower."""
        key = self._rack_key()
        if self._rack[0] != key:
            left = dict(self.play.left[self.play.to_move])
            held = self.play.moving or self.ghost.piece
            if held is not None and left.get(held.name, 0) > 0:
                left[held.name] -= 1
            self._rack = key, [] if self.play.match.over else rack_items(self.play.match.tower, [left])
        return self._rack[1]

    def _shown_index(self) -> int | None:
        """The laid piece of the act chosen in the log, if it still lies there."""
        if self.shown_act is None or self.shown_act > len(self.play.match.acts):
            return None
        placement = self.play.match.act(self.shown_act).placement
        return next((i for i, laid in enumerate(self.play.tower.laid) if laid.placement == placement), None)

    def draw(self, gui: Gui) -> None:
        """Marks on the table, then the panels."""
        if self.play.phase is Phase.PERSON:
            if self.ghost.piece is not None and self.program.settings.show_legal:
                legal_marks(gui, self.view, self.play.match.state, self.ghost.piece, self.ghost.turns)
            self.ghost.draw(gui)
            self._lights.draw(gui, self.view)
        elif self.play.phase is Phase.HOLDING and self.play.moving is not None:
            if self.program.settings.show_legal:
                legal_marks(gui, self.view, self.play.match.state, self.play.moving, self.ghost.turns)
            draw_landing(gui, self.view, *self.hand.below())
        self.panels.draw(gui)
        if self._dragging and not gui.holding:
            self._dragging = False
            self._dropped(gui)

    def show_act(self, number: int | None) -> None:
        """Light up what an act laid and look at it."""
        self.shown_act = None if number == self.shown_act else number
        index = self._shown_index()
        if index is not None:
            laid = self.play.tower.laid[index]
            self.view.look_at(placed_corners(self.view.piece_set, [Item(self.play.tower.piece_type(index), laid.pose, 0)]))
        elif self.shown_act is not None:
            self.program.tell("That piece is no longer on the table; the replay shows it.")

    # --- what persons do

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
        self.shown_act = None
        self.program.sounds.play("lift")
        self.ghost.take(piece)
        if self.by_hand:
            self._take_up(piece)
        else:
            self._aim()

    def _take_up(self, piece: str) -> None:
        at = self.view.ground(self._pointer) if self.view.free.has(self._pointer.x, self._pointer.y) else None
        turn = self.view.piece_set.lattice.turn_deg * self.ghost.turns
        self.ghost.drop()
        self._attempt(lambda: self.hand.take(piece, at if at is not None else np.zeros(3), turn))

    def drag_out(self, piece: str) -> None:
        """A piece is dragged out of the tray: it is laid where the button goes up."""
        if not self._dragging and self.play.phase is Phase.PERSON:
            self._dragging = True
            if self.ghost.piece is None or self.ghost.piece.name != piece:
                self.choose(piece)

    def _dropped(self, gui: Gui) -> None:
        """What was dragged out of the tray is let go: over the table it is laid, over the tray or a panel it goes back."""
        if gui.covers(self._pointer.x, self._pointer.y):
            self.put_back()
        else:
            self.click()

    def put_back(self) -> None:
        """Have nothing in hand."""
        self.ghost.drop()
        self.play.put_back()
        self._lights = NO_LIGHTS
        self.program.wake()

    def turn(self, steps: int) -> None:
        """Turn what is in hand by lattice turns."""
        if self.play.phase is Phase.HOLDING:
            self.hand.turn(steps * self.view.piece_set.lattice.turn_deg)
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

    def undo(self) -> None:
        """Take back the last piece; several persons are asked first."""
        if not self.play.can_undo:
            return
        must_agree = self.play.undo()
        if must_agree:
            self.panels.ask_undo(must_agree)
        else:
            self.ghost.drop()
            self.program.sounds.play("slide")

    def _attempt(self, deed: Callable[[], None]) -> None:
        try:
            deed()
        except StakdError as error:
            self.program.sounds.play("no")
            self.program.tell(str(error))

    def _aim(self) -> None:
        self.ghost.move(self._pointer, self.play.match.state, self.play.tower)
        self._aimed()

    def _aimed(self) -> None:
        """The ghost may be elsewhere: what it breaks lights up."""
        self._rested = 0.0
        broken, placement = self.ghost.violations, self.ghost.placement
        self._lights = light_up(broken, self.play.tower, layer=placement.layer if placement else 0) if broken else NO_LIGHTS

    # --- events

    def on_move(self, pointer: Pointer) -> None:
        """The ghost or the hand follows."""
        self._pointer = pointer
        if self.play.phase is Phase.HOLDING:
            point = self.view.ground(pointer, self.hand.plane_mm)
            if point is not None:
                self.hand.move(point)
        elif self.ghost.piece is not None and self.play.phase is Phase.PERSON and not self.program.gui.covers(pointer.x, pointer.y):
            self._aim()

    def on_press(self, pointer: Pointer) -> None:
        """A click begins, or a drag of the camera; a right button lowers the piece in the hand, or puts the ghost back."""
        self._pressed = self._pointer = pointer
        if pointer.button == "right" and self.play.phase is Phase.HOLDING:
            self.hand.lowering = True

    def on_drag(self, pointer: Pointer) -> None:
        """Turn or move the camera."""
        pressed = self._pressed
        if pressed is None or self.hand.lowering:
            return
        if max(abs(pointer.x - pressed.x), abs(pointer.y - pressed.y)) >= _CLICK or pressed.dx:
            self._pressed = pressed._replace(dx=1.0)
            self.view.drag(pointer)

    def on_release(self, pointer: Pointer) -> None:
        """If the pointer stayed where it was, it was a click."""
        pressed, self._pressed = self._pressed, None
        self._pointer = pointer
        lowering, self.hand.lowering = self.hand.lowering, False
        if pressed is None or pressed.dx or lowering:
            return
        if pointer.button == "right":
            self.put_back()
        elif pointer.button == "left":
            self._clicked(pointer)

    def _clicked(self, pointer: Pointer) -> None:
        hit = self.view.pick(pointer)
        rack = self._rack_items()
        index = hit.index - len(self.play.poses) if hit is not None else -1
        if 0 <= index < len(rack):
            self.choose(rack[index].piece.name)
        elif self.ghost.piece is not None or self.play.phase is Phase.HOLDING:
            self.click()
        elif hit is not None and hit.index < len(self.play.tower.laid):
            placement = self.play.tower.laid[hit.index].placement
            acts = self.play.match.acts
            self.show_act(next((act.number for act in reversed(acts) if act.placement == placement and act.kind is ActKind.PLACED), None))
        else:
            self.shown_act = None

    def on_scroll(self, pointer: Pointer) -> None:
        """Turn what is in hand; else, or with Ctrl, zoom."""
        if self.play.phase is Phase.HOLDING and not pointer.ctrl:
            self.hand.turn(FINE_TURN_DEG * pointer.dy)
        elif self.ghost.piece is not None and not pointer.ctrl and pointer.dy:
            self.turn(1 if pointer.dy > 0 else -1)
        else:
            self.view.scroll(pointer)

    def on_key(self, key: Key) -> bool:
        """Pieces by number, Q and E turn, N goes from one legal place to the next, Space and Enter lay, and views."""
        if self.panels.on_key(key):
            return True
        deed = self._deeds().get("ctrl+" + key.name if key.ctrl else key.name)
        if deed is not None:
            deed()
            self.program.wake()
            return True
        if key.name == "n":
            self.next_place(-1 if key.shift else 1)
            return True
        pieces = self.view.piece_set.pieces
        if key.name.isdigit() and 1 <= int(key.name) <= len(pieces):
            self.choose(pieces[int(key.name) - 1].name)
            return True
        return self.view.key(key, True)

    def on_key_up(self, key: Key) -> None:
        """Lowering ends, steering ends."""
        if key.name == "space":
            self.hand.lowering = False
        self.view.key(key, False)

    def on_blur(self) -> None:
        """No key is held any longer."""
        self.hand.lowering = False
        self.view.orbit.release_all()

    def _deeds(self) -> dict[str, Callable[[], None]]:
        tower = self.play.tower
        change = self.program.change
        settings = self.program.settings
        return {
            "q": lambda: self.turn(1),
            "e": lambda: self.turn(-1),
            "space": self._space,
            "enter": self._enter,
            "escape": self._escape,
            "ctrl+z": self.undo,
            "backspace": self.undo,
            "l": lambda: change(show_legal=not settings.show_legal),
            "h": self.swap_mode,
            "t": lambda: self.view.fly_top(tower),
            "f": lambda: self.view.fly_front(tower),
            "home": lambda: self.view.fly_home(tower),
            "v": self.look_at_last,
            "f1": lambda: self.program.open(RulesPage(self.program, self.view.piece_set)),
        }

    def _space(self) -> None:
        if self.play.phase is Phase.HOLDING:
            self.hand.lowering = True
        else:
            self._enter()

    def _enter(self) -> None:
        if self.play.phase is Phase.ROUND_OVER:
            self.panels.go_on()
        else:
            self.click()

    def let_bots_go_on(self) -> None:
        """After failures: try again."""
        self.play.paused = False
        self.program.wake()

    def _escape(self) -> None:
        if self.ghost.piece is not None or self.play.phase is Phase.HOLDING:
            self.put_back()
        else:
            self.panels.open_menu()

    def swap_mode(self) -> None:
        """From Board to Hand and back."""
        self.put_back()
        self.program.change(placing=Placing.BOARD if self.by_hand else Placing.HAND)

    def look_at_last(self) -> None:
        """Fly to what was laid last."""
        laid = [act.number for act in self.play.match.acts if act.kind is ActKind.PLACED and act.round == self.play.match.state.round]
        if laid:
            self.shown_act = None
            self.show_act(laid[-1])


def _save_path(program: Program) -> Path | None:
    try:
        return new_save_path(datetime.now())
    except StakdError as error:
        program.tell(f"This match is not saved: {error}")
        return None
