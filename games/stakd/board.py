"""The board: everything that can ever be placed above one base layer, as bits, so that legality is a handful of bit operations.

No piece overhangs (S14), so above the bases only the cells of the bases exist. Each cell is a bit of a *mask*; each way to put a
stacked piece on the cells is a *place*, numbered from 0, and a bit of a *place set*.
"""

from __future__ import annotations

from games.stakd.bases import cell_code
from meshes.lattice import Cells, Lattice
from meshes.placement import Placement


class Board:
    """Tables for one base layer; shared by all positions on it and never changed but for the memos.

    `size` is the number of places. `masks`, `kinds` and `nodes` give for each place its cells as a mask, its type's index in the
    piece set and its cells' indices into `cells`; after the `size` places of stacked pieces follow those of the bases in laying order.
    `of_kind[k]` is the set of all places of type k.
    """

    __slots__ = (
        "_beside",
        "_held",
        "_index",
        "_larger",
        "_near",
        "_placements",
        "_sharing",
        "_single",
        "_supported",
        "_touch",
        "cells",
        "kinds",
        "masks",
        "names",
        "nodes",
        "of_kind",
        "size",
    )  # fmt: skip

    def __init__(self, lattice: Lattice, names: tuple[str, ...], shapes: tuple[tuple[Cells, ...], ...], bases: tuple[Cells, ...], base: int) -> None:
        self.names = names
        self.cells: Cells = tuple(sorted(cell for cells in bases for cell in cells))
        self.masks: list[int] = []
        self.kinds: list[int] = []
        self.nodes: list[tuple[int, ...]] = []
        self.of_kind = [0] * len(names)
        self._single = [len(turns[0]) == 1 for turns in shapes]
        self._larger = sum(1 << kind for kind, single in enumerate(self._single) if kind != base and not single)
        self._touch = [0] * len(self.cells)
        codes = {cell_code(cell): index for index, cell in enumerate(self.cells)}
        for kind, turns in enumerate(shapes):
            if kind != base:
                self._add_kind(kind, turns, codes)
        self.size = len(self.masks)
        for cells in bases:
            self._add(base, tuple(codes[cell_code(cell)] for cell in cells))
        steps = [cell_code(step) for step in lattice.steps]
        self._near = [self._union([codes[code + step] for step in steps if code + step in codes]) for code in codes]
        self._sharing = [0] * len(self.masks)
        self._beside = [0] * len(self.masks)
        self._supported: dict[int, int] = {}
        self._held: dict[int, tuple[int, int]] = {}
        self._placements: dict[int, Placement] = {}
        self._index: dict[tuple[int, Cells], int] | None = None

    def sharing(self, place: int) -> int:
        """The places that share a cell with `place`, itself included."""
        found = self._sharing[place]
        if not found:
            found = self._sharing[place] = self._union(self.nodes[place])
        return found

    def beside(self, place: int) -> int:
        """The places with a node next to a node of `place`."""
        found = self._beside[place]
        if not found:
            for node in self.nodes[place]:
                found |= self._near[node]
            self._beside[place] = found
        return found

    def supported(self, cover: int) -> int:
        """The places whose every cell is in the mask `cover` (S14)."""
        found = self._supported.get(cover)
        if found is None:
            bare = [index for index in range(len(self.cells)) if not cover >> index & 1]
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

    def placement(self, move: int) -> Placement:
        """The placement with id `move` (layer · size + place)."""
        found = self._placements.get(move)
        if found is None:
            layer, place = divmod(move, self.size)
            found = self._placements[move] = self.placed(place, layer)
        return found

    def placed(self, place: int, layer: int) -> Placement:
        """The piece at `place` (bases too) on `layer`."""
        return Placement(self.names[self.kinds[place]], layer, tuple([self.cells[node] for node in self.nodes[place]]))

    def place(self, kind: int, cells: Cells) -> int | None:
        """The number of the place of type `kind` on `cells` (sorted), or None if there is none."""
        if self._index is None:
            found = (self.placed(place, 0).cells for place in range(self.size))
            self._index = {(kind, cells): place for place, (kind, cells) in enumerate(zip(self.kinds, found, strict=False))}
        return self._index.get((kind, cells))

    def _add_kind(self, kind: int, turns: tuple[Cells, ...], codes: dict[int, int]) -> None:
        before = len(self.masks)
        for shape in turns:
            steps = [cell_code(cell) for cell in shape]
            for root in codes:
                nodes = [codes.get(root + step, -1) for step in steps]
                if -1 not in nodes:
                    self._add(kind, tuple(nodes))
        places = len(self.masks) - before
        self.of_kind[kind] = ((1 << places) - 1) << before

    def _add(self, kind: int, nodes: tuple[int, ...]) -> None:
        bit = 1 << len(self.masks)
        mask = 0
        for node in nodes:
            mask |= 1 << node
            self._touch[node] |= bit
        self.masks.append(mask)
        self.kinds.append(kind)
        self.nodes.append(nodes)

    def _union(self, nodes: list[int] | tuple[int, ...]) -> int:
        found = 0
        for node in nodes:
            found |= self._touch[node]
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
