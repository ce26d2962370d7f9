"""Shared by the tests of this room: piece sets made on the spot, and a piece's skeleton found by measuring distances alone."""

from __future__ import annotations

import itertools
import math

import pytest
import shapely
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from meshes.lattice import Cell, Cells, Lattice
from meshes.piece_set import PieceSet, build_piece_set


class Maker:
    """Makes shapes, sets with such a BASE, and skeletons."""

    @staticmethod
    def set_of(lattice: Lattice, base: Cells, *, radius_mm: float = 12.8, bevel_mm: float = 0.8) -> PieceSet:
        """A set of a BASE of these cells and one other piece; pitch 30 mm, thickness 10 mm, 0.7 g/cm³."""
        other = [[0, 0]] if len(base) > 1 else [[0, 0], [1, 0]]
        data = {
            "title": "made for a test",
            "lattice": lattice.value,
            "base": "BASE",
            "geometry": {"pitch_mm": 30.0, "radius_mm": radius_mm, "thickness_mm": 10.0, "bevel_mm": bevel_mm},
            "material": {"density_g_cm3": 0.7, "friction": 0.4, "restitution": 0.2},
            "pieces": {
                "BASE": {"cells": [list(cell) for cell in base], "count": 2, "colour": "#102030", "letter": "B"},
                "OTHER": {"cells": other if sorted(base) != [(0, 0), (1, 0)] else [[0, 0]], "count": 9, "colour": "#A0B0C0", "letter": "O"},
            },
            "hands": {"1": {"BASE": 1, "OTHER": 2}},
        }
        return build_piece_set("made", data)

    @staticmethod
    def shape(data: st.DataObject) -> tuple[Lattice, Cells]:
        """Some connected shape of up to 9 cells on some lattice, grown cell by cell."""
        lattice = data.draw(st.sampled_from(list(Lattice)), "lattice")
        cells: set[Cell] = {(0, 0)}
        for _ in range(data.draw(st.integers(0, 8), "further cells")):
            free = sorted({near for cell in cells for near in lattice.neighbours(cell)} - cells)
            cells.add(data.draw(st.sampled_from(free), "cell"))
        return lattice, tuple(sorted(cells))

    @staticmethod
    def skeleton(piece_set: PieceSet, cells: Cells) -> BaseGeometry:
        """Node centres, lines between centres one pitch apart, and the triangles or squares those lines close."""
        centres = [piece_set.lattice.position(cell, piece_set.pitch_mm) for cell in cells]

        def near(a: tuple[float, float], b: tuple[float, float], pitches: float = 1.0) -> bool:
            return abs(math.dist(a, b) - pitches * piece_set.pitch_mm) < 1e-6

        bits: list[BaseGeometry] = [Point(centre) for centre in centres]
        bits += [LineString(pair) for pair in itertools.combinations(centres, 2) if near(*pair)]
        if piece_set.lattice is Lattice.HEX:
            bits += [Polygon(three) for three in itertools.combinations(centres, 3) if all(near(*pair) for pair in itertools.combinations(three, 2))]
        else:
            corners = itertools.permutations(centres, 4)
            bits += [Polygon(four) for four in corners if near(four[0], four[2], 2**0.5) and all(near(four[i], four[i - 1]) for i in range(4))]
        return shapely.union_all(bits)


@pytest.fixture(scope="session")
def maker() -> type[Maker]:
    """See `Maker`."""
    return Maker
