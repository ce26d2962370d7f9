"""Turns, rounds, scores, knock-overs, leaving, solo, and the way back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.errors import BadOptions, IllegalMove, NothingToUndo
from games.stakd.bases import BaseContact
from games.stakd.rules import NewLayerException, Options
from games.stakd.state import State
from meshes.piece_set import load_piece_set

Setting = Callable[..., State]

A = "BASE 0,0 0,1 1,0 1,1 2,0"
B = "BASE 2,1 3,0 3,1 4,-1 4,0"
COLUMN = ([A, B], ["TRIO 0,0 0,1 1,0"], ["DUO 0,0 0,1"])
"""A narrow tower: layer 2 has room for one UNI on (1,0), and whatever comes above has the three cells of the TRIO."""


def _kinds(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


def test_turns_skip_who_is_out(table: Setting) -> None:
    """B can't play, later D and A can't: turns go A C D A C, and C, the last to lay, wins the round and starts the next (S35–S38, S51)."""
    hands = ({"UNI": 2}, {"QUAD": 1}, {"TRIO": 2}, {"DUO": 1})
    state = table(*COLUMN, hands=hands)
    turns, events = [], []
    for move in ("UNI 2 1,0", "TRIO 3 0,0 0,1 1,0", "DUO 4 0,0 0,1", "UNI 4 1,0", "TRIO 5 0,0 0,1 1,0"):
        turns.append(state.to_move)
        events += state.play(move)
    assert turns == [0, 2, 3, 0, 2]
    assert [(event["player"], event["reason"]) for event in _kinds(events, "out")] == [(1, "S28"), (3, "S36"), (0, "S36")]
    assert _kinds(events, "round_over") == [{"type": "round_over", "round": 1, "winner": 2, "scores": [0, 0, 1, 0]}]
    assert (state.round, state.starter, state.to_move, state.scores) == (2, 2, 2, (0, 0, 1, 0))
    assert state.layers == ()
    assert state.out == (False,) * 4


@pytest.mark.parametrize(
    ("hand", "reason"),
    [({"UNI": 1, "QUAD": 1}, "S31"), ({"QUAD": 1}, "S28"), ({}, "S36")],
    ids=["only a UNI fits", "nothing fits", "nothing left"],
)
def test_why_a_player_is_out(table: Setting, hand: dict[str, int], reason: str) -> None:
    """The event says which rule put the player out (S28, S31, S36)."""
    state = table(*COLUMN, hands=({"UNI": 1, "DUO": 1}, hand, {"TRIO": 1}))
    (event,) = _kinds(state.play("UNI 2 1,0"), "out")
    assert (event["player"], event["reason"]) == (1, reason)
    assert state.to_move == 2


def test_out_because_the_layer_is_held(table: Setting) -> None:
    """With option `all` a player who could open the next layer is out while others can still lay on this one (S27)."""
    options = Options(new_layer_exception=NewLayerException.ALL)
    hands = ({"TRIO": 1, "DUO": 1}, {"TRIO": 1}, {"DUO": 1})
    state = table([A, B], ["QUAD 0,0 0,1 1,0 1,1"], hands=hands, options=options)
    (event,) = _kinds(state.play("TRIO 1 2,0 2,1 3,0"), "out")
    assert (event["player"], event["reason"]) == (1, "S27")


def test_last_piece_of_all_wins(table: Setting) -> None:
    """When everybody has laid everything, the player of the last piece wins (S38)."""
    state = table(*COLUMN, hands=({}, {"UNI": 1}), to_move=1)
    assert _kinds(state.play("UNI 2 1,0"), "round_over")[0]["winner"] == 1


def test_third_point_ends_the_game(table: Setting) -> None:
    """With three points the game is over; the layers stay, the round is not raised, the winner is to move (S40)."""
    state = table(*COLUMN, hands=({"UNI": 1}, {}), scores=(2, 2))
    events = state.play("UNI 2 1,0")
    assert [event["type"] for event in events] == ["placed", "out", "round_over", "game_over"]
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {"scores": [3, 2], "winners": [0]}
    assert (state.round, state.to_move, len(state.layers)) == (1, 0, 3)
    assert state.legal_moves() == []
    acts: list[Callable[[], object]] = [lambda: state.play("UNI 2 1,0"), lambda: state.knock_over(0), lambda: state.resign(1)]
    for act in acts:
        with pytest.raises(IllegalMove):
            act()


def test_new_layer_is_told(table: Setting) -> None:
    """Opening a layer is an event of its own."""
    state = table([A, B])
    assert state.play("DUO 1 0,0 0,1")[1] == {"type": "layer_opened", "player": 0, "layer": 1}


def test_knock_over_costs_a_point() -> None:
    """A knock-over ends the round: the culprit loses a point, nobody wins, the same starter begins again; scores may be negative (S39–S41)."""
    state = State.new(3, starter=1)
    state.play(state.legal_moves()[0])
    events = state.knock_over(2)
    assert events == [{"type": "knock_over", "player": 2}, {"type": "round_over", "round": 1, "winner": None, "scores": [0, 0, -1]}]
    assert (state.scores, state.round, state.starter, state.to_move) == ((0, 0, -1), 2, 1, 1)
    assert state.outcome() is None
    assert state.layers == ()


def test_each_round_all_hands_again() -> None:
    """Each round begins with the full hands and an empty table (S48)."""
    state = State.new(2)
    state.play(state.legal_moves()[0])
    state.knock_over(0)
    assert state.hand(0) == state.hand(1) == {"BASE": 2, "UNI": 12, "DUO": 8, "TRIO": 4, "QUAD": 2}


def test_bases_alternate_and_turn_order_goes_on() -> None:
    """Bases are laid one a turn in turn until all lie; then it is the starter's turn again (S4–S6)."""
    state = State.new(2, starter=1)
    turns = []
    for _ in range(4):
        assert {move.piece for move in state.legal_moves()} == {"BASE"}
        turns.append(state.to_move)
        state.play(state.legal_moves()[0])
    assert turns == [1, 0, 1, 0]
    assert state.to_move == 1
    assert {move.layer for move in state.legal_moves()} == {1}


