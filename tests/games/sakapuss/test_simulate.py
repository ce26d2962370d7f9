"""Whole games between bots on a clock of their own: who acts first, and what happens to those who come late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from games.arena import play_arena
from games.bots import SimultaneousBot
from games.sakapuss.bots import BOTS
from games.sakapuss.move import Move
from games.sakapuss.reactions import LEAST_S, LEVELS, SLAP_WINDOW_S, Level
from games.sakapuss.simulate import DEAL_S, MOST_PASSES, PASS_S, PENALTY_S, Sitter, TimedMove, simulate
from games.sakapuss.state import State

Setting = Callable[..., State]

SURE = replace(LEVELS["normal"], slip=0.0, miss=0.0)


class Dreamer:
    """Passes the first card of its hand and slaps only when it must."""

    def choose(self, state: State, rng: np.random.Generator, *, player: int, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """The first legal move."""
        return state.view(player).legal_moves()[0]


def _sitters(bots: Sequence[SimultaneousBot], levels: Sequence[Level], seed: int) -> list[Sitter]:
    return [Sitter(bot, level, np.random.default_rng([seed, seat])) for seat, (bot, level) in enumerate(zip(bots, levels, strict=True))]


def _log(seed: int, names: Sequence[str], level: Level, **options: bool) -> list[TimedMove]:
    rng = np.random.default_rng(seed)
    state = State.new(len(names), rng=rng, **options)
    return list(simulate(state, _sitters([BOTS[name]() for name in names], [level] * len(names), seed), rng=rng))


def _slaps(state: State, levels: Sequence[Level], seed: int) -> list[TimedMove]:
    """The slaps of a game played on by greedy bots of these levels."""
    sitters = _sitters([BOTS["greedy"]() for _ in levels], levels, seed)
    return [moved for moved in simulate(state, sitters, rng=np.random.default_rng(seed)) if str(moved.move) == "slap"]


@pytest.mark.parametrize("names", [("greedy",) * 3, ("greedy", "random", "greedy", "random"), ("random",) * 5])
@pytest.mark.parametrize("ends_round", [False, True])
def test_games_end_after_ten_counted_rounds(names: Sequence[str], ends_round: bool) -> None:
    """The clock only goes forward, and the last event is the end of the game (P22)."""
    log = _log(3, names, LEVELS["slow"], false_slap_ends_round=ends_round)
    assert [moved.seconds for moved in log] == sorted(moved.seconds for moved in log)
    rounds = [event for moved in log for event in moved.events if event["type"] == "round_over" and event["counted"]]
    assert [event["round"] for event in rounds] == list(range(1, 11))
    assert log[-1].events[-1]["type"] == "game_over"


def test_the_same_seeds_give_the_same_game() -> None:
    """Times, moves and events alike."""
    names = ("greedy", "random", "greedy")
    assert _log(5, names, LEVELS["slow"]) == _log(5, names, LEVELS["slow"]) != _log(6, names, LEVELS["slow"])


def test_nobody_acts_before_he_could_have_seen_why() -> None:
    """Between the moment when new cards can be seen and any choice or slap lie at least 0.18 s (P27)."""
    for seed in range(20):
        cards = 0.0
        for moved in _log(seed, ("greedy",) * 4, LEVELS["quick"]):
            assert moved.seconds >= cards + LEAST_S
            happened = {event["type"] for event in moved.events}
            if "passed" in happened:
                cards = moved.seconds + PASS_S
            if "round_over" in happened:
                cards = moved.seconds + DEAL_S


def test_a_call_is_answered_no_sooner_than_it_could_be_seen(table: Setting) -> None:
    """Who does not hold four himself slaps at least 0.18 s after the caller."""
    for seed in range(100):
        state = table("AAAA BBBC BCCC", round_number=10)
        call, follow = _slaps(state, [SURE] * 3, seed)
        assert (call.player, [event["type"] for event in call.events]) == (0, ["called"])
        assert follow.seconds >= call.seconds + LEAST_S


def test_who_overlooks_the_slap_is_last(table: Setting) -> None:
    """Among several who let the window go by the lot decides, whatever their seat (P26)."""
    asleep = replace(SURE, miss=1.0)
    lasts = Counter[int]()
    for seed in range(400):
        state = table("AAAA BBBC BCCC", round_number=10)
        call, follow = _slaps(state, [SURE, asleep, asleep], seed)
        assert follow.seconds == pytest.approx(call.seconds + SLAP_WINDOW_S)
        lasts[state.to_json()["slapped"][-1]] += 1
    assert lasts[1] == pytest.approx(200, abs=4 * 100**0.5)
    assert lasts[1] + lasts[2] == 400


def test_a_quick_player_calls_before_a_slow_one(table: Setting) -> None:
    """Of two who hold four alike mostly the quicker one is the caller (P8)."""
    calls = Counter[int | None]()
    for seed in range(100):
        sitters = _sitters([BOTS["greedy"]() for _ in range(3)], [SURE, replace(LEVELS["quick"], miss=0.0), SURE], seed)
        call = next(simulate(table("AAAA BBBB CCCC"), sitters, rng=np.random.default_rng(seed)))
        calls[call.player] += 1
    assert calls[1] > 50


def test_after_a_wrong_slap_the_others_do_not_follow(table: Setting) -> None:
    """Slaps after a wrong one are no calls: nobody else pays, and the game is held up for a while (P10)."""
    state = table("AABC AABC BBCC")
    sitters = _sitters([BOTS["greedy"]() for _ in range(3)], [replace(SURE, slip=1.0), SURE, SURE], 1)
    log = list(islice(simulate(state, sitters, rng=np.random.default_rng(1)), 4))
    wrong = next(index for index, moved in enumerate(log) if str(moved.move) == "slap")
    assert log[wrong].player == 0
    assert Counter(str(moved.move) == "slap" for moved in log) == {True: 1, False: 3}
    assert all(moved.seconds > log[wrong].seconds + PENALTY_S for moved in log[wrong + 1 :])


def test_endless_passing_is_dealt_again() -> None:
    """When nobody ever slaps, the round is dealt anew after 200 passes and not counted (P28)."""
    state = State.new(3, rng=np.random.default_rng(0))
    told = []
    for moved in simulate(state, _sitters([Dreamer() for _ in range(3)], [SURE] * 3, 0), rng=np.random.default_rng(0)):
        told += [event["type"] for event in moved.events]
        if moved.move is None:
            assert moved.player is None
            break
    assert told.count("passed") == MOST_PASSES == 200
    assert told[-2:] == ["round_over", "dealt"]
    assert state.to_json()["round"] == 1


def test_a_game_under_way_goes_on_from_where_it_stands(table: Setting) -> None:
    """After a call the others answer; who has chosen waits."""
    called = table("AAAA BBBC BCCC", slapped=[0], round_number=10)
    sitters = _sitters([BOTS["greedy"]() for _ in range(3)], [SURE] * 3, 2)
    assert [str(moved.move) for moved in simulate(called, sitters, rng=np.random.default_rng(2))] == ["slap"]
    waiting = table("AABC AABC BBCC", chosen=["A", None, "B"])
    first = next(simulate(waiting, sitters, rng=np.random.default_rng(2)))
    assert (first.player, [event["type"] for event in first.events]) == (1, ["chosen", "passed"])


def test_greedy_beats_two_randoms() -> None:
    """One greedy bot among two random ones mostly has the fewest parasites: the lower end of the interval is beyond luck."""
    greedy, *others = play_arena(["greedy", "random", "random"], 60, game="sakapuss", seed=1, processes=1).standings
    assert greedy.low > 0.6 > max(other.high for other in others)
