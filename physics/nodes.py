"""The nodes of a tower: where each one stands, which piece carries it, and whether it still does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from meshes.lattice import Cell
from meshes.piece_set import PieceSet, PieceType
from physics import rotation
from physics.contact import TABLE
from physics.pose import Vector
from physics.tower import Tower

NOTHING = -2
"""Stands for the carrier of a node with nothing below it."""
LIFTED_MM = 1.0
"""A node this far above its carrier is not carried any more."""


@dataclass(frozen=True, slots=True, eq=False)
class TowerNodes:
    """All nodes of a tower, piece by piece.

    `piece`, `carrier`: (m,) indices into the tower, `TABLE` or `NOTHING`; `cells`: m cells; `local`: (m, 3) mm in the piece's frame, on its
    bottom face; `exact`: (m, 3) mm where the placement wants it; `radius_mm`: of a node.
    """

    piece: NDArray[np.intp]
    carrier: NDArray[np.intp]
    cells: tuple[Cell, ...]
    local: Vector
    exact: Vector
    radius_mm: float

    @classmethod
    def of(cls, tower: Tower) -> TowerNodes:
        """The nodes of `tower`; the carrier of a node is the piece that has its cell on the layer below."""
        piece_set = tower.piece_set
        owner = {(laid.placement.layer, cell): i for i, laid in enumerate(tower.laid) for cell in laid.placement.cells}
        piece, carrier, cells, local, exact = [], [], [], [], []
        for i, laid in enumerate(tower.laid):
            layer = laid.placement.layer
            own = piece_nodes(piece_set, tower.piece_type(i))
            now = laid.pose.apply(own)
            for cell in laid.placement.cells:
                place = np.array([*piece_set.lattice.position(cell, piece_set.pitch_mm), layer * piece_set.thickness_mm])
                piece.append(i)
                carrier.append(TABLE if layer == 0 else owner.get((layer - 1, cell), NOTHING))
                cells.append(cell)
                exact.append(place)
                # By nearness, as a symmetric piece may lie turned about.
                local.append(own[np.argmin(np.linalg.norm(now - place, axis=1))])
        return cls(
            piece=np.array(piece, dtype=np.intp),
            carrier=np.array(carrier, dtype=np.intp),
            cells=tuple(cells),
            local=np.array(local).reshape(-1, 3),
            exact=np.array(exact).reshape(-1, 3),
            radius_mm=piece_set.radius_mm,
        )

    def places(self, states: Vector) -> Vector:
        """(m, 3) mm where the nodes are when the pieces are at `states` (n, 7)."""
        placed: Vector = states[self.piece, :3] + rotation.rotated(states[self.piece, 3:], self.local)
        return placed

    def uncarried(self, start: Vector, states: Vector) -> NDArray[np.bool_]:
        """(m,) which nodes have lost their carrier between `start` and `states` (n, 7 each): lifted by more than `LIFTED_MM`, or
        gone sideways by more than a node's radius, as the carrier sees it."""
        gone = self._on_carrier(states) - self._on_carrier(start)
        lost: NDArray[np.bool_] = ((gone[:, 2] > LIFTED_MM) | (np.hypot(gone[:, 0], gone[:, 1]) > self.radius_mm)) & (self.carrier != NOTHING)
        return lost

    def _on_carrier(self, states: Vector) -> Vector:
        """(m, 3) the nodes in the frames of their carriers."""
        carried = self.carrier >= 0
        frames = np.where(carried[:, None], states[np.maximum(self.carrier, 0)], np.array([0, 0, 0, 0, 0, 0, 1.0]))
        return rotation.rotated(rotation.inverses(frames[:, 3:]), self.places(states) - frames[:, :3])


@lru_cache(maxsize=256)
def piece_nodes(piece_set: PieceSet, piece: PieceType) -> Vector:
    """(k, 3) mm node centres of a piece in its own frame, on the bottom face; not to be written to."""
    nodes = np.array([[*piece_set.lattice.position(cell, piece_set.pitch_mm), 0.0] for cell in piece.cells])
    nodes.setflags(write=False)
    return nodes
