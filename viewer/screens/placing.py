"""Placing a piece with the pointer: the ghost that finds its place, all legal places at a glance, and what a broken rule is about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from games.errors import Violation
from games.stakd.position import Position
from games.stakd.state import State
from meshes.lattice import Cell, Cells, moved, moved_to_origin
from meshes.piece_set import PieceSet, PieceType
from meshes.placement import Placement
from physics.tower import Tower, exact_pose
from viewer.camera import Array
from viewer.gui.gui import Gui
from viewer.gui.painter import Painter
from viewer.gui.theme import GOLD, GREEN, NIGHT, NIGHT_INK, RED, Colour, colour
from viewer.items import Colour as ItemColour
from viewer.items import Item
from viewer.picking import Face, Hit
from viewer.screens.screen import Pointer
from viewer.screens.table_view import TableView

LEGAL, ILLEGAL, UNSAFE = (96, 190, 112), (214, 64, 48), (240, 172, 48)
"""Colours of the ghost in the scene."""
CONCERNED = (246, 150, 40)
"""Colour of laid pieces that a broken rule is about."""

_REACH = 0.75
"""A legal place is taken when its middle is so many pitches from the pointer's ray, or nearer."""
_OTHER_LAYER, _SAME_LAYER = 0.3, 0.15
"""Pitches that another layer than the one pointed at costs, and that the layer the ghost is on already saves."""
_FARTHEST = 7.0
"""Pitches from the nearest laid node beyond which there is no ghost."""
_SEED = 1 << 20
_SIDES = 20
_MARK_SHARE = 0.42
"""Marks of legal places are the piece in small, so that places which share nodes stay apart."""
_WHITE = colour("#ffffff")


