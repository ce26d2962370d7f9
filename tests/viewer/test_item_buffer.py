from __future__ import annotations

import numpy as np
import pytest

from meshes.piece_set import PieceSet
from physics.pose import Pose
from viewer.item_buffer import linear, placed_corners
from viewer.items import Item


def test_screen_colours_become_linear_light() -> None:
    """The sRGB curve: 0 and 255 stay the ends, 188 is half the light, 10 lies on the straight part."""
    red, green, blue = linear((255, 0, 188))
    assert (red, green) == (1.0, 0.0)
    assert blue == pytest.approx(0.5, abs=0.005)
    assert linear((10, 10, 10))[0] == pytest.approx(10 / 255 / 12.92)


def test_corners_are_where_the_pose_has_them(classic: PieceSet) -> None:
    """A UNI stood on its rim reaches one diameter high and is as deep as it is thick."""
    half = float(np.sqrt(0.5))
    upright = Pose(0.0, 0.0, 12.8, (half, 0.0, 0.0, half))
    corners = placed_corners(classic, [Item(classic.by_name["UNI"], upright, 0)])
    np.testing.assert_allclose(np.ptp(corners, axis=0), [25.6, 10.0, 25.6], atol=1e-3)
    assert corners[:, 2].min() == pytest.approx(0, abs=1e-3)


def test_no_items_have_no_corners(classic: PieceSet) -> None:
    """Nothing is (0, 3) points."""
    assert placed_corners(classic, []).shape == (0, 3)
