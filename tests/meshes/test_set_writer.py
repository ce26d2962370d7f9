"""Writing piece sets: what is written reads back equal."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from meshes.errors import BadPieceSet
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import load_piece_set, shipped_sets
from meshes.set_writer import set_text, with_mesh, with_sizes, write_piece_set
from meshes.solid import build_solid


@pytest.mark.parametrize("name", shipped_sets())
def test_a_set_reads_back_equal(name: str, tmp_path: Path) -> None:
    """A written set, under the same name, is the set it was, its data to the last value."""
    piece_set = load_piece_set(name)
    assert tomllib.loads(set_text(piece_set.source)) == piece_set.source
    path = tmp_path / "copy" / f"{name}.toml"
    path.parent.mkdir()
    write_piece_set(with_sizes(piece_set, name="copied"), path)
    read = load_piece_set(path)
    assert (read.pieces, read.hands, read.radius_mm) == (piece_set.pieces, piece_set.hands, piece_set.radius_mm)


def test_titles_survive_whatever_stands_in_them() -> None:
    """Quotes, backslashes and signs of other languages come back as they were."""
    source = {**load_piece_set("classic").source, "title": 'Grandma\'s "best" \\ Türme 塔'}
    assert tomllib.loads(set_text(source))["title"] == source["title"]


def test_sizes_change_and_nothing_else() -> None:
    """Another radius and friction are in the set and in its data; one that can't be built is refused."""
    classic = load_piece_set("classic")
    changed = with_sizes(classic, radius_mm=12.0, friction=0.6)
    assert (changed.radius_mm, changed.friction, changed.pitch_mm) == (12.0, 0.6, 30.0)
    assert changed.source["geometry"]["radius_mm"] == 12.0
    assert classic.source["geometry"]["radius_mm"] == 12.8
    with pytest.raises(BadPieceSet, match="outlines-overlap"):
        with_sizes(classic, radius_mm=15.0)


def test_a_mesh_takes_the_place_of_a_piece_with_its_cells() -> None:
    """The mesh of three nodes in a row in the TRIO's place is there with its cells; all other pieces and the name stay."""
    classic, row = load_piece_set("classic"), ((0, 0), (1, 0), (2, 0))
    mesh = PieceMesh.of(build_solid(classic, replace(classic.by_name["TRIO"], cells=row)).mesh)
    changed = with_mesh(classic, "TRIO", mesh, row)
    assert (changed.name, changed.by_name["TRIO"].mesh, changed.by_name["TRIO"].cells) == ("classic", mesh, row)
    assert [piece for piece in changed.pieces if piece.name != "TRIO"] == [piece for piece in classic.pieces if piece.name != "TRIO"]
