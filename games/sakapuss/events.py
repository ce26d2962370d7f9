"""What can happen in Sakapuss because of a move, in protocol form. Every player sees it happen, so nothing hidden is in it."""

from __future__ import annotations

from collections.abc import Sequence

from games.interface import Event


def chosen(player: int) -> Event:
    """A player laid the card he will pass face down before him."""
    return {"type": "chosen", "player": player}


def passed() -> Event:
    """All have chosen, so every card went to the left-hand neighbour at once (P4)."""
    return {"type": "passed"}


def called(player: int) -> Event:
    """The first to slap, and rightly: he holds four cats alike (P8, P9)."""
    return {"type": "called", "player": player}


def slapped(player: int) -> Event:
    """A player slapped after the caller."""
    return {"type": "slapped", "player": player}


def last(player: int) -> Event:
    """All others have slapped, so this player is the last (P9)."""
    return {"type": "last", "player": player}


def wrong_slap(player: int) -> Event:
    """A player slapped first without four cats alike (P10)."""
    return {"type": "wrong_slap", "player": player}


def drew(player: int, card: str, removed: Sequence[str]) -> Event:
    """A player took a card from the pile. `removed` are the parasite cards it rid him of, in the order they went under the pile."""
    return {"type": "drew", "player": player, "card": card, "removed": list(removed)}


def round_over(number: int, scores: Sequence[int], *, counted: bool) -> Event:
    """A round ended. `scores` are the parasites in front of each player; an uncounted round is played again (P11, P28)."""
    return {"type": "round_over", "round": number, "counted": counted, "scores": list(scores)}


def dealt(number: int, dealer: int) -> Event:
    """The cats were dealt for this round."""
    return {"type": "dealt", "round": number, "dealer": dealer}


def game_over(winners: Sequence[int]) -> Event:
    """The whole game ended."""
    return {"type": "game_over", "winners": list(winners)}
