"""Sunny Day Sardines in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

COLOUR_NAMES = {"B": "blue", "G": "green", "O": "orange", "P": "pink"}


def card_name(card: str) -> str:
    """`blue` for `B`, `double pink` for `PP`, `blue-orange` for `BO`."""
    first, *second = (COLOUR_NAMES[fish] for fish in card)
    if not second:
        return first
    return f"double {first}" if second == [first] else f"{first}-{second[0]}"


def order_name(order: Mapping[str, Any]) -> str:
    """An order in protocol form, in words: `the order for 2 blue, 2 orange (4 points)`."""
    need = order["need"]
    if order["kind"] == "regular":
        asked = ", ".join(f"{need.count(fish)} {name}" for fish, name in COLOUR_NAMES.items() if fish in need)
    else:
        asked = f"{need} fish of one colour" if order["kind"] == "special" else f"{need} fish of {need} colours"
    return f"the order for {asked} ({order['points']} {'point' if order['points'] == 1 else 'points'})"


def tell_event(event: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """An event as a sentence."""
    kind, name = event["type"], names[event["player"]] if "player" in event else ""
    if kind == "gathered":
        yield f"{name} gathers {_listed(event['cards'])}."
    elif kind == "filled":
        yield f"{name} fills {order_name(event['order'])} with {_listed(event['cards'])}."
    elif kind == "discarded":
        yield f"{name} discards {_listed(event['cards'])}, having had more than six cards."
    elif kind == "passed":
        yield f"{name} can do nothing and passes."
    elif kind == "turned_up":
        yield f"Into the market comes {_listed([event['card']])}."
    elif kind == "order_turned_up":
        yield f"A new order is turned up: {order_name(event['order']).removeprefix('the order for ')}."
    elif kind == "reshuffled":
        yield f"The deck is empty; {event['cards']} discarded cards are shuffled for a new one."
    elif kind == "final_round":
        yield "That was the last order card: the round is played to its end, so that all have equally many turns."
    elif kind == "must_discard":
        yield f"{name} holds more than six cards and must discard {event['number']}."


def _listed(cards: Sequence[str]) -> str:
    names = list(map(card_name, cards))
    return f"the card {names[0]}" if len(names) == 1 else f"the cards {', '.join(names[:-1])} and {names[-1]}"
