"""What the stage shows of a table: the tower, the rack, what is moving, and an act that is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from games.acts import ActKind
from games.play import Phase, Play
from viewer.fitting import pictured_items
from viewer.item_buffer import placed_corners
from viewer.items import Colour, Item
from viewer.rack import rack_items
from viewer.screens.fall_replay import FallReplay
from viewer.screens.placing import Ghost
from viewer.screens.screen import Pointer
from viewer.screens.table_view import TableView

if TYPE_CHECKING:
    from viewer.program import Program

_CHOSEN: Colour = (250, 190, 70)


class TableScene:
    """Gives `view` what is on the table of `play`. `shown_act`: the act chosen in the log, whose piece glows."""

    def __init__(self, program: Program, play: Play, view: TableView, ghost: Ghost) -> None:
        self._program, self._play, self._view, self._ghost = program, play, view, ghost
        self.shown_act: int | None = None
        self._rack: tuple[object, list[Item]] = (None, [])
        self._seen: tuple[object, ...] = ()

    def forget(self) -> None:
        """The stage shows something else: it must be given everything again."""
        self._seen = ()

    def show(self, lights: Mapping[int, Colour], fall: FallReplay | None) -> None:
        """Give the stage what has changed. `lights`: laid pieces that glow, by index; `fall`: what is shown again instead."""
        play = self._play
        if fall is not None:
            if self._seen != (fall.playback.position,):
                self._seen = (fall.playback.position,)
                self._view.show(fall.items(), lit=fall.lit)
            return
        poses = play.poses
        ghost = self._ghost.item() if play.phase is Phase.PERSON else None
        glows = dict(lights)
        chosen = self._shown_index()
        if chosen is not None:
            glows[chosen] = _CHOSEN
        seen = (tuple(pose for _, pose in poses), ghost, tuple(glows.items()), self._rack_key())
        if seen == self._seen:
            return
        self._seen = seen
        items = [Item(piece, pose, i, glows.get(i)) for i, (piece, pose) in enumerate(poses)]
        lit = placed_corners(self._view.piece_set, pictured_items(play.tower)) if play.tower.laid else None
        self._view.show([*items, *self.rack_items(), *([ghost] if ghost else [])], lit=lit)

    def _rack_key(self) -> object:
        moving = self._play.moving.name if self._play.moving else self._ghost.piece.name if self._ghost.piece else None
        return len(self._play.match.acts), self._play.to_move, moving, self._play.match.over

    def rack_items(self) -> list[Item]:
        """The pieces of whoever is to move, in front of the tower."""
        key = self._rack_key()
        if self._rack[0] != key:
            left = dict(self._play.left[self._play.to_move])
            held = self._play.moving or self._ghost.piece
            if held is not None and left.get(held.name, 0) > 0:
                left[held.name] -= 1
            self._rack = key, [] if self._play.match.over else rack_items(self._play.match.tower, [left])
        return self._rack[1]

    def _shown_index(self) -> int | None:
        """The laid piece of the act chosen in the log, if it still lies there."""
        if self.shown_act is None or self.shown_act > len(self._play.match.acts):
            return None
        placement = self._play.match.act(self.shown_act).placement
        return next((i for i, laid in enumerate(self._play.tower.laid) if laid.placement == placement), None)

    def show_act(self, number: int | None) -> None:
        """Light up what an act laid and look at it."""
        self.shown_act = None if number == self.shown_act else number
        index = self._shown_index()
        if index is not None:
            laid = self._play.tower.laid[index]
            self._view.look_at(placed_corners(self._view.piece_set, [Item(self._play.tower.piece_type(index), laid.pose, 0)]))
        elif self.shown_act is not None:
            self._program.tell("That piece is no longer on the table; the replay shows it.")

    def look_at_last(self) -> None:
        """Fly to what was laid last."""
        laid = [act.number for act in self._play.match.acts if act.kind is ActKind.PLACED and act.round == self._play.match.state.round]
        if laid:
            self.shown_act = None
            self.show_act(laid[-1])

    def follow_tower(self) -> None:
        """Keep the tower whole in the picture; a camera that somebody has moved only follows when it must."""
        tower = self._play.tower
        if not tower.laid:
            return
        seen = self._view.project(placed_corners(tower.piece_set, pictured_items(tower)))
        free = self._view.free
        inside = (seen[:, 0] > free.x) & (seen[:, 0] < free.right) & (seen[:, 1] > free.y) & (seen[:, 1] < free.bottom)
        if self._view.untouched or not inside.all():
            self._view.fly_fitted(tower)

    def act_at(self, pointer: Pointer) -> int | None:
        """The act that laid the piece under the pointer."""
        hit = self._view.pick(pointer)
        if hit is None or hit.index >= len(self._play.tower.laid):
            return None
        placement = self._play.tower.laid[hit.index].placement
        laid = (act.number for act in reversed(self._play.match.acts) if act.placement == placement and act.kind is ActKind.PLACED)
        return next(laid, None)

    def rack_piece_at(self, pointer: Pointer) -> str | None:
        """The piece of the rack under the pointer, by name."""
        hit, rack = self._view.pick(pointer), self.rack_items()
        index = hit.index - len(self._play.poses) if hit is not None else -1
        return rack[index].piece.name if 0 <= index < len(rack) else None
