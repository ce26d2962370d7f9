"""Card games at one screen: phases, the curtain, taking back, words, saving, bots that think elsewhere."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from games.card_acts import CardActKind
from games.card_match import CardMatch, CardSeat, CardSetup
from games.card_play import CardPhase, CardPlay
from games.card_record import load_card_record
from games.card_thinker import AtOnce, Chosen, Thinker, Thinking
from games.card_undo import CannotTakeBack
from games.errors import IllegalMove
from games.phases import NotNow
from tests.games.card_tables import GAMES, bots_only, played, run, run_out, settle, table


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_to_the_end(game: str) -> None:
    """A table of bots plays its game out, everything open, and says who has won."""
    play, clock = table(game, "greedy", "greedy", "greedy")
    assert (play.persons, play.view_seat) == ((), None)
    assert all(isinstance(hand, list) for hand in play.view()["hands"])
    run_out(play, clock)
    assert play.match.acts == played(play.match.setup).acts
    assert play.outcome is not None
    assert play.scores == play.outcome.scores
    assert any(play.names[winner] in play.result for winner in play.outcome.winners)
    assert len(play.log) == len(play.match.acts)
    assert all(entry.words for entry in play.log)
    assert (play.legal(), play.undo_refusal is None, play.due) == ([], False, None)


@pytest.mark.parametrize("game", ["sakana", "sardines"])
def test_one_person_never_meets_the_curtain(game: str) -> None:
    """One person among bots always sees his own hand and no other, and never waits for more than bots."""
    play, clock = table(game, None, "greedy", "random")
    seen = set()
    while play.phase is not CardPhase.OVER:
        settle(play, clock)
        seen.add(play.phase)
        assert play.view_seat == 0
        assert [isinstance(hand, list) for hand in play.view()["hands"]] == [True, False, False]
        play.go_on()
        if play.phase is CardPhase.PERSON:
            assert play.to_move == 0
            play.play(play.legal()[0])
    assert CardPhase.CURTAIN not in seen
    assert CardPhase.PERSON in seen
    assert (CardPhase.ROUND_OVER in seen) == (game == "sakana")


def test_curtain_between_persons() -> None:
    """Between two persons no hand is open until the next has sat down; bots between them make no difference, and who plays twice in a
    row is not asked."""
    play, clock = table("sardines", None, "random", None, seed=5)
    for _ in range(30):
        settle(play, clock)
        if play.phase is CardPhase.CURTAIN:
            assert (play.view_seat, play.next_seat, play.legal()) == (None, play.match.state.to_move, [])
            assert all(isinstance(hand, int) for hand in play.view()["hands"])
            with pytest.raises(NotNow):
                play.play("pass")
            play.show_hand()
        assert play.phase is CardPhase.PERSON
        seat = play.view_seat
        assert seat == play.to_move
        assert isinstance(play.view()["hands"][seat], list)
        play.play(play.legal()[0])
        assert play.phase is CardPhase.THINKING or play.phase is CardPhase.CURTAIN or play.to_move == seat
        with pytest.raises(NotNow):
            play.show_hand() if play.phase is not CardPhase.CURTAIN else play.play("pass")


def test_illegal_moves_are_explained() -> None:
    """A move out of turn or against a rule is refused with its rule; nothing happens."""
    play, clock = table("sakana", None, "greedy")
    settle(play, clock)
    acts = len(play.match.acts)
    assert play.explain("play C1 C1")[0].rule
    with pytest.raises(IllegalMove):
        play.play("play C1 C1")
    with pytest.raises(NotNow):
        play.play(play.legal()[0], seat=1)
    assert len(play.match.acts) == acts


def test_own_play_can_be_taken_back_until_somebody_shows_cards() -> None:
    """A stack that showed nothing new comes back into the hand; once a bot has shown cards it stays, and the reason is told."""
    play, clock = table("sakana", None, "greedy", seed=3)
    settle(play, clock)
    while play.match.state.view(0).to_json()["stacks"] or str(play.legal()[-1]) == "pass":
        play.play("pass")
        settle(play, clock)
    acts, view, legal = len(play.match.acts), play.view(), list(map(str, play.legal()))
    catch = view["draw"][0]
    move = next(move for move in legal if move != "pass" and catch not in move.split())
    play.play(move)
    assert play.undo_refusal is None
    play.undo()
    assert (len(play.match.acts), play.view(), list(map(str, play.legal())), play.phase) == (acts, view, legal, CardPhase.PERSON)
    play.play(move)
    play.update()
    play.update()
    assert len(play.match.acts) == acts + 2
    if "played" in [event["type"] for event in play.match.acts[-1].events]:
        assert "B has played cards since" in str(play.undo_refusal)
    with pytest.raises(CannotTakeBack):
        play.undo()


def test_what_was_turned_up_can_not_be_unseen() -> None:
    """A pass in Sakana turns up the next Catch, gathering in Sardines the next cards of the market: neither is taken back."""
    for game, move, reason in (("sakana", "pass", "a new Catch of the Day"), ("sardines", "gather", "new cards have been turned up")):
        play, clock = table(game, None, "greedy")
        settle(play, clock)
        assert "no move of yours" in str(play.undo_refusal)
        play.play(next(text for text in map(str, play.legal()) if text.startswith(move)))
        assert reason in str(play.undo_refusal)
        before = list(play.match.acts)
        with pytest.raises(CannotTakeBack, match=reason):
            play.undo()
        assert play.match.acts == before


def test_resting_between_rounds() -> None:
    """When a round ends the table waits, shows what stood before its end, and has a summary; the new hands are seen only after it."""
    play, clock = table("sakana", None, "greedy", seed=4)
    while play.phase is not CardPhase.ROUND_OVER:
        settle(play, clock)
        if play.phase is CardPhase.PERSON:
            play.play(play.legal()[0])
    summary = play.rounds[-1]
    assert (summary.round, play.match.round, play.view()["round"]) == (1, 2, 1)
    assert summary.scores == summary.points
    assert "Round 1 is over" in summary.words[0]
    acts = len(play.match.acts)
    assert (play.update(), play.due, len(play.match.acts)) == (False, None, acts)
    play.leave(0)
    assert (play.phase, play.match.acts[-1].kind) == (CardPhase.ROUND_OVER, CardActKind.LEFT)
    play.go_on()
    assert (play.view()["round"], play.scores) == (2, summary.scores)


def test_bots_wait_so_that_eyes_can_follow() -> None:
    """A bot moves `pause_s` after what came before, not sooner, and not while paused."""
    play, clock = table("sardines", "greedy", "greedy")
    play.pause_s = 0.5
    for _ in range(5):
        play.update()
    assert (len(play.match.acts), play.due) == (0, 0.5)
    clock.now = 0.49
    play.update()
    assert play.match.acts == []
    play.paused = True
    clock.now = 3.0
    assert (play.update(), play.due) == (False, None)
    play.paused = False
    play.update()
    assert play.match.acts == []
    clock.leap(play.due)
    assert play.update()
    assert [act.seconds for act in play.match.acts] == [0.5]


def test_time_away_does_not_count() -> None:
    """The match's clock stands still behind the curtain, at the end of a round, and while paused; bots don't catch up on it."""
    play, clock = table("sakana", None, None)
    clock.now += 1000
    play.show_hand()
    clock.now += 2
    play.play("pass")
    assert play.match.acts[-1].seconds == 2
    clock.now += 1000
    play.show_hand()
    clock.now += 3
    play.paused = True
    clock.now += 1000
    play.paused = False
    play.play("pass")
    assert play.match.acts[-1].seconds == 5
    while play.phase is not CardPhase.ROUND_OVER:
        play.show_hand()
        play.play("pass")
    clock.now += 1000
    play.go_on()
    play.show_hand()
    play.play("pass")
    assert play.match.acts[-1].seconds == 5


def test_bots_of_sakapuss_wait_while_paused() -> None:
    """What happens before a pause is done when it begins, and told by the next update; nothing happens in it."""
    play, clock = table("sakapuss", None, "greedy", "greedy")
    play.update()
    assert play.due is not None
    clock.now = play.due + 10
    play.paused = True
    acts = len(play.match.acts)
    assert acts and play.update()
    clock.now += 1000
    play.paused = False
    play.update()
    assert len(play.match.acts) == acts and play.match.acts[-1].seconds <= clock.now - 1000


def counting(method: Callable[..., object], calls: list[str]) -> Callable[..., object]:
    """The method, which also notes that it was called."""

    def counted(*args: object, **named: object) -> object:
        calls.append(method.__name__)
        return method(*args, **named)

    return counted


def test_nothing_is_asked_anew_while_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks for view, points, legal moves and reasons every frame: the game is asked once for each, and again after an act."""
    play, clock = table("sakana", None, "greedy")
    settle(play, clock)
    asked: list[str] = []
    for name in ("legal_moves", "explain", "to_json"):
        monkeypatch.setattr(type(play.match.state), name, counting(getattr(type(play.match.state), name), asked))
    for _ in range(5):
        legal, view = play.legal(), play.view()
        assert play.explain("pass") == () and "pass" in legal and len(play.scores) == 2
    assert asked.count("legal_moves") == asked.count("explain") == 1 and asked.count("to_json") <= 1
    play.play("pass")
    assert play.view() != view and (play.phase is CardPhase.PERSON or play.legal() == [])


