"""Limits on thinking."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from games.budget import Budget, fractions


def test_iterations_are_counted() -> None:
    """Half the work done is half the budget."""
    budget = Budget(milliseconds=None, iterations=10)
    budget.spend(4)
    budget.spend(1)
    assert budget.used == pytest.approx(0.5)


def test_time_is_counted_from_the_start() -> None:
    """30 of 120 ms on the clock are a quarter of the budget."""
    times = iter([5.0, 5.030])
    assert Budget(milliseconds=120, iterations=None, clock=lambda: next(times)).used == pytest.approx(0.25)


def test_the_nearer_limit_counts() -> None:
    """With both limits thinking ends with whichever comes first."""
    budget = Budget(milliseconds=100, iterations=10, clock=lambda: 0.0)
    budget.spend(9)
    assert budget.used == pytest.approx(0.9)
    times = iter([0.0, 0.095])
    assert Budget(milliseconds=100, iterations=10, clock=lambda: next(times)).used == pytest.approx(0.95)


def test_fractions_are_the_generators_own_numbers() -> None:
    """Chance comes from the generator passed in and from nowhere else."""
    drawn = list(islice(fractions(np.random.default_rng(1)), 3))
    assert drawn == np.random.default_rng(1).random(3).tolist()
