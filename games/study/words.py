"""A study in words: tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.table import Table

from games.study.figures import Figure
from games.study.summary import SHARES, DesignSummary, Difference, Summary


def study_words(summary: Summary) -> Iterator[Table | str]:
    """What a study found: one table a set, then what mattered or how the two sets differ."""
    for design in summary.designs:
        yield design_table(design)
        if design.faults:
            yield f"{len(design.faults)} games of {design.name} could not be simulated to their end and count nowhere; the journal says why."
    if summary.differences:
        yield difference_table(summary)
    for outcome, found in summary.sensitivity.items():
        if not found:
            yield f"What changes {outcome} can't be told from these games: there are too few, or all ended alike."
            continue
        table = Table(title=f"What changes {outcome}", caption="strength: standardised regression, 95 % interval")
        for heading in ("dimension", "strength", "from the least to the most", "certain"):
            table.add_column(heading)
        for effect in found:
            dimension, unit = effect.variation.dimension, "%" if outcome in SHARES else ""
            span = f"{dimension.text(effect.variation.low)} → {dimension.text(effect.variation.high)}"
            row = (dimension.word, signed(effect.strength, ""), f"{span}: {signed(effect.over_range, unit)}", "yes" if effect.certain else "no")
            table.add_row(*row)
        yield table


def design_table(design: DesignSummary) -> Table:
    """The figures of one set."""
    table = Table(title=f"{design.name}: {design.games} rounds", caption="95 % intervals in brackets")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_row("rounds that end in a knock-over", percent(design.fell))
    table.add_row("acts in which the piece slips off", percent(design.slipped))
    table.add_row("chance of a fall, by reckoning, of one placement", percent(design.reckoned))
    table.add_row("layers reached", number(design.layers))
    table.add_row("height reached, mm", number(design.height_mm))
    table.add_row("acts in a round", number(design.acts))
    if design.margin_percentiles:
        margins = ", ".join(f"{step} %: {margin:.1f}" for step, margin in design.margin_percentiles.items())
        table.add_row("margin of the tower, mm, percentiles", margins)
    for seat, wins in enumerate(design.wins, 1):
        table.add_row(f"rounds won by seat {seat}", percent(wins))
    for layer, chance in design.by_layer.items():
        table.add_row(f"chance of a knock-over in an act on layer {layer}", percent(chance))
    for piece, chance in design.by_piece.items():
        table.add_row(f"chance of a knock-over in an act with {piece}", percent(chance))
    return table


def difference_table(summary: Summary) -> Table:
    """Two sets side by side."""
    first, second = (design.name for design in summary.designs)
    table = Table(title=f"{second} beside {first}", caption="95 % intervals in brackets")
    for heading in ("what", first, second, "difference", "certain"):
        table.add_column(heading)
    for row in summary.differences:
        show, unit = shown(row), change_unit(row)
        table.add_row(row.what, show[0], show[1], signed(row.change, unit), "yes" if row.change.certain else "no")
    return table


def shown(row: Difference) -> tuple[str, str]:
    """Both figures of a difference."""
    write = percent if row.is_share else number
    return write(row.first), write(row.second)


def change_unit(row: Difference) -> str:
    """The unit in which a difference is told: % for shares."""
    return "%" if row.is_share else row.unit


def percent(figure: Figure) -> str:
    """A share with its interval."""
    if figure.count == 0:
        return "–"
    return f"{100 * figure.value:.1f} %{_interval(100 * figure.low, 100 * figure.high)}"


def number(figure: Figure) -> str:
    """A mean with its interval."""
    return f"{figure.value:.1f}{_interval(figure.low, figure.high)}" if figure.count else "–"


def signed(figure: Figure, unit: str) -> str:
    """A change with its sign and interval; with `%` a share in percentage points."""
    factor, places = (100.0, 1) if unit == "%" else (1.0, 2)
    value, low, high = (factor * part for part in (figure.value, figure.low, figure.high))
    word = " points" if unit == "%" else f" {unit}" if unit else ""
    interval = f" ({low:+.{places}f} to {high:+.{places}f})" if math.isfinite(low) and math.isfinite(high) else ""
    return f"{value:+.{places}f}{word}{interval}"


def _interval(low: float, high: float) -> str:
    return f" ({low:.1f} – {high:.1f})" if math.isfinite(low) and math.isfinite(high) else ""
