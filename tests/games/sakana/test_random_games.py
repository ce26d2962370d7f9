"""Random games of every number of players: no card lost or doubled, moves as explained, everything taken back, always the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from games.errors import NothingToUndo
from games.sakana.deck import Cards, bits, deck
from games.sakana.following import plays, targets
from games.sakana.move import Move
from games.sakana.position import Position
from games.sakana.state import State


def _cards(position: Position) -> int:
    """All cards as bits; every zone is added, so that a card there twice spoils the sum."""
    zones: Iterator[Cards] = iter((position.draw, position.discard, *(stack.cards for stack in position.stacks), *position.banked))
    return sum(position.hands) + sum(map(bits, zones))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_card_is_lost_or_doubled(players: int) -> None:
    """After every act of 300 games each card in play is in exactly one zone (G01); scores are those of the rounds' banked cards."""
    rng = np.random.default_rng(players)
    whole, number = bits(deck(players)), len(deck(players))
    for _ in range(300):
        position = Position.first(players, starter=0, rng=rng)
        chance = iter(rng.random(2000).tolist())
        while not position.over:
            moves = position.plays()
            position = position.after(moves[int(next(chance) * len(moves))], rng)
            counted = sum(map(int.bit_count, position.hands)) + len(position.draw) + len(position.discard)
            counted += sum(len(stack.cards) for stack in position.stacks) + sum(map(len, position.banked))
            assert _cards(position) == whole
            assert counted == number


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_legal_moves_are_what_explain_allows(players: int) -> None:
    """Of all ways to pile cards of one number the legal ones are exactly those that break no rule (R03)."""
    rng = np.random.default_rng(players)
    for _ in range(2):
        state = State.new(players, rng=rng)
        while not state.over:
            moves = state.position.plays()
            if rng.random() < 0.3:
                allowed = [move for move in _conceivable(state) if not state.explain(move)]
                assert sorted(map(str, allowed)) == sorted(map(str, state.legal_moves()))
                assert len(set(moves)) == len(moves)
            state.play_cards(moves[int(rng.integers(len(moves)))], rng)


def _conceivable(state: State) -> Iterator[Move]:
    """A pass and every ordered choice of cards of one number from the hand and the Catch."""
    position = state.position
    held = position.hands[position.seat] | 1 << position.draw[0]
    yield Move(())
    for number in range(1, 11):
        cards = [6 * number + suit for suit in range(6) if held >> 6 * number + suit & 1]
        for size in range(1, len(cards) + 1):
            yield from map(Move, permutations(cards, size))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_undo_restores_everything(players: int) -> None:
    """Every move of a game taken back in turn, across rounds, gives each state as it was; then there is nothing to take back (G11)."""
    rng = np.random.default_rng(players)
    state = State.new(players, rng=rng)
    past = []
    while not state.over:
        past.append((json.dumps(state.to_json()), rng.bit_generator.state))
        moves = state.legal_moves()
        move = moves[int(rng.integers(len(moves)))]
        drawn = rng.bit_generator.state
        state.play(move, rng=rng)
        after = json.dumps(state.to_json())
        if len(past) % 7 == 0:
            state.undo()
            rng.bit_generator.state = drawn
            state.play(move, rng=rng)
            assert json.dumps(state.to_json()) == after
    for text, _ in reversed(past):
        state.undo()
        assert json.dumps(state.to_json()) == text
    with pytest.raises(NothingToUndo):
        state.undo()


def test_copies_are_independent() -> None:
    """A copy played on leaves the first as it was, and both can go back on their own."""
    rng = np.random.default_rng(0)
    state = State.new(3, rng=rng)
    start = state.to_json()
    state.play("pass")
    before = state.to_json()
    other = state.copy()
    other.play("pass")
    assert state.to_json() == before
    other.undo()
    other.undo()
    assert other.to_json() == start
    state.undo()
    assert state.to_json() == start


_GAME = """
import json
import numpy as np
from games.sakana.bots import BOTS
from games.sakana.state import State
for seed in (0, 7):
    for players in (2, 4):
        rng = np.random.default_rng(seed)
        state = State.new(players, rng=rng)
        bots = [BOTS["greedy"](), BOTS["random"]()]
        while not state.over:
            print(json.dumps(state.play(bots[state.to_move % 2].choose(state, rng), rng=rng)), json.dumps(state.to_json()))
"""


def test_same_game_in_every_process() -> None:
    """The same seed gives the same game, bots and all, whatever the hash seed of the process (R04)."""
    logs = []
    for hash_seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        logs.append(subprocess.run([sys.executable, "-c", _GAME], env=environment, capture_output=True, text=True, check=True).stdout)
    assert logs[0] == logs[1]
    assert len(logs[0].splitlines()) > 200


def test_free_lead_with_a_full_hand() -> None:
    """With every card of every number in hand all 7 × 1956 stacks can be led."""
    hand = bits(deck(2)[1:])
    found = plays(hand, deck(2)[0], targets((), 0, 2))
    assert len(found) == len(set(found)) == 1 + 7 * 1956 - 1, "all but the Catch of the Day by itself, and the pass"