class Ghost:
    """The piece in hand, where it would be laid: on the lattice, near the pointer, wherever it is legal if there is such a place.

    `turns` are lattice turns; `violations` all rules broken at `placement`. `unsafe` is for the caller to set, who knows about statics; the next
    other placement clears it.
    """

    def __init__(self, view: TableView, piece_set: PieceSet) -> None:
        self._view, self.piece_set = view, piece_set
        self.piece: PieceType | None = None
        self.turns = 0
        self.placement: Placement | None = None
        self.violations: tuple[Violation, ...] = ()
        self.unsafe = False
        self._moves = _Moves()
        self._aimed: tuple[Pointer, State, Tower] | None = None
        self._explained: tuple[Placement | None, Position | None] = None, None

    @property
    def legal(self) -> bool:
        """Whether it may be laid where it is."""
        return self.placement is not None and not self.violations

    def take(self, piece_name: str) -> None:
        """Take a piece in hand; it appears with the next `move`."""
        self.piece = self.piece_set.piece(piece_name)
        self._aimed = None
        self._put(None, ())

    def drop(self) -> None:
        """Have nothing in hand."""
        self.piece = self._aimed = None
        self._put(None, ())

    def turn(self, step: int) -> None:
        """Turn it by lattice turns, counter-clockwise above zero, where it is."""
        self.turns = (self.turns + step) % self.piece_set.lattice.turns
        if self._aimed is not None:
            self.move(*self._aimed)

    def move(self, pointer: Pointer, state: State, tower: Tower) -> None:
        """Find its place under the pointer. `tower` is what the view shows, its pieces first among the items."""
        self._aimed = pointer, state, tower
        if self.piece is None:
            return
        aim = self._aim(pointer, tower)
        found = None if aim is None else self._legal_near(aim, pointer, state)
        if found is not None:
            self._put(found, ())
            return
        wanted = None if aim is None else self._under(aim, tower)
        if (wanted, state.position) != self._explained or not self.violations:
            self._put(wanted, () if wanted is None else state.explain(wanted))
            self._explained = wanted, state.position

    def cycle(self, step: int, state: State) -> None:
        """Without a pointer: to the next legal place of the piece, turned in any way, or the one before for `step` −1."""
        if self.piece is None:
            return
        places = sorted(self._moves.of(state, self.piece), key=lambda place: (-place.layer, place.cells))
        if places:
            now = places.index(self.placement) if self.placement in places else -1 if step > 0 else 0
            self.show(places[(now + step) % len(places)])

    def show(self, placement: Placement) -> None:
        """Without a pointer: be at a legal place, with the piece that lies there."""
        self.piece = self.piece_set.piece(placement.piece)
        fit = self.piece_set.lattice.turns_onto(self.piece.cells, placement.cells)
        self.turns, self._aimed = fit[0] if fit else self.turns, None
        self._put(placement, ())

    def item(self) -> Item | None:
        """What the scene shows of it, if anything."""
        if self.piece is None or self.placement is None:
            return None
        tint: ItemColour = ILLEGAL if not self.legal else UNSAFE if self.unsafe else LEGAL
        return Item(self.piece, exact_pose(self.piece_set, self.placement), _SEED, tint, ghost=True)

    def draw(self, gui: Gui, *, rings: bool = True) -> None:
        """Rings on its nodes, and a badge that says legal (tick), illegal (cross) or unsafe (exclamation mark)."""
        if self.placement is None:
            return
        ink = RED if not self.legal else GOLD if self.unsafe else GREEN
        height = (self.placement.layer + 1) * self.piece_set.thickness_mm
        circles = Rings(self._view, self.piece_set)
        for points in circles.around(self.placement.cells, height, 0.78) if rings else ():
            gui.paint.ring_on(points, (*NIGHT[:3], 0.35), thickness=4.5)
            gui.paint.ring_on(points, _WHITE if self.legal else ink, thickness=2.2, dashed=not self.legal)
        tops = self._view.project(circles.centres(self.placement.cells, height))
        _badge(
            gui.paint, float(tops[:, 0].mean()), float(tops[:, 1].min()) - 34, "cross" if not self.legal else "mark" if self.unsafe else "tick", ink
        )

    # --- finding the place

    def _put(self, placement: Placement | None, violations: tuple[Violation, ...]) -> None:
        if placement != self.placement:
            self.unsafe = False
        self.placement, self.violations = placement, violations

    def _aim(self, pointer: Pointer, tower: Tower) -> _Aim | None:
        """The layer above what is under the pointer, and where; None above the horizon."""
        hit = self._view.pick(pointer)
        if hit is not None and hit.id < len(tower.laid) and hit.index < len(tower.laid):
            return _Aim(tower.laid[hit.id].placement.layer + 1, hit.point[:2], hit)
        point = self._view.ground(pointer)
        return None if point is None else _Aim(0, point[:2], None)

    def _legal_near(self, aim: _Aim, pointer: Pointer, state: State) -> Placement | None:
        """The legal place that costs least, if one is in reach."""
        assert self.piece is not None
        places = self._moves.of(state, self.piece)
        if len(places) == 1 and not state.layers:
            return places[0]  # the very first BASE has one place only, so any turn will do
        wanted = moved_to_origin(self.piece_set.lattice.turned(self.piece.cells, self.turns))
        turned = [place for place in places if moved_to_origin(place.cells) == wanted]
        thickness = self.piece_set.thickness_mm
        points = {layer: self._view.ground(pointer, layer * thickness) for layer in {place.layer for place in turned}}
        costs = [(self._cost(place, aim, points[place.layer]), place) for place in turned]
        cost, best = min(costs, key=lambda entry: (entry[0], -entry[1].layer), default=(math.inf, None))
        return best if cost <= _REACH else None

    def _cost(self, place: Placement, aim: _Aim, point: Array | None) -> float:
        """Pitches between a place and `point`, where the pointer's ray has its height; more or less for its layer."""
        middle = _middle(self.piece_set, place.cells)
        away = math.inf if point is None else math.dist(point[:2], middle)
        if place.layer == aim.layer and aim.is_side:
            away = min(away, math.dist(aim.point, middle))
        layer = (place.layer != aim.layer) * _OTHER_LAYER
        if self.placement is not None and self.placement.layer == place.layer:
            layer = max(0.0, layer - _SAME_LAYER)
        return away / self.piece_set.pitch_mm + layer

    def _under(self, aim: _Aim, tower: Tower) -> Placement | None:
        """The place whose middle is nearest to where the pointer points, legal or not; None far away from everything."""
        assert self.piece is not None
        lattice, pitch = self.piece_set.lattice, self.piece_set.pitch_mm
        turned = lattice.turned(self.piece.cells, self.turns)
        x, y = aim.point - np.array(_middle(self.piece_set, turned))
        cells = tuple(sorted(moved(turned, *lattice.nearest(x, y, pitch))))
        laid = np.array([lattice.position(cell, pitch) for entry in tower.laid for cell in entry.placement.cells] or [(0.0, 0.0)])
        if float(np.linalg.norm(laid - aim.point, axis=1).min()) > _FARTHEST * pitch:
            return None
        return Placement(self.piece.name, aim.layer, cells)


