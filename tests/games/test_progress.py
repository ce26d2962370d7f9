"""Progress of long work on the command line."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from games import progress


def test_a_log_file_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no terminal to draw a bar on, a line now and then says how far the work is; quick work says nothing."""
    log = StringIO()
    with progress.progress_bar(Console(file=log), "games") as report:
        report(1, 100)
        assert log.getvalue() == ""
        monkeypatch.setattr(progress, "_LINE_S", 0.0)
        report(12, 100)
    assert log.getvalue() == "games: 12 of 100\n"
