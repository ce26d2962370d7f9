"""Bodies that rest on each other in flat patches, prepared for statics by the force method.

A contact's *load* is five numbers: the upward force N, its first moments Mx, My and the horizontal force Fx, Fy that the lower
body gives the upper one; a force N at the point (x, y) of a contact at height z, with F, has M = (x, y)·N − z·F. Loads add up
plainly, so balance says: what a body's supports give it, less what it gives to those above, is its weight's load.

Each body names one supporting contact its *carrier*; the others are *spare*. The load of every contact is then fixed but for the
spare ones': load = own + signs · spare. A tower of 66 pieces has some twenty spare contacts, and they fall apart into blocks
that don't influence each other, hence small programmes.

Twisting about the vertical is left out: it would need friction to differ within one patch, and is assumed to find it. Against the
form that balances it too (`physics.point_system`) tilt margins of towers came out up to 1 % larger at friction 1, 0.2 % at 0.45.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from physics.bodies import Bodies
from physics.contact import TABLE, Contact
from physics.linear import Columns
from physics.pose import Vector

Indices = NDArray[np.intp]
LOAD = 5
"""Numbers of a load: N, Mx, My, Fx, Fy."""
_NOISE = 1e-7


class Unsupported(Exception):
    """Bodies that no contact carries, by index. Internal to statics."""

    def __init__(self, bodies: Sequence[int]) -> None:
        self.bodies = tuple(bodies)
        super().__init__(f"nothing carries bodies {self.bodies}")


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Sides of all patches. A load stands in its patch if offset · N − outward · (M + z·F) ≥ 0 for each side of it."""

    outward: Vector
    """(k, 2) unit vectors."""
    offset: Vector
    """(k,) distance of the side from the origin along `outward`."""
    contact: Indices
    """(k,) whose side it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Contacts whose loads depend on the same spare ones; blocks don't influence each other. Indices count the block's contacts."""

    members: Indices
    """(c,) which contacts of the system these are."""
    edges: Edges
    heights: Vector
    """(c,)"""
    signs: Vector
    """(c, spare) of −1, 0, 1."""
    own: Vector
    """(c, 5) loads while the spare contacts carry nothing."""
    lean: Vector
    """(2, c, 5) what a tilted table adds to `own`: for gravity (1, 0, −1) and (0, 1, −1)."""
    even: Vector
    """(c, 3) N, Mx, My if each body leaned evenly on all its supports, on spare ones in the middle."""

    def side_rows(self) -> Vector:
        """(k, 5) rows on loads, one for each side: above zero within the patch."""
        height = self.heights[self.edges.contact][:, None]
        return np.hstack([self.edges.offset[:, None], -self.edges.outward, -height * self.edges.outward])

    def columns(self, rows: Vector, contact: Indices, extra: Vector) -> Columns:
        """Rows on loads, written as columns on the spare loads.

        `rows`: (k, w) factors of the first w numbers of the load of `contact` (k,). Column j holds what row j says of each
        spare load (w entries each), followed by the (k, e) `extra` entries.
        """
        hit, spare = np.nonzero(self.signs)
        sign = self.signs[hit, spare]
        first = np.searchsorted(hit, np.arange(len(self.members) + 1))
        blocks = np.diff(first)[contact]
        width, extras = rows.shape[1], extra.shape[1]
        start = np.concatenate([[0], np.cumsum(blocks * width + extras)])
        row = np.repeat(np.arange(len(rows)), blocks)
        within = np.arange(len(row)) - np.repeat(np.cumsum(blocks) - blocks, blocks)
        block = first[contact[row]] + within
        place, value = np.empty(start[-1], dtype=np.int32), np.empty(start[-1])
        at = (start[row] + within * width)[:, None] + np.arange(width)
        place[at], value[at] = spare[block][:, None] * width + np.arange(width), sign[block][:, None] * rows[row]
        at = (start[1:] - extras)[:, None] + np.arange(extras)
        place[at], value[at] = self.signs.shape[1] * width + np.arange(extras), extra
        return Columns(start.astype(np.int32), place, value)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """How the weights of bodies load contacts, of whatever mass they are."""

    within: Vector
    """(c, n) 0 or 1: which bodies' weight each contact carries while the spare ones carry nothing."""
    spares: Indices
    signs: Vector
    """(c, spare) as `Block.signs`, of all contacts."""
    centres: Vector
    """(n, 3) of the bodies."""
    middles: Vector
    """(c, 2) of the patches."""
    lower: Indices
    upper: Indices
    heights: Vector

    def loads(self, mass_g: Vector) -> tuple[Vector, Vector, Vector]:
        """`own`, `lean` and `even` of all contacts, as `Block` has them, for bodies of these masses (n,)."""
        masses = mass_g / mass_g.mean()
        own, *lean = (self.within @ (masses[:, None] * load) for load in _weight_loads(self.centres))
        even = own[:, :3] + self.signs @ _even_loads(masses, self.middles, self.lower, self.upper, self.heights)[self.spares]
        return own, np.array(lean), even


