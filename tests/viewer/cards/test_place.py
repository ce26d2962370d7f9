"""Turned cards know where they are."""

import numpy as np
import pytest
import shapely

from viewer.cards.place import TALL, Place


@pytest.mark.parametrize("turn_deg", [0.0, 12.0, -33.0, 90.0, 171.0])
def test_a_turned_card_has_the_points_within_its_corners(turn_deg: float) -> None:
    """Pointing at a turned card means the card, pointing beside it does not: as shapely sees the turned rectangle."""
    place = Place(300.0, 200.0, 100.0, turn_deg)
    upright = shapely.box(250, 200 - 50 * TALL, 350, 200 + 50 * TALL)
    turned = shapely.affinity.rotate(upright, turn_deg, origin=(300, 200))  # with y downwards this is clockwise
    assert shapely.Polygon(place.corners).symmetric_difference(turned).area < 1e-6
    rng = np.random.default_rng(3)
    for x, y in rng.uniform((180, 80), (420, 320), (400, 2)).tolist():
        assert place.has(x, y) == turned.contains(shapely.Point(x, y))


def test_corners_turn_clockwise_on_the_screen() -> None:
    """A card turned by 90 degrees has its upper left corner at the upper right."""
    (x, y), *_ = Place(0.0, 0.0, 10.0, 90.0).corners
    assert (x, y) == pytest.approx((7.0, -5.0))
    assert Place(0.0, 0.0, 10.0, 90.0).at(0.0, -7.0) == pytest.approx((7.0, 0.0))