def test_scores_hidden_by_the_rules_stay_hidden() -> None:
    """In Sardines a person sees his own points only, until the end (RULES D18)."""
    play, clock = table("sardines", None, "greedy")
    settle(play, clock)
    assert (play.scores[0], play.scores[1]) == (0, None)
    while play.phase is not CardPhase.OVER:
        play.play(max(map(str, play.legal()), key=lambda text: text.startswith("fill")))
        settle(play, clock)
    assert play.outcome is not None
    assert play.scores == play.outcome.scores


def test_leaving_goes_on_with_a_bot(tmp_path: Path) -> None:
    """When the last person leaves, bots play the match out; the record knows."""
    path = tmp_path / "match.stakd"
    play, clock = table("sardines", None, "greedy", path=path)
    play.leave(0)
    assert play.persons == ()
    assert "A leaves" in play.log[-1].words[0]
    run_out(play, clock)
    play.close()
    assert load_card_record(path).acts == play.match.acts
    with pytest.raises(NotNow):
        play.leave(0)


@pytest.mark.parametrize("game", GAMES)
def test_saved_after_every_act_and_resumed(game: str, tmp_path: Path) -> None:
    """A match left at any moment is on disk to its last act, and goes on at the same person's turn with the same view."""
    path = tmp_path / "match.stakd"
    play, clock = table(game, None, "greedy", "greedy", path=path)
    for _ in range(6):
        settle(play, clock)
        if play.phase in (CardPhase.PERSON, CardPhase.PASSING):
            play.play(play.legal()[0])
    settle(play, clock)
    play.close()
    assert [file.name for file in tmp_path.iterdir()] == ["match.stakd"]
    again = CardPlay.resume(path, AtOnce(), clock=clock)
    settle(again, clock)
    assert again.match.acts == play.match.acts
    if play.phase is not CardPhase.ROUND_OVER:
        assert (again.phase, again.view_seat, again.view()) == (play.phase, play.view_seat, play.view())
    again.close()


