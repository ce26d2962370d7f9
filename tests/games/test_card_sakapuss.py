"""Sakapuss at one screen in real time: choosing at once, slaps by order of arrival, bots no quicker than people, several persons at one screen."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.card_demo import LeapingClock
from games.card_match import CardMatch, CardSeat, CardSetup, bot_seats
from games.card_phases import CardPhase
from games.card_play import CardPlay
from games.card_thinker import AtOnce
from games.phases import NotNow
from games.sakapuss.reactions import LEAST_S, SLAP_WINDOW_S
from games.sakapuss.simulate import PASS_S, PENALTY_S
from tests.games.card_tables import bots_only, played, run, settle, table


def dealt_four(seats: tuple[CardSeat, ...], holder: int) -> CardSetup:
    """A set-up in which this seat, and no other, is dealt four cats alike; found by trying seeds."""
    for seed in range(20_000):
        setup = CardSetup("sakapuss", seats, seed)
        hands = CardMatch(setup).state.to_json()["hands"]
        if [len(set(hand)) == 1 for hand in hands] == [seat == holder for seat in range(len(seats))]:
            return setup
    raise AssertionError("no such deal")


def at_table(setup: CardSetup) -> tuple[CardPlay, LeapingClock]:
    """Its match, once the hands can be seen."""
    clock = LeapingClock()
    play = CardPlay(CardMatch(setup), AtOnce(), clock=clock)
    clock.now = PASS_S
    play.update()
    return play, clock


def persons(count: int) -> tuple[CardSeat, ...]:
    """So many persons."""
    return tuple(CardSeat("ABCDE"[number]) for number in range(count))


def all_look(play: CardPlay, passing: str = "") -> None:
    """Everybody sits down behind the curtain in turn, looks, and chooses the first cat he can (or none)."""
    while play.phase is CardPhase.CURTAIN:
        play.show_hand()
        play.play(passing or str(play.legal()[0]))


def types(play: CardPlay) -> list[str]:
    """What the last act led to."""
    return [event["type"] for event in play.match.acts[-1].events]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_every_order_of_choosing_gives_the_same(order: tuple[int, ...]) -> None:
    """Whoever chooses first, after all have chosen the hands are the same (RULES P4)."""
    match = CardMatch(CardSetup("sakapuss", persons(3), seed=9))
    choices = [str(match.state.legal_moves(seat)[0]) for seat in range(3)]
    for seat in order:
        match.play(choices[seat], player=seat)
    other = CardMatch(CardSetup("sakapuss", persons(3), seed=9))
    for seat in range(3):
        other.play(choices[seat], player=seat)
    assert match.state.to_json() == other.state.to_json()


def test_bots_choose_alike_whenever_persons_do() -> None:
    """What bots choose does not depend on when, or before whom, a person chooses."""
    chosen = []
    for wait_s in (0.0, 1.5, 60.0):
        play, clock = table("sakapuss", None, "greedy", "greedy", "greedy", seed=11)
        settle(play, clock)
        clock.now += wait_s
        play.update()
        move = str(play.legal()[0])
        play.play(move)
        run(play, clock, lambda: "passed" in types(play))  # noqa: B023 - run at once
        chosen.append({act.player: act.move for act in play.match.acts})
    assert chosen[0] == chosen[1] == chosen[2]


def test_one_person_sees_only_his_own() -> None:
    """Against bots a person chooses while they do, waits and watches, and never sees what another has chosen."""
    play, clock = table("sakapuss", None, "greedy", "random")
    assert play.phase is CardPhase.WATCHING
    with pytest.raises(NotNow):
        play.play("pass A")
    settle(play, clock)
    assert (play.phase, play.to_move, play.view_seat) == (CardPhase.PASSING, 0, 0)
    play.play(play.legal()[0])
    assert play.phase is CardPhase.WATCHING
    run(play, clock, lambda: "passed" in types(play))
    assert all(play.seen_move(act) is None for act in play.match.acts if act.player != 0 and act.move != "slap")
    told = [words for entry in play.log for words in entry.words]
    assert sum("cat (" in words for words in told) == 1
    assert any(words == "B has chosen a cat to pass on." for words in told)


def test_own_choice_can_be_taken_back_until_the_cats_go_round() -> None:
    """A choice comes back while others still choose; once the cats have gone round it does not."""
    play, clock = table("sakapuss", None, "greedy", "greedy")
    settle(play, clock)
    view = play.view()
    play.play(play.legal()[0])
    play.undo()
    assert (play.phase, play.view()) == (CardPhase.PASSING, view)
    play.play(play.legal()[-2])
    run(play, clock, lambda: "passed" in types(play))
    assert "gone round" in str(play.undo_refusal)


def test_first_to_slap_is_who_comes_first() -> None:
    """After a right call slaps count in the order they come, whatever the seats, and the last of all takes the card (RULES P9)."""
    for order in permutations((0, 2, 3)):
        play, clock = at_table(dealt_four(persons(4), 1))
        clock.now += 1.0
        assert play.slap(1)
        assert types(play) == ["called"]
        for seat in order[:2]:
            clock.now += 0.2
            assert play.slap(seat)
            assert not play.slap(seat), "nobody slaps twice"
        assert types(play)[:3] == ["slapped", "last", "drew"]
        assert play.match.acts[-1].events[1]["player"] == order[2]
        assert [act.player for act in play.match.acts] == [1, *order[:2]]
        assert play.phase is CardPhase.ROUND_OVER
        assert not play.slap(order[2])


def test_bots_follow_and_who_sleeps_is_last() -> None:
    """A person who slaps after bots draws; one who never slaps too, and is not waited for longer than the window (RULES P26)."""
    play, clock = at_table(dealt_four((CardSeat("A"), *bot_seats("sakapuss", ["greedy"], players=2)), 0))
    assert play.slap(0)
    called = play.match.acts[-1].seconds
    run(play, clock, lambda: play.phase is CardPhase.ROUND_OVER)
    assert play.match.acts[-1].events[1]["player"] in (1, 2)
    assert all(act.seconds >= called + LEAST_S for act in play.match.acts[1:])
    play, clock = at_table(dealt_four((CardSeat("A"), CardSeat("B"), *bot_seats("sakapuss", ["greedy"], players=1)), 2))
    for _ in range(2):
        play.show_hand()
        if play.phase is CardPhase.PASSING:
            play.play(play.legal()[0])
    run(play, clock, lambda: play.phase is CardPhase.ROUND_OVER)
    call, last = play.match.acts[-2:]
    assert (types(play)[1], last.seconds) == ("last", round(call.seconds + SLAP_WINDOW_S, 3))


def test_slap_is_judged_by_when_it_comes() -> None:
    """A slap that comes after a bot's in time comes after it in the game, even if the screen has not been drawn since."""
    play, clock = at_table(dealt_four((CardSeat("A"), *bot_seats("sakapuss", ["greedy"], players=2)), 1))
    clock.now = play.due or 0.0
    called = clock.now
    clock.now += LEAST_S / 2
    assert play.slap(0)
    assert [(act.player, act.seconds) for act in play.match.acts] == [(1, pytest.approx(called)), (0, pytest.approx(clock.now))]
    assert [act.events[0]["type"] for act in play.match.acts] == ["called", "slapped"]


