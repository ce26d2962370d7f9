"""Print plates: every piece once, none overlapping, none over the rim."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest
from shapely import Polygon, affinity, box

from meshes.errors import PlateTooSmall
from meshes.formats import PlacedPiece
from meshes.outline import outline
from meshes.piece_set import PieceSet, load_piece_set, shipped_sets
from meshes.plate import Plate, lay_out


def shadow(piece_set: PieceSet, placed: PlacedPiece) -> Polygon:
    """The outline of a piece where it lies."""
    (a, b, _, x), (c, d, _, y) = placed.transform[:2]
    return affinity.affine_transform(outline(piece_set, placed.piece), [a, b, c, d, x, y])


@pytest.mark.parametrize("name", shipped_sets())
@pytest.mark.parametrize("plate", [Plate(), Plate(120, 120, 2), Plate(86, 300, 1), Plate(1000, 1000, 10), Plate(math.inf, 100)])
def test_whole_box_lies_apart_on_its_plates(name: str, plate: Plate) -> None:
    """Every piece of the box lies on some plate, at least the gap from its neighbours and the rim, flat on the plate."""
    piece_set = load_piece_set(name)
    layouts = lay_out(piece_set, [piece for piece in piece_set.pieces for _ in range(piece.count)], plate)
    counts = Counter(placed.piece.name for layout in layouts for placed in layout)
    assert counts == {piece.name: piece.count for piece in piece_set.pieces}
    for layout in layouts:
        assert layout
        shadows = [shadow(piece_set, placed) for placed in layout]
        width_mm = min(plate.width_mm, 1e6)
        room = box(0, 0, width_mm, plate.depth_mm).buffer(-plate.gap_mm + 1e-6)
        assert all(room.covers(one) for one in shadows)
        assert all(a.distance(b) > plate.gap_mm - 1e-6 for a, b in itertools.combinations(shadows, 2))
        assert all((placed.transform[2] == [0, 0, 1, 0]).all() for placed in layout)


def test_piece_is_turned_only_if_it_must_be() -> None:
    """A BASE, 85.6 mm long, goes on a plate 65 mm wide turned by 90°, and straight on a wide one."""
    piece_set = load_piece_set("classic")
    (straight,) = lay_out(piece_set, [piece_set.base], Plate())[0]
    (turned,) = lay_out(piece_set, [piece_set.base], Plate(65, 300))[0]
    assert straight.transform[0, 0] == 1
    assert turned.transform[0, 0] == 0


def test_plate_too_small_for_a_piece_is_refused_with_both_sizes() -> None:
    """The message says what the piece needs and what the plate has; no half of a set is laid out."""
    piece_set = load_piece_set("classic")
    with pytest.raises(PlateTooSmall, match=r"BASE needs 95\.6 × 61\.6 mm and the plate is 61 × 95 mm"):
        lay_out(piece_set, piece_set.pieces, Plate(61, 95))


@pytest.mark.parametrize("plate", [Plate(math.nan, 100), Plate(0, 0), Plate(-250, -210), Plate(250, 210, math.nan)])
def test_nonsense_sizes_are_too_small(plate: Plate) -> None:
    """A plate of no size takes no piece."""
    piece_set = load_piece_set("classic")
    with pytest.raises(PlateTooSmall):
        lay_out(piece_set, piece_set.pieces, plate)


def test_gap_below_zero_is_refused() -> None:
    """Pieces never overlap, whatever is asked."""
    with pytest.raises(ValueError, match="less than 0"):
        Plate(gap_mm=-1)


def test_no_pieces_need_no_plate() -> None:
    """Nothing to lay out gives no plates."""
    assert lay_out(load_piece_set("classic"), [], Plate()) == []
