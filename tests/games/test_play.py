"""A match played at one screen: bots, persons, the live hand, taking back, saving and going on."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

import pytest

from games.acts import ActKind
from games.background import Background, Failed
from games.errors import IllegalMove
from games.match import Match, MatchSetup, Seat
from games.play import NotNow, Phase, Play
from games.record import load_record, read_record, record_text
from meshes.piece_set import load_piece_set
from meshes.placement import Placement
from physics.grip import STEADY, Steadiness
from physics.pose import Pose
from physics.tower import exact_pose

CLASSIC = load_piece_set("classic")
LIMIT_S = 60.0


@pytest.fixture(scope="module")
def background() -> Iterator[Background]:
    """One worker for all tests, that simulates as fast as it can."""
    with Background(pace=inf) as started:
        yield started


def setup(*bots: str | None, hand: Steadiness | None = None, seed: int = 3) -> MatchSetup:
    """A match of the classic set; None is a person."""
    names = ("Ada", "Bo", "Cy")
    return MatchSetup(CLASSIC, tuple(Seat(names[i], bot, hand) for i, bot in enumerate(bots)), seed)


def go(play: Play, done: Callable[[], bool]) -> None:
    """Let time pass until `done`."""
    end = time.monotonic() + LIMIT_S
    while not done():
        assert time.monotonic() < end, f"still {play.phase}; {play.messages}"
        play.update()
        time.sleep(0.002)


def acts(play: Play, number: int) -> None:
    """Let bots go on until so many acts are done."""
    go(play, lambda: len(play.match.acts) >= number)


def played(match: Match, number: int) -> Match:
    """`match` after so many acts of its bots, without any background."""
    while len(match.acts) < number:
        match.place(match.think())
    return match


def lay_first(play: Play) -> Placement:
    """A person lays a first legal piece exactly."""
    go(play, lambda: play.phase is Phase.PERSON)
    move = play.legal()[0]
    play.lay(move)
    go(play, lambda: play.phase is not Phase.LAYING)
    return move


def test_bots_play_as_without_background(background: Background, tmp_path: Path) -> None:
    """Bots on the board and by the Grip play the very same match, poses and tracks included, whether or not a worker does it; it is saved."""
    seats = MatchSetup(CLASSIC, (Seat("A", "greedy"), Seat("B", "greedy", STEADY)), seed=5)
    play = Play(Match(seats), background, path=tmp_path / "match.stakd")
    acts(play, 8)
    play.close()
    there = played(Match(seats), 8)
    assert record_text(play.match) == record_text(there)
    assert load_record(tmp_path / "match.stakd").tower == there.tower


def test_every_laid_piece_is_seen_coming(background: Background) -> None:
    """While a piece is laid it is drawn on its way, last of all pieces, and the rest stays in place."""
    play = Play(Match(setup("greedy", "greedy")), background)
    acts(play, 2)
    go(play, lambda: len(play.poses) == 3)
    piece, pose = play.poses[-1]
    assert play.phase is Phase.LAYING
    assert (piece, play.moving) == (CLASSIC.base, CLASSIC.base)
    assert pose.z > 0
    assert [pose for _, pose in play.poses[:2]] == [laid.pose for laid in play.tower.laid]
    play.close()


def test_paused_bots_wait(background: Background) -> None:
    """A paused match does nothing until it is let go on."""
    play = Play(Match(setup("greedy", "greedy")), background)
    play.paused = True
    for _ in range(50):
        assert not play.update()
    assert (play.phase, len(play.match.acts)) == (Phase.THINKING, 0)
    play.paused = False
    acts(play, 1)
    play.close()


def test_illegal_is_refused_with_the_rule(background: Background) -> None:
    """A person can lay only what is legal, is told why not, and can do nothing while a bot moves."""
    play = Play(Match(setup(None, "greedy")), background)
    wrong = Placement("UNI", 1, ((0, 0),))
    assert [violation.rule for violation in play.explain(wrong)] == [violation.rule for violation in play.match.state.explain(wrong)] != []
    with pytest.raises(IllegalMove):
        play.lay(wrong)
    play.lay(play.legal("BASE")[0])
    with pytest.raises(NotNow):
        play.take("BASE", Pose(0.0, 0.0, 50.0))
    with pytest.raises(NotNow):
        play.undo()
    play.close()


def test_live_hand_lays_a_legal_piece(background: Background) -> None:
    """A piece taken up, moved over a legal place, lowered and let go counts as laid there, and the record says by whose hand."""
    play = Play(Match(setup(None, None, hand=STEADY)), background)
    move = play.legal()[0]
    place = exact_pose(CLASSIC, move)
    play.take(move.piece, Pose(place.x + 40, place.y, 60.0, place.rotation))
    assert (play.phase, len(play.poses)) == (Phase.HOLDING, 1)
    play.move_to(Pose(place.x, place.y, 30.0, place.rotation))
    go(play, lambda: abs(play.poses[-1][1].x - place.x) < 0.5)
    play.move_to(Pose(place.x, place.y, -1.0, place.rotation))
    go(play, lambda: play.feels_support)
    play.release()
    assert play.phase is Phase.LAYING
    go(play, lambda: play.phase is Phase.PERSON)
    act = play.match.acts[0]
    assert (act.kind, act.placement, act.hand, play.to_move) == (ActKind.PLACED, move, "own", 1)
    assert act.offset_mm is not None
    assert act.offset_mm < 1.0
    assert read_record("own", record_text(play.match)).tower == play.tower
    play.close()


def test_piece_dropped_aside_slips(background: Background) -> None:
    """A piece let go where it can't count is shown where it lies, then taken back: the same turn goes on (RULES S42)."""
    play = Play(Match(setup(None, None, hand=STEADY)), background)
    lay_first(play)
    move = play.legal()[0]
    play.take(move.piece, Pose.flat(400.0, 0.0, 5.0, 10.0))
    play.release()
    go(play, lambda: play.phase is Phase.SLIPPED)
    assert abs(play.poses[-1][1].x - 400.0) < 20
    play.go_on()
    assert (play.phase, play.to_move, play.match.acts[-1].kind, len(play.poses)) == (Phase.PERSON, 1, ActKind.TAKEN_BACK, 1)
    assert "lets slip" in play.log[-1].words[0]
    assert len(read_record("slip", record_text(play.match)).acts) == 2
    play.close()


