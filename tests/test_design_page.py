"""The page "Design a piece" works when it is followed word for word."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from meshes.piece_set import load_piece_set
from meshes.solid import build_solid
from tests.command import run

HOUSE = Path(__file__).parents[1]
PAGE = (HOUSE / "docs" / "design-a-piece.md").read_text("utf8")


def block(name: str) -> str:
    """The example under a mark on the page."""
    found = re.search(rf"<!-- {name} -->\n```\w*\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_page_leads_from_nothing_to_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The shape's program writes a file, `stakd check` finds it sound, and the set that names it plays with its weight.

    The weight is that of two discs of radius r and of the neck of half-width h between them, 10 mm thick, of 0.7 g/cm³.
    """
    monkeypatch.chdir(tmp_path)
    exec(compile(block("shape"), "shape", "exec"), {})  # the page's own program
    status, out, err = run(capsys, *block("check").split()[1:])
    assert status == 0, out + err
    classic = (HOUSE / "meshes" / "sets" / "classic.toml").read_text("utf8")
    Path("peanuts.toml").write_text(re.sub(r"\[pieces\.DUO\].*?(?=\n\[)", block("set"), classic, flags=re.DOTALL))
    peanuts, plain = load_piece_set("peanuts.toml"), load_piece_set("classic")
    peanut = build_solid(peanuts, peanuts.piece("DUO"))
    r, h = 12.8, 6.0
    area = 2 * math.pi * r**2 + 2 * h * 30 - 2 * (h * math.sqrt(r**2 - h**2) + r**2 * math.asin(h / r))
    assert peanut.mass_g == pytest.approx(area * 10 * 0.7 / 1000, rel=0.002)
    assert peanut.mass_g < build_solid(plain, plain.piece("DUO")).mass_g


def test_page_names_real_pages() -> None:
    """Every page and picture that is pointed to is there."""
    for target in re.findall(r"\]\(([^)#:]+)\)", PAGE):
        assert (HOUSE / "docs" / target).exists(), target
