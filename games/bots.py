"""Bots of all games, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np

from games.errors import PlayerNeeded
from games.interface import State
from meshes.errors import StakdError

_HOMES = {
    "stakd": "games.stakd.bots",
    "sakana": "games.sakana.bots",
    "sakapuss": "games.sakapuss.bots",
    "sardines": "games.sardines.bots",
}
"""For each game the module whose `BOTS` names its bots; imported when first asked for."""


class Bot(Protocol):
    """Somebody who can choose a move. Bots keep nothing between moves: the state, the generator and the limits fix the choice."""

    def choose(self, state: Any, rng: np.random.Generator, *, milliseconds: int | None = None, iterations: int | None = None) -> Any:
        """A legal move for the player to move in `state`, which is left as it was.

        `milliseconds` limits the thinking by the clock, `iterations` by work done, so that the same generator gives the same
        move on every machine; with both, whichever ends first; with neither, a number of iterations of the bot's own. Bots that
        don't search heed neither. Raises `StakdError` if the game is over.
        """
        ...


class SimultaneousBot(Protocol):
    """Somebody who can choose a move in a game where several may move at once, and so must be told his seat. Else like `Bot`."""

    def choose(self, state: Any, rng: np.random.Generator, *, player: int, milliseconds: int | None = None, iterations: int | None = None) -> Any:
        """A legal move for `player` in `state`, which is left as it was.

        Raises `StakdError` if he can't do anything, `IllegalMove` if he can but had better wait.
        """
        ...


def bot_names(game: str) -> tuple[str, ...]:
    """The bots of a game, weakest first; raises `StakdError` for a game without bots."""
    return tuple(_bots(game))


def choose_move(
    game: str,
    name: str,
    state: State,
    rng: np.random.Generator,
    *,
    player: int | None = None,
    milliseconds: int | None = None,
    iterations: int | None = None,
) -> Any:
    """What the bot of this name would do: for the player to move, or for `player` if several may move at once."""
    bot = make_bot(game, name)
    if state.to_move is not None:
        return bot.choose(state, rng, milliseconds=milliseconds, iterations=iterations)
    if player is None:
        raise PlayerNeeded
    return cast("SimultaneousBot", bot).choose(state, rng, player=player, milliseconds=milliseconds, iterations=iterations)


def make_bot(game: str, name: str) -> Bot:
    """The bot of this name; raises `StakdError` naming those there are. In a game where several may move at once, a `SimultaneousBot`."""
    bots = _bots(game)
    if name not in bots:
        raise StakdError(f"{game} has no bot {name}; it has {', '.join(bots)}")
    return bots[name]()


def _bots(game: str) -> Mapping[str, Callable[[], Bot]]:
    if game not in _HOMES:
        raise StakdError(f"there are no bots for {game}; there are for {', '.join(_HOMES)}")
    return cast("Mapping[str, Callable[[], Bot]]", import_module(_HOMES[game]).BOTS)
