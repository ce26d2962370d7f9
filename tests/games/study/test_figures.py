"""Figures and sensitivity: intervals from closed forms, strengths of outcomes that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from games.study.figures import mean, mean_difference, mean_share, share, share_difference
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


def test_means_stay_where_they_can_be() -> None:
    """Layers of 1 and 9: 5 ± 12.706 · 4 would begin at −45.8 layers; what can't be is left out, the other end stays."""
    figure = mean([1, 9], least=0.0)
    assert (figure.low, figure.high) == pytest.approx((0.0, 5 + 12.7062 * 4), abs=1e-3)
    assert mean([4], least=0.0).low == 0.0


def test_means_of_shares_are_wilsons_where_each_share_is_yes_or_no() -> None:
    """Shares of 0 and 1 of one trial each are plain yes or no: Wilson's interval, with Student's quantile, of 81 of 263."""
    figure = mean_share([1.0] * 81 + [0.0] * 182, trials=1)
    assert (figure.low, figure.high) == pytest.approx((0.2553, 0.3662), abs=5e-4)


@pytest.mark.parametrize("shares", [[0.0, 0.0], [0.0, 0.01, 0.0], [1.0, 0.9], [0.5, 0.5, 0.5], [0.0, 1.0]])
def test_means_of_few_shares_stay_between_0_and_1_and_keep_a_width(shares: list[float]) -> None:
    """However few and alike shares are, their mean lies within its interval, which lies within 0 to 1 and is no point."""
    figure = mean_share(shares, trials=100)
    assert 0.0 <= figure.low <= figure.value <= figure.high <= 1.0
    assert figure.high - figure.low > 0.05


@pytest.mark.parametrize(("a", "b", "count"), [(0.3, 3.0, 40), (1.0, 20.0, 10), (2.0, 2.0, 5), (1.0, 20.0, 200)])
def test_means_of_shares_hold_as_often_as_they_say(a: float, b: float, count: int) -> None:
    """Chances drawn from a beta distribution, 100 hands each: the interval holds the mean a / (a + b) in about 95 of 100 studies."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        figure = mean_share((rng.binomial(100, rng.beta(a, b, count)) / 100).tolist(), trials=100)
        held += figure.low <= a / (a + b) <= figure.high
    assert held / 1000 == pytest.approx(0.95, abs=0.03)


def test_a_share_changes_by_no_more_than_all() -> None:
    """Six rounds that fall from one radius on: the plane through them says more than 100 points across the range, a share can't change so."""
    values = np.array([[12.0, 0], [12.1, 1], [12.4, 0], [12.45, 1], [12.5, 0], [12.55, 1], [12.6, 0]])
    outcome = np.array([0.0, 0, 0, 1, 1, 1, 1])
    wide = (Variation(Dimension.RADIUS, 10, 15), Variation(Dimension.PITCH, 0, 1))
    plain, kept = (effects(wide, values, outcome, is_share=share)[0].over_range for share in (False, True))
    assert plain.high > plain.value > 1.0
    assert (kept.value, kept.high) == (1.0, 1.0)


def test_differences_of_means_have_welchs_interval() -> None:
    """For equal sizes and spreads Welch's interval is that of 2 · (n − 1) degrees of freedom: 3 ± 2.7764 · √(2/3)."""
    figure = mean_difference([1, 2, 3], [4, 5, 6])
    assert (figure.value, figure.high - figure.value) == pytest.approx((3, 2.77645 * math.sqrt(2 / 3)), abs=1e-4)


def test_rounds_that_all_ended_alike_make_no_difference_certain() -> None:
    """Rounds of five layers and of six, 12.7 mm thick: nothing tells how far one more would be off, and rounding is no spread."""
    figure = mean_difference([5 * 12.7] * 7, [6 * 12.7] * 7)
    assert (figure.value, figure.certain) == (pytest.approx(12.7), False)


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
