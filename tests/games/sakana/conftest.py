"""Shared by the tests of this room: positions made by hand, and how to read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from games.interface import Event
from games.sakana.deck import deck, names
from games.sakana.state import State

Setting = Callable[..., State]


def set_table(
    *stacks: tuple[int, str],
    hands: Sequence[str],
    draw: str,
    discard: str = "",
    rest: str = "draw",
    to_move: int = 0,
    dealer: int = 0,
    exhaustions: int = 0,
    round_number: int = 1,
    scores: Sequence[int] | None = None,
) -> State:
    """A state with these live stacks (owner, cards bottom to top), hands and piles, whatever play could lead to it.

    Cards that are named nowhere lie at the bottom of the draw pile, or in the pile `rest` names (`banked`: by the last player).
    """
    players = len(hands)
    data: dict[str, Any] = {
        "game": "sakana",
        "players": players,
        "options": {},
        "round": round_number,
        "dealer": dealer,
        "to_move": to_move,
        "hands": [hand.split() for hand in hands],
        "draw": draw.split(),
        "discard": discard.split(),
        "stacks": [{"owner": owner, "cards": cards.split()} for owner, cards in stacks],
        "banked": [[] for _ in hands],
        "exhaustions": exhaustions,
        "scores": list(scores or [0] * players),
    }
    left = sorted(set(names(deck(players))) - set(all_cards(data)))
    (data["banked"][-1] if rest == "banked" else data[rest]).extend(left)
    return State.from_json(data)


def all_cards(data: dict[str, Any]) -> list[str]:
    """The cards of every zone of a state in protocol form."""
    zones = [*data["hands"], data["draw"], data["discard"], *(stack["cards"] for stack in data["stacks"]), *data["banked"]]
    return [card for zone in zones for card in zone]


def is_whole(data: dict[str, Any]) -> bool:
    """Whether every card in play is in exactly one zone."""
    return Counter(all_cards(data)) == Counter(names(deck(data["players"])))


def stacks_of(state: State) -> list[tuple[int, str]]:
    """The live stacks as `set_table` takes them."""
    return [(stack.owner, " ".join(names(stack.cards))) for stack in state.position.stacks]


def of_type(told: Sequence[Event], kind: str) -> list[Event]:
    """The events of one type."""
    return [event for event in told if event["type"] == kind]


@pytest.fixture
def table() -> Setting:
    """`set_table`."""
    return set_table


@pytest.fixture
def codes() -> Callable[..., list[str]]:
    """The codes of all rules a move breaks, in order; `[]` if it is legal."""

    def found(state: State, move: str, *, player: int | None = None) -> list[str]:
        violations = state.explain(move, player=player)
        legal = move in map(str, state.legal_moves(player))
        assert legal == (not violations), "the legal moves and the explanation must agree"
        return [broken.code.value for broken in violations]

    return found
