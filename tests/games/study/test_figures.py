"""Figures and sensitivity: intervals from closed forms, strengths of outcomes that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from games.study.figures import mean, mean_difference, share, share_difference
from games.study.sensitivity import effects
from games.study.variation import Dimension, Variation

VARIED = (Variation(Dimension.RADIUS, 12, 13), Variation(Dimension.PITCH, 28, 32), Variation(Dimension.FRICTION, 0.3, 0.5))


def test_shares_have_wilsons_interval() -> None:
    """81 of 263: 0.2553 to 0.3662, the example of Newcombe (1998)."""
    figure = share(81, 263)
    assert (figure.low, figure.high) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_differences_of_shares_have_newcombes_interval() -> None:
    """56 of 70 less 48 of 80: 0.0524 to 0.3339 by method 10 of Newcombe (1998)."""
    figure = share_difference(share(48, 80), share(56, 70))
    assert (figure.value, figure.low, figure.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert figure.certain


def test_means_have_students_interval() -> None:
    """Of 1, 2, 3 the interval is 2 ± 4.3027 · 1/√3."""
    figure = mean([1, 2, 3])
    assert (figure.low, figure.high) == pytest.approx((2 - 4.30265 / math.sqrt(3), 2 + 4.30265 / math.sqrt(3)), abs=1e-4)


def test_differences_of_means_have_welchs_interval() -> None:
    """For equal sizes and spreads Welch's interval is that of 2 · (n − 1) degrees of freedom: 3 ± 2.7764 · √(2/3)."""
    figure = mean_difference([1, 2, 3], [4, 5, 6])
    assert (figure.value, figure.high - figure.value) == pytest.approx((3, 2.77645 * math.sqrt(2 / 3)), abs=1e-4)


def test_too_few_values_have_no_bounds() -> None:
    """One value says nothing of its spread; no value gives no figure."""
    assert (mean([4]).value, mean([4]).low, mean([]).count, share(0, 0).count) == (4, -math.inf, 0, 0)


def test_strengths_are_those_of_the_formula() -> None:
    """Of 3·radius − pitch over independent values strengths go as 3·s1 and −s2; across the ranges it is 3·1 and −1·4."""
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.uniform(v.low, v.high, 4000) for v in VARIED])
    found = effects(VARIED, values, 3 * values[:, 0] - values[:, 1])
    assert [effect.variation.dimension.word for effect in found] == ["pitch", "radius", "friction"]
    assert [effect.over_range.value for effect in found] == pytest.approx([-4, 3, 0], abs=1e-6)
    # standard deviations of even draws are range / √12
    total = math.hypot(3, 4)
    assert [effect.strength.value for effect in found] == pytest.approx([-4 / total, 3 / total, 0], abs=0.02)


def test_what_does_nothing_is_seldom_called_certain() -> None:
    """A 95 % interval misses zero about one time in twenty, for a yes-or-no outcome too."""
    certain = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        values = np.column_stack([rng.uniform(v.low, v.high, 60) for v in VARIED])
        certain += sum(effect.certain for effect in effects(VARIED, values, (rng.random(60) < 0.3).astype(float)))
    assert certain / 600 == pytest.approx(0.05, abs=0.03)


def test_dimensions_that_move_together_are_told_apart() -> None:
    """If a larger radius needs a larger pitch, only the one that matters is strong."""
    rng = np.random.default_rng(4)
    pitch = rng.uniform(28, 32, 500)
    values = np.column_stack([pitch * 0.4 + rng.normal(0, 0.1, 500), pitch, rng.uniform(0.3, 0.5, 500)])
    found = {effect.variation.dimension.word: effect for effect in effects(VARIED, values, pitch + rng.normal(0, 0.5, 500))}
    assert found["pitch"].certain
    assert not found["radius"].certain


def test_nothing_is_said_of_nothing() -> None:
    """Too few games, or all alike, give no effects."""
    values = np.column_stack([np.linspace(v.low, v.high, 4) for v in VARIED])
    assert effects(VARIED, values, np.array([0.0, 1, 0, 1])) == ()
    assert effects(VARIED, np.tile(values, (5, 1)), np.zeros(20)) == ()
