"""Card games in words, for people: acts and events as sentences, cards by their names. The window and the command line say the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from games.card_acts import CardAct, CardActKind
from games.sakana import words as sakana
from games.sakapuss import words as sakapuss
from games.sardines import words as sardines


class _Words(Protocol):
    def card_name(self, card: str) -> str: ...

    def tell_event(self, event: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]: ...


_GAMES: Mapping[str, _Words] = {"sakana": sakana, "sakapuss": sakapuss, "sardines": sardines}

TITLES = {"sakana": "Sakana Stack", "sakapuss": "Sakapuss", "sardines": "Sunny Day Sardines"}

UNITS = {"sakana": ("point", "points"), "sakapuss": ("parasite", "parasites"), "sardines": ("point", "points")}
"""What scores count."""


def card_name(game: str, card: str) -> str:
    """A card in words: `7 urchin` for `U7`."""
    return _GAMES[game].card_name(card)


def tell(game: str, act: CardAct, names: Sequence[str]) -> Iterator[str]:
    """What happened in an act, one sentence a line; `names` by seat. Only its `move` can hold what others may not see: see `seen_move`."""
    name = names[act.player] if act.player is not None else ""
    if act.kind is CardActKind.LEFT:
        yield f"{name} leaves; a bot plays on in this seat."
    elif act.kind is CardActKind.REDEALT:
        yield "The cats have gone round and round, so the round is dealt again and is not counted."
    elif game == "sakapuss" and act.move is not None and act.move.startswith("pass"):
        yield f"{name} chooses {card_name(game, act.move[-1])} to pass on."
    for event in act.events:
        if not (event["type"] == "chosen" and act.move is not None):
            yield from tell_event(game, event, names)


def tell_event(game: str, event: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """An event in words, if people want to hear of it."""
    if event["type"] == "game_over":
        yield winners_sentence(event["winners"], names)
    else:
        yield from _GAMES[game].tell_event(event, names)


def seen_move(game: str, act: CardAct, viewer: int | None) -> str | None:
    """The text of an act's move if a viewer may know it: the cat that somebody passes on is seen by nobody else."""
    hidden = game == "sakapuss" and act.move is not None and act.move != "slap" and act.player != viewer
    return None if hidden else act.move


def winners_sentence(winners: Sequence[int], names: Sequence[str]) -> str:
    """Who has won the game."""
    who = [names[winner] for winner in winners]
    if len(who) == 1:
        return f"{who[0]} wins the game."
    return f"{', '.join(who[:-1])} and {who[-1]} share the victory."


def score_words(game: str, score: int) -> str:
    """`1 point`, `3 parasites`."""
    one, many = UNITS[game]
    return f"{score} {one if score == 1 else many}"