@lru_cache(maxsize=4096)
def _middle(piece_set: PieceSet, cells: Cells) -> tuple[float, float]:
    """Middle of the nodes, mm."""
    xs, ys = zip(*(piece_set.lattice.position(cell, piece_set.pitch_mm) for cell in cells), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


class _Aim(NamedTuple):
    """What the pointer is at: the layer a piece would be on there, (2,) mm, and the piece hit."""

    layer: int
    point: Array
    hit: Hit | None

    @property
    def is_side(self) -> bool:
        return self.hit is not None and self.hit.face is Face.SIDE


class _Moves:
    """Legal moves of one position, by piece."""

    def __init__(self) -> None:
        self._position: Position | None = None
        self._by_piece: dict[str, list[Placement]] = {}

    def of(self, state: State, piece: PieceType) -> list[Placement]:
        if state.position is not self._position:
            self._position, self._by_piece = state.position, {}
            for move in state.legal_moves():
                self._by_piece.setdefault(move.piece, []).append(move)
        return self._by_piece.get(piece.name, [])


class Rings:
    """Circles around nodes, as seen on the page."""

    def __init__(self, view: TableView, piece_set: PieceSet) -> None:
        self._view, self._set = view, piece_set

    def centres(self, cells: Iterable[Cell], height_mm: float) -> Array:
        """(n, 3) mm, middles of cells at a height."""
        return np.array([(*self._set.lattice.position(cell, self._set.pitch_mm), height_mm) for cell in cells])

    def around(self, cells: Sequence[Cell], height_mm: float, share: float = 1.0) -> list[list[tuple[float, float]]]:
        """For each cell the points of its circle, a share of the node's radius wide, in units."""
        return self.at(self.centres(cells, height_mm), share) if cells else []

    def at(self, centres: Array, share: float) -> list[list[tuple[float, float]]]:
        """The same around (n, 3) points."""
        angles = np.linspace(0, 2 * np.pi, _SIDES, endpoint=False)
        circle = self._set.radius_mm * share * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(_SIDES)])
        seen = self._view.project((centres[:, None] + circle).reshape(-1, 3)).reshape(-1, _SIDES, 2)
        return [[(float(x), float(y)) for x, y in ring] for ring in seen]


def draw_landing(gui: Gui, view: TableView, nodes: Array, counts: bool) -> None:
    """Rings (n, 3 mm) below a piece that hangs in a hand, whole and ticked where it would count, else dashed."""
    for points in Rings(view, view.piece_set).at(nodes, 0.9):
        gui.paint.ring_on(points, (*NIGHT[:3], 0.4), thickness=5)
        gui.paint.ring_on(points, colour("#8fe0a0") if counts else _WHITE, thickness=2.2, dashed=not counts)
    if counts:
        seen = view.project(nodes)
        _badge(gui.paint, float(seen[:, 0].max()) + 34, float(seen[:, 1].mean()), "tick", GREEN)


