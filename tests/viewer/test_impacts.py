"""Landings told from poses, against bodies whose fall is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from meshes.piece_set import PieceSet
from physics.pose import Vector
from physics.units import GRAVITY_MM_S2
from viewer.impacts import LEAST_MM_S, Impact, Impacts

G = GRAVITY_MM_S2


def flat(*heights: float) -> Vector:
    """Level pieces side by side at these heights."""
    return np.array([[100.0 * i, 0, z, 0, 0, 0, 1] for i, z in enumerate(heights)])


def watch(impacts: Impacts, height_at: object, seconds: float, rate: float) -> list[tuple[float, Impact]]:
    """Landings, with their time, of one piece whose height is a function of time."""
    assert callable(height_at)
    times = [frame / rate for frame in range(round(seconds * rate))]
    return [(t, impact) for t in times for impact in impacts.update(flat(height_at(t)), t)]


@pytest.mark.parametrize("rate", [30, 60, 144])
@pytest.mark.parametrize("height", [20.0, 50.0, 113.0, 400.0])
@pytest.mark.parametrize("start", [0.1, 0.107, 0.1131])
def test_free_fall_lands_once_and_as_hard_as_it_must(classic: PieceSet, rate: float, height: float, start: float) -> None:
    """A piece that falls from h lands once, within two frames of √(2h/g), at √(2gh) less at most one and a half frames of gravity."""
    lands = start + math.sqrt(2 * height / G)

    def height_at(t: float) -> float:
        return height if t < start else max(0.0, height - G / 2 * (t - start) ** 2)

    ((when, impact),) = watch(Impacts(classic, ["TRIO"]), height_at, lands + 0.5, rate)
    exact = math.sqrt(2 * G * height)
    assert lands <= when <= lands + 2 / rate
    assert exact - 1.5 * G / rate - 1e-6 <= impact.speed_mm_s <= exact
    assert impact.nodes == 3


def test_bounces_are_heard_softer(classic: PieceSet) -> None:
    """A piece that bounces with half its speed lands again, after twice the time to fall from a quarter of the height, half as hard."""
    speed = math.sqrt(2 * G * 200)
    first, flight = speed / G, speed / G

    def height_at(t: float) -> float:
        if t < first:
            return 200 - G / 2 * t * t
        since = t - first
        return max(0.0, speed / 2 * since - G / 2 * since * since)

    (one, hard), (two, soft) = watch(Impacts(classic, ["UNI"]), height_at, 1.0, 120)
    assert two - one == pytest.approx(flight, abs=2 / 120)
    assert hard.speed_mm_s == pytest.approx(speed, abs=1.5 * G / 120)
    assert soft.speed_mm_s == pytest.approx(speed / 2, abs=1.5 * G / 120)


def test_lowering_sliding_and_resting_are_no_landings(classic: PieceSet) -> None:
    """A piece lowered by a hand, one that trembles and one that rises make no sound."""
    impacts = Impacts(classic, ["UNI", "DUO", "BASE"])
    for frame in range(240):
        t = frame / 60
        assert impacts.update(flat(max(0.0, 60 - 60 * t), 10 + 0.3 * math.sin(9 * t), 300 * t), t) == []


def test_held_piece_never_lands(classic: PieceSet) -> None:
    """A hand may stop a piece as suddenly as it likes; let go, the piece counts."""

    def height_at(t: float) -> float:
        return 300 - 600 * t if t < 0.25 else 150.0 if t < 1 else max(0.0, 150 - G / 2 * (t - 1) ** 2)

    impacts = Impacts(classic, ["UNI", "QUAD"])
    told = [(t, impact) for t in np.arange(90) / 60 for impact in impacts.update(flat(0, height_at(t)), float(t), held=1 if t < 1 else None)]
    assert [impact.nodes for _, impact in told] == [4]
    assert told[0][0] > 1


def test_piece_that_tips_over_lands(classic: PieceSet) -> None:
    """A BASE that tips about its own edge falls with its middle, though its origin stays on the table."""
    impacts, told = Impacts(classic, ["BASE"]), []
    for frame in range(60):
        t = frame / 60
        half = math.radians(max(0.0, 60 * (1 - (t / 0.2) ** 2))) / 2
        told += impacts.update(np.array([[0, 0, 0, math.sin(half), 0, 0, math.cos(half)]]), t)
    assert len(told) == 1
    assert told[0].nodes == 5


def test_pieces_are_told_apart(classic: PieceSet) -> None:
    """Of several pieces only those that fell are told, each with its own size and speed."""
    impacts, told = Impacts(classic, ["UNI", "DUO", "QUAD", "TRIO"]), []
    for frame in range(60):
        t = frame / 60
        told += impacts.update(flat(10, max(0.0, 50 - G / 2 * t * t), 20, max(0.0, 200 - G / 2 * t * t)), t)
    assert [impact.nodes for impact in told] == [2, 3]
    assert told[0].speed_mm_s < told[1].speed_mm_s


def test_jumps_in_time_are_no_landings(classic: PieceSet) -> None:
    """Scrubbing a replay to and fro, a long pause, or more pieces than before make no sound; what falls then is heard as ever."""
    impacts = Impacts(classic, ["UNI", "DUO"])
    assert impacts.update(flat(500), 1.0) == []
    assert impacts.update(flat(0), 0.5) == []
    assert impacts.update(flat(300), 0.6) == []
    assert impacts.update(flat(0), 5.0) == []
    assert impacts.update(flat(0, 80), 5.01) == []
    told = [i for frame in range(1, 40) for i in impacts.update(flat(0, max(0.0, 80 - G / 2 * (frame / 60) ** 2)), 5.01 + frame / 60)]
    assert [impact.nodes for impact in told] == [2]


def test_slow_motion_lands_as_hard(classic: PieceSet) -> None:
    """Shown twenty times slower, in the act's own time, a fall is told alike: close frames are passed over, not read as noise."""
    rng = np.random.default_rng(1)

    def height_at(t: float) -> float:
        return float(max(0.0, 100 - G / 2 * t * t) + rng.normal(0, 0.01))

    ((_, impact),) = watch(Impacts(classic, ["DUO"]), height_at, 0.3, 1200)
    assert impact.speed_mm_s == pytest.approx(math.sqrt(2 * G * 100), rel=0.06)
    assert impact.speed_mm_s > LEAST_MM_S
