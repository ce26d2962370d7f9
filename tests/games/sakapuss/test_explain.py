"""Why a move of Sakapuss is not legal: every rule it breaks, in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from games.sakapuss.codes import Code
from games.sakapuss.state import State

Setting = Callable[..., State]

FREE = "AABC AABC BBCC"
CALLED = "AAAA BBBC BCCC"


@pytest.mark.parametrize("text", ["", "pass", "pass  A", "pass a", "pass F", "Pass A", "slap ", " slap", "slap A", "pass A\n", "pass AB", "pass Ａ"])
def test_anything_but_the_printed_form_is_malformed(table: Setting, text: str) -> None:
    """The message shows how moves are written (P4)."""
    (broken,) = table(FREE).explain(text, player=0)
    assert (broken.code, broken.rule) == (Code.MALFORMED, "P4")
    assert "`pass A`" in broken.message


def test_a_cat_not_held_is_refused(table: Setting) -> None:
    """Cards come from the own hand (P4)."""
    (broken,) = table(FREE).explain("pass A", player=2)
    assert (broken.code, broken.rule, broken.message) == (Code.NOT_IN_HAND, "P4", "player 2 holds no cat A")


def test_a_cat_out_of_the_game_is_refused(table: Setting) -> None:
    """With three players there are three kinds of cats (P2)."""
    (broken,) = table(FREE).explain("pass D", player=0)
    assert (broken.code, broken.rule) == (Code.UNKNOWN_CAT, "P2")
    assert "A, B, C" in broken.message


def test_a_second_choice_is_refused_with_all_that_is_wrong(table: Setting) -> None:
    """Every rule broken is named, not the first alone (P4)."""
    state = table(FREE, chosen=["A", None, None])
    assert [broken.code for broken in state.explain("pass A", player=0)] == [Code.ALREADY_CHOSEN]
    assert [broken.code for broken in state.explain("pass E", player=0)] == [Code.ALREADY_CHOSEN, Code.UNKNOWN_CAT]
    assert state.explain("slap", player=0) == ()


def test_after_a_right_call_nothing_is_passed(table: Setting) -> None:
    """The round is won and lost by slaps from then on (P9)."""
    (broken,) = table(CALLED, slapped=[0]).explain("pass B", player=1)
    assert (broken.code, broken.rule) == (Code.ALREADY_CALLED, "P9")
    assert "player 0 has called" in broken.message


def test_one_slaps_once(table: Setting) -> None:
    """The caller waits for the others (P9)."""
    (broken,) = table(CALLED, slapped=[0]).explain("slap", player=0)
    assert (broken.code, broken.rule) == (Code.ALREADY_SLAPPED, "P9")


@pytest.mark.parametrize("move", ["slap", "pass A", "nonsense"])
def test_nothing_is_legal_when_the_game_is_over(table: Setting, move: str) -> None:
    """After ten rounds the game is over for everybody (P22)."""
    (broken,) = table(CALLED, slapped=[0, 1, 2], round_number=10).explain(move, player=1)
    assert (broken.code, broken.rule) == (Code.GAME_OVER, "P22")


def test_a_wrong_slap_is_legal(table: Setting) -> None:
    """It is a mistake with a price, not against the rules (P10)."""
    assert table(FREE).explain("slap", player=0) == ()


def test_every_code_names_its_rule_and_section() -> None:
    """Front ends show both."""
    assert all(code.rule.startswith("P") and code.section for code in Code)


def test_legal_moves_are_those_without_a_violation() -> None:
    """In random games the list of legal moves and the explanations agree for every move of every player."""
    texts = ["slap", *(f"pass {cat}" for cat in "ABCDE")]
    rng = np.random.default_rng(3)
    for players in (3, 4, 5):
        state = State.new(players, rng=rng)
        for _ in range(400):
            for player in range(players):
                legal = list(map(str, state.legal_moves(player)))
                assert sorted(legal) == sorted(text for text in texts if not state.explain(text, player=player))
            if state.over:
                break
            movable = [(player, move) for player in range(players) for move in state.legal_moves(player)]
            player, move = movable[int(rng.integers(len(movable)))]
            state.play(move, player=player, rng=rng)