def test_put_back_leaves_no_trace(background: Background) -> None:
    """A piece that is taken up and put back was never touched, and can be taken up again at once."""
    play = Play(Match(setup(None, None, hand=STEADY)), background)
    lay_first(play)
    before = record_text(play.match), play.poses
    for _ in range(2):
        play.take("BASE", Pose(200.0, 0.0, 60.0))
        play.move_to(Pose(0.0, 0.0, 60.0))
        go(play, lambda: abs(play.poses[-1][1].x) < 100)
        play.put_back()
        assert (record_text(play.match), play.poses, play.phase) == (*before, Phase.PERSON)
    play.close()


def test_no_room_is_told(background: Background) -> None:
    """A piece can't be taken up inside another: a message says so, and the turn goes on."""
    play = Play(Match(setup(None, None, hand=STEADY)), background)
    lay_first(play)
    play.take("BASE", play.tower.laid[0].pose)
    go(play, lambda: play.phase is Phase.PERSON)
    assert "BASE would reach into" in play.messages.pop()
    play.close()


def test_undo_against_a_bot_is_free(background: Background, tmp_path: Path) -> None:
    """Against bots a person takes back the own last piece together with the answer, on disk too."""
    play = Play(Match(setup(None, "greedy")), background, path=tmp_path / "match.stakd")
    assert not play.can_undo
    before = record_text(play.match)
    lay_first(play)
    go(play, lambda: play.phase is Phase.PERSON)
    assert len(play.match.acts) == 2
    assert play.can_undo
    assert play.undo() == ()
    assert (record_text(play.match), play.phase, play.poses, play.can_undo) == (before, Phase.PERSON, [], False)
    play.close()
    assert (tmp_path / "match.stakd").read_text("utf8") == before


def test_undo_while_the_bot_thinks(background: Background) -> None:
    """The piece can be taken back before the bot has answered; what it thinks is dropped, and the bot still answers the next piece."""
    slow = MatchSetup(CLASSIC, (Seat("Ada"), Seat("Bo", "mcts", milliseconds=20_000)), seed=1)
    play = Play(Match(slow), background)
    lay_first(play)
    go(play, lambda: background.busy)
    assert play.undo() == ()
    assert (play.phase, len(play.match.acts)) == (Phase.PERSON, 0)
    lay_first(play)
    assert play.phase is Phase.THINKING
    play.close()


