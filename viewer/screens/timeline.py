"""The time line of a match: who did what when, where the tower fell, and under it how high and how safe the tower was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from games.acts import ActKind, apply_rest
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import FAINT_INK, GOLD, INK, ORANGE_DEEP, PAPER, RED, SEATS, SOFT_INK, Colour, Face, colour
from viewer.margins import Margins
from viewer.playback import MatchPlayback

_GUTTER, _VALUES = 26.0, 108.0
_STRIP, _PLOT, _GAP = 18.0, 32.0, 6.0
_LEAST_SCALE_DEG, _LEAST_SCALE_MM = 4.0, 2.0
_WHITE = colour("#ffffff")
_SKY, _LEAF, _CLAY = colour("#b4cde6"), colour("#2f7a48"), colour("#b0551f")
_GROUND = colour("#eadcc6", 0.45)


def seat_letter(seat: int) -> str:
    """The letter that stands for a seat beside its colour."""
    return "ABCDEFGHIJ"[seat]


def draw_seat(gui: Gui, seat: int, x: float, y: float, radius: float) -> None:
    """The disc that stands for a seat, around a middle."""
    gui.paint.disc(x, y, radius, SEATS[seat % len(SEATS)])
    gui.paint.words_in(seat_letter(seat), Box(x - radius, y - radius, 2 * radius, 2 * radius), 1.25 * radius, face=Face.BOLD, colour=_WHITE)


class _Stretch(NamedTuple):
    start: float
    end: float
    layers: int


class Timeline:
    """Draws the time line and moves the playhead on it. Items are `replay/time` and, for each fall, `replay/fall/N`.

    `words` gives an act's words by number, for the hint under the pointer.
    """

    def __init__(self, playback: MatchPlayback, margins: Margins, words: Callable[[int], str]) -> None:
        self._playback, self._margins, self._words = playback, margins, words
        self._seats = len(playback.match.setup.seats)
        self.layers = [_layers_after(playback, number) for number in range(1, len(playback.spans) + 1)]
        self._stretches = list(_stretches(playback, self.layers))
        self._rounds = [next(group).number for _, group in groupby(playback.match.acts, key=lambda act: act.round)]

    @property
    def height(self) -> float:
        """Units it needs."""
        return _STRIP + self._seats * self._lane + 2 * (_PLOT + _GAP)

    @property
    def _lane(self) -> float:
        return 14.0 if self._seats <= 2 else 11.0 if self._seats <= 4 else 9.0

    def draw(self, gui: Gui, box: Box) -> None:
        """Everything, in `box` of `height`."""
        time = Box(box.x + _GUTTER, box.y + _STRIP, box.w - _GUTTER - _VALUES, box.h - _STRIP)
        self._move(gui, time)
        lanes = time.top_part(self._seats * self._lane)
        self._draw_acts(gui, lanes)
        layers = Box(time.x, lanes.bottom + _GAP, time.w, _PLOT)
        margins = Box(time.x, layers.bottom + _GAP, time.w, _PLOT)
        self._draw_layers(gui, layers, box.right)
        self._draw_margins(gui, margins, box.right)
        self._draw_rounds(gui, time)
        x = self._x(time, self._playback.position)
        gui.paint.line([(x, time.y - 4), (x, margins.bottom)], ORANGE_DEEP, 2)
        gui.paint.arrow(x, time.y - 6, 12, ORANGE_DEEP, turn_deg=90)
        self._draw_falls(gui, time)

    def _move(self, gui: Gui, time: Box) -> None:
        playback = self._playback
        at = (gui.pointer[0] - time.x) / time.w * playback.length
        number = playback.act_at(at)
        state = gui.area("replay/time", time, hint=f"{number}  {self._words(number)}" if number else "", radius=6)
        if state.held:
            playback.playing = False
            playback.seek(at)

    def _draw_acts(self, gui: Gui, lanes: Box) -> None:
        for seat in range(self._seats):
            lane = Box(lanes.x, lanes.y + seat * self._lane, lanes.w, self._lane - 2)
            gui.paint.plate(lane, colour("#eadcc6"), radius=3, border=None)
            draw_seat(gui, seat, lanes.x - 14, lane.y + lane.h / 2, min(8.0, self._lane / 2))
        now = self._playback.act
        for act, span in zip(self._playback.match.acts, self._playback.spans, strict=True):
            left, right = self._x(lanes, span.start), self._x(lanes, span.end)
            mark = Box(left, lanes.y + act.player * self._lane, max(1.5, right - left - 1), self._lane - 2)
            paint = SEATS[act.player % len(SEATS)]
            if act.kind is ActKind.TAKEN_BACK:  # half as high: it did not last
                mark = Box(mark.x, mark.y + mark.h * 0.62, mark.w, mark.h * 0.38)
            gui.paint.plate(mark, paint if act.kind is not ActKind.RESIGNED else FAINT_INK, radius=2.5, border=None)
            if act.number == now:
                gui.paint.frame(mark, INK, radius=2.5, thickness=1.5, away=1)

    def _draw_layers(self, gui: Gui, box: Box, right: float) -> None:
        most = max([4, *self.layers])
        gui.paint.plate(box, _GROUND, radius=3, border=None)
        for start, end, layers in self._stretches:
            x, high = self._x(box, start), box.h * layers / most
            gui.paint.plate(Box(x, box.bottom - high, max(1.0, self._x(box, end) - x), high), _SKY, radius=0, border=None)
        number = self._playback.act
        layers = self.layers[number - 1] if number else 0
        self._draw_value(gui, box, right, str(layers), "layer" if layers == 1 else "layers")

    def _draw_margins(self, gui: Gui, box: Box, right: float) -> None:
        hint = "How far the table could be tilted before the tower falls or slides, and how much every touching area could lose all round"
        values = Box(box.right + 10, box.y, right - box.right - 10, box.h)
        gui.area("replay/margins", values, hint=hint)
        gui.paint.plate(box, _GROUND, radius=3, border=None)
        now = self._margins.known.get(self._playback.act)
        unknown = "…" if self._margins.busy and self._playback.act not in self._margins.known and self._playback.act else "–"
        columns = (("tilt", "°", _LEAF, _LEAST_SCALE_DEG), ("edge", " mm", _CLAY, _LEAST_SCALE_MM))
        for k, (words, unit, ink, scale) in enumerate(columns):
            self._draw_curves(gui, box, k, ink, scale)
            value = unknown if now is None else f"{now[k]:.1f}{unit}"
            gui.paint.words(value, values.x + 46 * k, values.y - 1, 14, face=Face.SEMI, colour=ink)
            gui.paint.words(words, values.x + 46 * k, values.y + 17, 11.5, colour=SOFT_INK)

    def _draw_curves(self, gui: Gui, box: Box, which: int, ink: Colour, scale: float) -> None:
        """One of a margin's two numbers over all acts, a curve for each round."""
        known = self._margins.known
        scale = max([scale, *(margin[which] for margin in known.values() if margin is not None)])
        points: list[tuple[float, float]] = []
        for number, span in enumerate(self._playback.spans, 1):
            margin = known.get(number)
            if margin is None or number in self._rounds:
                self._draw_curve(gui, points, ink)
                points = []
            if margin is not None:
                points.append((self._x(box, span.end), box.bottom - 2 - margin[which] / scale * (box.h - 5)))
        self._draw_curve(gui, points, ink)

    def _draw_curve(self, gui: Gui, points: list[tuple[float, float]], ink: Colour) -> None:
        if len(points) > 1:
            gui.paint.line(points, ink, 2)
        elif points:
            gui.paint.disc(*points[0], 2, ink)

    def _draw_value(self, gui: Gui, plot: Box, right: float, value: str, words: str) -> None:
        place = Box(plot.right + 10, plot.y, right - plot.right - 10, plot.h)
        gui.paint.words(value, place.x, place.y - 1, 15, face=Face.SEMI)
        gui.paint.words(words, place.x, place.y + 17, 11.5, colour=SOFT_INK)

    def _draw_rounds(self, gui: Gui, time: Box) -> None:
        for k, number in enumerate(self._rounds):
            x = self._x(time, self._playback.spans[number - 1].start)
            if k:
                gui.paint.line([(x, time.y - _STRIP + 2), (x, time.bottom)], GOLD, 1)
            gui.paint.words(f"Round {self._playback.match.act(number).round}", x + (4 if k else 0), time.y - _STRIP, 11, colour=SOFT_INK)

    def _draw_falls(self, gui: Gui, time: Box) -> None:
        for number in self._playback.falls:
            knock_over, span = self._playback.match.act(number).knock_over, self._playback.spans[number - 1]
            x = self._x(time, min(span.rest, span.start + (knock_over.first.seconds if knock_over else 0.0)))
            y = time.y - _STRIP + 7
            mark = Box(x - 9, y - 9, 18, 18)
            if gui.area(f"replay/fall/{number}", mark, hint=f"Watch the fall: {self._words(number)}", radius=9).pressed:
                self._playback.watch(number)
            gui.paint.line([(x, y), (x, time.bottom)], RED, 1.5)
            gui.paint.disc(x, y, 8, RED)
            gui.paint.cross(x, y, 9, PAPER)

    def _x(self, box: Box, seconds: float) -> float:
        return box.x + box.w * seconds / max(1e-9, self._playback.length)


def _layers_after(playback: MatchPlayback, number: int) -> int:
    act, before = playback.match.act(number), playback.match.table_before(number).tower
    return before.layers if act.kind is ActKind.KNOCKED_OVER else apply_rest(before, act).layers


def _stretches(playback: MatchPlayback, layers: list[int]) -> Iterator[_Stretch]:
    """Runs of acts with the same number of layers."""
    for count, run in groupby(zip(playback.spans, layers, strict=True), key=lambda pair: pair[1]):
        spans = [span for span, _ in run]
        yield _Stretch(spans[0].start, spans[-1].end, count)
