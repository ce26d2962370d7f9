"""Bots by name, for every game."""

from __future__ import annotations

import pytest

from games.bots import bot_names, make_bot
from meshes.errors import StakdError


def test_stakd_has_three_bots_weakest_first() -> None:
    """People choose among these names, in this order."""
    assert bot_names("stakd") == ("random", "greedy", "mcts")


def test_every_named_bot_can_be_made() -> None:
    """No name on the list is empty talk."""
    assert all(hasattr(make_bot("stakd", name), "choose") for name in bot_names("stakd"))


def test_an_unknown_bot_is_refused_with_the_names_there_are() -> None:
    """A mistyped name tells what would be right."""
    with pytest.raises(StakdError, match="no bot greddy; it has random, greedy, mcts"):
        make_bot("stakd", "greddy")


def test_a_game_without_bots_is_refused() -> None:
    """A mistyped game tells which games have bots."""
    with pytest.raises(StakdError, match="no bots for chess; there are for stakd"):
        bot_names("chess")