def test_what_can_not_be_saved_is_told(tmp_path: Path) -> None:
    """A record that can't be written stops no play; a message says so."""
    (tmp_path / "folder.stakd").mkdir()
    play, clock = table("sakana", "greedy", "greedy", path=tmp_path / "folder.stakd")
    run(play, clock, lambda: bool(play.messages))
    assert "could not be saved" in play.messages[0]
    play.close()


def test_bots_think_in_a_process_of_their_own() -> None:
    """A match whose bots think in the worker is the match whose bots think here; a worker that dies is replaced, and a message says so."""
    setup = bots_only("sardines", players=2)
    with Thinker() as thinker:
        play = CardPlay(CardMatch(setup), thinker)
        deadline = time.monotonic() + 60
        killed = False
        while play.phase is not CardPhase.OVER and time.monotonic() < deadline:
            play.update()
            if len(play.match.acts) == 10 and not killed:
                killed = True
                os.kill(thinker._process.pid, signal.SIGKILL)  # type: ignore[arg-type]
            time.sleep(0.001)
        assert [(act.move, act.events) for act in play.match.acts] == [(act.move, act.events) for act in played(setup).acts]
        assert killed
        assert all("ended unexpectedly" in message for message in play.messages)


class Stuck:
    """Thinks, and fails each time."""

    def __init__(self) -> None:
        self.asked = 0

    def think(self, thinking: Thinking) -> int:
        """Begin."""
        self.asked += 1
        return self.asked

    def poll(self) -> Chosen | None:
        """Nothing."""
        return Chosen(self.asked, "", "no idea") if self.asked else None


