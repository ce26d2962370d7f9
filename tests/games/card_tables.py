"""Matches of card games for tests: a clock that leaps, whole games by bots, persons who do the first thing they can."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games.card_demo import LeapingClock
from games.card_match import CARD_GAMES, CardMatch, CardSeat, CardSetup, bot_seats
from games.card_play import CardPhase, CardPlay
from games.card_thinker import AtOnce

GAMES = CARD_GAMES


def bots_only(game: str, seed: int = 7, players: int = 3, bot: str = "greedy") -> CardSetup:
    """A set-up without persons."""
    return CardSetup(game, bot_seats(game, [bot], players=players), seed)


def table(game: str, *bots: str | None, seed: int = 7, path: Path | None = None) -> tuple[CardPlay, LeapingClock]:
    """A match at the screen; None is a person. They are called A, B, C …"""
    clock = LeapingClock()
    seats = tuple(CardSeat("ABCDE"[number], bot) for number, bot in enumerate(bots))
    return CardPlay(CardMatch(CardSetup(game, seats, seed)), AtOnce(), path=path, clock=clock), clock


def run(play: CardPlay, clock: LeapingClock, until: Callable[[], bool]) -> None:
    """Let time pass and bots act until something holds."""
    for _ in range(20_000):
        play.update()
        if until():
            return
        clock.leap(play.due)
    raise AssertionError("it never came to that")


def run_out(play: CardPlay, clock: LeapingClock) -> CardPlay:
    """To the end of a game of bots."""

    def over() -> bool:
        play.go_on()
        return play.phase is CardPhase.OVER

    run(play, clock, over)
    return play


def played(setup: CardSetup) -> CardMatch:
    """A whole game of bots."""
    clock = LeapingClock()
    return run_out(CardPlay(CardMatch(setup), AtOnce(), clock=clock), clock).match


def settle(play: CardPlay, clock: LeapingClock) -> None:
    """Until the match waits for a person."""
    waits = (CardPhase.PERSON, CardPhase.PASSING, CardPhase.CURTAIN, CardPhase.ROUND_OVER, CardPhase.OVER)
    run(play, clock, lambda: play.phase in waits)