def test_no_bot_is_quicker_than_a_person_could_see() -> None:
    """In whole games no bot moves sooner after new cards can be seen, nor after a call, than people can (RULES P27)."""
    for level in ("slow", "normal", "quick"):
        seats = tuple(CardSeat(str(number), "greedy", level=level) for number in range(4))
        match = played(CardSetup("sakapuss", seats, 2))
        shown, called = PASS_S, 0.0
        for act in match.acts:
            hand = match.state_before(act.number).to_json()["hands"][act.player]
            seen = {event["type"] for event in act.events}
            assert act.seconds >= round(shown + LEAST_S, 3)
            assert "slapped" not in seen or act.seconds >= round(called + LEAST_S, 3) or len(set(hand)) == 1
            if seen & {"passed", "dealt"}:
                shown = act.seconds + PASS_S
            elif "called" in seen:
                called = act.seconds


def test_wrong_slap_takes_two_and_others_are_safe() -> None:
    """Who slaps without four alike takes two cards; who then slaps in the same fright is ignored (RULES P10), and play goes on."""
    play, clock = table("sakapuss", None, None, "greedy", seed=1)
    settle(play, clock)
    assert play.slap(0)
    assert types(play)[:3] == ["wrong_slap", "drew", "drew"]
    clock.now += PENALTY_S / 2
    assert not play.slap(1)
    assert play.phase is CardPhase.WATCHING
    settle(play, clock)
    assert play.phase is CardPhase.CURTAIN


