"""Judgements: what physics and rules say together, in words and as data."""

from __future__ import annotations

import json

import pytest

from games.judgement import BadPose, engine_judge, judge_piece, judge_tower
from games.match import Table
from games.stakd.state import State
from games.tower_file import position_table
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.pose import Pose
from physics.tower import Tower

CLASSIC = load_piece_set("classic")
BASE = Placement("BASE", 0, ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0)))
UNI, BESIDE = Placement("UNI", 1, ((0, 0),)), Placement("UNI", 1, ((0, 1),))


def cutting(depth_mm: float) -> Table:
    """A BASE with two UNIs on it, the second so near to the first that it cuts `depth_mm` into it."""
    sound = Tower.exact(CLASSIC, [BASE, UNI, BESIDE])
    first, second = sound.laid[1].pose, sound.laid[2].pose
    share = (2 * CLASSIC.radius_mm - depth_mm) / CLASSIC.pitch_mm
    near = Pose.flat(first.x + share * (second.x - first.x), first.y + share * (second.y - first.y), second.z, 0.0)
    return Table(sound.with_poses([sound.laid[0].pose, first, near]))


def test_sound_tower_holds() -> None:
    """A tower laid exactly holds by both witnesses, and nothing cuts into anything."""
    judgement = judge_tower(Table(Tower.exact(CLASSIC, [BASE, UNI, BESIDE])), settle=True)
    assert judgement.holds
    data = json.loads(json.dumps(judgement.to_json()))
    assert (data["holds"], data["overlaps"], data["settled"]["stands"], data["pieces"]) == (True, [], True, 3)


def test_pieces_that_cut_into_each_other_do_not_hold() -> None:
    """Two pieces in the same place can't be, however well they balance: said in words and as data, and Bullet is spared."""
    judgement = judge_tower(cutting(3.0), settle=True)
    assert not judgement.holds
    assert "UNI 2 cuts 3.0 mm into UNI 1." in judgement.words()
    data = json.loads(json.dumps(judgement.to_json()))
    assert (data["holds"], data["settled"]) == (False, None)
    assert [(cut["pieces"], cut["depth_mm"]) for cut in data["overlaps"]] == [([1, 2], pytest.approx(3.0, abs=1e-6))]


def test_piece_on_a_tower_that_can_not_be() -> None:
    """A piece put well on a tower whose pieces cut into each other does not hold either, and the reason is told."""
    judgement = judge_piece(cutting(3.0), "UNI", *CLASSIC.lattice.position((2, 0), CLASSIC.pitch_mm), 0.0, layer=1)
    assert judgement.verdict.within_tolerance
    assert not judgement.verdict.overlapping
    assert not judgement.holds
    assert "UNI 2 cuts 3.0 mm into UNI 1." in judgement.words()
    assert judgement.to_json()["laid_overlaps"][0]["pieces"] == [1, 2]


def test_rules_and_physics_together() -> None:
    """A place that stands but is against the rules does not hold, and the rule is named; a legal one holds (RULES S14, S5)."""
    state = State.new(2)
    for _ in range(4):
        state.play(state.legal_moves()[0])
    table = position_table(state)
    legal = judge_piece(table, "DUO", 0.0, 0.0, 0.0)
    assert (legal.holds, legal.violations) == (True, ())
    illegal = judge_piece(table, "UNI", 0.0, 0.0, 0.0)
    assert illegal.verdict.stable
    assert not illegal.holds
    assert any("[S30]" in line for line in illegal.words())


def test_engine_judges_high_above_an_empty_table() -> None:
    """A piece on layer 4 with nothing below gets a verdict, namely no, not an error."""
    verdict = engine_judge(State.new(2), "DUO", x_mm=0.0, y_mm=0.0, yaw_deg=0.0, layer=4)
    assert (verdict["layer"], verdict["holds"], verdict["overhanging"]) == (4, False, True)
    assert {entry["rule"] for entry in verdict["violations"]} >= {"S5"}


@pytest.mark.parametrize(("x", "yaw"), [(float("nan"), 0.0), (1e9, 0.0), (0.0, float("inf"))])
def test_poses_far_from_any_table_are_refused(x: float, yaw: float) -> None:
    """What is no number or lies beyond any table is refused by name."""
    with pytest.raises(BadPose):
        judge_piece(Table(Tower.exact(CLASSIC, [])), "UNI", x, 0.0, yaw)
