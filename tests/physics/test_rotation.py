"""Rotations: closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics.rotation import from_turn, product, tilts_deg


@pytest.mark.parametrize("deg", [0.0, 1e-6, 10.0, 45.0, 90.0, 135.0, 180.0])
def test_a_tilt_is_the_angle_it_was_tipped_by(deg: float) -> None:
    """About any level axis, and turned about the vertical before and after."""
    turns = []
    for heading in (0.0, 0.7, 2.5):
        tipped = from_turn((math.radians(deg) * math.cos(heading), math.radians(deg) * math.sin(heading), 0.0))
        turns.append(product(product(from_turn((0.0, 0.0, 1.1)), tipped), from_turn((0.0, 0.0, -0.4))))
    assert tilts_deg(np.array(turns)) == pytest.approx([deg] * 3, abs=1e-6)
