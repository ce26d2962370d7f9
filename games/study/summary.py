"""The summary of a study: what its games say, as figures with 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from games.acts import ActKind
from games.study.figures import Figure, mean, mean_difference, mean_share, share, share_difference
from games.study.result import ActRow, GameResult
from games.study.sensitivity import Effect, effects
from games.study.setup import StudySetup
from meshes.interval import CONFIDENCE

MARGIN_STEPS = (5, 25, 50, 75, 95)
"""Percentiles of the margin that are told."""

Cell = tuple[str, int]
"""A piece type and a layer."""


@dataclass(frozen=True, slots=True)
class DesignSummary:
    """What one set's games say.

    `fell`: share of rounds that end in a knock-over. `by_layer`, `by_piece`, `by_both`: the chance that one act is a knock-over; `slipped`:
    that its piece has to be taken back. `layers`, `height_mm`, `acts`, `pieces`: of a round. `wins`, `toppled`: by seat, shares of all rounds.
    `reckoned`: the mean chance of a fall of the placements looked at closely; `margins_mm`: all their margins, sorted. `faults`: games that
    could not be simulated to their end, by number; they count nowhere.
    """

    name: str
    games: int
    fell: Figure
    by_layer: Mapping[int, Figure]
    by_piece: Mapping[str, Figure]
    by_both: Mapping[Cell, Figure]
    slipped: Figure
    slipped_by_piece: Mapping[str, Figure]
    layers: Figure
    height_mm: Figure
    acts: Figure
    pieces: Figure
    wins: tuple[Figure, ...]
    toppled: tuple[Figure, ...]
    reckoned: Figure
    reckoned_by_layer: Mapping[int, Figure]
    margins_mm: tuple[float, ...]
    faults: tuple[int, ...]

    @property
    def margin_percentiles(self) -> dict[int, float]:
        """Margins in mm below which so many percent of the placements' hands come."""
        if not self.margins_mm:
            return {}
        return dict(zip(MARGIN_STEPS, np.percentile(self.margins_mm, MARGIN_STEPS).tolist(), strict=True))

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        single = ("fell", "slipped", "layers", "height_mm", "acts", "pieces", "reckoned")
        by = ("by_layer", "by_piece", "slipped_by_piece", "reckoned_by_layer")
        return {
            "set": self.name,
            "games": self.games,
            **{key: getattr(self, key).to_json() for key in single},
            **{key: {str(which): figure.to_json() for which, figure in getattr(self, key).items()} for key in by},
            "by_piece_and_layer": [{"piece": piece, "layer": layer, **figure.to_json()} for (piece, layer), figure in self.by_both.items()],
            "wins_by_seat": [figure.to_json() for figure in self.wins],
            "toppled_by_seat": [figure.to_json() for figure in self.toppled],
            "margin_mm_percentiles": {str(step): margin for step, margin in self.margin_percentiles.items()},
            "faults": list(self.faults),
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """How the second set differs from the first in one figure: second less first. `is_share`: told in percent."""

    what: str
    unit: str
    is_share: bool
    first: Figure
    second: Figure
    change: Figure

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        figures = {"first": self.first, "second": self.second, "change": self.change}
        return {"what": self.what, "unit": self.unit, **{key: figure.to_json() for key, figure in figures.items()}, "certain": self.change.certain}


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole study. `sensitivity`: for each outcome the effects of what was varied, strongest first."""

    setup: StudySetup
    designs: tuple[DesignSummary, ...]
    sensitivity: Mapping[str, tuple[Effect, ...]]
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json` and `summary.json`."""
        ranked = {outcome: [effect.to_json() for effect in found] for outcome, found in self.sensitivity.items()}
        designs, differences = [design.to_json() for design in self.designs], [difference.to_json() for difference in self.differences]
        return {"setup": self.setup.to_json(), "confidence": CONFIDENCE, "designs": designs, "sensitivity": ranked, "differences": differences}


OUTCOMES: Mapping[str, Callable[[GameResult], float]] = {
    "knock-overs": lambda game: float(game.fell),
    "slips": lambda game: game.slips / max(1, len(game.acts)),
    "layers reached": lambda game: float(game.layers),
    "acts in a round": lambda game: float(len(game.acts)),
}
"""What sensitivity is told of, from one game: fell or not, slips an act, layers, acts."""

SHARES = ("knock-overs", "slips")
"""Outcomes that are shares, 0–1."""


def summarise(setup: StudySetup, results: Sequence[GameResult]) -> Summary:
    """What the games of a study say. `results` in the order of their numbers."""
    played = [[result for result in results if result.design == design] for design in range(len(setup.designs))]
    sound = [[result for result in games if result.fault is None] for games in played]
    designs = tuple(_design(setup, setup.designs[i].name, games) for i, games in enumerate(played))
    values = np.array([result.values for result in sound[0]]).reshape(len(sound[0]), len(setup.variations))
    ranked = {
        outcome: effects(setup.variations, values, np.array([measure(result) for result in sound[0]]), is_share=outcome in SHARES)
        for outcome, measure in OUTCOMES.items()
        if setup.variations
    }
    return Summary(setup, designs, ranked, tuple(_differences(sound, designs)) if len(designs) == 2 else ())


def _design(setup: StudySetup, name: str, games: Sequence[GameResult]) -> DesignSummary:
    sound = [game for game in games if game.fault is None]
    acts = [act for game in sound for act in game.acts]
    rows = [row for game in sound for row in game.placements]
    chances = {layer: [row.falls / row.hands for row in rows if row.layer == layer] for layer in sorted({row.layer for row in rows})}
    return DesignSummary(
        name=name,
        games=len(sound),
        fell=share(sum(game.fell for game in sound), len(sound)),
        by_layer=_chances(acts, lambda act: act.layer, ActKind.KNOCKED_OVER),
        by_piece=_chances(acts, lambda act: act.piece, ActKind.KNOCKED_OVER),
        by_both=_chances(acts, lambda act: (act.piece, act.layer), ActKind.KNOCKED_OVER),
        slipped=share(sum(act.kind is ActKind.TAKEN_BACK for act in acts), len(acts)),
        slipped_by_piece=_chances(acts, lambda act: act.piece, ActKind.TAKEN_BACK),
        layers=mean([game.layers for game in sound], least=0.0),
        height_mm=mean([game.height_mm for game in sound], least=0.0),
        acts=mean([len(game.acts) for game in sound], least=0.0),
        pieces=mean([game.pieces for game in sound], least=0.0),
        wins=tuple(share(sum(game.winner == seat for game in sound), len(sound)) for seat in range(setup.players)),
        toppled=tuple(share(sum(game.toppled_by == seat for game in sound), len(sound)) for seat in range(setup.players)),
        reckoned=mean_share([row.falls / row.hands for row in rows], setup.hands),
        reckoned_by_layer={layer: mean_share(found, setup.hands) for layer, found in chances.items()},
        margins_mm=tuple(sorted(margin for row in rows for margin in row.margins_mm)),
        faults=tuple(game.game for game in games if game.fault is not None),
    )


def _chances(acts: Iterable[ActRow], key: Callable[[ActRow], Any], kind: ActKind) -> dict[Any, Figure]:
    groups: dict[Any, list[bool]] = {}
    for act in acts:
        groups.setdefault(key(act), []).append(act.kind is kind)
    return {which: share(sum(groups[which]), len(groups[which])) for which in sorted(groups)}


def _differences(sound: Sequence[Sequence[GameResult]], designs: Sequence[DesignSummary]) -> Iterable[Difference]:
    first, second = designs
    for what, key in (("rounds that end in a knock-over", "fell"), ("acts in which the piece slips off", "slipped")):
        shares: tuple[Figure, Figure] = (getattr(first, key), getattr(second, key))
        yield Difference(what, "", True, *shares, share_difference(*shares))
    measures: tuple[tuple[str, str, str, Callable[[GameResult], float]], ...] = (
        ("layers reached", "", "layers", lambda game: game.layers),
        ("height reached", "mm", "height_mm", lambda game: game.height_mm),
        ("acts in a round", "", "acts", lambda game: len(game.acts)),
        ("pieces on the tower", "", "pieces", lambda game: game.pieces),
    )
    for what, unit, key, measure in measures:
        figures: tuple[Figure, Figure] = (getattr(first, key), getattr(second, key))
        yield Difference(what, unit, False, *figures, mean_difference(*([measure(game) for game in games] for games in sound)))
