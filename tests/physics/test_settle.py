"""Settling: Bullet as the second witness, beside statics."""

from __future__ import annotations

from bench.bullet import displaced_tower
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.judge import settled_words
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


def test_a_tower_that_still_moves_does_not_stand() -> None:
    """A tower looked at too briefly is not said to stand: one that has not come to rest yet, one that is falling; the words say so."""
    tower = Tower.exact(CLASSIC, [BASE]).with_piece(Placement("UNI", 1, ((0, 0),)))
    brief = settle(tower, seconds=0.26)
    assert (brief.stands, brief.quiet, brief.fallen) == (False, False, ())
    assert "still moves after 0.3 s" in settled_words(brief)
    falling = settle(tower.with_poses([tower.laid[0].pose, Pose(-60.0, 0.0, 200.0)]), seconds=0.4)
    assert (falling.stands, falling.quiet, len(falling.fallen)) == (False, False, 1)
    assert settled_words(falling) == "Let go in the physics, it falls and still moves after 0.4 s: 1 piece leaves its place."
    fallen = settle(tower.with_poses([tower.laid[0].pose, Pose(-19.0, 0.0, 10.0)]))
    assert fallen.quiet
    assert settled_words(fallen) == "Let go in the physics, it falls: 1 piece leaves its place."
    assert settled_words(settle(tower)).startswith("Let go in the physics, it stands; nothing moved more than 0.0")
