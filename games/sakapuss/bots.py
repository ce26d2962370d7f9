"""Bots for Sakapuss, weakest first: `random`, and `greedy`. They know of the game only what `view` shows their seat.

They say what to do; `games.sakapuss.reactions` says when, and with what mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from games.bots import SimultaneousBot
from games.errors import IllegalMove
from games.sakapuss.codes import Code, violation
from games.sakapuss.deck import SLAP, held
from games.sakapuss.move import Move
from games.sakapuss.reactions import LEVELS
from games.sakapuss.state import State
from games.sakapuss.view import SakapussView
from meshes.errors import StakdError


class RandomBot:
    """Any of the moves that are no mistake, all alike: it may overlook its own four, but never slaps wrongly.

    Wrong slaps belong to levels of attention, not to choices. A bot that made them at random would make some 25 a game, which nobody
    wants at the table, and which would not even lose: each takes two cards of a pile in which the shower comes round again.
    """

    def choose(self, state: State, rng: np.random.Generator, *, player: int, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the player can do nothing, `IllegalMove` if he had better wait."""
        return _one_of(_sound_ids(state.view(player)), rng)


class GreedyBot:
    """Slaps when he should, else passes a cat of which he holds fewest. Ties are broken at random (P28)."""

    def choose(self, state: State, rng: np.random.Generator, *, player: int, milliseconds: int | None = None, iterations: int | None = None) -> Move:
        """A legal move; the limits don't matter. Raises `StakdError` if the player can do nothing, `IllegalMove` if he had better wait."""
        view = state.view(player)
        ids = _sound_ids(view)
        if SLAP in ids:
            return Move(SLAP)
        hand = held(view.hand)
        fewest = min(map(hand.count, ids))
        return _one_of([cat for cat in ids if hand.count(cat) == fewest], rng)


def _sound_ids(view: SakapussView) -> list[int]:
    """The legal moves of a player but for a wrong slap."""
    ids = view.ids()
    if not ids:
        raise StakdError(f"player {view.player} can do nothing now: he has slapped, or the game is over")
    sound = [move for move in ids if move != SLAP or view.slapped or view.holds_four]
    if not sound:
        message = f"player {view.player} has chosen a card and waits for the others; a slap would be legal, but wrong"
        raise IllegalMove("a move by a bot", [violation(Code.ALREADY_CHOSEN, message)])
    return sound


def _one_of(ids: Sequence[int], rng: np.random.Generator) -> Move:
    return Move(ids[int(rng.integers(len(ids)))])


BOTS: Mapping[str, Callable[[], SimultaneousBot]] = {"random": RandomBot, "greedy": GreedyBot}

USUAL_LEVELS = {"random": LEVELS["slow"], "greedy": LEVELS["normal"]}
"""How attentive each bot is where nobody chooses: who comes first is half the game, so the weaker bot is the slower one too."""
