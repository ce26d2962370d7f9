"""A screen, and a home with settings, for each test of the window."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.viewer.xserver import XServer, x_server

_QUICK = {"first_start": False, "animation_speed": 4.0, "reduced_motion": True}


@pytest.fixture
def server() -> Iterator[XServer]:
    """A screen of 1920 × 1080 pixels."""
    with x_server() as started:
        yield started


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home where nothing is slower than it must be."""
    (tmp_path / "settings.json").write_text(json.dumps(_QUICK))
    return tmp_path
