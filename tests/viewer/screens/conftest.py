"""A program without a window, with a home of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.viewer.driver import headless_program
from viewer.program import Program


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, matches and pictures of each test are its own."""
    monkeypatch.setenv("STAKD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    """A program without a page."""
    with headless_program(home) as program:
        yield program


@pytest.fixture
def told(program: Program, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the program tells its user, as it comes."""
    lines: list[str] = []
    tell = program.tell

    def listen(words: str) -> None:
        lines.append(words)
        tell(words)

    monkeypatch.setattr(program, "tell", listen)
    return lines
