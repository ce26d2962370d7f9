"""Writing piece sets: what is written reads back equal."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from meshes.piece_set import load_piece_set, shipped_sets
from meshes.set_changes import with_sizes
from meshes.set_writer import set_text, write_piece_set


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
