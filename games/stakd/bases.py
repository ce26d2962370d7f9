"""Step 1 of STAKD: where a BASE may lie. Whole numbers stand for places, so that one table serves the whole plane."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from enum import StrEnum

from meshes.lattice import Cell, Cells, Lattice, moved, moved_to_origin
from meshes.piece_set import PieceType
from meshes.placement import Placement

SPAN = 1 << 21
"""A cell (q, r) has the code q·SPAN + r; codes add like cells, as the move notation stops at ±999 999."""

_BELOW_ALL = -(1 << 62)
"""Base ids start here, so that they are negative and never taken for the id of a stacked piece."""


class BaseContact(StrEnum):
    """Option S7: how "at least two Nodes must touch another Base" is counted.

    `ONE_BASE`: two different nodes of the new BASE touch one and the same laid BASE. `TWO_PAIRS`: two pairs of touching nodes
    with all laid bases together. `ANY`: one pair.
    """

    ONE_BASE = "one_base"
    TWO_PAIRS = "two_pairs"
    ANY = "any"


def cell_code(cell: Cell) -> int:
    """The code of a cell."""
    return cell[0] * SPAN + cell[1]


def cell_at(code: int) -> Cell:
    """The cell with a code."""
    r = (code + SPAN // 2) % SPAN - SPAN // 2
    return (code - r) // SPAN, r


class BaseTable:
    """All places of the BASE relative to another BASE, and from them the legal places in any position.

    A place is an id: its first cell's code times the number of orientations, plus the orientation, on a negative origin.
    `first` is the one place of the very first BASE; any other is the same play moved or turned. `placements` gives the
    placement for an id.
    """

    __slots__ = ("_contact", "_count", "_good", "_lattice", "_overlap", "_pairs", "first", "placements", "shapes")

    def __init__(self, lattice: Lattice, base: PieceType, contact: BaseContact) -> None:
        self._lattice, self._contact = lattice, contact
        self.shapes = lattice.orientations(base.cells)
        self.placements = _Placements(self, base.name)
        self._count = len(self.shapes)
        self.first = _BELOW_ALL - _BELOW_ALL % self._count
        self._overlap = tuple(self._overlapping(shape) for shape in self.shapes)
        self._pairs = tuple(self._touching(index) for index in range(self._count))
        self._good = tuple(self._good_alone(index) for index in range(self._count))

    def spots(self, bases: Iterable[int]) -> tuple[int, ...]:
        """Ids of the legal places for one more BASE, sorted (S7–S9)."""
        bases = tuple(bases)
        if not bases:
            return (self.first,)
        taken: set[int] = set()
        for base in bases:
            root = base - base % self._count
            taken.update([root + step for step in self._overlap[base % self._count]])
        return tuple(sorted(self._touching_enough(bases) - taken))

    def cells(self, base: int) -> Cells:
        """The cells of the BASE at a place."""
        code, turn = divmod(base - self.first, self._count)
        return moved(self.shapes[turn], *cell_at(code))

    def place(self, cells: Cells) -> int | None:
        """The id of the place that covers `cells` (sorted), or None if they are no BASE."""
        shape = moved_to_origin(cells)
        if shape not in self.shapes:
            return None
        return self.first + cell_code(cells[0]) * self._count + self.shapes.index(shape)

    def _touching_enough(self, bases: tuple[int, ...]) -> set[int]:
        found: set[int] = set()
        if self._contact is BaseContact.TWO_PAIRS:
            pairs: Counter[int] = Counter()
            for base in bases:
                root = base - base % self._count
                pairs.update({root + step: n for step, n in self._pairs[base % self._count].items()})
            return {place for place, n in pairs.items() if n >= 2}
        for base in bases:
            root = base - base % self._count
            found.update([root + step for step in self._good[base % self._count]])
        return found

    def _overlapping(self, laid: Cells) -> tuple[int, ...]:
        """Steps from a laid BASE to all places that share a cell with it."""
        steps = {self._step(old, new, turn) for turn, shape in enumerate(self.shapes) for old in laid for new in shape}
        return tuple(sorted(steps))

    def _touching(self, laid: int) -> dict[int, int]:
        """Steps to the places beside a laid BASE (or across it), with the number of pairs of touching nodes."""
        pairs: Counter[int] = Counter()
        for turn, shape in enumerate(self.shapes):
            for old in self.shapes[laid]:
                pairs.update(self._step(near, new, turn) for near in self._lattice.neighbours(old) for new in shape)
        return {step: n for step, n in pairs.items() if step not in set(self._overlap[laid])}

    def _good_alone(self, laid: int) -> tuple[int, ...]:
        """Steps to the places that this one laid BASE makes legal: two of its nodes touched, or any with option `any`."""
        nodes: defaultdict[int, set[Cell]] = defaultdict(set)
        for turn, shape in enumerate(self.shapes):
            for old in self.shapes[laid]:
                for near in self._lattice.neighbours(old):
                    for new in shape:
                        nodes[self._step(near, new, turn)].add(new)
        least = 1 if self._contact is BaseContact.ANY else 2
        return tuple(sorted(step for step in self._pairs[laid] if len(nodes[step]) >= least))

    def _step(self, place: Cell, node: Cell, turn: int) -> int:
        """The step that puts `node` of orientation `turn` on `place`."""
        return (cell_code(place) - cell_code(node)) * self._count + turn


class _Placements(dict[int, Placement]):
    """Placements by id, made when first asked for."""

    def __init__(self, table: BaseTable, name: str) -> None:
        super().__init__()
        self._table, self._name = table, name

    def __missing__(self, base: int) -> Placement:
        found = self[base] = Placement(self._name, 0, self._table.cells(base))
        return found
