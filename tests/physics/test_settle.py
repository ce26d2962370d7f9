"""Settling: Bullet as the second witness, beside statics."""

from __future__ import annotations

from bench.bullet import displaced_tower
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.pose import Pose
from physics.settle import settle
from physics.statics import tower_stability
from physics.tower import Tower

CLASSIC = load_piece_set("classic")
BASE = Placement("BASE", 0, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))


def test_statics_and_bullet_agree_away_from_the_edge() -> None:
    """On random displaced stacks with more than 0.5 mm of margin the two witnesses give the same verdict; some stand, some fall."""
    verdicts = []
    for seed in range(24):
        tower = displaced_tower(seed)
        stability = tower_stability(tower)
        if stability.shrink is None or abs(stability.shrink.mm) > 0.5:
            verdicts.append((stability.stable, settle(tower).stands))
    assert len(verdicts) >= 20
    assert {stable for stable, _ in verdicts} == {True, False}
    assert all(stable == stands for stable, stands in verdicts)


def test_piece_off_its_place_that_tips_falls() -> None:
    """A piece off its place whose middle is beyond the edge below tips and is said to fall, though it hardly sinks."""
    tower = Tower.exact(CLASSIC, [BASE]).with_piece(Placement("UNI", 1, ((0, 0),)), Pose(-20.0, 0.0, 10.0))
    assert not settle(tower).stands


def test_piece_off_its_place_stands_where_it_lies() -> None:
    """A piece half a pitch and more off its place, but well carried, is not said to fall."""
    tower = Tower.exact(CLASSIC, [BASE]).with_piece(Placement("UNI", 1, ((0, 0),)), Pose(16.0, 0.0, 10.0))
    assert settle(tower).stands
