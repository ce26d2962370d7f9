"""Sakapuss in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

CAT_NAMES = {"A": "tabby", "B": "black", "C": "ginger", "D": "white", "E": "spotted"}
"""The five cats; names of our own, as the rulebook gives none."""

PARASITE_NAMES = {"L": ("louse", "lice"), "F": ("flea", "fleas"), "K": ("tick", "ticks")}


def card_name(card: str) -> str:
    """A cat, or a card of the pile: `the tabby cat (A)`, `3 lice`, `insecticide against fleas`, `a shower`."""
    if card in CAT_NAMES:
        return f"the {CAT_NAMES[card]} cat ({card})"
    if card[0] in PARASITE_NAMES:
        one, many = PARASITE_NAMES[card[0]]
        return f"{card[1:]} {one if card[1:] == '1' else many}"
    return f"insecticide against {PARASITE_NAMES[card[1]][1]}" if card[0] == "i" else "a shower"


def tell_event(event: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """An event as a sentence."""
    kind, name = event["type"], names[event["player"]] if "player" in event else ""
    if kind == "chosen":
        yield f"{name} has chosen a cat to pass on."
    elif kind == "passed":
        yield "All cats chosen go to the left-hand neighbours."
    elif kind == "called":
        yield f"{name} slaps first, and rightly: four cats alike!"
    elif kind == "slapped":
        yield f"{name} slaps."
    elif kind == "last":
        yield f"{name} is the last and takes a card."
    elif kind == "wrong_slap":
        yield f"{name} slaps without four cats alike and takes two cards."
    elif kind == "drew":
        yield f"{name} draws {card_name(event['card'])}{_effect(event)}."
    elif kind == "round_over":
        scores = ", ".join(f"{who} {count}" for who, count in zip(names, event["scores"], strict=True))
        counted = "is over" if event["counted"] else "ends without being counted"
        yield f"Round {event['round']} {counted}. Parasites: {scores}."
    elif kind == "dealt":
        yield f"{names[event['dealer']]} deals round {event['round']}."


def _effect(event: Mapping[str, Any]) -> str:
    if event["removed"]:
        return f" and is rid of {', '.join(map(card_name, event['removed']))}"
    return "" if event["card"][0] in PARASITE_NAMES else ", which finds nothing and goes under the pile"
