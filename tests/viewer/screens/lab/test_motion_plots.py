"""Plots of the moving table: the rose has what closed forms say, courses keep their peaks, axes end at round steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.table_motion import MotionKind
from physics.tower import Tower
from viewer.gui.box import Box
from viewer.screens.lab.measures import HEADINGS_DEG, Measures, tell_limits
from viewer.screens.lab.motion_plots import Rose, course_points
from viewer.screens.lab.plot_axes import Axes, round_step
from viewer.screens.lab.table import Frame, Motion

BOX = Box(0, 0, 240, 260)


@pytest.mark.parametrize("count", [6, 8])
def test_the_rose_of_a_column_is_a_circle(count: int) -> None:
    """A column of n discs with flats of radius r tips at atan(r / half its height) whichever way it is tilted, and is drawn as a circle."""
    classic, measures = load_piece_set("classic"), Measures()
    tower = Tower.exact(classic, [Placement("UNI", layer, ((0, 0),)) for layer in range(count)])
    tell_limits(lambda told: measures.limits.update([told]), tower, HEADINGS_DEG)
    rose = Rose(BOX, measures, 0.0)
    flat, half_height = classic.radius_mm - classic.bevel_mm, count * classic.thickness_mm / 2
    assert [heading for heading, _ in rose.curve] == list(HEADINGS_DEG)
    assert [deg for _, deg in rose.curve] == pytest.approx([math.degrees(math.atan(flat / half_height))] * len(HEADINGS_DEG), abs=0.3)
    far = [math.dist(rose.place(*entry), rose.place(0.0, 0.0)) for entry in rose.curve]
    assert far == pytest.approx([far[0]] * len(far), rel=0.02)


def test_the_rose_turns_with_the_camera() -> None:
    """What is tilted away from the camera is up, what is tilted to its right is right."""
    rose = Rose(BOX, Measures(), 30.0)
    middle, away, right = rose.place(0.0, 0.0), rose.place(210.0, 4.0), rose.place(120.0, 4.0)
    assert away == pytest.approx((middle[0], away[1]))
    assert away[1] < middle[1]
    assert right == pytest.approx((right[0], middle[1]))
    assert right[0] > middle[0]


def test_courses_keep_their_peaks() -> None:
    """However many moments a course has, its plot has few points, goes as far and reaches as high."""
    course = [(0.001 * k, 3.0 if k == 411 else 0.1) for k in range(900)]
    points = course_points(course)
    assert len(points) < 100
    assert points[-1][0] == pytest.approx(0.899)
    assert max(points, key=lambda point: point[1]) == (pytest.approx(0.411, abs=0.02), 3.0)


def test_axes_end_at_round_steps() -> None:
    """Steps are 1, 2 or 5 times a power of ten, few enough, and the last reaches what must be seen."""
    assert [round_step(most, 5) for most in (0.44, 5.0, 12.0, 1100.0)] == pytest.approx([0.1, 1.0, 5.0, 500.0])
    axes = Axes.over(Box(10, 20, 100, 50), 0.44, 12.0)
    assert (axes.x_end, axes.y_end) == pytest.approx((0.5, 15.0))
    assert axes.place(0.0, 0.0) == pytest.approx((10, 70))
    assert axes.place(0.5, 99.0) == pytest.approx((110, 20))


def test_another_tower_forgets_the_last_one() -> None:
    """Limits and results are of one tower; the same tower put up again keeps them."""
    classic, measures = load_piece_set("classic"), Measures()
    tower = Tower.exact(classic, [Placement("UNI", 0, ((0, 0),))])
    motion = Motion(MotionKind.BUMP, 0.0, Frame(0.0, 0.0, np.zeros((1, 7))))
    measures.begin(tower, motion)
    measures.limits[0] = 24.0
    measures.begin(Tower(classic, tower.laid), motion)
    assert measures.limits == {0: 24.0}
    measures.begin(tower.with_piece(Placement("UNI", 1, ((0, 0),))), motion)
    assert measures.limits == {}
