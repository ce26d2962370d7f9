"""Sensitivity: which of the varied dimensions matters for an outcome, and how sure that is.

Standardised regression: an outcome is fitted by a plane over all varied dimensions at once, so that dimensions which can't vary
independently (a larger radius needs a larger pitch) are told apart. The strength of a dimension is how many of its own standard deviations
the outcome changes when the dimension changes by one of its own, other dimensions staying. Intervals come from errors that may differ from
game to game (White 1980, in the form HC3 of MacKinnon and White 1985), so that they hold for yes-or-no outcomes too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from games.study.figures import Figure
from games.study.variation import Variation
from meshes.interval import CONFIDENCE

Array = NDArray[np.float64]

_FLAT = 1e-12


@dataclass(frozen=True, slots=True)
class Effect:
    """What one dimension does to one outcome. `strength`: standardised, −1 to 1 or a little beyond. `over_range`: by how much the outcome
    changes, in its own unit, from the lower to the upper end of the range."""

    variation: Variation
    strength: Figure
    over_range: Figure

    @property
    def certain(self) -> bool:
        """Whether the interval keeps clear of zero."""
        return self.strength.certain

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        varied = {"dimension": self.variation.dimension.word, "low": self.variation.low, "high": self.variation.high}
        return varied | {"strength": self.strength.to_json(), "over_range": self.over_range.to_json(), "certain": self.certain}


def effects(variations: Sequence[Variation], values: Array, outcome: Array, *, is_share: bool = False) -> tuple[Effect, ...]:
    """The effects of all dimensions that really varied, strongest first; none if games are too few or all ended alike.

    `values`: (games, dimensions); `outcome`: (games,). What `is_share` can change by no more than 1, however steep the plane of a few games is.
    """
    spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(len(variations))
    varied = np.flatnonzero(spread > _FLAT)
    count, freedom = len(outcome), len(outcome) - len(varied) - 1
    if not len(varied) or freedom < 2 or outcome.std() < _FLAT:
        return ()
    columns = np.column_stack([np.ones(count), (values[:, varied] - values[:, varied].mean(axis=0)) / spread[varied]])
    slopes, errors = _fitted(columns, outcome)
    reach = float(t.ppf((1 + CONFIDENCE) / 2, freedom))
    found = []
    for place, index in enumerate(varied.tolist(), 1):
        variation = variations[index]
        slope = np.array([slopes[place], slopes[place] - reach * errors[place], slopes[place] + reach * errors[place]])
        strength, over = slope / outcome.std(ddof=1), slope / spread[index] * (variation.high - variation.low)
        change = _figure(over, count)
        found.append(Effect(variation, _figure(strength, count), change.within(-1.0, 1.0) if is_share else change))
    return tuple(sorted(found, key=lambda effect: -abs(effect.strength.value)))


def _figure(ends: Array, count: int) -> Figure:
    value, low, high = ends.tolist()
    return Figure(value, low, high, count)


def _fitted(columns: Array, outcome: Array) -> tuple[Array, Array]:
    """Least squares, and the HC3 standard errors."""
    inverse = np.linalg.pinv(columns.T @ columns)
    slopes: Array = inverse @ columns.T @ outcome
    leverage = np.einsum("ki,ij,kj->k", columns, inverse, columns)
    weights = ((outcome - columns @ slopes) / np.maximum(1 - leverage, _FLAT)) ** 2
    covariance = inverse @ (columns.T * weights) @ columns @ inverse
    return slopes, np.sqrt(np.diag(covariance))
