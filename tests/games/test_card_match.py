"""Matches of card games: chance by seed and act, acts again from a record, replays that hide what a player could not see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.bots import choose_move
from games.card_match import DEAL, SHUFFLE, THINK, CardActKind, CardMatch, CardSeat, CardSetup, game_of, seen_by_nobody
from games.errors import BadOptions, IllegalMove, NothingToUndo
from meshes.errors import StakdError
from tests.games.card_tables import GAMES, bots_only, played


def without_time(match: CardMatch) -> list[Any]:
    """Acts without when they were made."""
    return [(act.player, act.move, act.events) for act in match.acts]


@pytest.mark.parametrize("game", ["sakana", "sardines"])
def test_match_is_the_rules_and_the_seed(game: str) -> None:
    """A match of bots is what the bare rules give when stepped with generators of seed and act number, to the last event."""
    match = played(bots_only(game))
    state = game_of(game).new(3, options={}, rng=np.random.default_rng((7, 0, DEAL)))
    for number, act in enumerate(match.acts):
        move = choose_move(game, "greedy", state, np.random.default_rng((7, number, THINK)))
        player = state.to_move
        events = state.play(move, player=player, rng=np.random.default_rng((7, number, SHUFFLE)))
        assert (act.player, act.move, list(act.events)) == (player, str(move), events)
    assert state.to_json() == match.state.to_json()
    assert match.state.outcome() == state.outcome() is not None


def test_simultaneous_match_steps_as_the_rules_do() -> None:
    """The moves of a game of Sakapuss, given to the bare rules in the same order, tell the same story."""
    match = played(bots_only("sakapuss", players=4))
    state = game_of("sakapuss").new(4, options={}, rng=np.random.default_rng((7, 0, DEAL)))
    for number, act in enumerate(match.acts):
        assert list(act.events) == state.play(str(act.move), player=act.player, rng=np.random.default_rng((7, number, SHUFFLE)))
    assert state.outcome() == match.state.outcome() is not None


@pytest.mark.parametrize("game", GAMES)
def test_same_seed_same_match(game: str) -> None:
    """Seed 0 and others fix a match wholly, and other seeds give others."""
    first = played(bots_only(game, seed=0))
    assert first.acts == played(bots_only(game, seed=0)).acts
    assert without_time(first) != without_time(played(bots_only(game, seed=1)))


@pytest.mark.parametrize("game", GAMES)
def test_undo_and_again(game: str) -> None:
    """Taking acts back one by one goes through the same states in reverse, and the same moves lead to the same cards again."""
    match = played(bots_only(game))
    acts, end = list(match.acts), match.state.to_json()
    states = [match.state_before(number).to_json() for number in range(1, len(acts) + 1)]
    for state in reversed(states):
        match.undo()
        assert match.state.to_json() == state
    assert match.round == 1
    with pytest.raises(NothingToUndo):
        match.undo()
    assert [match.restore(act) for act in acts] == acts
    assert match.state.to_json() == end


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewer", [0, 2])
def test_frames_hide_what_the_viewer_could_not_see(game: str, viewer: int) -> None:
    """A replay for one player is his views one after the other: other hands are numbers, other passes are nobody's business."""
    match = played(bots_only(game))
    frames = match.frames(viewer)
    assert len(frames) == len(match.acts) + 1
    for number, frame in enumerate(frames):
        assert frame.view == match.state_before(number + 1).view(viewer).to_json()
        assert all(isinstance(hand, int) for seat, hand in enumerate(frame.view["hands"]) if seat != viewer)
        if frame.move is not None and frame.move.startswith("pass ") and game == "sakapuss":
            assert frame.player == viewer
        if game == "sakapuss" and frame.player not in (None, viewer):
            assert "cat (" not in " ".join(frame.words)


def test_open_frames_show_all() -> None:
    """Without a viewer a replay shows every hand and every pass."""
    match = played(bots_only("sakapuss"))
    frames = match.frames(None)
    assert [frame.move for frame in frames[1:]] == [act.move for act in match.acts]
    assert all(isinstance(hand, list) for frame in frames for hand in frame.view["hands"])


@pytest.mark.parametrize("game", GAMES)
def test_nobody_sees_a_hand(game: str) -> None:
    """What is shown behind the curtain holds what all players see and no hand."""
    match = played(bots_only(game))
    for number in range(1, len(match.acts), 7):
        state = match.state_before(number)
        shown = seen_by_nobody(state)
        assert shown["hands"] == [len(hand) for hand in state.to_json()["hands"]]
        assert shown.keys() == state.view(0).to_json().keys()
        for key, value in shown.items():
            if key not in ("hands", "chosen", "completed"):
                assert all(state.view(player).to_json()[key] == value for player in range(3))


def test_passing_without_end_is_dealt_again() -> None:
    """When cats have been passed on 200 times in a round it is dealt again, uncounted (RULES P28), and not before."""
    match = CardMatch(CardSetup("sakapuss", tuple(CardSeat(name) for name in "ABC"), seed=3))
    while not match.must_redeal:
        with pytest.raises(StakdError):
            match.redeal()
        for player in range(3):
            match.play(str(match.state.legal_moves(player)[0]), player=player)
    assert sum(event["type"] == "passed" for act in match.acts for event in act.events) == 200
    act = match.redeal()
    assert (act.kind, act.player, match.round, match.must_redeal) == (CardActKind.REDEALT, None, 1, False)


def test_leaving_seats_a_bot() -> None:
    """Who leaves is played for by a bot; bots can't leave, nor can anybody twice."""
    match = CardMatch(CardSetup("sakana", (CardSeat("A"), CardSeat("B", "random")), seed=1))
    act = match.leave(0)
    assert (act.kind, match.seats[0].bot, match.seats[0].name) == (CardActKind.LEFT, "greedy", "A")
    for seat in (0, 1, 2):
        with pytest.raises(StakdError):
            match.leave(seat)
    match.undo()
    assert match.seats[0].bot is None


@pytest.mark.parametrize(
    ("setup", "codes"),
    [
        (CardSetup("sakana", (CardSeat("A"),), 1), {"bad-players"}),
        (CardSetup("sakapuss", (CardSeat("A"), CardSeat("B")), 1), {"bad-players"}),
        (CardSetup("sakapuss", tuple(CardSeat(name) for name in "ABCDEF"), 1), {"bad-players"}),
        (CardSetup("sardines", (CardSeat("A", "mcts"), CardSeat("B", level="asleep")), 1), {"unknown-bot", "unknown-level"}),
        (CardSetup("sardines", (CardSeat("A"), CardSeat("B")), 1, {"speed": 3}), {"unknown-key"}),
    ],
)
def test_impossible_set_ups(setup: CardSetup, codes: set[str]) -> None:
    """A match that can't be is refused with every reason."""
    with pytest.raises(BadOptions) as refused:
        CardMatch(setup)
    assert {defect.code for defect in refused.value.defects} == codes


def test_illegal_moves_change_nothing() -> None:
    """A move that breaks a rule is refused with the rule, and no act is counted."""
    match = CardMatch(CardSetup("sakana", (CardSeat("A"), CardSeat("B")), seed=1))
    before = match.state.to_json()
    with pytest.raises(IllegalMove):
        match.play("pass", player=1 - match.state.to_move)  # type: ignore[operator]
    assert (match.state.to_json(), match.acts) == (before, [])