def test_undo_with_others_needs_them(background: Background) -> None:
    """With several persons the others must agree before a piece is taken back."""
    play = Play(Match(setup(None, None, "greedy")), background)
    lay_first(play)
    assert play.undo() == (1,)
    assert len(play.match.acts) == 1
    assert play.undo(agreed=True) == ()
    assert play.match.acts == []
    play.close()


def sweep(play: Play) -> None:
    """A person runs a piece into the tower at the height of its top layer."""
    piece = play.legal()[-1].piece
    height = max(laid.pose.z for laid in play.tower.laid) + 1.0
    play.take(piece, Pose(-300.0, 0.0, height))
    play.move_to(Pose(400.0, 0.0, height))


def tower_of(match: Match, layers: int) -> Match:
    """`match` once its persons have laid so many layers exactly, always the first place that is legal for the largest piece."""
    while match.tower.layers < layers:
        match.place(match.state.legal_moves()[-1])
    return match


def test_knock_over_is_told_and_stays(background: Background, tmp_path: Path) -> None:
    """A person who runs a piece into the tower knocks it over: pieces are shown as they lie, the account says what gave way, the point is
    lost (RULES S39), nothing can be taken back, and the next round begins when the players go on."""
    play = Play(tower_of(Match(setup(None, None)), 6), background, path=tmp_path / "match.stakd")
    mover, stood, left = play.to_move, play.tower, play.left
    sweep(play)
    go(play, lambda: play.phase is Phase.FALLEN)
    assert play.account is not None
    assert "layer" in play.account
    assert (play.tower, play.left) == (stood, left)
    assert max(abs(pose.z - laid.pose.z) for (_, pose), laid in zip(play.poses, stood.laid, strict=False)) > 5
    assert (play.scores[mover], play.can_undo) == (-1, False)
    act = play.last_act
    assert act is not None
    assert (act.kind, act.hand, act.track is not None) == (ActKind.KNOCKED_OVER, "own", True)
    play.go_on()
    assert (play.phase, play.poses, play.match.state.round) == (Phase.PERSON, [], 2)
    play.close()
    assert load_record(tmp_path / "match.stakd").state.scores == play.scores


def test_resume_goes_on_alike(background: Background, tmp_path: Path) -> None:
    """Killed in the middle of an act, a match comes back to its last act and goes on as if never stopped."""
    seats = MatchSetup(CLASSIC, (Seat("A", "greedy"), Seat("B", "random", STEADY)), seed=7)
    play = Play(Match(seats), background, path=tmp_path / "match.stakd")
    acts(play, 3)
    go(play, lambda: play.phase is Phase.LAYING)
    play.close()
    again = Play.resume(tmp_path / "match.stakd", background)
    assert len(again.match.acts) == 3
    acts(again, 6)
    again.close()
    assert record_text(again.match) == record_text(played(Match(seats), 6))


def test_unwritable_record_is_told_and_play_goes_on(background: Background, tmp_path: Path) -> None:
    """A match that can't be saved is played on; a message says why."""
    play = Play(Match(setup("greedy", "greedy")), background, path=tmp_path / "missing" / "match.stakd")
    acts(play, 2)
    go(play, lambda: bool(play.messages))
    assert "could not be saved" in play.messages[0]
    play.close()


def test_dead_worker_comes_back(background: Background) -> None:
    """A worker that dies while a piece is laid is told of, and the same piece is laid by another."""
    play = Play(Match(setup("greedy", "greedy")), background)
    acts(play, 2)
    go(play, lambda: play.phase is Phase.LAYING)
    assert background._process is not None
    assert background._process.pid is not None
    os.kill(background._process.pid, signal.SIGKILL)
    acts(play, 4)
    assert "ended unexpectedly" in play.messages[0]
    assert record_text(play.match) == record_text(played(Match(play.match.setup), 4))
    play.close()


