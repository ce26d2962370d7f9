"""Random games of Sakapuss: no card is ever lost or doubled, everything can be taken back, and the seed fixes all."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest

from games.errors import IllegalMove
from games.sakapuss.deck import CATS, PILE, SLAP, held
from games.sakapuss.position import NO_CARD
from games.sakapuss.state import State

LOG = """
import hashlib
import numpy as np
from games.sakapuss.simulate import simulate, usual_sitters
from games.sakapuss.state import State
rng = np.random.default_rng(7)
state = State.new(4, rng=rng)
seen = hashlib.sha256()
names = ["greedy", "random", "greedy", "greedy"]
for moved in simulate(state, usual_sitters(names, [np.random.default_rng(seat) for seat in range(4)]), rng=rng):
    seen.update(repr((moved, state.to_json())).encode())
print(seen.hexdigest())
"""


def _moves(state: State, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Moves to the end of the game, as ids: seats act in random order, collect cats, and now and then slap wrongly."""
    while not state.over:
        player = int(rng.integers(state.players))
        ids, hand = state.position.ids(player), held(state.position.hands[player])
        passes = [move for move in ids if move != SLAP]
        if SLAP in ids and (state.position.slapped or state.view(player).holds_four or rng.random() < 0.02):
            yield player, SLAP
        elif passes:
            yield player, min(passes, key=lambda cat: (hand.count(cat), rng.random()))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_card_is_lost_or_doubled(players: int) -> None:
    """After each act of 300 games all zones together hold each card once: four cats a kind, and the 25 of the pile."""
    rng = np.random.default_rng(players)
    cats, pile = sorted(cat for cat in range(players) for _ in range(4)), sorted(PILE)
    for game in range(300):
        state = State.new(players, rng=rng, false_slap_ends_round=game % 3 == 2)
        for player, move in _moves(state, rng):
            state.play_id(player, move, rng)
            position = state.position
            hands = list(map(held, position.hands))
            assert sorted(cat for hand in hands for cat in hand) == cats
            assert {len(hand) for hand in hands} == {4}
            assert sorted(chain(position.pile, *position.front)) == pile
            assert len(position.pile) >= 7
            assert NO_CARD in position.chosen


def test_everything_can_be_taken_back() -> None:
    """After each of 1,000 moves the one before, with the generator where it stood, leads to the same state again (across rounds too)."""
    rng = np.random.default_rng(9)
    state, seen = State.new(3, rng=rng), 0
    while seen < 1_000:
        if state.over:
            state = State.new(3, rng=rng)
        for player, move in _moves(state, rng):
            before, stood = state.to_json(), rng.bit_generator.state
            text = "slap" if move == SLAP else f"pass {CATS[move]}"
            told = state.play(text, player=player, rng=rng)
            after = state.to_json()
            state.undo()
            assert state.to_json() == before
            rng.bit_generator.state = stood
            assert state.play(text, player=player, rng=rng) == told
            assert state.to_json() == after
            seen += 1


def test_a_saved_game_goes_on_as_if_it_had_not_been_saved() -> None:
    """Each state, written as JSON and read back after every act, leads to the same next state."""
    rng, other = np.random.default_rng(4), np.random.default_rng(4)
    state, saved = State.new(5, rng=rng), State.new(5, rng=other)
    picks = np.random.default_rng(8)
    for player, move in _moves(state, picks):
        state.play_id(player, move, rng)
        saved = State.from_json(json.loads(json.dumps(saved.to_json())))
        saved.play_id(player, move, other)
        assert saved.to_json() == state.to_json()


def test_an_illegal_move_leaves_the_game_as_it_was() -> None:
    """Moves that nobody may make now change nothing at any moment."""
    rng = np.random.default_rng(2)
    state = State.new(4, rng=rng)
    for player, move in _moves(state, rng):
        before = state.to_json()
        for seat in range(4):
            for text in ("pass E", "slap slap"):
                with pytest.raises(IllegalMove):
                    state.play(text, player=seat, rng=rng)
        assert state.to_json() == before
        state.play_id(player, move, rng)


def test_the_seed_fixes_the_game_in_every_process() -> None:
    """All states and events of a game hang on the seed, not on how Python hashes."""
    logs = [
        subprocess.run([sys.executable, "-c", LOG], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("0", "1", "77")
    ]
    assert len(logs[0].strip()) == 64
    assert len(set(logs)) == 1
