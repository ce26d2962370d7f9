"""How far the patches of a flat tower can be drawn in before vertical forces no longer hold it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.flat_system import Block, FlatSystem, Indices
from physics.linear import Columns, Programme
from physics.pose import Vector

_PRECISION = 1e-8
_UNLOADED = 1e-7
_DEAR, _UNTURNED = 1e-3, 1e-2
_MOST_ROUNDS = 60
_WIDTH = 3
"""Vertical forces need N, Mx, My of a load only."""


class Inset(NamedTuple):
    """The largest inset of all patches, in units of the system; below zero if they must grow. What stops it: the `prices` (k + c,) of the
    sides of a `block` and of not pulling at its contacts."""

    value: float
    block: Block
    prices: Vector


def holds_upright(system: FlatSystem) -> bool:
    """Whether vertical forces hold everything."""
    if system.fixed.members.size and _fixed_inset(system.fixed).value < -_PRECISION:
        return False
    searches = map(_InsetSearch, system.blocks)
    return all(search.first_inset() >= 0 or search.allows(0.0) for search in searches)


def largest_inset(system: FlatSystem, *, memory: InsetMemory | None = None) -> Inset:
    """The largest inset that all blocks bear. A block that bears what the ones before do costs one programme.

    With a `memory` the search begins where it ended for the last system given with it, which is quicker for systems that are much alike.
    """
    least = _fixed_inset(system.fixed) if system.fixed.members.size else None
    memory = memory or InsetMemory()
    for block in system.blocks:
        search = memory.search(block)
        if least is None or not search.allows(least.value):
            least = search.largest()
    assert least is not None, "a system has contacts"
    return least


def collapsed(inset: Inset) -> Indices:
    """Contacts (of the system) that stop the inset because next to nothing is left of their patch: it pushes back on all sides at once,
    so the collapse does not turn it."""
    rows, contact = _rows(inset.block, inset.value)
    count, sides = len(inset.block.members), len(inset.block.edges.contact)
    opening = np.zeros((count, _WIDTH))
    np.add.at(opening, contact, inset.prices[:, None] * rows)
    price = np.bincount(contact[:sides], inset.prices[:sides], minlength=count)
    turning = np.abs(opening[:, 1:]).max(axis=1)
    members: Indices = inset.block.members[(price > _DEAR * price.max()) & (turning < _UNTURNED * price)]
    return members


def inset_motion(system: FlatSystem, inset: Inset) -> Vector:
    """(n, 5) the collapse that stops the inset, as `FlatSystem.motion` has it."""
    return system.motion(inset.block, *_rows(inset.block, inset.value), inset.prices)


def collapse(system: FlatSystem, *, memory: InsetMemory | None = None) -> Vector | None:
    """(n, 5) how everything begins to move if vertical forces don't hold it, about the real sides of patches, as `FlatSystem.motion` has it; None
    if they do. `memory` as in `largest_inset`."""
    if system.fixed.members.size and (fixed := _fixed_inset(system.fixed)).value < -_PRECISION:
        return system.motion(system.fixed, *_rows(system.fixed, 0.0), fixed.prices)
    memory = memory or InsetMemory()
    for block in system.blocks:
        search = memory.search(block)
        if search.first_inset() < 0 and (prices := search.opposed()) is not None:
            return system.motion(block, *_rows(block, 0.0), prices)
    return None


class InsetMemory:
    """What is known of the systems met before: the last search for each form of a block."""

    def __init__(self) -> None:
        self._searches: dict[tuple[bytes, bytes], _InsetSearch] = {}

    def search(self, block: Block) -> _InsetSearch:
        """A search in `block` that begins where the last one in a block of the same form ended."""
        form = block.signs.tobytes(), block.edges.contact.tobytes()
        search = self._searches[form] = _InsetSearch(block, last=self._searches.get(form))
        return search


class _Balance(NamedTuple):
    """The best vertical forces at some inset.

    `room`: how much further the patches can be drawn in, were the forces those of the round before; below zero nothing balances.
    `loads`: (c, 3). `prices`: as `Inset` has them.
    """

    room: float
    loads: Vector
    prices: Vector


class _InsetSearch:
    """Looks for the vertical forces of a block that keep furthest from the sides of their patches.

    The largest inset is the largest number that all ratios (distance of a load from a side · N) / N reach at once. This
    generalised fractional programme is solved by Dinkelbach's method in the form of Crouzeix, Ferland and Schaible (1985): each
    round is one linear programme that starts from the last answer, the inset only grows, and a few rounds do.
    """

    def __init__(self, block: Block, *, last: _InsetSearch | None = None) -> None:
        self._block = block
        self._programme: Programme | None = last._programme if last else None
        self._spare: Vector | None = None
        self._known = last._spare if last else None

    def first_inset(self) -> float:
        """What the loads to begin with bear."""
        return _inset(self._block, self._first_loads())

    def allows(self, inset: float) -> bool:
        """Whether some forces balance at this inset."""
        return self._balance(inset, self._block.even[:, 0]).room >= -_PRECISION

    def opposed(self) -> Vector | None:
        """The prices of what keeps all forces from balancing with the patches as they are; None if some do."""
        balance = self._balance(0.0, self._block.even[:, 0])
        return None if balance.room >= -_PRECISION else balance.prices

    def largest(self) -> Inset:
        """The largest inset, from below."""
        loads = self._first_loads()
        inset = _inset(self._block, loads)
        for _ in range(_MOST_ROUNDS):
            balance = self._balance(inset, np.maximum(loads[:, 0], _PRECISION))
            loads = balance.loads
            inset = max(inset, _inset(self._block, loads))
            if balance.room < _PRECISION:
                break
        return Inset(inset, self._block, balance.prices)

    def _first_loads(self) -> Vector:
        """(c, 3) loads to begin with: those of the last search if they keep further from the sides."""
        block, even = self._block, self._block.even
        if self._known is None:
            return even
        known = block.own[:, :_WIDTH] + block.signs @ self._known
        return known if (known[:, 0] >= 0).all() and _inset(block, known) > _inset(block, even) else even

    def _balance(self, inset: float, forces: Vector) -> _Balance:
        """The best forces when all patches are drawn in by `inset`; `forces`: (c,) of the round before, all above zero."""
        block = self._block
        rows, contact = _rows(block, inset)
        cost = np.einsum("ki,ki->k", rows, block.own[contact, :_WIDTH])
        weights = np.concatenate([forces[block.edges.contact], np.zeros(len(block.members))])
        programme = self._revised(block.columns(rows, contact, weights[:, None]), cost)
        solution = programme.solve()
        self._spare = -solution.dual[:-1].reshape(-1, _WIDTH)
        return _Balance(solution.value, block.own[:, :_WIDTH] + block.signs @ self._spare, programme.variables())

    def _revised(self, columns: Columns, cost: Vector) -> Programme:
        right = np.append(np.zeros(_WIDTH * self._block.signs.shape[1]), 1.0)
        if self._programme is None:
            self._programme = Programme(columns, cost, right)
        else:
            self._programme.revise(columns, cost, right)
        return self._programme


def _fixed_inset(fixed: Block) -> Inset:
    ratios = _ratios(fixed, fixed.own[:, :_WIDTH])
    least = int(ratios.argmin())
    prices = np.zeros(len(ratios) + len(fixed.members))
    prices[least] = 1
    return Inset(float(ratios[least]), fixed, prices)


def _inset(block: Block, loads: Vector) -> float:
    """How far all patches can be drawn in under (c, 3) loads."""
    return float(_ratios(block, loads).min())


def _ratios(block: Block, loads: Vector) -> Vector:
    """(k,) distance of each side from where the load stands; infinite if there is none."""
    edges = block.edges
    force, moments = loads[edges.contact, 0], loads[edges.contact, 1:]
    loaded = force > _UNLOADED
    distances: Vector = edges.offset - np.einsum("ki,ki->k", edges.outward, moments) / np.where(loaded, force, 1.0)
    return np.where(loaded, distances, np.inf)


def _rows(block: Block, inset: float) -> tuple[Vector, Indices]:
    """(k + c, 3) rows on loads: above zero within a patch drawn in by `inset`, for each side, and where nothing pulls; whose they are.

    A patch drawn in beyond its middle carries nothing; only the second kind of row says so.
    """
    contacts = len(block.members)
    sides = np.column_stack([block.edges.offset - inset, -block.edges.outward])
    pushing = np.tile([1.0, 0.0, 0.0], (contacts, 1))
    return np.concatenate([sides, pushing]), np.concatenate([block.edges.contact, np.arange(contacts)])
