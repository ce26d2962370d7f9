"""Counts of move sequences against values worked out independently."""

from __future__ import annotations

import pytest

from games.stakd.perft import divided, perft
from games.stakd.state import State


@pytest.mark.parametrize(
    ("players", "counts"), [(1, [1, 1, 50, 1_600]), (2, [1, 1, 50, 3_328, 269_804]), (3, [1, 1, 50, 3_328]), (4, [1, 1, 50, 3_328, 269_804])]
)
def test_known_counts(players: int, counts: list[int]) -> None:
    """Perft from the start is the protocol's; while only bases are laid the number of players makes no difference."""
    assert [perft(State.new(players), depth) for depth in range(len(counts))] == counts


def test_solo_six_deep() -> None:
    """Solo, six moves deep, two bases and four stacked pieces: 335 366."""
    assert perft(State.new(1), 6) == 335_366


def test_divided_adds_up() -> None:
    """The counts by first move are those of the moves and add up to the whole."""
    state = State.new(1)
    for _ in range(2):
        state.play(state.legal_moves()[0])
    parts = divided(state, 3)
    assert list(parts) == state.legal_moves()
    assert sum(parts.values()) == perft(state, 3)


def test_counts_stay_within_the_round() -> None:
    """Sequences end with the round: from a game that is over there are none but the empty one."""
    state = State.new(1)
    state.knock_over(0)
    assert [perft(state, depth) for depth in range(3)] == [1, 0, 0]
