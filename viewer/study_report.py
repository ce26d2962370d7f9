"""The report of a study: one HTML file with everything in it, which opens without a network."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from games.acts import ActKind
from games.study.figures import Figure
from games.study.result import GameResult
from games.study.summary import OUTCOMES, SHARES, DesignSummary, Summary
from games.study.words import change_unit, number, percent, shown, signed
from meshes.files import write_atomically
from viewer import study_plots as plots
from viewer.gui import theme

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

_POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
"""What a browser lets the page do: nothing that leaves it."""


def write_report(summary: Summary, results: Sequence[GameResult], path: Path, *, left_out: float = 0.0) -> None:
    """Write the report of a study; `left_out`: the share of the designs within the ranges that can't be built. Raises `UnwritableFile`."""
    write_atomically(path, report_html(summary, results, left_out=left_out).encode())


def report_html(summary: Summary, results: Sequence[GameResult], *, left_out: float = 0.0) -> str:
    """The page as text. The same results give the same text."""
    page = _Page()
    sound = [result for result in results if result.fault is None]
    body = "".join(_parts(page, summary, sound, left_out))
    title = escape(" and ".join(f"“{design.title}”" for design in summary.setup.designs))
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}"><title>STAKD study: {title}</title>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    main = f"<main><h1>A study of {title}</h1>{body}</main>"
    return f'<!doctype html><html lang="en"><head>{head}{view}<style>{_style()}</style></head><body>{main}</body></html>\n'


class _Page:
    """Numbers the plots and takes the drawing library along with the first."""

    def __init__(self) -> None:
        self._count = 0

    def plot(self, plot: Plot) -> str:
        """A plot as HTML."""
        self._count += 1
        settings = {"displaylogo": False, "responsive": True, "modeBarButtonsToRemove": ["sendDataToCloud", "lasso2d", "select2d"]}
        text: str = plot.to_html(full_html=False, include_plotlyjs=self._count == 1, div_id=f"plot-{self._count}", config=settings)
        return text


def _parts(page: _Page, summary: Summary, sound: Sequence[GameResult], left_out: float) -> Iterator[str]:
    designs = summary.designs
    yield _asked(summary, left_out)
    yield _tiles(designs)
    if not sound:
        yield "<p>No game could be played to its end, so there is nothing to show.</p>"
        return
    if summary.differences:
        yield _differences(page, summary)
    yield from _sensitivity(page, summary, sound)
    yield from _falls(page, designs)
    yield from _rounds(page, summary, sound)
    yield from _margins(page, designs)
    yield from _tower(page, summary, sound)
    yield _reading()


def _asked(summary: Summary, left_out: float) -> str:
    setup = summary.setup
    hand = f"a {setup.hand} hand" if setup.hand != "board" else "both hands, exactly"
    varied = "; ".join(f"{v.dimension.word} from {v.dimension.text(v.low)} to {v.dimension.text(v.high)}" for v in setup.variations)
    lines = [f"{setup.games} rounds of {setup.players} players ({escape(', '.join(setup.bots))}) who lay with {hand}; seed {setup.seed}."]
    lines += [f"Varied from round to round: {varied}."] if varied else []
    lines += [f"{left_out:.0%} of these designs can't be built, as outlines would meet; they were left out."] if left_out > 0 else []
    return f'<p class="asked">{" ".join(lines)}</p>'


def _tiles(designs: Sequence[DesignSummary]) -> str:
    rows = []
    for design in designs:
        name = f"<h3>{escape(design.name)}</h3>" if len(designs) > 1 else ""
        tiles = (
            ("of rounds end in a knock-over", percent(design.fell)),
            ("layers reached, on average", number(design.layers)),
            ("acts in a round, on average", number(design.acts)),
            ("of acts the piece slips off and is taken back", percent(design.slipped)),
        )
        rows.append(name + '<div class="tiles">' + "".join(_tile(what, figure) for what, figure in tiles) + "</div>")
        if design.faults:
            rows.append(f"<p>{len(design.faults)} rounds could not be simulated to their end and count nowhere.</p>")
    return "".join(rows)