@dataclass(frozen=True, slots=True, eq=False)
class FlatSystem:
    """See the module. Lengths in units of `length_mm`, forces in weights of the mean body, origin amid the bodies."""

    length_mm: float
    centres: Vector
    """(n, 3) of the bodies."""
    carriers: Indices
    """(n,) contact that carries each body."""
    stands_on: NDArray[np.bool_]
    """(n, n): row b marks b and everything below it through carriers."""
    fixed: Block
    """The contacts whose load is known at once, as no spare one changes it."""
    blocks: tuple[Block, ...]
    """Small ones first: what they can't bear often makes the answer of large ones needless."""
    weights: Weights

    def weighing(self, mass_g: Vector) -> FlatSystem:
        """The same bodies with other masses (n,)."""
        own, lean, even = self.weights.loads(mass_g)

        def loaded(block: Block) -> Block:
            return replace(block, own=own[block.members], lean=lean[:, block.members], even=even[block.members])

        return replace(self, fixed=loaded(self.fixed), blocks=tuple(map(loaded, self.blocks)))

    def motion(self, block: Block, rows: Vector, contact: Indices, prices: Vector) -> Vector:
        """(n, 5): how each body moves in the collapse that `prices` (k,) of a block's `rows` (k, w) describe: its upward speed is
        m[0] + m[1:3] · (x, y), its sideways speed m[3:5] − m[1:3] · z."""
        opening = np.zeros((max(self.carriers.max(), block.members.max()) + 1, LOAD))
        np.add.at(opening, block.members[contact], np.pad(prices[:, None] * rows, ((0, 0), (0, LOAD - rows.shape[1]))))
        moved: Vector = self.stands_on.astype(np.float64) @ opening[self.carriers]
        return moved


def flat_system(bodies: Bodies, contacts: Sequence[Contact], patches: NDArray[np.object_] | None = None) -> FlatSystem | None:
    """Prepare flat contacts; None if they are not all flat, level patches with an area. `patches`: their `patch_hulls`, if known.

    Raises `Unsupported`.
    """
    patches = patch_hulls(contacts) if patches is None else patches
    if patches is None:
        return None
    missing = sorted(set(range(len(bodies))).difference(contact.upper for contact in contacts))
    if missing:
        raise Unsupported(missing)
    length = float(np.sqrt(shapely.area(patches).mean()))
    origin = np.append(bodies.centre_mm[:, :2].mean(axis=0), 0.0)
    patches = shapely.transform(patches, lambda corners: (corners - origin[:2]) / length)
    centres = (bodies.centre_mm - origin) / length
    heights = np.array([contact.points[0, 2] for contact in contacts]) / length
    lower, upper = (np.array([getattr(contact, end) for contact in contacts], dtype=np.intp) for end in ("lower", "upper"))
    carriers = _carriers(len(bodies), upper, shapely.area(patches))
    stands_on = _stands_on(lower, carriers, heights)
    carrying = np.zeros(len(contacts), dtype=bool)
    carrying[carriers] = True
    spares = np.flatnonzero(~carrying)
    signs, within = _shares(lower, upper, carriers, spares, stands_on)
    middles = shapely.get_coordinates(shapely.centroid(patches))
    weights = Weights(within, spares, signs, centres, middles, lower, upper, heights)
    fixed, *blocks = _split(Block(np.arange(len(contacts)), _edges(patches), heights, signs, *weights.loads(bodies.mass_g)))
    return FlatSystem(length, centres, carriers, stands_on, fixed, tuple(sorted(blocks, key=lambda block: block.signs.shape[1])), weights)


def patch_hulls(contacts: Sequence[Contact]) -> NDArray[np.object_] | None:
    """(c,) the patches as convex polygons seen from above, mm; None if one is no level patch."""
    sizes = [len(contact.points) for contact in contacts]
    points = np.concatenate([contact.points for contact in contacts])
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    extent = float(np.ptp(points[:, :2], axis=0).max())
    uneven = np.maximum.reduceat(points[:, 2], first) - np.minimum.reduceat(points[:, 2], first)
    upright = np.array([contact.normal[2] for contact in contacts])
    if min(sizes) < 3 or uneven.max() > _NOISE * extent or upright.min() < 1 - _NOISE:
        return None
    clouds = shapely.multipoints(points[:, :2], indices=np.repeat(np.arange(len(sizes)), sizes))
    hulls: NDArray[np.object_] = shapely.simplify(shapely.convex_hull(clouds), _NOISE * extent)
    return hulls if shapely.area(hulls).min() > (_NOISE * extent) ** 2 else None


