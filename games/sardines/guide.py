"""The lists of cards on the rules page of Sunny Day Sardines, from the card list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.guide import Lists
from games.sardines.card_list import OrderKind, standard

_COLOUR_WORDS = {"B": "blue", "G": "green", "O": "orange", "P": "pink"}
_KIND_WORDS = {OrderKind.SPECIAL: "one colour (special)", OrderKind.MIXED: "different colours (mixed bag)"}


def _sardine_lines() -> Iterator[str]:
    counts: Counter[str] = Counter()
    for card, count in standard().sardines.items():
        counts["one fish" if len(card) == 1 else "two fish of one colour" if len(set(card)) == 1 else "two fish of different colours"] += count
    return (f"{count} cards with {what}" for what, count in counts.items())


def _order_lines() -> Iterator[str]:
    for order in standard().orders:
        points = f"{order.points} point{'s' * (order.points != 1)}"
        if isinstance(order.need, str):
            yield f"{_fish(order.need)}: {points}"
        else:
            yield f"{order.need} fish of {_KIND_WORDS[order.kind]}: {points}"


def _fish(letters: str) -> str:
    return ", ".join(f"{count} {_COLOUR_WORDS[colour]}" for colour, count in Counter(letters).items())


LISTS: Lists = {"sardines": _sardine_lines, "orders": _order_lines}
