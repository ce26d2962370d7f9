"""What can happen in Sakana Stack because of a move, in protocol form. Every player sees it happen, so nothing hidden is in it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from games.interface import Event
from games.sakana.deck import NAMES, Cards, Stack, names


class Banking(StrEnum):
    """Why cards are banked; the value is the row of the rules decisions that says so."""

    TURN = "K10"
    PASS = "K12"
    ROUND = "K38"


class Ending(StrEnum):
    """Why a round is over; the value is the row of the rules decisions that says so."""

    EMPTY_HAND = "K9"
    EXHAUSTED = "K3"


def played(player: int, cards: Cards, catch: int | None) -> Event:
    """A player played a stack; `catch` is the Catch of the Day if it is in it."""
    return {"type": "played", "player": player, "cards": names(cards), "catch": None if catch is None else NAMES[catch]}


def beaten(stack: Stack) -> Event:
    """A stack was beaten and goes to the discard pile."""
    return {"type": "beaten", "player": stack.owner, "cards": names(stack.cards)}


def passed(player: int, catch: int) -> Event:
    """A player passed and took the Catch of the Day."""
    return {"type": "passed", "player": player, "catch": NAMES[catch]}


def lower(stack: Stack) -> Event:
    """A pass left this stack lower than another; it goes to the discard pile."""
    return {"type": "lower", "player": stack.owner, "cards": names(stack.cards)}


def exhausted(times: int, cards: int) -> Event:
    """The draw pile ran out for the first or second time; `cards` is the size of the new one, 0 if the round ends."""
    return {"type": "exhausted", "times": times, "cards": cards}


def flipped(catch: int) -> Event:
    """A new Catch of the Day."""
    return {"type": "flipped", "catch": NAMES[catch]}


def banked(player: int, cards: Cards, why: Banking) -> Event:
    """Cards went to a player's score pile."""
    return {"type": "banked", "player": player, "cards": names(cards), "reason": why.value}


def round_over(number: int, why: Ending, points: Sequence[int], scores: Sequence[int]) -> Event:
    """A round ended; `points` are those of the round, `scores` those of all rounds so far."""
    return {"type": "round_over", "round": number, "reason": why.value, "points": list(points), "scores": list(scores)}


def dealt(number: int, dealer: int, starter: int, catch: int) -> Event:
    """The next round was dealt."""
    return {"type": "dealt", "round": number, "dealer": dealer, "to_move": starter, "catch": NAMES[catch]}


def game_over(winners: Sequence[int]) -> Event:
    """The whole game ended."""
    return {"type": "game_over", "winners": list(winners)}