def test_solo_won(table: Setting) -> None:
    """Solo is won by laying the last piece; there are no points (S49)."""
    state = table(*COLUMN, hands=({"UNI": 1},))
    state.play("UNI 2 1,0")
    assert state.out == (False,)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {"scores": [0], "winners": [0]}


def test_solo_lost(table: Setting) -> None:
    """Solo is lost with pieces left that have no place (S49)."""
    state = table(*COLUMN, hands=({"UNI": 1, "QUAD": 1},))
    events = state.play("UNI 2 1,0")
    assert [event["type"] for event in events] == ["placed", "out", "round_over", "game_over"]
    assert state.out == (True,)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {"scores": [0], "winners": []}


def test_solo_knock_over_is_lost() -> None:
    """Knocking the tower over loses solo, without points (S49)."""
    state = State.new(1)
    state.play(state.legal_moves()[0])
    state.knock_over(0)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {"scores": [0], "winners": []}
    assert state.out == (True,)


@pytest.mark.parametrize("seed", range(12))
def test_solo_first_layer_stays_below_six(seed: int) -> None:
    """With two bases layer 1 can't reach six pieces, so without the exception solo would end there (S29)."""
    rng = np.random.default_rng(seed)
    state = State.new(1)
    while not state.over:
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])
    assert len(state.layers[1]) <= 5
    assert len(state.layers) > 2


def test_resigning_on_turn_passes_the_turn() -> None:
    """Who leaves on his turn is out, his pieces stay, and the next player moves; in later rounds he is left out (S53)."""
    state = State.new(3)
    state.play(state.legal_moves()[0])
    laid = state.layers
    events = state.resign(1)
    assert (events[0]["player"], events[0]["reason"]) == (1, "S53")
    assert state.to_move == 2
    assert state.layers == laid
    state.knock_over(2)
    assert state.out == (False, True, False)
    with pytest.raises(IllegalMove):
        state.resign(1)


def test_base_layer_without_the_one_who_left() -> None:
    """When the last player with a BASE leaves, the base layer is complete (S5, S53)."""
    state = State.new(3)
    state.play(state.legal_moves()[0])
    state.play(state.legal_moves()[0])
    state.resign(2)
    assert state.to_move == 0
    assert {move.layer for move in state.legal_moves()} == {1}


def test_starter_who_left_gives_way() -> None:
    """If the starter has left, the next in turn begins the next round (S41, S53)."""
    state = State.new(3)
    state.resign(0)
    state.knock_over(1)
    assert (state.starter, state.to_move) == (1, 1)


def test_last_one_in_the_match_wins_it() -> None:
    """When all others have left, the last player wins round after round to three points (S37, S40, S53)."""
    state = State.new(3)
    state.knock_over(2)
    state.resign(0)
    events = state.resign(1)
    assert [event["winner"] for event in _kinds(events, "round_over")] == [2] * 4
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (2,)
    assert state.scores == (0, 0, 3)


def test_five_players_share_the_box() -> None:
    """Five players take 1/4/3/2/1 each, within the box; six are refused (S2)."""
    assert State.new(5).hand(4) == {"BASE": 1, "UNI": 4, "DUO": 3, "TRIO": 2, "QUAD": 1}
    for players in (0, 6):
        with pytest.raises(BadOptions):
            State.new(players)


