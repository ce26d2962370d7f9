"""How soon people act at the table, and how they err: so that bots play like people and never see a card before one could.

A level is a kind of player. Times follow a shifted lognormal: a least time that nobody beats, and a part above it that is skewed to
long times, as measured reaction times are (Luce, Response Times, 1986). What the numbers rest on:

* least time 0.18 s: the mean of practised young adults who only have to react to a light is 0.19 s (Galton 1899; Welford, Reaction
  Times, 1980); a computer's table adds a screen, a key and a hand to it.
* `answer_s`, following another's slap (simple reaction): mean 0.231 s among 1469 adults of 18 to 65 years (Woods et al., Factors
  influencing the latency of simple reaction time, Frontiers in Human Neuroscience 9:131, 2015); children 0.465 s at five years,
  0.190 s at fifteen, to sound (Developmental Medicine and Child Neurology 26:490-494, 1984).
* `notice_s`, telling that four cards are alike (recognition): 0.42 s with one thing to remember to 0.63 s with six (Sternberg,
  Memory-scanning, American Scientist 57:421-457, 1969).
* `choose_s`, choosing the card to pass, and the chances of mistakes are our own guesses.

`slow` stands for a child of about six (the game's youngest), `normal` for an adult who plays along, `quick` for a practised one.
Plain data and functions: the table in real time and `games.sakapuss.simulate` both act by them. All times in seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from numpy.random import Generator

from games.sakapuss.deck import SLAP, kinds
from games.sakapuss.move import Move
from games.sakapuss.view import SakapussView

LEAST_S = 0.18
"""Nobody acts sooner than this after what he acts on could be seen."""

SLAP_WINDOW_S = 3.0
"""Who has not followed a right slap by then has overlooked it and is last (P26)."""


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of player: median times in s, and chances of mistakes (0–1).

    `spread` is the standard deviation of the logarithm of the time above `LEAST_S`. `slip` is the chance, with each new hand that is
    not four alike, to slap all the same; `miss` the chance to overlook four alike in the own hand, or that somebody has slapped.
    """

    name: str
    notice_s: float
    answer_s: float
    choose_s: float
    spread: float
    slip: float
    miss: float


LEVELS: Mapping[str, Level] = {
    level.name: level
    for level in (
        Level("slow", notice_s=0.80, answer_s=0.45, choose_s=3.0, spread=0.6, slip=0.01, miss=0.08),
        Level("normal", notice_s=0.55, answer_s=0.28, choose_s=1.8, spread=0.5, slip=0.003, miss=0.02),
        Level("quick", notice_s=0.42, answer_s=0.23, choose_s=1.0, spread=0.4, slip=0.001, miss=0.005),
    )
}
"""All levels by name, slowest first."""


class Act(NamedTuple):
    """A move that a player will make so many seconds after he could see what he acts on."""

    seconds: float
    move: Move


def acts(view: SakapussView, move: Move, level: Level, rng: Generator) -> tuple[Act, ...]:
    """What a player does with a hand he has just seen if `move` is what he wants to do: that, later or earlier, or a mistake.

    Who overlooks his four alike passes one of them on; who slips slaps first and makes his move after it.
    """
    if move.id == SLAP:
        if view.holds_four and rng.random() < level.miss:
            return (Act(choose_s(level, rng), Move(kinds(view.hand)[0])),)
        return (Act(notice_s(level, rng), move),)
    chosen = Act(choose_s(level, rng), move)
    if view.holds_four or rng.random() >= level.slip:
        return (chosen,)
    slip = notice_s(level, rng)
    return (Act(slip, Move(SLAP)), Act(slip + chosen.seconds, move))


def notice_s(level: Level, rng: Generator) -> float:
    """How long it takes to see what is in a new hand and slap."""
    return _drawn(level.notice_s, level, rng)


def choose_s(level: Level, rng: Generator) -> float:
    """How long it takes to choose a card of a new hand."""
    return _drawn(level.choose_s, level, rng)


def answer_s(level: Level, rng: Generator) -> float:
    """How long it takes to slap after another has; `SLAP_WINDOW_S` if it is overlooked."""
    return SLAP_WINDOW_S if rng.random() < level.miss else min(_drawn(level.answer_s, level, rng), SLAP_WINDOW_S)


def first_to_come(seconds: Sequence[float], rng: Generator) -> int:
    """The index of the least time; among equal ones, such as of all who have let `SLAP_WINDOW_S` go by, by lot (P26)."""
    first = min(seconds)
    equal = [index for index, time in enumerate(seconds) if time == first]
    return equal[int(rng.integers(len(equal)))]


def _drawn(median: float, level: Level, rng: Generator) -> float:
    return LEAST_S + (median - LEAST_S) * exp(level.spread * rng.standard_normal())
