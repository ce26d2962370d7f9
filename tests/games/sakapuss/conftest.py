"""Shared by the tests of this room: positions made by hand, and how to read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from games.interface import Event
from games.sakapuss.deck import PILE
from games.sakapuss.state import State

Setting = Callable[..., State]


def set_table(
    hands: str,
    *,
    pile: str = "",
    front: Sequence[str] = (),
    chosen: Sequence[str | None] = (),
    slapped: Sequence[int] = (),
    round_number: int = 1,
    dealer: int = 0,
    ends_round: bool = False,
) -> State:
    """A state with these hands (`AABC AABC BBCC`), cards on top of the pile and in front of players, whatever play could lead to it.

    Cards that are named nowhere lie at the bottom of the pile, in text order.
    """
    cats = hands.split()
    lying = [cards.split() for cards in front] or [[] for _ in cats]
    top = pile.split()
    left = sorted((Counter(PILE) - Counter([*top, *(card for cards in lying for card in cards)])).elements())
    data: dict[str, Any] = {
        "game": "sakapuss",
        "players": len(cats),
        "options": {"false_slap_ends_round": ends_round},
        "round": round_number,
        "dealer": dealer,
        "hands": [sorted(hand) for hand in cats],
        "pile": [*top, *left],
        "front": lying,
        "chosen": list(chosen) or [None] * len(cats),
        "slapped": list(slapped),
    }
    return State.from_json(data)


def types(events: Sequence[Event]) -> list[str]:
    """What happened, in order."""
    return [event["type"] for event in events]


@pytest.fixture
def table() -> Setting:
    """`set_table`."""
    return set_table


@pytest.fixture
def kinds_of() -> Callable[[Sequence[Event]], list[str]]:
    """`types`."""
    return types
