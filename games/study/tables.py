"""The results of a study as tables for other programs: CSV, or Parquet with the extra `study`."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.study.result import GameResult
from games.study.setup import StudySetup
from games.study.variation import named_values
from meshes.errors import MissingExtra, UnknownFormat
from meshes.files import write_atomically

Columns = Mapping[str, Sequence[Any]]
"""A table by columns, all of one length; None where there is nothing."""

SUFFIXES = (".csv", ".parquet")


def study_tables(setup: StudySetup, results: Sequence[GameResult]) -> dict[str, Columns]:
    """Three tables: `games` (one row a game), `acts` (one row an act), `placements` (one row a placement looked at closely)."""
    acts = [_key(setup, game) | {"act": n, **act._asdict(), "kind": act.kind.value} for game in results for n, act in enumerate(game.acts, 1)]
    placements = [_key(setup, game) | _placement_row(row._asdict()) for game in results for row in game.placements]
    return {"games": _columns([_game_row(setup, game) for game in results]), "acts": _columns(acts), "placements": _columns(placements)}


def write_table(path: Path, columns: Columns) -> None:
    """Write a table; the ending says how. Raises `UnknownFormat`, `MissingExtra`, `UnwritableFile`."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UnknownFormat(path, SUFFIXES)
    write_atomically(path, _csv(columns) if suffix == ".csv" else _parquet(columns))


def check_format(suffix: str) -> None:
    """Raises what `write_table` would, before a long study rather than after it."""
    write = _parquet if suffix == ".parquet" else _csv
    write({"nothing": []})


def _key(setup: StudySetup, game: GameResult) -> dict[str, Any]:
    return {"set": setup.designs[game.design].name, "game": game.game}


def _game_row(setup: StudySetup, game: GameResult) -> dict[str, Any]:
    counted = {"acts": len(game.acts), "slips": game.slips, "fell": game.fell}
    plain = {key: getattr(game, key) for key in ("seed", "layers", "height_mm", "pieces", "winner", "toppled_by", "fault")}
    return _key(setup, game) | plain | counted | dict(named_values(setup.variations, game.values))


def _placement_row(row: dict[str, Any]) -> dict[str, Any]:
    margins = sorted(row.pop("margins_mm"))
    ends = {"least_margin_mm": margins[0] if margins else None, "middle_margin_mm": margins[len(margins) // 2] if margins else None}
    return row | {"chance": row["falls"] / row["hands"]} | ends


def _columns(rows: Sequence[Mapping[str, Any]]) -> Columns:
    return {key: [row[key] for row in rows] for key in (rows[0] if rows else ())}


def _csv(columns: Columns) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def _parquet(columns: Columns) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("a table as Parquet", "pyarrow", "study") from error
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table({name: list(values) for name, values in columns.items()}), sink)
    written: bytes = sink.getvalue().to_pybytes()
    return written
