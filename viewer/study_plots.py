"""The plots of a study's report, in the colours of the program."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from games.study.figures import Figure
from games.study.result import GameResult
from games.study.sensitivity import Effect
from games.study.summary import DesignSummary, Difference, Summary
from games.study.words import change_unit, signed
from meshes.piece_set import PieceSet
from meshes.placement import Placement
from meshes.solid import build_solid
from physics.tower import exact_pose
from viewer.gui import theme

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

_SIDES = 24
_FEW = 30
"""Shares found from fewer things are drawn pale."""


def web_colour(colour: theme.Colour, alpha: float = 1.0) -> str:
    """A colour of the theme as CSS has it."""
    red, green, blue = (round(255 * part) for part in colour[:3])
    return f"rgba({red},{green},{blue},{alpha:g})"


INK, SOFT, LINE = web_colour(theme.INK), web_colour(theme.SOFT_INK), web_colour(theme.LINE)
SETS = tuple(web_colour(colour) for colour in theme.SEATS)
"""Colours of the first and the second set."""
_PATTERNS = ("", "/")


def fall_chances(designs: Sequence[DesignSummary], key: str, axis: str) -> Plot:
    """The chance that one act is a knock-over, with its interval: by layer or by piece (`key`)."""
    plot = _plot(axis, "chance of a knock-over, % of acts")
    for place, design in enumerate(designs):
        chances: Mapping[Any, Figure] = getattr(design, key)
        plot.add_bar(
            x=[str(which) for which in chances],
            name=design.name,
            marker={
                "color": [web_colour(theme.SEATS[place], 0.45 if chance.count < _FEW else 1.0) for chance in chances.values()],
                "pattern": {"shape": _PATTERNS[place]},
            },
            **_bars(list(chances.values())),
            hovertemplate="%{x}: %{customdata}<extra>" + design.name + "</extra>",
            customdata=[f"{100 * c.value:.2f} % ({100 * c.low:.2f} – {100 * c.high:.2f}) of {c.count} acts" for c in chances.values()],
        )
    # intervals from a handful of acts reach anywhere; they may run out of the picture, or they would flatten all others
    told = [100 * c.high for design in designs for c in getattr(design, key).values() if c.count >= _FEW]
    if told:
        plot.update_yaxes(range=[0, 1.15 * max(told)])
    return plot


def heat_map(design: DesignSummary) -> Plot:
    """The chance of a knock-over by piece and layer at once."""
    pieces = list(design.by_piece)
    layers = list(design.by_layer)
    cells = [[design.by_both.get((piece, layer)) for layer in layers] for piece in pieces]
    plot = _plot("layer", "")
    plot.add_heatmap(
        x=[str(layer) for layer in layers],
        y=pieces,
        z=[[None if cell is None else 100 * cell.value for cell in row] for row in cells],
        text=[["" if cell is None else f"{100 * cell.value:.1f}" for cell in row] for row in cells],
        texttemplate="%{text}",
        customdata=[["" if cell is None else f"{cell.count} acts" for cell in row] for row in cells],
        hovertemplate="%{y} on layer %{x}: %{z:.2f} % of %{customdata}<extra></extra>",
        zmin=0,
        zmax=max([100 * cell.value for cell in design.by_both.values() if cell.count >= _FEW], default=0) or None,
        colorscale=[[0, web_colour(theme.CREAM)], [0.5, web_colour(theme.GOLD)], [1, web_colour(theme.RED)]],
        colorbar={"title": {"text": "%"}, "thickness": 12},
        xgap=2,
        ygap=2,
    )
    return plot


def spread(groups: Sequence[tuple[str, Sequence[float]]], axis: str, *, step: float | None = None) -> Plot:
    """How often each value came, as a share of all, for each set."""
    plot = _plot(axis, "share, %")
    everything = [value for _, values in groups for value in values]
    if step is None and everything:
        step = max((max(everything) - min(everything)) / 30, 0.05)
    for place, (name, values) in enumerate(groups):
        plot.add_histogram(
            x=list(values),
            name=name,
            histnorm="percent",
            xbins={"size": step, "start": (min(everything) if step != 1 else math.floor(min(everything)) - 0.5) if everything else 0},
            marker={"color": SETS[place], "pattern": {"shape": _PATTERNS[place]}, "line": {"color": "white", "width": 1}},
            opacity=0.85 if len(groups) == 1 else 0.65,
            hovertemplate="%{x}: %{y:.1f} %<extra>" + name + "</extra>",
        )
    plot.update_layout(barmode="overlay" if len(groups) > 1 else "group", bargap=0.04)
    return plot


def by_seat(designs: Sequence[DesignSummary], players: int) -> Plot:
    """Rounds won and rounds toppled, by seat."""
    plot = _plot("", "% of rounds")
    for place, design in enumerate(designs):
        figures = [*design.wins, *design.toppled]
        labels = [f"won by seat {seat + 1}" for seat in range(players)] + [f"toppled by seat {seat + 1}" for seat in range(players)]
        plot.add_bar(
            x=labels,
            name=design.name,
            marker={"color": SETS[place], "pattern": {"shape": _PATTERNS[place]}},
            **_bars(figures),
            hovertemplate="%{x}: %{y:.1f} %<extra>" + design.name + "</extra>",
        )
    return plot


def strengths(found: Sequence[Effect]) -> Plot:
    """The strength of each dimension with its interval; those that may be none are pale."""
    plot = _plot("strength (0: none; 1: all there is)", "")
    ordered = list(reversed(found))
    plot.add_scatter(
        x=[effect.strength.value for effect in ordered],
        y=[effect.variation.dimension.word for effect in ordered],
        mode="markers",
        marker={
            "size": 14,
            "color": [web_colour(theme.ORANGE_DEEP, 1.0 if effect.certain else 0.35) for effect in ordered],
            "symbol": ["circle" if effect.certain else "circle-open" for effect in ordered],
            "line": {"width": 2},
        },
        error_x=_error([effect.strength for effect in ordered], 1.0),
        hovertemplate="%{y}: %{x:.2f}<extra></extra>",
        showlegend=False,
    )
    plot.add_vline(x=0, line={"color": SOFT, "dash": "dot"})
    plot.update_layout(height=130 + 44 * len(ordered))
    return plot


def against_dimension(summary: Summary, results: Sequence[GameResult], index: int, outcome: Sequence[float], label: str) -> Plot:
    """An outcome over one varied dimension: the mean of each fifth of the games."""
    variation = summary.setup.variations[index]
    values = np.array([result.values[index] for result in results])
    groups = [group for group in np.array_split(np.argsort(values, kind="stable"), 5) if len(group)]
    means = np.array([np.mean([outcome[i] for i in group]) for group in groups])
    errors = np.array([1.96 * np.std([outcome[i] for i in group]) / math.sqrt(len(group)) for group in groups])
    unit = f", {variation.dimension.unit}" if variation.dimension.unit else ""
    plot = _plot(f"{variation.dimension.word}{unit}", label)
    plot.add_scatter(
        x=[float(values[group].mean()) for group in groups],
        y=means.tolist(),
        mode="markers+lines",
        marker={"size": 9, "color": SETS[0]},
        line={"color": web_colour(theme.SEATS[0], 0.5)},
        error_y={"type": "data", "array": errors.tolist(), "color": SOFT, "thickness": 1.5, "width": 4},
        showlegend=False,
    )
    return plot


def changes(differences: Sequence[Difference]) -> Plot:
    """Differences as multiples of half their interval, so that all fit one axis."""
    plot = _plot("difference, in half intervals; certain if the line keeps clear of 0", "")
    rows = [row for row in reversed(differences) if math.isfinite(row.change.low)]
    reach = [max(row.change.high - row.change.low, 1e-12) / 2 for row in rows]
    plot.add_scatter(
        x=[row.change.value / half for row, half in zip(rows, reach, strict=True)],
        y=[row.what for row in rows],
        mode="markers",
        marker={
            "size": 14,
            "color": [web_colour(theme.SEATS[1], 1.0 if row.change.certain else 0.35) for row in rows],
            "symbol": ["circle" if row.change.certain else "circle-open" for row in rows],
            "line": {"width": 2},
        },
        error_x=_error([Figure(*_halves(row.change, half), row.change.count) for row, half in zip(rows, reach, strict=True)], 1.0),
        customdata=[signed(row.change, change_unit(row)) for row in rows],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
        showlegend=False,
    )
    plot.add_vline(x=0, line={"color": SOFT, "dash": "dot"})
    return plot


def _halves(change: Figure, half: float) -> tuple[float, float, float]:
    return change.value / half, change.low / half, change.high / half


def tower_view(piece_set: PieceSet, moves: Sequence[str], last: str | None) -> Plot:
    """A tower that turns with the mouse, every piece exactly in its place; `last`: the move that brought it down, shown where it was to lie."""
    import plotly.graph_objects as go

    placements = [_placement(move) for move in moves]
    plot = go.Figure()
    for piece in piece_set.pieces:
        mine = [placement for placement in placements if placement.piece == piece.name]
        if mine:
            plot.add_trace(_bodies(piece_set, mine, f"rgb{piece.colour}", f"{piece.name} ({piece.letter})"))
    if last is not None:
        plot.add_trace(_bodies(piece_set, [_placement(last)], web_colour(theme.RED), "the piece that was being laid", opacity=0.55))
    hidden = {"visible": False}
    plot.update_layout(
        scene={"xaxis": hidden, "yaxis": hidden, "zaxis": hidden, "aspectmode": "data", "camera": {"eye": {"x": 1.25, "y": -1.25, "z": 0.7}}},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        height=560,
        paper_bgcolor="rgba(0,0,0,0)",
        font={"color": INK, "family": "Nunito, sans-serif", "size": 14},
        legend={"x": 0, "y": 1, "bgcolor": web_colour(theme.CREAM, 0.8)},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": LINE, "activecolor": SOFT},
    )
    return plot


def _placement(move: str) -> Placement:
    placement = Placement.parse(move)
    assert placement is not None, "journals hold moves that were made"
    return placement


def _bodies(piece_set: PieceSet, placements: Sequence[Placement], colour: str, name: str, *, opacity: float = 1.0) -> Any:
    """All pieces of one type as one mesh."""
    import plotly.graph_objects as go

    mesh = build_solid(piece_set, piece_set.by_name[placements[0].piece], sides=_SIDES).mesh
    poses = [exact_pose(piece_set, placement) for placement in placements]
    points = np.concatenate([pose.apply(mesh.vertices) for pose in poses])
    faces = np.concatenate([mesh.faces + i * len(mesh.vertices) for i in range(len(poses))])
    x, y, z = np.round(points, 2).T.tolist()
    i, j, k = faces.T.tolist()
    light = {"ambient": 0.55, "diffuse": 0.75, "specular": 0.15, "roughness": 0.8}
    where = {"x": 2000, "y": -3000, "z": 5000}
    solid = {"color": colour, "name": name, "opacity": opacity, "flatshading": True, "lighting": light, "lightposition": where}
    return go.Mesh3d(x=x, y=y, z=z, i=i, j=j, k=k, showlegend=True, hoverinfo="name", **solid)


def _bars(figures: Sequence[Figure]) -> dict[str, Any]:
    """Shares as heights in percent, with their intervals."""
    return {"y": [100 * figure.value for figure in figures], "error_y": _error(figures, 100.0)}


def _error(figures: Sequence[Figure], factor: float) -> dict[str, Any]:
    up = [factor * (figure.high - figure.value) if figure.count else 0.0 for figure in figures]
    down = [factor * (figure.value - figure.low) if figure.count else 0.0 for figure in figures]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "color": SOFT, "thickness": 1.5, "width": 5}


def _plot(x_title: str, y_title: str) -> Plot:
    import plotly.graph_objects as go

    axis = {"gridcolor": LINE, "linecolor": LINE, "zerolinecolor": LINE, "automargin": True}
    plot = go.Figure()
    plot.update_layout(
        height=360,
        margin={"l": 10, "r": 20, "t": 16, "b": 10},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": INK, "family": "Nunito, sans-serif", "size": 14},
        xaxis={**axis, "title": {"text": x_title}},
        yaxis={**axis, "title": {"text": y_title}, "rangemode": "tozero"},
        legend={"orientation": "h", "x": 0, "y": 1.12},
        barmode="group",
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": LINE, "activecolor": SOFT},
        hoverlabel={"bgcolor": web_colour(theme.CREAM), "font": {"color": INK}},
    )
    return plot
