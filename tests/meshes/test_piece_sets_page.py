"""The page about piece sets tells the truth: its example loads, its ranges and names of mistakes are the program's."""

from __future__ import annotations

import re
from pathlib import Path

from meshes.outline import convex_parts
from meshes.piece_set import read_piece_set
from meshes.set_file import Geometry, Material

HOUSE = Path(__file__).parents[2]
PAGE = (HOUSE / "docs" / "piece-sets.md").read_text("utf8")


def example() -> str:
    """The example file on the page."""
    found = re.search(r"<!-- example -->\n```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_example_on_the_page_is_a_sound_set() -> None:
    """Whoever copies the example has a working set with a ring and a bar."""
    piece_set = read_piece_set("example", example())
    assert piece_set.max_players == 2
    assert [len(convex_parts(piece_set, piece)) for piece in piece_set.pieces] == [6, 1, 1]


def test_every_mistake_the_program_names_is_on_the_page() -> None:
    """The codes on the page are exactly those that checking a set can give."""
    source = "".join((HOUSE / "meshes" / name).read_text("utf8") for name in ("forms.py", "set_file.py", "piece_set.py", "set_mesh.py"))
    given = set(re.findall(r'Defect\("([a-z-]+)"|_refused\([^"]*"([a-z-]+)"', source))
    codes = {code for pair in given for code in pair if code} | {"unknown-piece"}
    table = PAGE.split("## Mistakes by name")[1].split("##")[0]
    named = {code for row in re.findall(r"^\| (.*?) \|", table, re.MULTILINE) for code in re.findall(r"`([a-z-]+)`", row)}
    assert named == codes


def test_every_size_and_material_is_explained() -> None:
    """Each key of [geometry] and [material] has a row with its range."""
    for key in (*Geometry.model_fields, *Material.model_fields):
        assert re.search(rf"^\| `{key}` \|", PAGE, re.MULTILINE)
