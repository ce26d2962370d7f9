"""How fast bots act and how they err: like people, and never before one could see the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from statistics import median

import numpy as np
import pytest

from games.sakapuss.move import Move
from games.sakapuss.reactions import LEAST_S, LEVELS, SLAP_WINDOW_S, Level, acts, answer_s, choose_s, first_to_come, notice_s
from games.sakapuss.state import State

Setting = Callable[..., State]

SLAP = Move.parse("slap")
assert SLAP is not None


def test_levels_go_from_slow_to_quick() -> None:
    """Players choose among these names; a quicker level is quicker in everything and errs less."""
    levels = list(LEVELS.values())
    assert [level.name for level in levels] == list(LEVELS) == ["slow", "normal", "quick"]
    for slower, quicker in pairwise(levels):
        for key in ("notice_s", "answer_s", "choose_s", "spread", "slip", "miss"):
            assert getattr(slower, key) > getattr(quicker, key)


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
@pytest.mark.parametrize(("drawn", "key"), [(notice_s, "notice_s"), (answer_s, "answer_s"), (choose_s, "choose_s")])
def test_nobody_is_quicker_than_people(level: Level, drawn: Callable[[Level, np.random.Generator], float], key: str) -> None:
    """No time is under 0.18 s (RULES P27), and half of them are under the median of the level."""
    rng = np.random.default_rng(1)
    times = [drawn(replace(level, miss=0.0), rng) for _ in range(4_000)]
    assert min(times) >= LEAST_S == 0.18
    # the sample median of n values errs by about 1.25 spread / sqrt(n) in the logarithm; four times that is beyond luck
    assert np.log((median(times) - LEAST_S) / (getattr(level, key) - LEAST_S)) == pytest.approx(0, abs=4 * 1.25 * level.spread / 4_000**0.5)


def test_adults_answer_a_slap_about_as_fast_as_measured() -> None:
    """Mean simple reaction times are 0.19 s (Galton, Welford) to 0.23 s (Woods et al. 2015); nobody at a table of cards is faster."""
    rng = np.random.default_rng(2)
    quick, normal = (np.mean([answer_s(replace(LEVELS[name], miss=0.0), rng) for _ in range(4_000)]) for name in ("quick", "normal"))
    assert 0.19 < quick < normal < 0.35


def test_who_holds_four_slaps(table: Setting) -> None:
    """After he has noticed, not at once."""
    assert SLAP is not None
    level, rng = replace(LEVELS["normal"], miss=0.0), np.random.default_rng(3)
    view = table("AAAA BBBC BCCC").view(0)
    (act,) = acts(view, SLAP, level, rng)
    assert (act.move, act.seconds >= LEAST_S) == (SLAP, True)


def test_who_overlooks_his_four_passes_on(table: Setting) -> None:
    """He does with it what he would with any hand (P7), as often as the level says."""
    assert SLAP is not None
    view, level, rng = table("AAAA BBBC BCCC").view(0), replace(LEVELS["normal"], miss=0.25), np.random.default_rng(4)
    found = Counter(str(act.move) for _ in range(2_000) for act in acts(view, SLAP, level, rng))
    assert set(found) == {"slap", "pass A"}
    # four standard deviations of a binomial
    assert found["pass A"] == pytest.approx(500, abs=4 * (2_000 * 0.25 * 0.75) ** 0.5)


def test_who_slips_slaps_first_and_then_makes_his_move(table: Setting) -> None:
    """A slip is a wrong slap with a hand that is not four alike; the card chosen follows."""
    move = Move.parse("pass B")
    assert move is not None
    view, rng = table("AABC AABC BBCC").view(0), np.random.default_rng(5)
    slap, passed = acts(view, move, replace(LEVELS["normal"], slip=1.0), rng)
    assert (str(slap.move), str(passed.move)) == ("slap", "pass B")
    assert LEAST_S <= slap.seconds < passed.seconds
    assert [str(act.move) for act in acts(view, move, replace(LEVELS["normal"], slip=0.0), rng)] == ["pass B"]


def test_whoever_overlooks_a_slap_lets_the_window_go_by() -> None:
    """He counts as having come last (P26)."""
    rng = np.random.default_rng(6)
    assert {answer_s(replace(LEVELS["quick"], miss=1.0), rng) for _ in range(20)} == {SLAP_WINDOW_S}


def test_equal_times_are_settled_by_lot() -> None:
    """No seat is favoured (P26); an earlier time comes first whatever the lot."""
    rng = np.random.default_rng(7)
    firsts = Counter(first_to_come([0.5, 0.3, 0.3, 0.4], rng) for _ in range(1_000))
    assert set(firsts) == {1, 2}
    assert firsts[1] == pytest.approx(500, abs=4 * 250**0.5)