def test_bots_that_fail_again_and_again_are_paused(background: Background) -> None:
    """What fails three times in a row is told each time and then left to the users, who can let bots go on."""
    play = Play(Match(setup("greedy", "greedy")), background)
    for _ in range(3):
        go(play, lambda: background.busy)
        play._hear(Failed(play._job, "no luck"))
        background.cancel()
    assert play.paused
    assert [message.startswith("no luck") for message in play.messages] == [True, True, True, False]
    play.paused = False
    acts(play, 1)
    play.close()


def test_verdicts_are_of_the_table_as_it_is(background: Background) -> None:
    """The verdict on a ghost names its rules and its margin; both are forgotten once the table changes."""
    play = Play(Match(setup(None, None)), background)
    lay_first(play)
    move = play.legal()[0]
    play.ask_verdict(move)
    play.ask_tower_verdict()
    go(play, lambda: play.verdict is not None and play.tower_verdict is not None)
    assert play.verdict is not None
    assert (play.verdict.verdict.placement, play.verdict.holds, play.verdict.violations) == (move, True, ())
    play.ask_verdict(play.tower.laid[0].pose, "UNI")
    go(play, lambda: play.verdict is not None and play.verdict.verdict.piece == "UNI")
    assert not play.verdict.holds
    assert play.verdict.violations
    lay_first(play)
    assert (play.verdict, play.tower_verdict) == (None, None)
    play.close()


def test_verdict_lost_with_the_worker_is_not_waited_for(background: Background) -> None:
    """When the worker dies over a question, nothing is weighed any more and no verdict stands; asked again it is answered."""
    play = Play(Match(setup(None, None)), background)
    lay_first(play)
    move = play.legal()[0]
    (worker,) = [child for child in multiprocessing.active_children() if child.name == "stakd-background"]
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)  # so that it dies before it can answer
    play.ask_verdict(move)
    assert play.weighing
    worker.kill()
    go(play, lambda: not play.weighing)
    assert (play.verdict, play.verdict_asked) == (None, move)
    assert "ended unexpectedly" in play.messages[0]
    play.ask_verdict(move)
    go(play, lambda: play.verdict is not None)
    play.close()


def test_resigning_and_being_out_is_told(background: Background) -> None:
    """Who leaves is out, the log and `why_out` say so with the rule (RULES S53); who is in is not out."""
    play = Play(Match(setup(None, None, None)), background)
    play.resign(1)
    assert "left the match" in (play.why_out(1) or "")
    assert "[S53]" in (play.why_out(1) or "")
    assert play.why_out(0) is None
    assert play.log[-1].words == ("Bo leaves the match.", "Bo is out: left the match (S53).")
    play.resign(2)
    assert (play.phase, play.match.over) == (Phase.OVER, True)
    play.close()


def test_elimination_by_s31_names_the_pieces(background: Background) -> None:
    """Who could open a layer with a UNI only is told the rule and which larger pieces he still holds (RULES S31)."""
    for seed in range(40):
        match = Match(setup("random", "random", "random", seed=seed))
        while match.state.round == 1 and not any(event.get("reason") == "S31" for act in match.acts for event in act.events):
            match.place(match.think())
        out = [event["player"] for act in match.acts for event in act.events if event.get("reason") == "S31"]
        if out and match.state.round == 1:
            break
    play = Play(match, background)
    play.paused = True
    words = play.why_out(out[0]) or ""
    assert words.startswith(play.names[out[0]])
    assert words.endswith("[S31].")
    larger = [name for name, count in play.left[out[0]].items() if count and name != "UNI"]
    assert larger
    assert all(name in words for name in larger)
    play.close()


def test_round_end_waits_to_be_seen(background: Background) -> None:
    """At the end of a round the tower stays on show until the players go on; then the table is empty and the winner starts."""
    match = Match(setup("random", "random", seed=0))
    play = Play(match, background)
    while match.state.round == 1:
        acts(play, len(match.acts) + 1)
    assert play.phase is Phase.ROUND_OVER
    assert len(play.poses) > 10
    loser = next(player for player in (0, 1) if play.scores[player] == 0)
    assert "[S" in (play.why_out(loser) or "")
    assert sum(map(sum, (hand.values() for hand in play.left))) + len(play.poses) == sum(CLASSIC.hand(2).values()) * 2
    play.paused = True
    play.go_on()
    assert (play.phase, play.poses, sum(play.scores)) == (Phase.THINKING, [], 1)
    play.close()
