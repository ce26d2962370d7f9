"""How long acts go on: a thinking hand, what rolls away, what stands on its rim, and the limit."""

import numpy as np
import pytest

from bench.towers import whole_box
from games.stakd.state import State
from physics.act import Act, Outcome
from physics.judge import judge
from physics.pose import Pose
from physics.settle import stand
from physics.tower import Tower, exact_pose
from physics.track import PoseTrack
from physics.watch import LIMIT_S
from tests.physics.test_act import CLASSIC, LOW, column, dropped, parsed, states_of, swept, tower_of


def played(pieces: int, layers: int) -> tuple[Tower, State]:
    """A legal table of so many pieces and layers from random play by one player with the whole box, exactly placed, and its state."""
    for seed in range(1000):
        rng, state = np.random.default_rng(seed), State.new(1, piece_set=whole_box(CLASSIC))
        while state.round == 1 and not state.over and len(state.placements()) < pieces:
            moves = state.legal_moves()
            state.play(moves[int(rng.integers(len(moves)))])
        tower = Tower.exact(CLASSIC, state.placements())
        if len(tower.laid) == pieces and tower.layers == layers and state.legal_moves():
            return tower, state
    raise AssertionError("no such tower")


def test_hovering_for_minutes_changes_nothing() -> None:
    """A legal tower of 30 pieces and 6 layers over which a player hovers for two minutes in an act, and then lays his piece, is as it was:
    every other piece in its very pose, nothing knocked over, each move that was legal at first still legal for the poses as they are."""
    tower, state = played(30, 6)
    before = [str(move) for move in state.legal_moves()]
    move = max(state.legal_moves(), key=lambda move: move.layer)
    place = exact_pose(CLASSIC, move)
    with Act(tower, move.piece, Pose(place.x, place.y, place.z + 50, place.rotation), allowed=[move]) as act:
        for turn in range(120):
            angle = 2 * np.pi * turn / 12
            act.move_to(Pose(place.x + 8 * float(np.cos(angle)), place.y + 8 * float(np.sin(angle)), place.z + 50, place.rotation))
            act.run(960)
        assert act.seconds == pytest.approx(120)
        hovered = tower.with_poses(act.poses()[:-1])
        assert np.abs(states_of(hovered) - states_of(tower))[:, :3].max() < 1e-6
        act.move_to(Pose(place.x, place.y, place.z + 0.3, place.rotation))
        act.run(960 * 2)
        act.release()
        act.run(960 * 40)
        result = act.result()
    assert (result.outcome, result.placement, result.knock_over) == (Outcome.PLACED, move, None)
    assert result.tower.laid[:-1] == tower.laid
    assert [str(move) for move in state.legal_moves()] == before
    for legal in state.legal_moves():
        pose = exact_pose(CLASSIC, legal)
        assert judge(hovered, CLASSIC.piece(legal.piece), pose, layer=legal.layer, margins=False).within_tolerance


def test_standing_measures_what_acts_do() -> None:
    """A column over which a player hovers, lays a piece and goes away stands within half a mm, frozen or awake, with the settings of acts; a
    column that can't carry the piece is told as moved."""
    tower = column(8)
    stood = stand(tower, parsed("UNI 8 0,0"), hover_s=20, awake_s=1)
    assert stood.placed
    assert 0 < stood.awake_mm < 0.5
    assert stood.hovered_mm < 0.5
    assert stood.fallen == ()
    weak = tower_of("BASE 0 0,0 0,1 1,0 1,1 2,0", "UNI 1 0,0", "DUO 2 -1,0 0,0")
    weak = weak.with_poses([*(piece.pose for piece in weak.laid[:2]), Pose(-21, 0, 20)])
    assert stand(weak, parsed("UNI 3 -1,0"), hover_s=1, awake_s=0.5).hovered_mm > 5


def test_thinking_long_costs_no_memory() -> None:
    """However long a player hovers, the track of the act holds its last seconds only, from 0 on."""
    with Act(LOW, "UNI", Pose(90, 0, 40)) as act:
        act.run(960 * 14)
        act.release()
        act.run(960 * 20)
        track = act.result().track
    assert track.times[0] == 0
    assert track.seconds < 13


def test_uni_let_go_on_its_rim_ends_the_act() -> None:
    """A UNI let go on its rim at the edge rolls off and away; the act ends by its time limit and the piece is taken back once."""
    rim = (float(np.sqrt(0.5)), 0.0, 0.0, float(np.sqrt(0.5)))
    with Act(LOW, "UNI", Pose(60, 18, 24, rim)) as act:
        act.move_to(Pose(110, 18, 24, rim))
        act.run(200)
        act.release()
        act.run(960 * 40)
        assert act.done
        assert act.result().outcome is Outcome.TAKEN_BACK
        assert act.seconds < 15


def rolled_s(track: PoseTrack, piece: int) -> float:
    """How long a piece moved on its rim, seconds."""
    states = track.states[1:, track.pieces.index(piece)]
    upright = np.abs(1 - 2 * (states[:, 3] ** 2 + states[:, 4] ** 2)) < np.sin(np.radians(25))
    step = np.linalg.norm(np.diff(track.states[:, track.pieces.index(piece), :2], axis=0), axis=1)
    return float((upright & (step * 60 > 30)).sum() / 60)


def test_laid_uni_knocked_off_rolls_and_counts_once() -> None:
    """A laid UNI struck off a tower that then rolls on its rim across the table is knocked over exactly once, and the act ends by its time
    limit with the next act free to start. One glancing blow in five sets it rolling; several are tried."""
    base = "BASE {} 0,0 0,1 1,0 1,1 2,0"
    tower = tower_of(*(base.format(layer) for layer in range(4)), "UNI 4 2,0")
    rng = np.random.default_rng(3)
    longest = 0.0
    for _ in range(40):
        result = swept(tower, 0.87 + rng.normal(0, 0.05), 19.3 + rng.normal(0, 0.5), 1.0 + rng.normal(0, 0.2))
        assert result.outcome is Outcome.KNOCKED_OVER
        assert result.knock_over is not None
        assert [fallen.piece for fallen in result.knock_over.fallen] == [4]
        assert result.knock_over.first.piece == 4
        assert result.seconds < 1.0 + 2 * LIMIT_S
        longest = max(longest, rolled_s(result.track, 4))
        if longest > 1.5:
            break
    assert longest > 1.5
    assert dropped(result.tower, "UNI", Pose(0, 0, 80)).quiet


def test_an_act_cut_off_by_its_limit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An act that the time limit ends while its piece still falls is marked as not at rest; any other is."""
    assert dropped(LOW, "UNI", Pose(60, 0, 10.3)).quiet
    monkeypatch.setattr("physics.watch.LIMIT_S", 0.1)
    cut_off = dropped(LOW, "UNI", Pose(60, 0, 200))
    assert not cut_off.quiet
    assert cut_off.outcome is Outcome.TAKEN_BACK
