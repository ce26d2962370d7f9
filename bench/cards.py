"""Are the card games fast? Random play beside OpenSpiel and RLCard driven from Python; searches a second of `ismcts`.

And are their bots strong enough?
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console

from bench.finding import Benchmark, Finding, at_least, rate
from games.arena import play_arena
from games.bots import make_bot
from games.budget import fractions
from games.ismcts import Tree
from games.sakana.search import SakanaSearch
from games.sakana.state import State as Sakana
from games.sakapuss.state import State as Sakapuss
from games.sardines.search import SardinesSearch
from games.sardines.state import State as Sardines
from meshes.errors import MissingExtra

PLAYERS = 3
"""All card games can be played by so many, and OpenSpiel's crazy_eights too; its hearts always has four, RLCard's uno two."""

MIDDLE = {"sakana": 18, "sardines": 35}
"""After so many moves of `greedy` a game of three is half over (Sakana: the middle of a round)."""

LEAST_SEARCHES = 500.0

MEETINGS = (
    ("sakana", ("greedy", "random"), 200, 0.8),
    ("sardines", ("greedy", "random"), 200, 0.8),
    ("sakapuss", ("greedy", "random", "random"), 200, 0.8),
    ("sakana", ("ismcts", "greedy"), 60, 0.6),
    ("sardines", ("ismcts", "greedy"), 60, 0.6),
)
"""Games, the bots that meet, how often, and which share the first must win."""

MILLISECONDS, SMOKE_MILLISECONDS = 1000, 5

Play = Callable[[], int]
"""Plays a whole game at random and tells how many moves the players made; deals and shuffles take time but are no moves."""


def speed(smoke: bool) -> Iterator[Finding]:
    """Random moves a second on one core, at least five times RLCard's and a sixth of OpenSpiel's."""
    least = 0.2 if smoke else 6.0
    anchors = [("OpenSpiel crazy_eights", _spiel(f"crazy_eights(players={PLAYERS})"), 1 / 6), ("OpenSpiel hearts", _spiel("hearts"), 1 / 6)]
    anchors.append(("RLCard uno", _rlcard("uno"), 5.0))
    theirs = [(name, rate(play, least_seconds=least), factor) for name, play, factor in anchors]
    for game, play in (("sakana", _sakana()), ("sardines", _sardines()), ("sakapuss", _sakapuss())):
        # what is looked up in a long run is worked out in its first games
        rate(play, least_seconds=least)
        ours = rate(play, least_seconds=least)
        for name, rival, factor in theirs:
            yield at_least(f"random {game} beside {name}", ours, "moves/s", rival, name, factor=factor)


def searches(smoke: bool) -> Iterator[Finding]:
    """Deals searched in a second by `ismcts` on one core, in the middle of a game of three."""
    for game, new, search in (("sakana", Sakana.new, SakanaSearch()), ("sardines", Sardines.new, SardinesSearch())):
        rng = np.random.default_rng(4)
        state = _middle(game, new(PLAYERS, rng=rng), rng)
        tree: Tree[Any, Any] = Tree(search, state.view(state.to_move), rng)
        found = rate(partial(_grown, tree), least_seconds=0.2 if smoke else 4.0)
        yield at_least(f"{game} searches of ismcts", found, "searches/s", LEAST_SEARCHES, "500 a second")


def strength(smoke: bool) -> Iterator[Finding]:
    """The share of games that the better bot wins, a shared victory for half a one, on all cores; ismcts with a second a move."""
    for game, names, games, least in MEETINGS:
        milliseconds = SMOKE_MILLISECONDS if smoke else MILLISECONDS
        result = play_arena(names, 2 if smoke else games, game=game, seed=1, milliseconds=milliseconds, console=Console(stderr=True))
        won = result.standings[0]
        print(f"{game}: {names[0]} against {names[1]}: 95 % interval {won.low:.1%} – {won.high:.1%}", file=sys.stderr, flush=True)
        yield at_least(f"{game} {names[0]} wins", (won.wins - won.shared / 2) / won.rounds, "of games", least, names[1])


def _grown(tree: Tree[Any, Any]) -> int:
    tree.grow()
    return 1


def _middle(game: str, state: Any, rng: np.random.Generator) -> Any:
    bot = make_bot(game, "greedy")
    for _ in range(MIDDLE[game]):
        state.play(bot.choose(state, rng), rng=rng)
    return state


def _sakana() -> Play:
    rng = np.random.default_rng(1)
    chance = fractions(rng)

    def play() -> int:
        state, made = Sakana.new(PLAYERS, rng=rng), 0
        while not state.over:
            moves = state.position.plays()
            state.play_cards(moves[int(next(chance) * len(moves))], rng)
            made += 1
        return made

    return play


def _sardines() -> Play:
    rng = np.random.default_rng(1)
    chance = fractions(rng)

    def play() -> int:
        state, made, over = Sardines.new(PLAYERS, rng=rng), 0, False
        while not over:
            moves = state.legal_ids()
            over = state.play_id(moves[int(next(chance) * len(moves))], rng)
            made += 1
        return made

    return play


def _sakapuss() -> Play:
    """Every seat in turn does what it may, slaps right and wrong among it."""
    rng = np.random.default_rng(1)
    chance = fractions(rng)

    def play() -> int:
        state, made, seat = Sakapuss.new(PLAYERS, rng=rng), 0, 0
        while not state.over:
            moves = state.position.ids(seat)
            if moves:
                state.play_id(seat, moves[int(next(chance) * len(moves))], rng)
                made += 1
            seat = (seat + 1) % PLAYERS
        return made

    return play


def _spiel(name: str) -> Play:
    game = _anchor("pyspiel", "open_spiel").load_game(name)
    chance = fractions(np.random.default_rng(1))

    def play() -> int:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            made += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(next(chance) * len(actions))])
        return made

    return play


def _rlcard(name: str) -> Play:
    """RLCard's own random play. (Stepped from outside, with chance as cheap as ours, it is twice as fast.)"""
    rlcard = _anchor("rlcard", "rlcard")
    environment = rlcard.make(name, config={"seed": 1})
    agents = importlib.import_module("rlcard.agents")
    environment.set_agents([agents.RandomAgent(num_actions=environment.num_actions) for _ in range(environment.num_players)])

    def play() -> int:
        trajectories, _ = environment.run(is_training=False)
        # states and actions by turns
        return sum(len(seen) // 2 for seen in trajectories)

    return play


def _anchor(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra("the benchmark of the card games", package, "rl") from error


BENCHMARKS = (
    Benchmark("cards", "How fast are the card games, beside OpenSpiel and RLCard?", speed),
    Benchmark("card-bots", "How strong are the bots of the card games?", strength),
    Benchmark("ismcts", "How many deals does ismcts search in a second?", searches),
)
