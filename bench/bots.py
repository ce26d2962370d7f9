"""How strong is the strong bot? Rounds of two players against the others, one second a move."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rich.console import Console

from bench.finding import Benchmark, Finding, at_least
from games.arena import play_arena

ROUNDS, SMOKE_ROUNDS = 100, 2
MILLISECONDS, SMOKE_MILLISECONDS = 1000, 20
LEAST_WON = {"random": 0.95, "greedy": 0.70}


def strength(smoke: bool) -> Iterator[Finding]:
    """The share of rounds that `mcts` wins against each of the other bots, on all cores."""
    rounds, milliseconds = (SMOKE_ROUNDS, SMOKE_MILLISECONDS) if smoke else (ROUNDS, MILLISECONDS)
    for rival, least in LEAST_WON.items():
        result = play_arena(["mcts", rival], rounds, seed=1, milliseconds=milliseconds, console=Console(stderr=True))
        won = result.standings[0]
        print(f"mcts against {rival}: {won.wins} of {won.rounds}, 95 % interval {won.low:.1%} – {won.high:.1%}", file=sys.stderr, flush=True)
        yield at_least(f"rounds mcts wins against {rival}", won.rate, "of rounds", least, rival)


BENCHMARKS = (Benchmark("bots", "Does mcts, at one second a move, beat random and greedy?", strength),)
