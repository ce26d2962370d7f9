"""Reports on a piece set: what `stakd pieces` shows."""

from __future__ import annotations

import io
import json
import math

import pytest
from rich.console import Console

from meshes.piece_set import load_piece_set, shipped_sets
from meshes.report import set_report, set_table


@pytest.mark.parametrize("name", shipped_sets())
def test_report_is_plain_data_about_every_piece(name: str) -> None:
    """The report goes through JSON unchanged and has the pieces in the set's order, with the 66 pieces of the box (RULES 1.2)."""
    piece_set = load_piece_set(name)
    report = set_report(piece_set)
    assert json.loads(json.dumps(report)) == report
    assert [piece["name"] for piece in report["pieces"]] == list(piece_set.by_name)
    assert sum(piece["count"] for piece in report["pieces"]) == 66
    assert report["hands"]["3"] == {"BASE": 1, "UNI": 6, "DUO": 4, "TRIO": 2, "QUAD": 1}


def test_sizes_and_weights_are_those_of_the_shapes() -> None:
    """A UNI is 2 × 12.8 mm wide; a DUO one pitch longer, heavier by pitch × width × its bevelled height; all weigh 0.7 g/cm³."""
    pieces = {piece["name"]: piece for piece in set_report(load_piece_set("classic"))["pieces"]}
    assert pieces["UNI"]["size_mm"] == pytest.approx([25.6, 25.6, 10], abs=0.001)
    assert pieces["DUO"]["size_mm"] == pytest.approx([55.6, 25.6, 10], abs=0.001)
    assert pieces["TRIO"]["size_mm"] == pytest.approx([55.6, 25.6 + 15 * math.sqrt(3), 10], abs=0.001)
    between = 30 * (25.6 * 10 - 2 * 0.8**2) / 1000
    assert pieces["DUO"]["volume_cm3"] - pieces["UNI"]["volume_cm3"] == pytest.approx(between, abs=0.0002)
    assert pieces["DUO"]["centre_mm"] == pytest.approx([15, 0, 5])
    for piece in pieces.values():
        assert piece["mass_g"] == pytest.approx(0.7 * piece["volume_cm3"], abs=0.0002)


def test_concave_pieces_are_told_from_convex_ones() -> None:
    """The classic set is convex throughout; of the square set the L and the plus are not."""
    assert all(piece["convex"] for piece in set_report(load_piece_set("classic"))["pieces"])
    assert [piece["name"] for piece in set_report(load_piece_set("square"))["pieces"] if not piece["convex"]] == ["BASE", "TRIO"]


def test_table_has_a_row_a_piece() -> None:
    """The table for people names each piece with its letter, number and size."""
    screen = io.StringIO()
    Console(file=screen, width=100).print(set_table(load_piece_set("classic")))
    text = screen.getvalue()
    for words in (("BASE", "B", "5", "6", "85.6 × 51.6 × 10.0"), ("UNI", "U", "1", "24", "25.6 × 25.6 × 10.0")):
        assert any(all(word in line for word in words) for line in text.splitlines())
    assert "66 pieces" in text
