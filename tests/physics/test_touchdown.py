"""Touchdowns: the last moment of a hand alone ends as a whole one would, and no later than it must."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics import calm
from physics.grip import Steadiness
from physics.hand import HandPath
from physics.pose import Pose
from physics.scene import Scene
from physics.touchdown import Touchdown
from physics.tower import LaidPiece, Tower
from physics.watch import LIMIT_S
from tests.physics.test_chance import seesaw

CLASSIC = load_piece_set("classic")
COLUMN = Tower.exact(CLASSIC, [Placement("UNI", layer, ((0, 0),)) for layer in range(4)])
SEESAW, END = seesaw(6.4), Placement("UNI", 2, ((1, 0),))
DROPPING = Steadiness("dropping", 0.5, 0.5, 0.5, 6.0, 0.0, 200.0)
"""From some 6 mm above, which tips the seesaw over about as often as not."""


@pytest.fixture
def lasted(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each touchdown was simulated."""
    seconds: list[float] = []

    def close(scene: Scene) -> None:
        seconds.append(scene.seconds)
        scene.world.close()

    monkeypatch.setattr(Scene, "close", close)
    return seconds


def test_what_slips_off_is_not_waited_for(lasted: list[float]) -> None:
    """A disc let go beside a column falls past it and rolls on the table for half a second and more; the column is known to stand long before."""
    place, wild = Placement("UNI", 4, ((0, 0),)), Steadiness("wild", 14.0, 1.0, 1.0, 3.0, 0.0, 150.0)
    way = HandPath(COLUMN, place, wild, np.random.default_rng(2))
    assert np.hypot(way.letting_go.x, way.letting_go.y) > CLASSIC.radius_mm
    with Touchdown(COLUMN, place) as touchdown:
        assert not touchdown.topples(way, frozenset({3}))
    assert lasted[0] < 0.3


def test_a_fall_is_told_as_soon_as_it_is_one(lasted: list[float]) -> None:
    """The free end of a plank high on a column goes down under a disc: told once it can't come back, not when both have come to rest on the table."""
    column = [LaidPiece(Placement("UNI", layer, ((0, 0),)), Pose(15.0 - 6.4, 0.0, layer * CLASSIC.thickness_mm)) for layer in range(4)]
    tower = Tower(CLASSIC, tuple(column)).with_piece(Placement("DUO", 4, ((0, 0), (1, 0))))
    end = Placement("UNI", 5, ((1, 0),))
    way = HandPath(tower, end, Steadiness("high", 0.0, 0.0, 0.0, 20.0, 0.0, 200.0), np.random.default_rng(0))
    with Touchdown(tower, end) as touchdown:
        assert touchdown.topples(way, frozenset({4}))
    assert lasted[0] < 0.5


def test_no_hand_changes_what_the_next_one_does() -> None:
    """Each of eight hands ends alike in whatever order they come, though all find the same scene."""

    def verdicts(seeds: Iterable[int]) -> dict[int, bool]:
        with Touchdown(SEESAW, END) as touchdown:
            return {seed: touchdown.topples(HandPath(SEESAW, END, DROPPING, np.random.default_rng(seed)), frozenset({1})) for seed in seeds}

    forwards = verdicts(range(8))
    assert set(forwards.values()) == {False, True}
    assert verdicts(reversed(range(8))) == forwards


def test_coarser_steps_after_the_blow_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 24 hands at least 22 end as they do in fine steps throughout."""

    def verdicts() -> list[bool]:
        ways = [HandPath(SEESAW, END, DROPPING, np.random.default_rng(seed)) for seed in range(24)]
        with Touchdown(SEESAW, END) as one:
            return [one.topples(way, frozenset({1})) for way in ways]

    coarse = verdicts()
    assert 5 < sum(coarse) < 19
    monkeypatch.setattr(calm, "BLOW_S", LIMIT_S)
    assert sum(one == other for one, other in zip(coarse, verdicts(), strict=True)) >= 22


def test_what_rattles_is_not_waited_for(lasted: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """A seesaw that has swung back is known to stand while it still rattles: 24 hands end as they do at rest, those it stands 30 % sooner."""

    def verdicts() -> list[bool]:
        found = []
        for seed in range(24):
            with Touchdown(SEESAW, END) as one:
                found.append(one.topples(HandPath(SEESAW, END, DROPPING, np.random.default_rng(seed)), frozenset({1})))
        return found

    soon = verdicts()
    monkeypatch.setattr(calm, "SWING_MM_S", 0.0)
    assert verdicts() == soon
    early, late = (np.array(seconds)[~np.array(soon)] for seconds in (lasted[:24], lasted[24:]))
    assert early.sum() < 0.7 * late.sum()