def test_illegal_move_changes_nothing(table: Setting) -> None:
    """A refused move carries every rule it breaks and leaves the state as it was."""
    state = table([A, B])
    before = state.to_json()
    with pytest.raises(IllegalMove) as refused:
        state.play("UNI 1 9,9")
    assert [broken.rule for broken in refused.value.violations] == ["S30", "S14"]
    assert state.to_json() == before
    with pytest.raises(NothingToUndo):
        state.undo()


def test_moves_of_others_are_empty(table: Setting) -> None:
    """Only the player to move has legal moves."""
    state = table([A, B])
    assert state.legal_moves(1) == []
    assert state.legal_moves(0) == state.legal_moves()
    with pytest.raises(IllegalMove):
        state.play(state.legal_moves()[0], player=1)


SETTINGS = st.tuples(
    st.integers(1, 5), st.sampled_from(["classic", "square"]), st.sampled_from(list(NewLayerException)), st.sampled_from(list(BaseContact))
)


def _new(setting: tuple[int, str, NewLayerException, BaseContact]) -> State:
    players, set_name, exception, contact = setting
    return State.new(players, piece_set=load_piece_set(set_name), options=Options(exception, contact))


@settings(max_examples=25, deadline=None)
@given(SETTINGS, st.integers(0, 2**32))
def test_undo_restores_everything(setting: tuple[int, str, NewLayerException, BaseContact], seed: int) -> None:
    """Undo goes back move by move, across rounds and knock-overs, to exactly the states before; the same moves lead on again."""
    rng = np.random.default_rng(seed)
    state = _new(setting)
    trail = []
    for _ in range(90):
        if state.over:
            break
        moves = state.legal_moves()
        trail.append((state.to_json(), moves))
        if rng.random() < 0.03:
            state.knock_over(int(rng.integers(state.players)))
        else:
            state.play(moves[int(rng.integers(len(moves)))])
    for data, moves in reversed(trail):
        state.undo()
        assert state.to_json() == data
        assert state.legal_moves() == moves
    with pytest.raises(NothingToUndo):
        state.undo()


@settings(max_examples=25, deadline=None)
@given(SETTINGS, st.integers(0, 2**32))
def test_json_and_ids_follow(setting: tuple[int, str, NewLayerException, BaseContact], seed: int) -> None:
    """After every move the state reads back from its JSON with the same moves; ids, placements and text name the same moves; no piece is lost."""
    rng = np.random.default_rng(seed)
    state = _new(setting)
    in_play = Counter({name: each * state.players for name, each in state.hand(0).items()})
    while not state.over and state.round == 1:
        data = json.loads(json.dumps(state.to_json()))
        again = State.from_json(data, piece_set=state.rules.piece_set)
        assert again.to_json() == data
        moves, ids = state.legal_moves(), state.legal_ids()
        assert again.legal_moves() == moves
        assert [state.placement(move) for move in ids] == moves
        assert [state.find(str(move)) for move in moves] == ids
        held = sum((Counter(state.hand(player)) for player in range(state.players)), Counter())
        assert held + Counter(move.piece for move in state.placements()) == in_play
        state.play_id(ids[int(rng.integers(len(ids)))])
    data = state.to_json()
    again = State.from_json(data, piece_set=state.rules.piece_set)
    assert again.to_json() == data
    assert again.outcome() == state.outcome()


def test_copies_part(table: Setting) -> None:
    """A copy goes its own way, and can take back what was played before it was made."""
    state = table([A, B])
    before = state.to_json()
    state.play("DUO 1 0,0 0,1")
    after = state.to_json()
    other = state.copy()
    other.play(other.legal_moves()[0])
    assert state.to_json() == after
    other.undo()
    other.undo()
    assert other.to_json() == before
    assert state.to_json() == after


def test_view_shows_all() -> None:
    """Hands are open, so a view is the whole state, and the one state that fits it is equal (S47)."""
    state = State.new(2)
    state.play(state.legal_moves()[0])
    view = state.view(1)
    assert view.to_json() == state.to_json()
    twin = State.determinize(view, np.random.default_rng(0))
    twin.play(twin.legal_moves()[0])
    assert view.to_json() == state.to_json()
    with pytest.raises(NothingToUndo):
        State.determinize(view, np.random.default_rng(0)).undo()


_PLAYER = """
import hashlib, json, sys
from games.stakd.state import State
state, log = State.new(3), hashlib.sha256()
for ply in range(200):
    if state.over:
        break
    moves = state.legal_moves()
    state.play(moves[ply * 7919 % len(moves)])
    log.update(json.dumps([state.to_json(), list(map(str, moves))]).encode())
print(log.hexdigest())
"""


def test_same_in_every_process() -> None:
    """The order of legal moves and all states are the same whatever the hash seed of the process."""
    outputs = {
        subprocess.run([sys.executable, "-c", _PLAYER], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
