"""Sakana Stack in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.sakana.deck import SUIT_NAMES
from games.sakana.events import Banking, Ending

_BANKING = {
    Banking.TURN.value: "as nobody beat it for a whole round of the table",
    Banking.PASS.value: "as somebody passed",
    Banking.ROUND.value: "as the round is over",
}

_ENDING = {
    Ending.EMPTY_HAND.value: "a hand is empty",
    Ending.EXHAUSTED.value: "the draw pile has run out for the second time",
}


def card_name(card: str) -> str:
    """`7 urchin` for `U7`."""
    return f"{card[1:]} {SUIT_NAMES[card[0]]}"


def cards_name(cards: Sequence[str]) -> str:
    """Cards of one number in words, bottom to top: `two 7s (urchin, shrimp on top)`."""
    if len(cards) == 1:
        return f"a {card_name(cards[0])}"
    suits = [SUIT_NAMES[card[0]] for card in cards]
    number = int(cards[0][1:])
    return f"{_COUNTS[len(cards)]} {number}s ({', '.join(suits)} on top), worth {number * len(cards)}"


_COUNTS = ("no", "one", "two", "three", "four", "five", "six")


def tell_event(event: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """An event as a sentence."""
    kind, name = event["type"], names[event["player"]] if "player" in event else ""
    if kind == "played":
        catch = f", the {card_name(event['catch'])} being the Catch of the Day" if event["catch"] else ""
        yield f"{name} plays {cards_name(event['cards'])}{catch}."
    elif kind == "passed":
        yield f"{name} passes and takes the Catch of the Day, the {card_name(event['catch'])}."
    elif kind == "beaten":
        yield f"{name} loses the stack {_listed(event['cards'])}: it is beaten."
    elif kind == "lower":
        yield f"{name} loses what is left of a stack, {_listed(event['cards'])}: another is higher."
    elif kind == "banked":
        yield f"{name} banks {_listed(event['cards'])}, {_BANKING[event['reason']]} ({event['reason']})."
    elif kind == "flipped":
        yield f"The {card_name(event['catch'])} is the new Catch of the Day."
    elif kind == "exhausted" and event["cards"]:
        yield f"The draw pile has run out; {event['cards']} discarded cards are shuffled for a new one."
    elif kind == "round_over":
        points = ", ".join(f"{who} {count}" for who, count in zip(names, event["points"], strict=True))
        yield f"Round {event['round']} is over, as {_ENDING[event['reason']]}. Points: {points}."
    elif kind == "dealt":
        yield f"Round {event['round']} is dealt; {names[event['to_move']]} begins, the Catch of the Day is the {card_name(event['catch'])}."


def _listed(cards: Sequence[str]) -> str:
    return ", ".join(map(card_name, cards))
