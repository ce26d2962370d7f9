"""The arena: bots play rounds against each other in processes; win rates with confidence intervals."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import binomtest

from games.bots import Bot, make_bot
from games.progress import progress_bar
from games.stakd.state import State
from meshes.errors import StakdError
from meshes.piece_set import load_piece_set

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round to be played: the bots by seat (as indices into `names`) and the seed."""

    names: tuple[str, ...]
    seats: tuple[int, ...]
    seed: int
    set_name: str
    milliseconds: int | None
    iterations: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did: rounds won of rounds played, and the Wilson 95 % interval of its win rate."""

    name: str
    wins: int
    rounds: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """Share of rounds won, 0–1."""
        return self.wins / self.rounds


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """All standings, and the win rate by seat (0–1), which shows whether going first helps."""

    standings: tuple[Standing, ...]
    seat_rates: tuple[float, ...]
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json`."""
        bots = [{"name": s.name, "wins": s.wins, "rounds": s.rounds, "rate": s.rate, "low": s.low, "high": s.high} for s in self.standings]
        return {"bots": bots, "seat_rates": list(self.seat_rates), "seed": self.seed, "confidence": CONFIDENCE}

    def table(self) -> Table:
        """The standings for people."""
        seats = ", ".join(f"seat {i + 1} {rate:.0%}" for i, rate in enumerate(self.seat_rates))
        table = Table(title="Rounds won", caption=f"won by {seats}")
        for heading in ("bot", "won", "of", "rate", "95 % interval"):
            table.add_column(heading, justify="left" if heading == "bot" else "right")
        for s in self.standings:
            table.add_row(s.name, str(s.wins), str(s.rounds), f"{s.rate:.1%}", f"{s.low:.1%} – {s.high:.1%}")
        return table


def play_arena(
    names: Sequence[str],
    rounds: int,
    *,
    seed: int = 0,
    set_name: str = "classic",
    milliseconds: int | None = None,
    iterations: int | None = None,
    processes: int | None = None,
    console: Console | None = None,
) -> ArenaResult:
    """Let the bots `names` play `rounds` rounds, seats rotating.

    The result is the same for any number of processes unless bots think by the clock. Raises `StakdError` for an unknown bot or
    more bots than the set seats.
    """
    names = [name.strip() for name in names]
    _check(names, set_name)
    pairings = [Pairing(tuple(names), _rotated(len(names), i), seed + i // len(names), set_name, milliseconds, iterations) for i in range(rounds)]
    won, won_seats = Counter[int](), Counter[int]()
    for pairing, seat in zip(pairings, _played(pairings, processes or _cores(), console), strict=True):
        won[pairing.seats[seat]] += 1
        won_seats[seat] += 1
    labels = [name if names.count(name) == 1 else f"{name} ({i + 1})" for i, name in enumerate(names)]
    standings = tuple(_standing(label, won[i], rounds) for i, label in enumerate(labels))
    return ArenaResult(standings, tuple(won_seats[i] / rounds for i in range(len(names))), seed)


def play_round(pairing: Pairing) -> int:
    """Play one round and give the winner's seat."""
    state = State.new(len(pairing.seats), piece_set=load_piece_set(pairing.set_name))
    bots: list[Bot] = [make_bot("stakd", pairing.names[i]) for i in pairing.seats]
    # streams belong to bots rather than seats, so that two rounds with seats swapped compare like with like
    streams = [np.random.default_rng([pairing.seed, i]) for i in pairing.seats]
    while True:
        seat = state.to_move
        move = bots[seat].choose(state, streams[seat], milliseconds=pairing.milliseconds, iterations=pairing.iterations)
        for event in state.play(move):
            if event["type"] == "round_over":
                winner: int = event["winner"]
                return winner


def _check(names: Sequence[str], set_name: str) -> None:
    for name in names:
        make_bot("stakd", name)
    most = load_piece_set(set_name).max_players
    if not 2 <= len(names) <= most:
        raise StakdError(f"{len(names)} bots can't meet: the arena seats 2 to {most} with the set {set_name}")


def _rotated(count: int, by: int) -> tuple[int, ...]:
    return tuple((i + by) % count for i in range(count))


def _standing(name: str, wins: int, rounds: int) -> Standing:
    interval = binomtest(wins, rounds).proportion_ci(CONFIDENCE, method="wilson")
    return Standing(name, wins, rounds, float(interval.low), float(interval.high))


def _played(pairings: Sequence[Pairing], processes: int, console: Console | None) -> Iterator[int]:
    """The winners' seats in order, with a progress bar."""
    with progress_bar(console or Console(stderr=True), "rounds") as report:
        for number, seat in enumerate(_winners(pairings, processes), 1):
            report(number, len(pairings))
            yield seat


def _cores() -> int:
    """How many processors this process may use; in a container or under `taskset` fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _winners(pairings: Sequence[Pairing], processes: int) -> Iterable[int]:
    if processes == 1:
        yield from map(play_round, pairings)
        return
    # spawn, because forked children would share the locks of libraries that run threads
    with ProcessPoolExecutor(min(processes, len(pairings)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(play_round, pairings)
