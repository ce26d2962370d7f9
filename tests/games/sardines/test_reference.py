"""Legal moves against a second opinion: the rulebook's sentences tried on every set of cards, slow and plain."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from games.sardines.state import State


def _sets(cards: Iterable[str], sizes: Iterable[int]) -> set[tuple[str, ...]]:
    """Every different set of these sizes, sorted."""
    ordered = sorted(cards)
    return {chosen for size in sizes for chosen in combinations(ordered, size)}


def _covers(order: dict[str, Any], cards: Iterable[str]) -> bool:
    fish, need = "".join(cards), order["need"]
    if order["kind"] == "regular":
        return all(fish.count(colour) >= need.count(colour) for colour in "OBGP")
    if order["kind"] == "special":
        return any(fish.count(colour) >= int(need) for colour in "OBGP")
    return len(set(fish)) >= int(need)


def _needs_all(order: dict[str, Any], cards: tuple[str, ...]) -> bool:
    """Whether the cards cover the order and no part of them does (D8)."""
    return _covers(order, cards) and not any(_covers(order, part) for size in range(len(cards)) for part in combinations(cards, size))


def _moves(data: dict[str, Any]) -> list[str]:
    hand = data["hands"][data["to_move"]]
    if data["must_discard"]:
        return sorted(f"discard {' '.join(cards)}" for cards in _sets(hand, [data["must_discard"]]))
    found = [f"gather {' '.join(cards)}" for cards in _sets(data["market"], (1, 2)) if len("".join(cards)) == 2]
    for index, order in enumerate(data["orders"]):
        found += [f"fill {index} {' '.join(cards)}" for cards in _sets(hand, range(1, len(hand) + 1)) if _needs_all(order, cards)]
    return sorted(found)


def _accepted(data: dict[str, Any]) -> set[str]:
    """Everything the engine accepts: the same and payments with needless cards."""
    hand = data["hands"][data["to_move"]]
    found = set(_moves(data))
    for index, order in enumerate(data["orders"] if not data["must_discard"] else []):
        found |= {f"fill {index} {' '.join(cards)}" for cards in _sets(hand, range(1, len(hand) + 1)) if _covers(order, cards)}
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_legal_moves_are_the_rulebooks(players: int) -> None:
    """In random games every list of moves is the one that trying all sets of cards gives."""
    for seed in range(12):
        rng = np.random.default_rng([players, seed])
        state = State.new(players, rng=rng)
        while not state.over:
            listed = state.legal_moves()
            assert sorted(map(str, listed)) == _moves(state.to_json())
            state.play(listed[int(rng.integers(len(listed)))], rng=rng)


def test_explain_agrees_on_every_move_there_could_be() -> None:
    """A move is explained as legal exactly if the rulebook's sentences allow it, in positions of random games."""
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(6):
        state = State.new(2, rng=rng)
        while not state.over:
            data = state.to_json()
            if rng.random() < 0.15:
                every = [*data["market"], *data["hands"][0], *data["hands"][1]]
                texts = {" ".join(cards) for cards in _sets(every, (1, 2, 3))}
                tried = {f"{act} {text}" for act in ("gather", "discard", "fill 0", "fill 3") for text in texts} | {"pass"} | _accepted(data)
                assert {move for move in tried if not state.explain(move)} == tried & _accepted(data)
                seen += len(tried)
            moves = state.legal_ids()
            state.play_id(moves[int(rng.integers(len(moves)))], rng)
    assert seen > 10_000
