"""The background process: the same answers as in the window's own process, quick to cancel, back when it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from math import inf
from typing import TypeVar

import numpy as np
import pytest

from games.background import ActDone, Background, Busy, Failed, Judged, Poses, PushDone, Report, Thought
from games.judgement import judge_piece, judge_tower
from games.match import Match, MatchSetup, Seat, Table
from meshes.piece_set import load_piece_set
from physics.act import place_by_hand
from physics.grip import STEADY
from physics.knock import knock
from physics.pose import Pose
from physics.tower import exact_pose

CLASSIC = load_piece_set("classic")
LIMIT_S = 60.0
SLOW = MatchSetup(CLASSIC, (Seat("A", "mcts", milliseconds=40_000), Seat("B", "mcts", milliseconds=40_000)), seed=2)

ReportT = TypeVar("ReportT")


@pytest.fixture(scope="module")
def background() -> Iterator[Background]:
    """One worker for all tests, that simulates as fast as it can."""
    with Background(pace=inf) as started:
        yield started


@pytest.fixture(scope="module")
def match() -> Match:
    """Ten pieces laid exactly."""
    laid = Match(MatchSetup(CLASSIC, (Seat("A", "greedy"), Seat("B", "random")), seed=4))
    while len(laid.acts) < 10:
        laid.place(laid.think())
    return laid


def heard(background: Background, kind: type[ReportT]) -> tuple[ReportT, list[Report]]:
    """The next report of a kind, and all that came before it."""
    before: list[Report] = []
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        reports = background.poll()
        for number, report in enumerate(reports):
            if isinstance(report, kind):
                return report, [*before, *reports[:number]]
        before += reports
        time.sleep(0.002)
    raise AssertionError(f"no {kind.__name__} came, but {before}")


def test_window_loads_no_physics() -> None:
    """Importing the background loads no physics, so that the first picture need not wait for it."""
    check = "import sys, games.background; print({'pybullet', 'scipy', 'highspy', 'trimesh'} & sys.modules.keys() or 'none')"
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout.strip() == "none"


def test_thinks_as_the_match_does(background: Background, match: Match) -> None:
    """A bot chooses what it would have chosen here, through taking back and other matches in between."""
    for setup, acts in ((match.setup, match.acts), (match.setup, match.acts[:6]), (MatchSetup(CLASSIC, (Seat("A", "greedy"),), 9), [])):
        number = background.think(setup, acts)
        here = Match(setup)
        for act in acts:
            here.restore(act)
        assert heard(background, Thought)[0] == Thought(number, here.think())


def test_lays_bit_for_bit_alike(background: Background, match: Match) -> None:
    """The Grip lays a piece in the worker exactly as here, and shows it sixty times a second: the new piece, and others only if they move."""
    move, new = match.state.legal_moves()[5], len(match.tower.laid)
    background.lay(match.tower, move, STEADY, match.chance(1))
    done, before = heard(background, ActDone)
    here = place_by_hand(match.tower, move, STEADY, np.random.default_rng(match.chance(1)))
    assert (done.result.outcome, done.result.tower, done.result.offset_mm) == (here.outcome, here.tower, here.offset_mm)
    assert done.result.track.to_bytes() == here.track.to_bytes()
    poses = [report for report in before if isinstance(report, Poses)]
    assert len(poses) > 60
    assert all(report.states.shape == (len(report.pieces), 7) for report in poses)
    assert poses[0].pieces == (new,)
    shown = next(report.states[report.pieces.index(new)] for report in reversed(poses) if new in report.pieces)
    assert np.allclose(shown, here.track.states[-1, here.track.pieces.index(new)], atol=0.01)


def test_acts_keep_to_the_clock(match: Match) -> None:
    """At pace 4 an act is over no sooner than in a quarter of its own time."""
    with Background(pace=4.0) as background:
        background.lay(match.tower, match.state.legal_moves()[0], None, match.chance(1))
        first, _ = heard(background, Poses)
        began = time.monotonic()
        done, _ = heard(background, ActDone)
        assert time.monotonic() - began > (done.result.seconds - first.seconds) / 4 - 0.1


def test_push_topples_as_here(background: Background, match: Match) -> None:
    """A push in the worker does what it does here, and is shown."""
    top = len(match.tower.laid) - 1
    background.knock(match.tower, top, force_n=1.0, seconds=0.03)
    done, before = heard(background, PushDone)
    here = knock(match.tower, top, force_n=1.0, seconds=0.03)
    assert done.knocked.tower == here.tower
    assert str(done.knocked.knock_over) == str(here.knock_over)
    assert any(isinstance(report, Poses) and top in report.pieces for report in before)


def test_judges_beside_an_act_and_the_latest_wins(background: Background, match: Match) -> None:
    """Questions are answered while a piece is held; of many at once the last is answered, and few of the others."""
    move = match.state.legal_moves()[0]
    place = exact_pose(CLASSIC, move)
    background.take(match.tower, move.piece, Pose(-300.0, 0.0, 80.0), [move])
    heard(background, Poses)
    asked = [background.judge_piece(match.tower, move.piece, place) for _ in range(20)]
    tower = background.judge_tower(match.tower)
    answers: dict[int, object] = {}
    while not {asked[-1], tower} <= answers.keys():
        report, _ = heard(background, Judged)
        answers[report.request] = report.judgement
    background.cancel()
    assert len(answers) <= 4
    assert answers[asked[-1]] == judge_piece(Table(match.tower), move.piece, place.x, place.y, place.yaw_deg)
    assert answers[tower] == judge_tower(Table(match.tower))


def test_cancelled_act_gives_way_at_once(background: Background, match: Match) -> None:
    """A cancelled act tells nothing more, and the next job begins; two jobs at once are refused."""
    background.take(match.tower, "DUO", Pose(-300.0, 0.0, 80.0), [])
    heard(background, Poses)
    with pytest.raises(Busy):
        background.think(match.setup, match.acts)
    process = background._process
    background.cancel()
    number = background.think(match.setup, match.acts)
    thought, before = heard(background, Thought)
    assert (thought.job, before) == (number, [])
    assert background._process is process


def test_cancelled_thinking_is_cut_off(background: Background, match: Match) -> None:
    """A bot that would think for forty seconds is cut off, and the next job is done by a new worker without a word of failure; what was
    asked beside it is answered all the same."""
    background.think(SLOW, match.acts)
    while not background._ready or background._running is None:
        background.poll()
        time.sleep(0.002)
    background.cancel()
    question = background.judge_tower(match.tower)
    number = background.think(match.setup, match.acts)
    thought, before = heard(background, Thought)
    assert thought.job == number
    answers = [report for report in before if isinstance(report, Judged)] or [heard(background, Judged)[0]]
    assert [report.request for report in answers] == [question]
    assert not any(isinstance(report, Failed) for report in before)


def test_dead_worker_is_told_and_replaced(background: Background, match: Match) -> None:
    """A worker that is killed is told of once, with the job that is lost, and another does the next job."""
    number = background.think(SLOW, match.acts)
    while background._running is None:
        background.poll()
        time.sleep(0.002)
    assert background._process is not None
    assert background._process.pid is not None
    os.kill(background._process.pid, signal.SIGKILL)
    failed, _ = heard(background, Failed)
    assert (failed.job, failed.crashed, background.busy) == (number, True, False)
    background.think(match.setup, match.acts)
    assert heard(background, Thought)[1] == []


def test_failure_is_told_in_words(background: Background, match: Match) -> None:
    """What a job dies of is told, and the worker lives on."""
    number = background.take(match.tower, "BASE", match.tower.laid[0].pose, [])
    failed, _ = heard(background, Failed)
    assert (failed.job, failed.crashed) == (number, False)
    assert "BASE would reach into piece 0" in failed.message


def test_held_piece_can_be_dropped_before_the_worker_is_ready(match: Match) -> None:
    """Taken up, moved and let go before the worker has even loaded: all of it is heeded, in order."""
    with Background(pace=inf) as background:
        background.take(match.tower, "UNI", Pose(-300.0, 0.0, 40.0), [])
        background.move_to(Pose(-250.0, 0.0, 40.0))
        background.release()
        done, _ = heard(background, ActDone)
        assert done.result.outcome.value == "taken back"


def test_held_piece_at_rest_costs_nothing(background: Background, match: Match) -> None:
    """A piece held still is not simulated on: no report comes, no time passes, until the hand moves it."""
    background.pace = 20.0
    background.take(match.tower, "UNI", Pose(-300.0, 0.0, 40.0), [])
    last: list[Report] = []
    quiet = time.monotonic()
    while time.monotonic() < quiet + 0.3:
        reports = background.poll()
        if reports:
            last, quiet = reports, time.monotonic()
        time.sleep(0.002)
    background.move_to(Pose(-290.0, 0.0, 40.0))
    moved, _ = heard(background, Poses)
    assert isinstance(last[-1], Poses)
    assert moved.seconds - last[-1].seconds < 1.0
    background.cancel()
    background.pace = inf