def _edges(patches: NDArray[np.object_]) -> Edges:
    corners, contact = shapely.get_coordinates(patches, return_index=True)
    same = contact[1:] == contact[:-1]
    begin, along, contact = corners[:-1][same], np.diff(corners, axis=0)[same], contact[:-1][same]
    first = np.searchsorted(contact, np.arange(len(patches)))
    doubled_area = np.add.reduceat(begin[:, 0] * along[:, 1] - begin[:, 1] * along[:, 0], first)
    sense = np.sign(doubled_area)[contact] / np.linalg.norm(along, axis=1)
    outward = np.column_stack([along[:, 1], -along[:, 0]]) * sense[:, None]
    return Edges(outward, np.einsum("ki,ki->k", outward, begin), contact)


def _carriers(count: int, upper: Indices, areas: Vector) -> Indices:
    """The largest supporting contact of each body."""
    carriers = np.empty(count, dtype=np.intp)
    order = np.argsort(areas, kind="stable")
    carriers[upper[order]] = order
    return carriers


def _stands_on(lower: Indices, carriers: Indices, heights: Vector) -> NDArray[np.bool_]:
    stands_on = np.eye(len(carriers), dtype=bool)
    for body in np.argsort(heights[carriers], kind="stable"):
        below = lower[carriers[body]]
        if below != TABLE:
            stands_on[body] |= stands_on[below]
    return stands_on


def _shares(lower: Indices, upper: Indices, carriers: Indices, spares: Indices, stands_on: NDArray[np.bool_]) -> tuple[Vector, Vector]:
    """`signs`, and (c, n): which bodies' weight each contact carries while the spare ones carry nothing."""
    below = stands_on[lower[spares]] & (lower[spares] != TABLE)[:, None]
    signs, within = np.zeros((len(upper), len(spares))), np.zeros((len(upper), len(carriers)))
    signs[spares, np.arange(len(spares))] = 1
    signs[carriers] = (below.astype(int) - stands_on[upper[spares]]).T
    within[carriers] = stands_on.T
    return signs, within


def _weight_loads(centres: Vector) -> tuple[Vector, Vector, Vector]:
    """The load, for unit mass, that holds each body up, and what a table tilted along x or y adds to it."""
    x, y, z = centres.T
    none, one = np.zeros(len(z)), np.ones(len(z))
    upright, along_x, along_y = (one, x, y, none, none), (none, z, none, -one, none), (none, none, z, none, -one)
    return np.column_stack(upright), np.column_stack(along_x), np.column_stack(along_y)


def _even_loads(masses: Vector, middles: Vector, lower: Indices, upper: Indices, heights: Vector) -> Vector:
    """(c, 3) N, Mx, My of all contacts if each body leaned evenly on all its supports, in the middle of each patch."""
    supports = np.bincount(upper, minlength=len(masses))
    load, force = masses.copy(), np.zeros(len(upper))
    for contact in np.argsort(-heights, kind="stable"):
        force[contact] = load[upper[contact]] / supports[upper[contact]]
        if lower[contact] != TABLE:
            load[lower[contact]] += force[contact]
    return np.column_stack([force, force[:, None] * middles])


def _split(whole: Block) -> list[Block]:
    """The contacts that no spare load changes, then the blocks."""
    tied = whole.signs != 0
    block_of_spare = np.arange(tied.shape[1])
    for row in tied[tied.sum(axis=1) > 1]:
        joined, merged = block_of_spare[row], np.arange(len(block_of_spare))
        merged[joined] = joined[0]
        block_of_spare = merged[block_of_spare]
    reached = tied.any(axis=1)
    block_of = np.full(len(tied), -1)
    block_of[reached] = block_of_spare[tied[reached].argmax(axis=1)] if reached.any() else -1
    return [_part(whole, np.flatnonzero(block_of == k), np.flatnonzero(block_of_spare == k)) for k in (-1, *np.unique(block_of_spare))]


def _part(whole: Block, members: Indices, spares: Indices) -> Block:
    place = np.full(len(whole.members), -1)
    place[members] = np.arange(len(members))
    contact = place[whole.edges.contact]
    kept = contact >= 0
    edges = Edges(whole.edges.outward[kept], whole.edges.offset[kept], contact[kept])
    signs: Vector = whole.signs[np.ix_(members, spares)]
    return Block(members, edges, whole.heights[members], signs, whole.own[members], whole.lean[:, members], whole.even[members])