def _tile(what: str, figure: str) -> str:
    value, _, interval = figure.partition(" (")
    bounds = f"<small>between {escape(interval.rstrip(')').replace('–', 'and'))}</small>" if interval else ""
    return f'<div class="tile"><b>{escape(value)}</b>{bounds}<span>{escape(what)}</span></div>'


def _section(title: str, words: str, *plots: str) -> str:
    return f"<section><h2>{title}</h2><p>{words}</p>{''.join(plots)}</section>"


def _differences(page: _Page, summary: Summary) -> str:
    first, second = (escape(design.name) for design in summary.designs)
    rows = "".join(
        f"<tr><td>{escape(row.what)}</td><td>{shown(row)[0]}</td><td>{shown(row)[1]}</td><td>{signed(row.change, change_unit(row))}</td>"
        f"<td>{'certain' if row.change.certain else 'may be chance'}</td></tr>"
        for row in summary.differences
    )
    table = f"<table><tr><th></th><th>{first}</th><th>{second}</th><th>difference</th><th></th></tr>{rows}</table>"
    words = f"What changes when {second} is played instead of {first}. Intervals hold with 95 % confidence; where one keeps clear of zero the "
    return _section("The two sets side by side", words + "difference is called certain.", table, page.plot(plots.changes(summary.differences)))


def _sensitivity(page: _Page, summary: Summary, sound: Sequence[GameResult]) -> Iterator[str]:
    if not summary.setup.variations:
        return
    words = "How many standard deviations the outcome changes when a dimension changes by one of its own, the others staying as they are. "
    words += "Full dots are certain (their 95 % interval keeps clear of zero); open ones may be chance."
    shown = []
    for outcome, found in summary.sensitivity.items():
        if not found:
            shown.append(f"<h3>{escape(outcome.capitalize())}</h3><p>There are too few rounds to tell, or all ended alike.</p>")
            continue
        shown.append(f"<h3>{escape(outcome.capitalize())}: strength of each dimension</h3>" + page.plot(plots.strengths(found)))
        strongest = summary.setup.variations.index(found[0].variation)
        over = f"{outcome.capitalize()} over the strongest, {found[0].variation.dimension.word}: means of fifths of the rounds"
        shown.append(f"<h3>{escape(over)}</h3>")
        measured = [OUTCOMES[outcome](result) for result in sound]
        label = f"{outcome} (share)" if outcome in SHARES else outcome
        shown.append(page.plot(plots.against_dimension(summary, sound, strongest, measured, label)))
    yield _section("Which dimension matters", words, *shown)


def _falls(page: _Page, designs: Sequence[DesignSummary]) -> Iterator[str]:
    words = "The chance that laying one piece brings the tower down. Lines show 95 % intervals; pale bars rest on fewer than 30 acts."
    yield _section(
        "Where towers fall: by layer", words, page.plot(plots.fall_chances(designs, "by_layer", "layer the piece is laid on (0: the table)"))
    )
    yield _section("Where towers fall: by piece", words, page.plot(plots.fall_chances(designs, "by_piece", "piece that is laid")))
    for design in designs:
        name = f" ({escape(design.name)})" if len(designs) > 1 else ""
        text = "The same by both, in percent of the acts; empty fields never came up. Point at a field to see how many acts it rests on."
        yield _section(f"By piece and layer{name}", text, page.plot(plots.heat_map(design)))


def _rounds(page: _Page, summary: Summary, sound: Sequence[GameResult]) -> Iterator[str]:
    groups = [(design.name, [result for result in sound if result.design == i]) for i, design in enumerate(summary.designs)]
    layers = [(name, [float(result.layers) for result in games]) for name, games in groups]
    acts = [(name, [float(len(result.acts)) for result in games]) for name, games in groups]
    yield _section(
        "How high", "Layers of the tower at the end of a round, after a fall as it stood before.", page.plot(plots.spread(layers, "layers", step=1))
    )
    yield _section("How long", "Acts in a round, slips included.", page.plot(plots.spread(acts, "acts in a round")))
    words = "Who wins and who topples, by seat; seat 1 begins. A tower that topples has no winner, so the shares need not add up to 100 %."
    yield _section("Does going first help?", words, page.plot(plots.by_seat(summary.designs, summary.setup.players)))


