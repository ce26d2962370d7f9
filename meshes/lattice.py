"""Lattices: the regular grids of cells on which nodes stand. Pure whole-number geometry plus one map to millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from enum import Enum

Cell = tuple[int, int]
Cells = tuple[Cell, ...]
"""Cells of one piece or layer, sorted by (q, r)."""

_HEX_HEIGHT = math.sqrt(3) / 2


class Lattice(Enum):
    """Kind of lattice. Cells are (q, r); neighbours are one pitch apart.

    `HEX`: axial coordinates, x = pitch·(q + r/2), y = pitch·(√3/2)·r (RULES 1.3).
    `SQUARE`: x = pitch·q, y = pitch·r.
    """

    HEX = "hex"
    SQUARE = "square"

    @property
    def turns(self) -> int:
        """Number of rotations that map the lattice to itself."""
        return len(self.steps)

    @property
    def steps(self) -> Cells:
        """Offsets of the neighbours of a cell, counter-clockwise from +x."""
        return _STEPS[self]

    @property
    def turn_deg(self) -> float:
        """Angle of one turn in degrees."""
        return 360.0 / self.turns

    @property
    def least_gap(self) -> float:
        """Least distance, in pitches, between the skeletons (node centres, the lines between neighbours and the faces they
        enclose) of two pieces that share no cell. Outlines of radius r don't overlap if 2·r is less."""
        return _HEX_HEIGHT if self is Lattice.HEX else 1.0

    def position(self, cell: Cell, pitch_mm: float) -> tuple[float, float]:
        """Centre of `cell` as (x, y) in mm."""
        q, r = cell
        if self is Lattice.HEX:
            return pitch_mm * (q + r / 2), pitch_mm * _HEX_HEIGHT * r
        return pitch_mm * q, pitch_mm * r

    def nearest(self, x_mm: float, y_mm: float, pitch_mm: float) -> Cell:
        """The cell whose centre is nearest to (x, y) in mm."""
        if self is Lattice.SQUARE:
            return round(x_mm / pitch_mm), round(y_mm / pitch_mm)
        r = y_mm / (pitch_mm * _HEX_HEIGHT)
        q = x_mm / pitch_mm - r / 2
        return _round_axial(q, r)

    def turned(self, cells: Iterable[Cell], turns: int) -> Cells:
        """`cells` rotated counter-clockwise about (0, 0) by `turns` lattice turns, sorted."""
        turned = list(cells)
        for _ in range(turns % self.turns):
            turned = [(-r, q + r) if self is Lattice.HEX else (-r, q) for q, r in turned]
        return tuple(sorted(turned))

    def orientations(self, cells: Iterable[Cell]) -> tuple[Cells, ...]:
        """The distinct rotations of `cells`, each moved so that its first cell is (0, 0), in the order of turning."""
        cells = tuple(cells)
        found = (moved_to_origin(self.turned(cells, turn)) for turn in range(self.turns))
        return tuple(dict.fromkeys(found))

    def turns_onto(self, cells: Cells, target: Cells) -> tuple[int, Cell] | None:
        """Fewest turns and the offset that carry `cells` onto `target`, or None if no rotation does."""
        for turn in range(self.turns):
            turned = self.turned(cells, turn)
            dq, dr = target[0][0] - turned[0][0], target[0][1] - turned[0][1]
            if moved(turned, dq, dr) == target:
                return turn, (dq, dr)
        return None

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells next to `cell`."""
        q, r = cell
        return ((q + dq, r + dr) for dq, dr in self.steps)

    def edges(self, cells: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
        """Pairs of neighbours within `cells`, each once, sorted."""
        present = set(cells)
        return sorted((a, b) for a in present for b in self.neighbours(a) if b in present and a < b)

    def faces(self, cells: Iterable[Cell]) -> list[Cells]:
        """The smallest closed rings within `cells` (triangles on hex, unit squares on square), each as its corners."""
        present = set(cells)
        rings = [moved(face, q, r) for q, r in sorted(present) for face in _FACES[self]]
        return [ring for ring in rings if present.issuperset(ring)]

    def is_connected(self, cells: Iterable[Cell]) -> bool:
        """Whether every cell can be reached from every other by steps within `cells`."""
        left = set(cells)
        reached = [left.pop()] if left else []
        while reached:
            near = left.intersection(self.neighbours(reached.pop()))
            left -= near
            reached.extend(near)
        return not left


def moved(cells: Iterable[Cell], dq: int, dr: int) -> Cells:
    """`cells` shifted by (dq, dr); order is kept."""
    return tuple((q + dq, r + dr) for q, r in cells)


def moved_to_origin(cells: Cells) -> Cells:
    """Sorted `cells` shifted so that the first is (0, 0)."""
    return moved(cells, -cells[0][0], -cells[0][1])


def _round_axial(q: float, r: float) -> Cell:
    """Nearest whole axial cell: round all three cube coordinates, then mend the one that was rounded most."""
    s = -q - r
    whole_q, whole_r, whole_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
    if off_q > off_r and off_q > off_s:
        whole_q = -whole_r - whole_s
    elif off_r > off_s:
        whole_r = -whole_q - whole_s
    return whole_q, whole_r


_STEPS = {
    Lattice.HEX: ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)),
    Lattice.SQUARE: ((1, 0), (0, 1), (-1, 0), (0, -1)),
}
_FACES = {
    Lattice.HEX: (((0, 0), (1, 0), (0, 1)), ((0, 0), (0, 1), (-1, 1))),
    Lattice.SQUARE: (((0, 0), (1, 0), (1, 1), (0, 1)),),
}