def test_slaps_while_cats_go_round_are_ignored() -> None:
    """No slap counts while cards are between hands (RULES P6)."""
    play, clock = table("sakapuss", None, "greedy", "greedy", seed=1)
    clock.now = PASS_S / 2
    play.update()
    assert (play.slap(0), play.match.acts) == (False, [])
    assert not play.slap(1), "a bot has no key"
    clock.now = PASS_S
    play.update()
    assert play.slap(0)


def test_several_persons_look_in_turn() -> None:
    """Each person looks and chooses behind the curtain, from the dealer's left on; no hand stays open, and the next cats come when all have."""
    play, clock = table("sakapuss", None, None, None, seed=4)
    settle(play, clock)
    dealer = play.view()["dealer"]
    turns: list[int | None] = []
    while play.phase is CardPhase.CURTAIN:
        assert play.view_seat is None
        assert play.view()["hands"] == [4, 4, 4]
        play.show_hand()
        turns.append(play.view_seat)
        assert isinstance(play.view()["hands"][play.view_seat or 0], list)
        with pytest.raises(NotNow):
            play.play("pass A", seat=(play.view_seat or 0) - 1)
        play.play(play.legal()[0])
    assert turns == [(dealer + 1) % 3, (dealer + 2) % 3, dealer]
    assert "passed" in types(play)
    assert (play.phase, play.view_seat) == (CardPhase.WATCHING, None)


def test_no_bot_acts_before_all_persons_have_looked() -> None:
    """With several persons the clock stands still until each could see his hand, however long they take; a slap is possible all the time."""
    play, clock = at_table(dealt_four((CardSeat("A"), CardSeat("B"), *bot_seats("sakapuss", ["greedy"], players=1)), 2))
    assert play.phase is CardPhase.CURTAIN
    clock.now += 1000.0
    play.update()
    play.show_hand()
    clock.now += 1000.0
    assert (play.update(), play.due, play.match.acts) == (False, None, [])
    play.play(play.legal()[0])
    play.show_hand()
    assert play.due is not None
    clock.now = play.due
    play.update()
    assert types(play) == ["called"]
    assert play.slap(1)


def test_leaving_in_the_middle() -> None:
    """When a person leaves while others wait for his choice, a bot chooses for him and the cats go round."""
    play, clock = table("sakapuss", None, None, "greedy", seed=6)
    settle(play, clock)
    play.leave(play.next_seat or 0)
    assert len(play.persons) == 1
    settle(play, clock)
    assert (play.phase, play.view_seat) == (CardPhase.CURTAIN, None)
    play.show_hand()
    assert (play.phase, play.view_seat) == (CardPhase.PASSING, play.persons[0])
    play.play(play.legal()[0])
    run(play, clock, lambda: "passed" in types(play) or play.phase is CardPhase.ROUND_OVER)


def test_endless_passing_is_dealt_again_at_the_table() -> None:
    """Persons who pass for ever get new cats for the same round (RULES P28)."""
    play, clock = table("sakapuss", None, None, None, seed=3)
    for _ in range(200):
        settle(play, clock)
        all_look(play)
    act = play.match.acts[-1]
    assert (act.player, play.phase, play.match.round, play.rounds[-1].counted) == (None, CardPhase.ROUND_OVER, 1, False)
    play.go_on()
    settle(play, clock)
    assert play.phase is CardPhase.CURTAIN


def test_summaries_of_all_rounds() -> None:
    """Ten rounds are counted, their parasites add up to the final scores."""
    match = played(bots_only("sakapuss", seed=3))
    clock = LeapingClock()
    play = CardPlay(match, AtOnce(), clock=clock)
    counted = [summary for summary in play.rounds if summary.counted]
    assert [summary.round for summary in counted] == list(range(1, 11))
    assert tuple(map(sum, zip(*(summary.points for summary in play.rounds), strict=True))) == play.scores
