"""Who plays in a show: round by round a set-up with other bots, hands and pieces, as far as nothing was asked for."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from games.acts import ActKind, MatchAct
from games.bots import make_bot
from games.match import BOARD, Match, MatchSetup, bot_setup
from meshes.piece_set import PieceSet, load_piece_set
from physics.grip import STEADINESS
from viewer.match_draft import BOT_NAMES

ROUNDS = 3
"""So many rounds are played before others play."""
ITERATIONS = 80
"""Thinking steps of a bot: a moment, and the same show for the same seed."""
_SETS = ("classic", "square")
_CASTS = (("greedy", "mcts"), ("mcts", "greedy"), ("mcts", "random"), ("greedy", "random", "mcts"), ("mcts", "mcts"))
_HANDS = ("normal", "normal", "shaky")
_LEAST_START, _MOST_START = 0.45, 0.6
"""This share of the pieces is laid at once when a round begins, exactly and by chance: laying a foundation is slow to watch, chance builds tall."""


@dataclass(frozen=True, slots=True)
class Casting:
    """The casts of a show. The same values give the same rounds; what is None changes from cast to cast."""

    seed: int
    sets: tuple[PieceSet, ...]
    players: int | None = None
    bots: tuple[str, ...] | None = None
    hand: str | None = None

    @classmethod
    def of(
        cls,
        seed: int | None = None,
        *,
        set_name: str | None = None,
        players: int | None = None,
        bots: Sequence[str] | None = None,
        hand: str | None = None,
    ) -> Casting:
        """Loads the pieces; without a seed one is drawn. Raises `StakdError` for a set, bot or number of players that can't be."""
        sets = tuple(load_piece_set(name) for name in ([set_name] if set_name else _SETS))
        casting = cls(secrets.randbelow(2**31) if seed is None else seed, sets, players, tuple(bots) if bots else None, hand)
        for number in range(len(sets)):
            casting.setup(number * ROUNDS)
        return casting

    def setup(self, number: int) -> MatchSetup:
        """The set-up of a round, counted from 0."""
        cast, round_number = divmod(number, ROUNDS)
        rng = np.random.default_rng((self.seed, cast))
        piece_set = self.sets[cast % len(self.sets)]
        bots = self.bots or _CASTS[int(rng.integers(len(_CASTS)))]
        players = self.players or min(max(2, len(bots)), piece_set.max_players)
        seed = int(np.random.default_rng((self.seed, cast, round_number)).integers(2**31))
        setup = bot_setup(piece_set, bots, players=players, seed=seed, hand=self.hand or "normal", iterations=ITERATIONS)
        names = [seat.name.partition(" (")[0] for seat in setup.seats]
        if players <= len(BOT_NAMES):
            names = [str(name) for name in rng.permutation(BOT_NAMES)[:players]]
        seats = [replace(seat, name=name) for seat, name in zip(setup.seats, names, strict=True)]
        if self.hand is None:
            seats = [replace(seat, hand=STEADINESS[str(rng.choice(_HANDS))]) for seat in seats]
        return replace(setup, seats=tuple(seats))

    def match(self, number: int) -> Match:
        """The match of a round, its first pieces laid."""
        setup = self.setup(number)
        rng = np.random.default_rng((setup.seed, number))
        pieces = sum(sum(Match(setup).state.hand(player).values()) for player in range(len(setup.seats)))
        return _begun(setup, round(rng.uniform(_LEAST_START, _MOST_START) * pieces))


def _begun(setup: MatchSetup, count: int) -> Match:
    """A match after `count` acts, or fewer if the round would be over."""
    match, bot = Match(setup), make_bot("stakd", "random")
    for number in range(1, count + 1):
        move = bot.choose(match.state, np.random.default_rng(match.chance(0)))
        match.restore(MatchAct(number, 1, match.state.to_move, ActKind.PLACED, move, BOARD, 0.0, (), False, None, None, ()))
        if match.state.round > 1 or match.over:
            return _begun(setup, number * 3 // 4)
    return match