def legal_marks(gui: Gui, view: TableView, state: State, piece: PieceType, turns: int) -> None:
    """Mark every legal place of a piece: the piece in small, a ring a node and a line between; as it is turned now strongly, else faintly."""
    piece_set = view.piece_set
    wanted = moved_to_origin(piece_set.lattice.turned(piece.cells, turns))
    places = [move for move in state.legal_moves() if move.piece == piece.name]
    for place in sorted(places, key=lambda place: moved_to_origin(place.cells) == wanted):
        _mark(gui.paint, view, place, strong=moved_to_origin(place.cells) == wanted)


def _mark(paint: Painter, view: TableView, place: Placement, *, strong: bool) -> None:
    rings = Rings(view, view.piece_set)
    nodes = rings.centres(place.cells, place.layer * view.piece_set.thickness_mm + 0.3)
    nodes = nodes.mean(axis=0) + (nodes - nodes.mean(axis=0)) * _MARK_SHARE
    ink, under = ((*NIGHT_INK[:3], 0.95), (*GREEN[:3], 0.9)) if strong else ((*NIGHT_INK[:3], 0.4), (*NIGHT[:3], 0.22))
    seen = [(float(x), float(y)) for x, y in view.project(nodes)]
    ends = dict(zip(place.cells, seen, strict=True))
    edges = view.piece_set.lattice.edges(place.cells)
    for colour_, thickness in ((under, 5.0 if strong else 3.0), (ink, 2.0 if strong else 1.2)):
        for a, b in edges:
            paint.line([ends[a], ends[b]], colour_, thickness)
        for points in rings.at(nodes, 0.3):
            paint.ring_on(points, colour_, thickness=thickness)


@dataclass(frozen=True, slots=True)
class Lights:
    """What broken rules are about: laid pieces, by index, in the colour they shall glow in, and cells, each with the height it is marked at (mm)."""

    pieces: dict[int, ItemColour]
    cells: tuple[tuple[Cell, float], ...]

    def draw(self, gui: Gui, view: TableView) -> None:
        """A dashed ring and a cross on each cell."""
        for cell, height in self.cells:
            rings = Rings(view, view.piece_set)
            points = rings.around([cell], height, 0.92)[0]
            gui.paint.ring_on(points, (*NIGHT[:3], 0.4), thickness=6)
            gui.paint.ring_on(points, RED, thickness=3.2, dashed=True)
            x, y = view.project(rings.centres([cell], height))[0]
            gui.paint.disc(float(x), float(y), 9, RED)
            gui.paint.cross(float(x), float(y), 9, _WHITE)


NO_LIGHTS = Lights({}, ())


def light_up(violations: Sequence[Violation], tower: Tower, *, layer: int = 0) -> Lights:
    """The pieces and cells that the violations are about; `layer` is for those that name none, as a rule where the piece was to be laid."""
    index = {laid.placement: k for k, laid in enumerate(tower.laid)}
    pieces = {index[piece]: CONCERNED for broken in violations for piece in broken.pieces if piece in index}
    tops = {(cell, laid.placement.layer) for laid in tower.laid for cell in laid.placement.cells}
    cells: dict[tuple[Cell, float], None] = {}
    for broken in violations:
        on = layer if broken.layer is None else broken.layer
        for cell in broken.cells:
            cells[cell, (on + ((cell, on) in tops)) * tower.piece_set.thickness_mm] = None
    return Lights(pieces, tuple(cells))


def _badge(paint: Painter, x: float, y: float, sign: str, ink: Colour) -> None:
    paint.disc(x, y, 15, (*NIGHT[:3], 0.35))
    paint.disc(x, y, 13.5, _WHITE)
    paint.disc(x, y, 11.5, ink)
    if sign == "tick":
        paint.tick(x, y, 11, _WHITE)
    elif sign == "cross":
        paint.cross(x, y, 13, _WHITE)
    else:
        paint.line([(x, y - 7), (x, y + 2)], _WHITE, 3)
        paint.disc(x, y + 6, 1.9, _WHITE)
