"""The arena: bots play against each other in processes, rounds of STAKD or whole card games; win rates with confidence intervals."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from games.bots import choose_move, make_bot
from games.interface import State
from games.processes import cores, process_pool
from games.progress import progress_bar
from games.registry import all_games
from games.sakapuss.simulate import simulate, usual_sitters
from games.sakapuss.state import State as SakapussState
from games.stakd.game import StakdGame
from games.stakd.state import State as StakdState
from meshes.errors import StakdError
from meshes.interval import CONFIDENCE, share_interval
from meshes.piece_set import load_piece_set


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round of STAKD or one card game to be played: the bots by seat (as indices into `names`) and the seed."""

    names: tuple[str, ...]
    seats: tuple[int, ...]
    seed: int
    set_name: str
    milliseconds: int | None
    iterations: int | None
    game: str = "stakd"


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did: rounds (of card games: games) won of those played, and the Wilson 95 % interval of its win rate.

    A victory that is shared is won by all who share it; `shared` counts those among `wins`.
    """

    name: str
    wins: int
    rounds: int
    low: float
    high: float
    shared: int = 0

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
    game: str = "stakd"

    def to_json(self) -> dict[str, Any]:
        """Plain data, for `--json`."""
        keys = ("name", "wins", "shared", "rounds", "rate", "low", "high")
        bots = [{key: getattr(standing, key) for key in keys} for standing in self.standings]
        return {"game": self.game, "bots": bots, "seat_rates": list(self.seat_rates), "seed": self.seed, "confidence": CONFIDENCE}

    def table(self) -> Table:
        """The standings for people."""
        seats = ", ".join(f"seat {i + 1} {rate:.0%}" for i, rate in enumerate(self.seat_rates))
        table = Table(title="Rounds won" if self.game == "stakd" else "Games won", caption=f"won by {seats}")
        for heading in ("bot", "won", "shared", "of", "rate", "95 % interval"):
            table.add_column(heading, justify="left" if heading == "bot" else "right")
        for s in self.standings:
            table.add_row(s.name, str(s.wins), str(s.shared), str(s.rounds), f"{s.rate:.1%}", f"{s.low:.1%} – {s.high:.1%}")
        return table


def play_arena(
    names: Sequence[str],
    rounds: int,
    *,
    game: str = "stakd",
    seed: int = 0,
    set_name: str = "classic",
    milliseconds: int | None = None,
    iterations: int | None = None,
    processes: int | None = None,
    console: Console | None = None,
) -> ArenaResult:
    """Let the bots `names` play `rounds` rounds of STAKD, or so many whole games of another game, seats rotating.

    The result is the same for any number of processes unless bots think by the clock. Raises `StakdError` for an unknown game or bot
    and for more or fewer bots than the game seats. `set_name` is for STAKD alone.
    """
    names = [name.strip() for name in names]
    _check(names, game, set_name)
    pairings = [
        Pairing(tuple(names), _rotated(len(names), i), seed + i // len(names), set_name, milliseconds, iterations, game) for i in range(rounds)
    ]
    won, shared, won_seats = Counter[int](), Counter[int](), Counter[int]()
    for pairing, winners in zip(pairings, _played(pairings, processes or cores(), console), strict=True):
        for seat in winners:
            won[pairing.seats[seat]] += 1
            shared[pairing.seats[seat]] += len(winners) > 1
            won_seats[seat] += 1
    labels = [name if names.count(name) == 1 else f"{name} ({i + 1})" for i, name in enumerate(names)]
    standings = tuple(_standing(label, won[i], shared[i], rounds) for i, label in enumerate(labels))
    return ArenaResult(standings, tuple(won_seats[i] / rounds for i in range(len(names))), seed, game)


def play_round(pairing: Pairing) -> tuple[int, ...]:
    """Play one round of STAKD, or one whole game of another game, and give the winners' seats."""
    # streams belong to bots rather than seats, so that two rounds with seats swapped compare like with like
    streams = [np.random.default_rng([pairing.seed, i]) for i in pairing.seats]
    if pairing.game == "stakd":
        return _play_stakd(pairing, streams)
    rng = np.random.default_rng(pairing.seed)
    state = all_games()[pairing.game].new(len(pairing.seats), options={}, rng=rng)
    if isinstance(state, SakapussState):
        # all act at once, so who comes first is settled by a clock of the game's own
        names = [pairing.names[i] for i in pairing.seats]
        deque(simulate(state, usual_sitters(names, streams), rng=rng), maxlen=0)
    while (outcome := state.outcome()) is None:
        state.play(_choice(pairing, state, streams), rng=rng)
    return outcome.winners


def _play_stakd(pairing: Pairing, streams: Sequence[np.random.Generator]) -> tuple[int, ...]:
    state = StakdState.new(len(pairing.seats), piece_set=load_piece_set(pairing.set_name))
    while True:
        for event in state.play(_choice(pairing, state, streams)):
            if event["type"] == "round_over":
                return (event["winner"],)


def _choice(pairing: Pairing, state: State, streams: Sequence[np.random.Generator]) -> Any:
    """What the bot to move does."""
    seat = state.to_move
    assert seat is not None, "only Sakapuss has no player to move"
    name = pairing.names[pairing.seats[seat]]
    return choose_move(pairing.game, name, state, streams[seat], milliseconds=pairing.milliseconds, iterations=pairing.iterations)


def _check(names: Sequence[str], game: str, set_name: str) -> None:
    for name in names:
        make_bot(game, name)
    fewest, most = StakdGame(load_piece_set(set_name)).players if game == "stakd" else all_games()[game].players
    if not max(fewest, 2) <= len(names) <= most:
        where = f"STAKD with the set {set_name}" if game == "stakd" else game
        raise StakdError(f"{len(names)} bots can't meet: {where} seats {max(fewest, 2)} to {most}")


def _rotated(count: int, by: int) -> tuple[int, ...]:
    return tuple((i + by) % count for i in range(count))


def _standing(name: str, wins: int, shared: int, rounds: int) -> Standing:
    return Standing(name, wins, rounds, *share_interval(wins / rounds, rounds), shared)


def _played(pairings: Sequence[Pairing], processes: int, console: Console | None) -> Iterator[tuple[int, ...]]:
    """The winners' seats of each round in order, with a progress bar."""
    with progress_bar(console or Console(stderr=True), "rounds") as report:
        for number, seats in enumerate(_winners(pairings, processes), 1):
            report(number, len(pairings))
            yield seats


def _winners(pairings: Sequence[Pairing], processes: int) -> Iterable[tuple[int, ...]]:
    if processes == 1:
        yield from map(play_round, pairings)
        return
    with process_pool(min(processes, len(pairings)), if_lost="try again with fewer --processes") as pool:
        yield from pool.map(play_round, pairings)