def test_bots_that_fail_are_stopped() -> None:
    """After three failures in a row bots are stopped, with words, so that nothing is tried and told for ever."""
    stuck = Stuck()
    play = CardPlay(CardMatch(bots_only("sakana")), stuck)
    for _ in range(20):
        play.update()
    assert (play.phase, stuck.asked, len(play.messages)) == (CardPhase.THINKING, 3, 4)
    assert "no idea" in play.messages[0]
    assert "stopped" in play.messages[-1] and play.stopped
    play.try_again()
    assert not play.stopped
    play.update()
    assert stuck.asked == 4


def test_nothing_is_wrong_when_nobody_is_to_move() -> None:
    """When the game is over no move is explained, and none can be made."""
    play, clock = table("sakana", "greedy", "greedy")
    run_out(play, clock)
    assert play.explain("pass") == ()
    with pytest.raises(NotNow):
        play.play("pass")


def test_answers_to_what_was_asked_before_are_not_heard() -> None:
    """The answer to a job that is no longer wanted never comes."""
    with Thinker() as thinker:
        match = CardMatch(CardSetup("sakana", (CardSeat("A", "greedy"), CardSeat("B", "greedy")), 1))
        thinking = Thinking("sakana", "greedy", match.state.to_json(), (1, 2, 3), None, None)
        thinker.think(thinking)
        latest = thinker.think(thinking)
        heard: list[Chosen] = []
        deadline = time.monotonic() + 30
        while not heard and time.monotonic() < deadline:
            if (chosen := thinker.poll()) is not None:
                heard.append(chosen)
            time.sleep(0.01)
        time.sleep(0.1)
        assert thinker.poll() is None
        assert [(chosen.job, chosen.failure) for chosen in heard] == [(latest, None)]
        assert match.state.explain(heard[0].move) == ()


def test_whoever_is_left_alone_opens_the_curtain_once() -> None:
    """When one of two persons leaves, the other's hand is not shown to the one who still sits there; opened once, it stays."""
    play = CardPlay(CardMatch(CardSetup("sakana", (CardSeat("Ann"), CardSeat("Ben"), CardSeat("Bot", "greedy")), 5)), AtOnce())
    while play.phase is not CardPhase.CURTAIN:
        play.update()
    play.show_hand()
    leaver = play.view_seat
    assert leaver is not None
    play.leave(leaver)
    while play.phase is CardPhase.THINKING:
        assert play.view_seat is None and all(isinstance(hand, int) for hand in play.view()["hands"])
        play.update()
    assert play.phase is CardPhase.CURTAIN and play.next_seat == play.persons[0]
    play.show_hand()
    assert play.view_seat == play.persons[0]
