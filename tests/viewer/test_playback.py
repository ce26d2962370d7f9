"""Watching a match again by the clock."""

from __future__ import annotations

import pytest

from meshes.errors import StakdError
from tests.viewer.told_match import LOSS_S, SHIFT_MM, TRACK_S, start_x, told_match
from viewer.playback import FALLEN_S, GLIDE_MM, GLIDE_S, LEAD_S, LEAST_SPEED, MOST_SPEED, PAUSE_S, FallPlayback, MatchPlayback, Playhead

TINY = 1e-9
ENDS = [GLIDE_S + PAUSE_S]
for _length in (TRACK_S + PAUSE_S, TRACK_S + PAUSE_S, TRACK_S + FALLEN_S, GLIDE_S + PAUSE_S):
    ENDS.append(ENDS[-1] + _length)


@pytest.fixture
def playback() -> MatchPlayback:
    """Of the match made by hand."""
    return MatchPlayback(told_match())


def test_time_passes_at_the_speed_chosen() -> None:
    """A second at half speed is half a second of the match; at the end it stops by itself, and playing again begins anew."""
    head = Playhead(2.0, speed=0.5)
    assert not head.update(1.0)
    head.toggle()
    assert head.update(1.0)
    assert head.position == pytest.approx(0.5)
    head.speed = 2.0
    head.update(0.25)
    assert head.position == pytest.approx(1.0)
    head.update(9.0)
    assert (head.position, head.playing) == (2.0, False)
    head.toggle()
    assert (head.position, head.playing) == (0.0, True)


def test_speed_and_place_keep_to_their_limits() -> None:
    """The slider's ends are 0.05 and 2 times real time; nobody scrubs beyond the ends."""
    head = Playhead(2.0)
    head.speed = 50
    assert head.speed == MOST_SPEED == 2.0
    head.speed = 0
    assert head.speed == LEAST_SPEED == 0.05
    head.seek(-3)
    assert head.position == 0.0
    head.seek(3)
    assert head.position == 2.0


def test_each_act_takes_its_track_and_a_pause(playback: MatchPlayback) -> None:
    """The time line is as long as all tracks, a glide where none is known, and the pauses together."""
    assert [span.end for span in playback.spans] == pytest.approx(ENDS)
    assert playback.length == pytest.approx(ENDS[-1])
    assert playback.falls == (4,)


def test_poses_follow_the_track(playback: MatchPlayback) -> None:
    """A quarter into a straight motion the piece has gone a quarter of the way, and the others stand."""
    now = playback.poses(ENDS[0] + TRACK_S / 4)
    assert [(piece.piece.name, piece.id) for piece in now] == [("BASE", 0), ("BASE", 1)]
    assert now[1].pose.x == pytest.approx(start_x(playback.match, 2, 1) + SHIFT_MM / 4)
    assert now[0].pose.x == pytest.approx(start_x(playback.match, 2, 0))


def test_act_without_a_track_comes_down_from_above(playback: MatchPlayback) -> None:
    """Where no motion was recorded a piece is seen to come down onto its place."""
    heights = [playback.poses(seconds)[-1].pose.z for seconds in (TINY, GLIDE_S / 2, GLIDE_S)]
    assert heights == pytest.approx([GLIDE_MM, GLIDE_MM / 4, 0.0], abs=1e-5)


def test_what_came_of_an_act_is_seen_at_its_end(playback: MatchPlayback) -> None:
    """A piece that slipped is gone, a piece laid is where it came to rest, a fallen tower lies."""
    assert len(playback.poses(ENDS[1])) == 1
    rest = playback.poses(ENDS[2])[1].pose
    assert rest.x == pytest.approx(start_x(playback.match, 3, 1) + 1.0)
    assert playback.poses(ENDS[3])[0].pose.x == pytest.approx(start_x(playback.match, 4, 0) + SHIFT_MM)
    assert len(playback.poses(ENDS[4])) == 1, "a new round begins on an empty table"
    assert playback.poses(0.0) == []


def test_steps_go_from_act_to_act(playback: MatchPlayback) -> None:
    """Forward to the end of this act, then of the next; back to where this act began, then the one before; ends hold."""
    playback.seek(ENDS[0] + 0.3)
    assert (playback.act, playback.done) == (2, 1)
    playback.step(1)
    assert (playback.position, playback.act, playback.done) == (pytest.approx(ENDS[1]), 2, 2)
    playback.step(1)
    assert playback.act == 3
    playback.step(-1)
    assert playback.act == 2
    playback.seek(ENDS[1] + 0.3)
    playback.step(-1)
    assert playback.position == pytest.approx(ENDS[1])
    for _ in range(9):
        playback.step(-1)
    assert (playback.position, playback.act, playback.done) == (0.0, 0, 0)
    for _ in range(9):
        playback.step(1)
    assert (playback.position, playback.act) == (pytest.approx(ENDS[4]), 5)


def test_jumping_stands_and_watching_plays(playback: MatchPlayback) -> None:
    """A jump shows what came of an act; watching a fall begins shortly before the first support is lost, in slow motion."""
    playback.jump(3)
    assert (playback.act, playback.playing) == (3, False)
    playback.watch(4)
    assert playback.position == pytest.approx(ENDS[2] + LOSS_S - LEAD_S)
    assert playback.playing
    assert playback.speed == 0.25
    playback.watch(2)
    assert playback.position == pytest.approx(ENDS[0])


def test_fall_alone_begins_shortly_before_the_loss() -> None:
    """The replay of a fall runs from 0.6 s before the first support is lost to the end of the track."""
    match = told_match()
    fall = FallPlayback(match, 4)
    assert fall.length == pytest.approx(TRACK_S - LOSS_S + LEAD_S)
    assert fall.loss_s == pytest.approx(LEAD_S)
    x = start_x(match, 4, 0)
    assert fall.poses(0.0)[0].pose.x == pytest.approx(x + SHIFT_MM * (LOSS_S - LEAD_S) / TRACK_S)
    assert fall.poses(fall.length)[0].pose.x == pytest.approx(x + SHIFT_MM)
    assert len(fall.poses()) == 3, "the piece that was being laid is seen too"


def test_only_a_fall_is_seen_as_one() -> None:
    """Asking for the fall in an act without one is an error that says so."""
    with pytest.raises(StakdError, match="nothing falls in act 3"):
        FallPlayback(told_match(), 3)