def _margins(page: _Page, designs: Sequence[DesignSummary]) -> Iterator[str]:
    groups = [(design.name, design.margins_mm) for design in designs if design.margins_mm]
    if not groups:
        return
    words = "Some placements of each round were laid again by many hands. The margin is by how many millimetres every touching area could be drawn "
    words += "in all round before the tower no longer stands; below zero it does not stand."
    chances = "".join(f"<p>Chance of a fall by reckoning, {escape(d.name)}: {_mean_chance(d.reckoned)}.</p>" for d in designs if d.reckoned.count)
    yield _section("How near to falling", words, page.plot(plots.spread(groups, "margin, mm")), chances)


def _mean_chance(figure: Figure) -> str:
    return f"{percent(figure)} over {figure.count} placements"


def _tower(page: _Page, summary: Summary, sound: Sequence[GameResult]) -> Iterator[str]:
    """The highest tower that fell; if none did, the highest."""
    chosen = max(sound, key=lambda result: (result.fell, result.layers, result.pieces, -result.game))
    if not chosen.moves:
        return
    last = next((act for act in chosen.acts if act.kind is ActKind.KNOCKED_OVER), None)
    played = summary.setup.played_set(chosen.task)
    how = f"It fell when seat {last.seat + 1} laid {last.piece} on layer {last.layer}: {last.knock_over}." if last else "It stood to the end."
    which = f"round {chosen.game + 1}" + (f" with {escape(played.name)}" if len(summary.designs) > 1 else "")
    words = f"The highest tower{' that fell' if last else ''}, from {which}: {chosen.pieces} pieces in {chosen.layers} layers. {escape(how)} "
    words += "Every piece is drawn exactly in its place. Turn it with the mouse; the wheel comes nearer."
    yield _section("A tower of this study", words, page.plot(plots.tower_view(played, chosen.moves, last.move if last else None)))


def _reading() -> str:
    words = (
        "Intervals are 95 % intervals: of shares Wilson’s, of means Student’s, of differences Newcombe’s and Welch’s. A study says what bots with "
    )
    words += "such hands do in the simulation; people play otherwise. The journal beside this page holds every round, the tables every act."
    return f'<section class="end"><h2>How to read this</h2><p>{words}</p></section>'


def _style() -> str:
    faces = "".join(_font(family, weight, name) for family, weight, name in _FONTS)
    ink, soft, line = plots.INK, plots.SOFT, plots.LINE
    cream, paper, deep = (plots.web_colour(colour) for colour in (theme.CREAM, theme.PAPER, theme.ORANGE_DEEP))
    return (
        f"{faces} body{{margin:0;background:{plots.web_colour(theme.SAND)};color:{ink};font:17px/1.5 Nunito,sans-serif}}"
        "main{max-width:960px;margin:0 auto;padding:32px 20px 60px}"
        "h1,h2{font-family:Fredoka,Nunito,sans-serif;font-weight:600;line-height:1.2}"
        "h1{font-size:36px;margin:0 0 8px}h2{font-size:23px;margin:0 0 4px}h3{font-size:18px;margin:18px 0 4px}"
        f".asked,section>p{{color:{soft};margin:4px 0 12px}}"
        f"section{{background:{paper};border:1px solid {line};border-radius:14px;padding:20px 22px;margin:18px 0}}"
        ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:14px;margin:14px 0}"
        f".tile{{background:{cream};border:1px solid {line};border-radius:14px;padding:14px 18px;display:flex;flex-direction:column}}"
        f".tile b{{font:600 32px/1.2 Fredoka,Nunito,sans-serif;color:{deep}}}.tile small{{color:{soft}}}.tile span{{margin-top:4px}}"
        f"table{{border-collapse:collapse;width:100%;font-size:15px}}td,th{{text-align:left;padding:6px 8px;border-bottom:1px solid {line}}}"
    )


_FONTS = (("Nunito", 400, "Nunito-Regular"), ("Nunito", 700, "Nunito-Bold"), ("Fredoka", 600, "Fredoka-SemiBold"))


def _font(family: str, weight: int, name: str) -> str:
    data = base64.b64encode((files("viewer") / "fonts" / f"{name}.ttf").read_bytes()).decode()
    return f"@font-face{{font-family:{family};font-weight:{weight};src:url(data:font/ttf;base64,{data})}}"
