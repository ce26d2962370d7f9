"""The tower that stands on the page at home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.stakd.state import State
from meshes.piece_set import PieceSet, load_piece_set
from physics.tower import Tower
from viewer.gui.box import Box
from viewer.items import tower_items
from viewer.screens.table_view import TableView

if TYPE_CHECKING:
    from viewer.program import Program

_SEED = 12


class HomeTower:
    """A tower to look at. What it needs takes long to load; while that is waited for anyway, sounds are made, so that none comes late."""

    def __init__(self, program: Program) -> None:
        self._tower = random_tower(load_piece_set("classic"), np.random.default_rng(_SEED))
        self._free: Box | None = None
        self.view = TableView(program, self._tower.piece_set)
        self.view.show(tower_items(self._tower))
        program.sounds.warm_up()

    def fit(self, free: Box) -> None:
        """The tower has so much room; if it is another, and nobody has moved the camera, the camera goes to where it fits."""
        if free != self._free:
            self.view.free = self._free = free
            if self.view.untouched:
                self.view.fly_home(self._tower, 0.0)


def random_tower(piece_set: PieceSet, rng: np.random.Generator) -> Tower:
    """The tower at the end of a round of two who lay at random, every piece exactly in its place."""
    state = State.new(2, piece_set=piece_set)
    placements = state.placements()
    while state.round == 1 and not state.over:
        moves = state.legal_moves()
        move = moves[int(rng.integers(len(moves)))]
        placements = [*state.placements(), move]
        state.play(move)
    return Tower.exact(piece_set, placements)
