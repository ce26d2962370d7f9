"""Are the rules exact and fast? Counts against known values, speed beside OpenSpiel games driven the same way from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench.finding import Benchmark, Finding, at_least, at_most, equal, rate, seconds
from games.stakd.perft import perft
from games.stakd.state import State
from meshes.errors import MissingExtra
from meshes.piece_set import load_piece_set


def counts(smoke: bool) -> Iterator[Finding]:
    """Perft against the counts that were worked out independently."""
    classic = load_piece_set("classic")
    for players, depth, truth in ((2, 2, 50), (2, 3, 3_328), (1, 3, 1_600)) if smoke else ((2, 4, 269_804), (1, 6, 335_366)):
        found = perft(State.new(players, piece_set=classic), depth)
        yield equal(f"perft {players} players depth {depth}", found, "positions", truth, "known count")


def speed(smoke: bool) -> Iterator[Finding]:
    """Random rounds a second beside OpenSpiel's hive and hex, and the time to fork a state."""
    least = 0.3 if smoke else 6.0
    ours = rate(_rounds(np.random.default_rng(1)), least_seconds=least)
    yield at_least("random 2-player rounds", ours, "rounds/s", 400.0, "400 a second")
    for name, factor in (("hive", 1.0), ("hex", 0.1)):
        theirs = rate(_spiel_rounds(name, np.random.default_rng(1)), least_seconds=least)
        yield at_least(f"random rounds beside {name}", ours, "rounds/s", theirs, f"OpenSpiel {name}", factor=factor)
    yield at_most("fork a state", _fork_seconds() * 1e6, "µs", 10.0)


def _rounds(rng: np.random.Generator) -> Callable[[], int]:
    classic = load_piece_set("classic")

    def play() -> int:
        state = State.new(2, piece_set=classic)
        while state.round == 1:
            moves = state.legal_moves()
            state.play(moves[int(rng.integers(len(moves)))])
        return 1

    return play


def _spiel_rounds(name: str, rng: np.random.Generator) -> Callable[[], int]:
    try:
        import pyspiel
    except ImportError as error:
        raise MissingExtra("the rules benchmark", "open_spiel", "rl") from error
    game = pyspiel.load_game(name)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.integers(len(actions)))])
        return 1

    return play


def _fork_seconds() -> float:
    """Median time of `copy()` on positions from the middle of a round."""
    rng = np.random.default_rng(3)
    state = State.new(2, piece_set=load_piece_set("classic"))
    for _ in range(20):
        moves = state.legal_moves()
        state.play(moves[int(rng.integers(len(moves)))])
    return seconds(lambda: [state.copy() for _ in range(1000)], repeats=9) / 1000


BENCHMARKS = (
    Benchmark("perft", "Do the rules give exactly the known counts?", counts),
    Benchmark("rules", "How fast are the rules, beside OpenSpiel?", speed),
)
