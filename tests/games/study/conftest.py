"""A set of a few pieces, so that a round is over in a moment."""

from __future__ import annotations

import pytest

from games.study.setup import StudySetup
from meshes.piece_set import PieceSet, read_piece_set

SMALL = """
title = "a few pieces"
lattice = "hex"
base = "BASE"
[geometry]
pitch_mm = 30.0
radius_mm = 12.0
thickness_mm = 10.0
bevel_mm = 0.8
[material]
density_g_cm3 = 0.7
friction = 0.45
restitution = 0.25
[pieces]
BASE = { cells = [[0, 0], [1, 0], [0, 1]], count = 2, colour = "#3B3D43", letter = "B" }
UNI = { cells = [[0, 0]], count = 2, colour = "#D64533", letter = "U" }
DUO = { cells = [[0, 0], [1, 0]], count = 2, colour = "#EBB02D", letter = "D" }
[hands]
1 = { BASE = 1, UNI = 1, DUO = 1 }
2 = { BASE = 1, UNI = 1, DUO = 1 }
"""


@pytest.fixture(scope="session")
def small() -> PieceSet:
    """The set of a few pieces."""
    return read_piece_set("small", SMALL)


@pytest.fixture
def quick(small: PieceSet) -> StudySetup:
    """A study of a few quick games, laid with both hands."""
    return StudySetup(small, 4, bots=("random",), hand="board", seed=5, placements=1, hands=4)
