"""The board: everything that can ever be placed above one base layer, as bits, so that legality is a handful of bit operations.

No piece overhangs (S14), so above the bases only the cells of the bases exist. Each cell is a bit of a *mask*; each way to put a
stacked piece on the cells is a *place*, numbered from 0, and a bit of a *place set*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.stakd.bases import cell_at, cell_code
from meshes.lattice import Cells, Lattice, moved
from meshes.placement import Placement


class Shape(dict[int, Cells]):
    """One rotation of a piece: its cells wherever its first cell has a given code, made when first asked for.

    `steps` are the codes of its cells from the first. Boards share these, as most of what they need is the same each time.
    """

    def __init__(self, cells: Cells) -> None:
        super().__init__()
        self._cells = cells
        self.steps = [cell_code(cell) for cell in cells]

    def __missing__(self, root: int) -> Cells:
        if len(self) >= _KEPT:
            self.clear()
        found = self[root] = moved(self._cells, *cell_at(root))
        return found


_KEPT = 10_000


class Board:
    """Tables for one base layer; shared by all positions on it and never changed but for the memos.

    `size` is the number of places. `masks`, `cells_of` and `kinds` give for each place its cells, as a mask and as they are,
    and its type's index in the piece set; after the `size` places of stacked pieces follow those of the bases in laying order.
    `cells` are the cells of the bases, sorted: bit i of a mask stands for `cells[i]`. `of_kind[k]` is the set of all places of
    type k. `placements` gives for a move id (layer times `size` plus place) its placement.
    """

    __slots__ = (
        "_beside",
        "_by_mask",
        "_held",
        "_larger",
        "_near",
        "_nodes",
        "_numbers",
        "_sharing",
        "_single",
        "_supported",
        "_touch",
        "cells",
        "cells_of",
        "kinds",
        "masks",
        "of_kind",
        "placements",
        "size",
    )

    def __init__(self, lattice: Lattice, names: tuple[str, ...], shapes: tuple[tuple[Shape, ...], ...], bases: tuple[Cells, ...], base: int) -> None:
        self.cells: Cells = tuple(sorted(cell for cells in bases for cell in cells))
        self.masks: list[int] = []
        self.kinds: list[int] = []
        self.of_kind = [0] * len(names)
        self.cells_of: list[Cells] = []
        self._nodes: list[tuple[int, ...]] = []
        self._single = [len(turns[0].steps) == 1 for turns in shapes]
        self._larger = sum(1 << kind for kind, single in enumerate(self._single) if kind != base and not single)
        self._touch = [0] * len(self.cells)
        self._numbers = {cell: number for number, cell in enumerate(self.cells)}
        codes = {cell_code(cell): number for number, cell in enumerate(self.cells)}
        for kind, turns in enumerate(shapes):
            before = len(self.masks)
            if kind != base:
                for shape in turns:
                    self._add_shape(kind, shape, codes)
            self.of_kind[kind] = (1 << len(self.masks)) - (1 << before)
        self.size = len(self.masks)
        self._add(base, bases, [tuple([self._numbers[cell] for cell in cells]) for cells in bases])
        self._near = self._beside_cells(lattice, codes)
        self._by_mask = dict(zip(self.masks, range(self.size), strict=False))
        self._sharing = [0] * len(self.masks)
        self._beside = [0] * self.size
        self._supported: dict[int, int] = {}
        self._held: dict[int, tuple[int, int]] = {}
        self.placements: dict[int, Placement] = _Placements(self, [names[kind] for kind in self.kinds])

    def sharing(self, place: int) -> int:
        """The places that share a cell with `place`, itself included."""
        found = self._sharing[place]
        if not found:
            found = self._sharing[place] = self._union(self._nodes[place])
        return found

    def beside(self, place: int) -> int:
        """The places with a node next to a node of `place`."""
        found = self._beside[place]
        if not found:
            for node in self._nodes[place]:
                found |= self._near[node]
            self._beside[place] = found
        return found

    def supported(self, cover: int) -> int:
        """The places whose every cell is in the mask `cover` (S14)."""
        found = self._supported.get(cover)
        if found is None:
            bare = bits(((1 << len(self.cells)) - 1) & ~cover)
            found = self._supported[cover] = ((1 << self.size) - 1) & ~self._union(bare)
        return found

    def held(self, types: int) -> tuple[int, int]:
        """The places of the piece types in a hand (bit k for type k), and those of the types in it that may open a layer (S30, S31)."""
        found = self._held.get(types)
        if found is None:
            every = several = 0
            for kind, places in enumerate(self.of_kind):
                if types >> kind & 1:
                    every |= places
                    several |= 0 if self._single[kind] else places
            found = self._held[types] = (every, several if types & self._larger else every)
        return found

    def place(self, kind: int, cells: Cells) -> int | None:
        """The number of the place of type `kind` on `cells`, or None if there is none or they are not sorted."""
        mask, numbers = 0, self._numbers
        for cell in cells:
            number = numbers.get(cell)
            if number is None:
                return None
            mask |= 1 << number
        place = self._by_mask.get(mask)
        return place if place is not None and self.kinds[place] == kind and self.cells_of[place] == cells else None

    def _add_shape(self, kind: int, shape: Shape, codes: dict[int, int]) -> None:
        """Add every place of one rotation of a piece that lies wholly on the cells."""
        steps, roots = shape.steps, list(codes)
        for step in steps[1:]:
            roots = [root for root in roots if root + step in codes]
        nodes = [tuple([codes[root + step] for step in steps]) for root in roots]
        self._add(kind, [shape[root] for root in roots], nodes)

    def _add(self, kind: int, cells: Sequence[Cells], nodes: list[tuple[int, ...]]) -> None:
        """Add places of one type, their cells given both ways."""
        touch, masks = self._touch, self.masks
        bit = 1 << len(masks)
        for place in nodes:
            mask = 0
            for node in place:
                mask |= 1 << node
                touch[node] |= bit
            masks.append(mask)
            bit <<= 1
        self.kinds += [kind] * len(nodes)
        self.cells_of += cells
        self._nodes += nodes

    def _beside_cells(self, lattice: Lattice, codes: dict[int, int]) -> list[int]:
        """For each cell the places with a node next to it."""
        steps = [cell_code(step) for step in lattice.steps]
        return [self._union([codes[code + step] for step in steps if code + step in codes]) for code in codes]

    def _union(self, nodes: Iterable[int]) -> int:
        found = 0
        for node in nodes:
            found |= self._touch[node]
        return found


class _Placements(dict[int, Placement]):
    """Placements by move id, made when first asked for. `names` are the piece names of the places."""

    def __init__(self, board: Board, names: list[str]) -> None:
        super().__init__()
        self._size, self._names, self._cells_of = board.size, names, board.cells_of

    def __missing__(self, move: int) -> Placement:
        layer, place = divmod(move, self._size)
        # tuple.__new__ skips the named tuple's own constructor; hundreds of these are made a round
        found = self[move] = tuple.__new__(Placement, (self._names[place], layer, self._cells_of[place]))
        return found


def bits(places: int, offset: int = 0) -> list[int]:
    """The numbers of the bits set in `places`, ascending, each plus `offset`."""
    found = []
    offset -= 1
    while places:
        low = places & -places
        found.append(low.bit_length() + offset)
        places ^= low
    return found
