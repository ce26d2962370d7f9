"""Towers to look at."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from games.stakd.state import State
from meshes.piece_set import PieceSet, load_piece_set
from meshes.placement import Placement
from physics.tower import Tower


@pytest.fixture(scope="session")
def classic() -> PieceSet:
    """The classic set."""
    return load_piece_set("classic")


@pytest.fixture(scope="session")
def uni(classic: PieceSet) -> Tower:
    """One UNI alone on the table, its node at the origin."""
    return Tower.exact(classic, [Placement("UNI", 0, ((0, 0),))])


@pytest.fixture(scope="session")
def random_tower() -> Callable[[int, str], Tower]:
    """A tower from a two-player round of random moves, by seed and set name."""

    def build(seed: int, set_name: str = "classic") -> Tower:
        piece_set = load_piece_set(set_name)
        state, rng = State.new(2, piece_set=piece_set), np.random.default_rng(seed)
        while not state.over and state.round == 1 and (moves := state.legal_moves()) and len(state.placements()) < 30:
            state.play(moves[int(rng.integers(len(moves)))])
        return Tower.exact(piece_set, state.placements())

    return build
