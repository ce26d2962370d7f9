"""Casting: who plays in the rounds of a show."""

from __future__ import annotations

from typing import Any

import pytest

from games.stakd.state import State
from meshes.errors import StakdError
from viewer.casting import ROUNDS, Casting


def test_same_seed_gives_same_show() -> None:
    """A seed fixes players, bots, hands and pieces of every round; another seed changes some."""
    shows = [[Casting.of(seed).setup(number) for number in range(12)] for seed in (4, 4, 5)]
    assert shows[0] == shows[1]
    assert shows[0] != shows[2]


def test_casts_change_but_not_within_their_rounds() -> None:
    """Players stay for some rounds, which differ in their seed; then others play, with other pieces."""
    casting = Casting.of(4)
    first, last, then = (casting.setup(number) for number in (0, ROUNDS - 1, ROUNDS))
    assert (first.seats, first.piece_set) == (last.seats, last.piece_set)
    assert first.seed != last.seed
    assert first.piece_set.name != then.piece_set.name
    assert len({setup.seats for setup in map(casting.setup, range(0, 30, ROUNDS))}) > 5


def test_what_is_asked_for_stays() -> None:
    """Players, pieces, bots and hand that were asked for are in every round."""
    casting = Casting.of(1, set_name="square", players=3, bots=["random"], hand="board")
    for number in range(0, 9, ROUNDS):
        setup = casting.setup(number)
        assert setup.piece_set.name == "square"
        assert [(seat.bot, seat.hand) for seat in setup.seats] == [("random", None)] * 3


def test_what_can_not_be_is_said_at_once() -> None:
    """An unknown bot and too many players are refused before a window opens."""
    cases: list[dict[str, Any]] = [{"bots": ["deep"]}, {"players": 6}, {"set_name": "nothing"}]
    for wrong in cases:
        with pytest.raises(StakdError):
            Casting.of(1, **wrong)


@pytest.mark.parametrize("set_name", ["classic", "square"])
@pytest.mark.parametrize("players", [1, 2, 5])
def test_a_round_begins_with_a_legal_tower(set_name: str, players: int) -> None:
    """What lies there when a round begins was laid by the rules, exactly, and the round goes on from there."""
    match = Casting.of(2, set_name=set_name, players=players).match(0)
    state = State.new(players, piece_set=match.setup.piece_set)
    for act in match.acts:
        assert act.placement is not None
        assert state.explain(act.placement) == ()
        state.play(act.placement)
    assert len(match.tower.laid) == len(match.acts) >= 4
    assert (match.state.round, match.over) == (1, False)
