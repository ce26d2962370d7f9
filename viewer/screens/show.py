"""The demo: bots play, the camera moves by itself, towers fall and are seen to fall again, for ever; no hands are needed."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

import moderngl
import numpy as np

from games.acts import ActKind
from games.background import Background, Failed, Poses, PushDone
from games.moving_table import MovingTable
from games.play import Phase, Play
from physics.tower import Tower
from viewer.camera import Array
from viewer.casting import ROUNDS, Casting
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.items import Item, tower_items
from viewer.match_draft import Level
from viewer.playback import MatchPlayback, tower_of
from viewer.pushing import push_for
from viewer.screens.screen import Key, Pointer, Screen
from viewer.screens.show_fall import Fall, height_mm
from viewer.screens.show_panels import Caption, PlayerChip, caption_height, draw_caption, draw_header, header_height
from viewer.screens.show_scene import VIEWS, ShowScene

if TYPE_CHECKING:
    from games.match import Seat
    from meshes.piece_set import PieceType
    from physics.grip import Steadiness
    from physics.knock import Knocked
    from physics.pose import Pose
    from viewer.program import Program

ROUND_S = 75.0
"""A round that is played longer is ended by a push."""
PACE = 1.4
"""How fast pieces are laid."""
THOUGHT_S = 0.35
BUILD_S, LYING_S, HELD_S, COUNT_S, RESULT_S = 6.0, 2.6, 0.9, 3.0, 4.0
MOST_PUSHES = 4
_STANDS = 0.7
"""A tower that keeps so much of its height has not fallen."""
_FADE_S = 0.3


class Part(Enum):
    """What goes on in a round."""

    OPENING = "opening"
    PLAY = "play"
    COUNTDOWN = "countdown"
    PUSH = "push"
    LYING = "lying"
    AGAIN = "again"
    RESULT = "result"


class ShowPage(Screen):
    """Rounds of bots, one after the other, until a key or a button is pressed. `casting` says who plays; by default it is up to chance."""

    def __init__(self, program: Program, casting: Casting | None = None) -> None:
        super().__init__(program)
        self.casting = casting or Casting.of()
        self._background = Background()
        self.number = -1
        """The round that is played, counted from 0."""
        self._time = 0.0
        self._begin_round()

    def _begin_round(self) -> None:
        """The next round: a new table, and every third time new players."""
        self.number += 1
        match = self.casting.match(self.number)
        setup = match.setup
        if self.number % ROUNDS == 0:
            self.points = [0] * len(setup.seats)
        self.play = Play(match, self._background, pause_s=THOUGHT_S)
        self.play.paused = True
        self.scene = ShowScene(self.program, setup.piece_set, self.play.tower)
        self._built = MatchPlayback(match)
        self._built.playing = True
        self.fall: Fall | None = None
        self._pushed: MovingTable | None = None
        self._pushes = self._angle = 0
        self._round_s = 0.0
        names = " against ".join(seat.name for seat in setup.seats) if len(setup.seats) > 1 else f"{setup.seats[0].name}, solo"
        self._to(Part.OPENING, Caption(names, f"Round {self.number % ROUNDS + 1} of {ROUNDS} with the {setup.piece_set.name} pieces"))

    def _to(self, part: Part, caption: Caption) -> None:
        self.part, self._part_s = part, 0.0
        self._say(caption)

    def _say(self, caption: Caption) -> None:
        if getattr(self, "caption", None) != caption:
            self.caption, self._said = caption, self._time

    # --- what goes on

    @property
    def busy(self) -> bool:
        """Always."""
        return True

    def enter(self) -> None:
        """The background takes a moment to start."""
        self._background.start()

    def close(self) -> None:
        """End the background."""
        self.play.close()
        self._background.close()

    def update(self, seconds: float) -> bool:
        """Go on with the round; the camera moves on its way."""
        self._time += seconds
        self._part_s += seconds
        changed = self._PARTS[self.part](self, seconds)
        moved = self.scene.move_camera(seconds, self._focus)
        fading = self._time - self._said < _FADE_S + seconds
        return changed or fading or moved

    def _open(self, seconds: float) -> bool:
        self.play.update()
        if self._built.update(seconds * self._built.length / BUILD_S):
            return True
        if self._part_s >= BUILD_S + HELD_S:
            self.play.paused = False
            self._to(Part.PLAY, self.caption)
        return False

    def _play(self, seconds: float) -> bool:
        play, acts = self.play, len(self.play.match.acts)
        self._round_s += seconds
        self._background.pace = self.program.settings.animation_speed * PACE
        changed = play.update()
        for message in play.messages:
            self.program.tell(message)
        play.messages.clear()
        if changed:
            if play.phase is Phase.LAYING and len(play.poses) > len(play.tower.laid):
                self.scene.hear(play.poses, self._time)
            self.scene.follow(seconds, play.tower, play.poses)
        if len(play.match.acts) > acts:
            self._act_done()
        elif play.phase is Phase.THINKING and (self._round_s > ROUND_S or play.paused):
            self._count_down("Time is up")
        self._narrate()
        return changed

    def _act_done(self) -> None:
        play, act = self.play, self.play.match.acts[-1]
        self.scene.hush()
        self.scene.rest(play.tower)
        if act.kind is ActKind.PLACED and act.placement is not None:
            self.program.sounds.clack(len(act.placement.cells), 110.0)
        if act.knock_over is not None and act.track is not None:
            self.points = [a + b for a, b in zip(self.points, play.scores, strict=True)]
            who = play.names[act.player]
            self._fell(Fall(tower_of(play.match, act.number), act.track, act.knock_over), f"{who} knocks the tower over!")
        elif play.phase in (Phase.ROUND_OVER, Phase.OVER):
            self.points = [a + b for a, b in zip(self.points, play.scores, strict=True)]
            winner = next((event.get("winner") for event in act.events if event["type"] == "round_over"), None)
            self.program.sounds.play("win")
            self._count_down(f"{play.names[winner]} wins, and the tower stands" if winner is not None else "The round is over, and the tower stands")

    def _narrate(self) -> None:
        """Say what is being done."""
        play = self.play
        if self.part is not Part.PLAY:
            return
        name = play.names[play.to_move]
        if play.phase is Phase.LAYING and play.moving is not None and len(play.poses) > len(play.tower.laid):
            self._say(Caption(f"{name} lays a {play.moving.name}", f"Piece {len(play.tower.laid) + 1}, {_hand(play.match.hand)}"))
        elif play.phase is Phase.SLIPPED:
            self._say(Caption(f"{name}’s piece slips", "It is taken back and tried again"))

    def _count_down(self, words: str) -> None:
        self._ending = words
        self._to(Part.COUNTDOWN, Caption(words, "And now: let it fall!"))

    def _counting(self, seconds: float) -> bool:
        left = COUNT_S + 2.0 - self._part_s
        if left <= COUNT_S:
            self._say(Caption(str(max(1, int(left + 1))), "And now: let it fall!"))
        if left <= 0:
            self._push(self.play.tower)
        return False

    def _push(self, tower: Tower, words: str = "Let it fall!") -> None:
        """Push the tower, or what is left of it."""
        if not tower.laid:
            self._begin_round()
            return
        self.play.close()
        self._pushed, self._background.pace = MovingTable(tower), self.program.settings.animation_speed
        push = push_for(tower, self._pushes)
        self._pushes += 1
        self._background.knock(tower, push.piece, force_n=push.force_n, heading_deg=push.heading_deg, seconds=push.seconds)
        piece = tower.laid[push.piece].placement
        self._to(Part.PUSH, Caption(words, f"A push of {push.force_n:.1f} N at a {piece.piece}"))

    def _push_on(self, seconds: float) -> bool:
        table, reports = self._pushed, self._background.poll()
        assert table is not None, "a push without a table"
        for report in reports:
            if isinstance(report, Poses):
                table.move(report)
                self.scene.hear(table.poses, self._time)
                self.scene.follow(seconds, table.tower, table.poses)
            elif isinstance(report, PushDone):
                self._pushed_over(table.tower, report.knocked)
            elif isinstance(report, Failed):
                self._push_again(table.tower)
        return bool(reports)

    def _pushed_over(self, tower: Tower, knocked: Knocked) -> None:
        """A tower that only lost a layer and stands is pushed again."""
        if height_mm(knocked.tower) > _STANDS * height_mm(tower) and self._pushes < MOST_PUSHES:
            self._push_again(knocked.tower)
        elif knocked.knock_over is not None:
            self._fell(Fall(tower, knocked.track, knocked.knock_over), "Down it goes!")
        else:
            self._push_again(knocked.tower)

    def _push_again(self, tower: Tower) -> None:
        if self._pushes < MOST_PUSHES:
            self._push(tower, "It still stands! Once more")
        else:
            self._to(Part.RESULT, Caption("It still stands!", "What a tower"))

    def _fell(self, fall: Fall, words: str) -> None:
        self.fall = fall
        self.scene.hush()
        self.program.sounds.play("lose")
        count = len(fall.knock_over.fallen)
        self._to(Part.LYING, Caption(words, f"{count} of {len(fall.before.laid)} pieces left their places"))

    def _lie(self, seconds: float) -> bool:
        if self._part_s >= LYING_S:
            self._angle = 0
            self._see_again()
        return False

    def _see_again(self) -> None:
        """The fall once more, from the angle whose turn it is."""
        fall = self.fall
        assert fall is not None, "nothing fell"
        fall.seek(0.0)
        fall.playing = True
        self.scene.see_again(fall, self._angle)
        account = str(fall.knock_over).partition(";")[0]
        self._to(Part.AGAIN, Caption("Again, slowly" if self._angle == 0 else "And from the other side", account))

    def _again(self, seconds: float) -> bool:
        fall = self.fall
        assert fall is not None, "nothing fell"
        changed = fall.update(seconds)
        if changed:
            self._part_s = 0.0
        elif self._part_s >= HELD_S:
            self._angle += 1
            if self._angle < len(VIEWS):
                self._see_again()
            else:
                self._to(Part.RESULT, self._result())
        return changed

    def _result(self) -> Caption:
        seats = self.play.match.setup.seats
        words = f"Round {self.number % ROUNDS + 1} of {ROUNDS} is over"
        if len(seats) == 1:
            return Caption(words, f"{len(self.play.tower.laid)} pieces on {self.play.tower.layers} layers")
        return Caption(words, " · ".join(f"{seat.name} {points}" for seat, points in zip(seats, self.points, strict=True)))

    def _conclude(self, seconds: float) -> bool:
        if self._part_s >= RESULT_S:
            self._begin_round()
        return self._part_s == 0.0

    _PARTS: ClassVar[dict[Part, Callable[[ShowPage, float], bool]]] = {
        Part.OPENING: _open,
        Part.PLAY: _play,
        Part.COUNTDOWN: _counting,
        Part.PUSH: _push_on,
        Part.LYING: _lie,
        Part.AGAIN: _again,
        Part.RESULT: _conclude,
    }

    # --- what is seen

    @property
    def _focus(self) -> Array | None:
        """(3,) the piece that is being laid."""
        play = self.play
        if self.part is not Part.PLAY or play.phase is not Phase.LAYING or len(play.poses) <= len(play.tower.laid):
            return None
        return np.array(play.poses[-1][1].position)

    @property
    def _standing(self) -> Tower:
        return self._pushed.tower if self._pushed is not None else self.play.tower

    @property
    def _pieces(self) -> list[tuple[PieceType, Pose]]:
        return self._pushed.poses if self._pushed is not None else self.play.poses

    def backdrop(self, size: tuple[int, int], now: float) -> tuple[moderngl.Texture | None, bool]:
        """The tower, from where the camera is."""
        if (fall := self.fall) is not None and self.part in (Part.AGAIN, Part.RESULT):
            self.scene.show((fall.position, fall), lambda: tower_items(fall.tower(), highlights=fall.glows))
        elif self.part is Part.OPENING:
            self.scene.show((self._built.position, self._built), lambda: tower_items(self._built.tower()))
        else:
            pieces = self._pieces
            seen = (tuple(pose for _, pose in pieces),)
            self.scene.show(seen, lambda: [Item(piece, pose, index) for index, (piece, pose) in enumerate(pieces)])
        return self.scene.view.backdrop(size, now)

    def draw(self, gui: Gui) -> None:
        """Players above, the caption below."""
        wide, high = gui.size
        top, bottom = header_height(high), caption_height(high)
        self.scene.view.free = Box(0, top, wide, high - top - bottom)
        tower = self._built.tower() if self.part is Part.OPENING else self._standing
        pieces = f"{len(tower.laid)} piece{'s'[: len(tower.laid) != 1]} · {tower.layers} layer{'s'[: tower.layers != 1]}"
        draw_header(gui, self._chips(), pieces)
        shown = 1.0 if self.program.settings.reduced_motion else min(1.0, (self._time - self._said) / _FADE_S)
        draw_caption(gui, self.caption, shown=shown)

    def _chips(self) -> list[PlayerChip]:
        playing = self.part is Part.PLAY
        seats = self.play.match.setup.seats
        return [
            PlayerChip(seat.name, _kind(seat), points, playing and seat_number == self.play.to_move)
            for seat_number, (seat, points) in enumerate(zip(seats, self.points, strict=True))
        ]

    # --- events

    def on_key(self, key: Key) -> bool:
        """Any key ends it."""
        self.program.back()
        return True

    def on_press(self, pointer: Pointer) -> None:
        """So does any button."""
        self.program.back()


def _kind(seat: Seat) -> str:
    return f"{Level.of(seat).words.lower()}, {_hand(seat.hand)}"


def _hand(hand: Steadiness | None) -> str:
    return "with both hands" if hand is None else f"with a {hand.name} hand"
