"""Placements and their text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshes.placement import Placement

CELLS = st.sets(st.tuples(st.integers(-999, 999), st.integers(-999, 999)), min_size=1, max_size=8).map(lambda cells: tuple(sorted(cells)))


@given(st.sampled_from(["DUO", "BASE", "X", "L_2", "T3"]), st.integers(0, 999), CELLS)
def test_text_form_is_read_back(piece: str, layer: int, cells: tuple[tuple[int, int], ...]) -> None:
    """What is printed is read back as the same placement."""
    placement = Placement(piece, layer, cells)
    assert Placement.parse(str(placement)) == placement


def test_text_form_is_the_protocols() -> None:
    """Piece, layer, then the cells as q,r, single spaces between."""
    assert str(Placement("DUO", 1, ((0, -1), (1, 0)))) == "DUO 1 0,-1 1,0"


@given(st.text(alphabet="DUO_ 01-,٣", max_size=16))
def test_only_the_exact_form_is_read(text: str) -> None:
    """Whatever is read prints exactly as it was written, so no move has two spellings."""
    placement = Placement.parse(text)
    assert placement is None or str(placement) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "DUO",
        "DUO 1",
        "duo 1 0,0 1,0",
        "DUO 1 1,0 0,0",
        "DUO 1 0,0 0,0",
        "DUO 01 0,0 1,0",
        "DUO -1 0,0 1,0",
        "DUO 1 -0,0 1,0",
        "DUO 1 +0,0 1,0",
        "DUO 1  0,0 1,0",
        "DUO 1 0,0 1,0 ",
        " DUO 1 0,0 1,0",
        "DUO 1 0,0\n1,0",
        "DUO 1 0,0 1,0\n",
        "DUO 1 0, 0 1,0",
        "DUO 1 0,0,0 1,0",
        "DUO 1 0.0,0 1,0",
        "DUO 1 ٣,0 4,0",
        "DUO 1 0,9999999",
        "PASS",
    ],
)
def test_other_spellings_are_refused(text: str) -> None:
    """Unsorted or repeated cells, signs, zeros, spaces, line ends, other digits and huge numbers are no placement."""
    assert Placement.parse(text) is None
