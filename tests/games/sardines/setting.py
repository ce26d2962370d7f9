"""Positions of Sunny Day Sardines made by hand, and the cards as the rules decisions list them, written out apart from the data file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.sardines.state import State

SARDINES = Counter(
    {**dict.fromkeys(["B", "G", "O", "P"], 3), **dict.fromkeys(["BB", "GG", "OO", "PP"], 2), **dict.fromkeys(["BG", "BO", "BP", "GO", "GP", "OP"], 2)}
)
"""RULES 3.3: three singles and two doubles of each colour, two mixed cards of each pair of colours."""

ORDERS = {
    **dict.fromkeys(["BBB", "GGG", "OOO", "PPP"], 3),
    **dict.fromkeys(["BBGG", "BBOO", "BBPP", "GGOO", "GGPP", "OOPP"], 4),
    **dict.fromkeys(["BGGPP", "GOOPP", "BBOOP", "BBGGO"], 5),
    "special 2": 2,
    "special 3": 3,
    "special 4": 4,
    "mixed 2": 1,
    "mixed 3": 2,
    "mixed 4": 3,
}
"""RULES 3.3: the orders in short and their points."""

MARKET = ("B", "BB", "G", "GO", "O")
ROW = ("BBGG", "PPP", "special 2", "mixed 3")


def order(short: str) -> dict[str, Any]:
    """An order in protocol form from its short name: `BBOO`, `special 3`, `mixed 2`."""
    kind, _, number = short.rpartition(" ")
    return {"kind": kind or "regular", "need": int(number) if kind else short, "points": ORDERS[short]}


def set_json(
    hands: Sequence[Sequence[str]] = ((), ()),
    *,
    market: Sequence[str] = MARKET,
    row: Sequence[str] = ROW,
    deck: Sequence[str] = (),
    discard: Sequence[str] = (),
    no_deck: bool = False,
    order_deck: Sequence[str] = (),
    completed: Mapping[int, Sequence[str]] | None = None,
    rest_to: int | None = None,
    to_move: int = 0,
    starter: int = 0,
    must_discard: int = 0,
) -> dict[str, Any]:
    """A state in protocol form. `deck` and `order_deck` are the top cards.

    All other sardine cards lie below them in text order, or on the discard pile with `no_deck`; all other orders lie below too, or
    are completed orders of the seat `rest_to`.
    """
    rest = SARDINES - Counter([*market, *deck, *discard, *(card for hand in hands for card in hand)])
    filled = {seat: list((completed or {}).get(seat, ())) for seat in range(len(hands))}
    known = {*row, *order_deck, *(short for orders in filled.values() for short in orders)}
    others = [short for short in ORDERS if short not in known]
    if rest_to is not None:
        filled[rest_to] += others
        others = []
    left = sorted(rest.elements())
    orders_below = [*order_deck, *others]
    return {
        "game": "sardines",
        "players": len(hands),
        "options": {},
        "starter": starter,
        "to_move": to_move,
        "hands": [sorted(hand) for hand in hands],
        "market": list(market),
        "deck": list(deck) if no_deck else [*deck, *left],
        "discard": [*discard, *left] if no_deck else list(discard),
        "orders": [order(short) for short in row],
        "order_deck": [order(short) for short in orders_below],
        "completed": [[order(short) for short in filled[seat]] for seat in range(len(hands))],
        "final_round": not orders_below,
        "must_discard": must_discard,
    }


def set_table(hands: Sequence[Sequence[str]] = ((), ()), **setting: Any) -> State:
    """The same as a state."""
    return State.from_json(set_json(hands, **setting))


def moves(state: State) -> list[str]:
    """The legal moves as text, sorted as the protocol lists them."""
    return sorted(map(str, state.legal_moves()))


def codes(state: State, move: str, *, player: int | None = None) -> list[str]:
    """What is wrong with a move, in short."""
    return [broken.code.value for broken in state.explain(move, player=player)]
