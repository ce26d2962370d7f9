"""`stakd study`: plays the games of a study, then writes its tables, its summary and its report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

from games.study.journal import NAME as JOURNAL
from games.study.run import Place, run_study
from games.study.setup import StudySetup
from games.study.summary import Summary, summarise
from games.study.tables import check_format, study_tables, write_table
from games.study.variation import buildable_share
from games.study.words import study_words
from meshes.files import write_atomically
from viewer.study_report import write_report


@dataclass(frozen=True, slots=True)
class Studied:
    """A study that is over: what it says, and the files it left, by name."""

    summary: Summary
    files: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json`."""
        return {**self.summary.to_json(), "files": self.files}


def make_study(
    setup: StudySetup,
    out: Path,
    *,
    place: Place,
    resume: bool,
    table_format: str,
    say: Callable[[RenderableType], object],
    console: Console,
) -> Studied:
    """Play what is missing of a study in the folder `out` and leave tables, `summary.json` and `report.html` there.

    Notes and the summary go through `say`, progress to `console`. Raises what `run_study`, `parse_variations` and `write_table` do.
    """
    setup.check()
    check_format(f".{table_format}")
    if resume and not (out / JOURNAL).exists():
        say(f"There is no study in {out} yet; a new one begins.")
    left_out = 1 - buildable_share(setup.piece_set, setup.variations)
    if left_out > 0:
        say(f"{left_out:.0%} of the designs within the ranges can't be built (outlines would meet, say); they are left out.")
    results = run_study(setup, out, place=place, resume=resume, console=console)
    summary = summarise(setup, results)
    files = {}
    for name, columns in study_tables(setup, results).items():
        files[name] = str(out / f"{name}.{table_format}")
        write_table(out / f"{name}.{table_format}", columns)
    files["summary"], files["report"] = str(out / "summary.json"), str(out / "report.html")
    write_atomically(out / "summary.json", (json.dumps(summary.to_json(), indent=1) + "\n").encode())
    write_report(summary, results, out / "report.html", left_out=left_out)
    for part in study_words(summary):
        say(part)
    for name, path in files.items():
        say(f"{name}: {path}")
    return Studied(summary, files)
