"""The set-up of a study: everything that fixes its results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from games.bots import make_bot
from games.match import BOARD
from games.study.variation import Dimension, Values, Variation, draw_values, varied_set
from meshes.errors import StakdError
from meshes.piece_set import PieceSet, build_piece_set
from physics.build import physics_build
from physics.grip import STEADINESS

STUDY_VERSION = 4
"""Raised whenever the same set-up could give other results."""


class Task(NamedTuple):
    """One game of a study: which design (0 is the set, 1 the one it is compared with) and which number."""

    design: int
    game: int


@dataclass(frozen=True)
class StudySetup:
    """Bot rounds of STAKD to be played. The same set-up gives the same results on any number of processes and on a cluster.

    `against` is a second set to be compared; both play games of the same seeds. `placements`: of so many acts of each round, drawn evenly, the
    chance of a fall is reckoned too (`physics.chance`), each from `hands` hands. `iterations` limits the thinking of bots that search.
    """

    piece_set: PieceSet
    games: int
    variations: tuple[Variation, ...] = ()
    against: PieceSet | None = None
    players: int = 2
    bots: tuple[str, ...] = ("greedy",)
    hand: str = "normal"
    seed: int = 0
    placements: int = 2
    hands: int = 100
    iterations: int | None = None

    @property
    def designs(self) -> tuple[PieceSet, ...]:
        """The sets that play."""
        return (self.piece_set,) if self.against is None else (self.piece_set, self.against)

    @property
    def tasks(self) -> list[Task]:
        """All games, in the order of their numbers."""
        return [Task(design, game) for game in range(self.games) for design in range(len(self.designs))]

    def check(self) -> None:
        """Raises `StakdError` for bots, hands or player counts that can't be."""
        for bot in self.bots:
            make_bot("stakd", bot)
        if self.hand != BOARD and self.hand not in STEADINESS:
            raise StakdError(f"there is no hand {self.hand}; there are {BOARD}, {', '.join(STEADINESS)}")
        for design in self.designs:
            if not 1 <= self.players <= design.max_players:
                raise StakdError(f"{self.players} can't play: the set {design.name} has hands for 1 to {design.max_players} players")
        if self.against is not None and self.variations:
            raise StakdError("two sets are compared as they are: leave out either what is to be varied or the second set")

    def values(self, task: Task) -> Values:
        """The values of what is varied in one game."""
        return draw_values(self.piece_set, self.variations, self.rng(task, 1)) if self.variations else ()

    def played_set(self, task: Task) -> PieceSet:
        """The set that one game is played with."""
        return varied_set(self.designs[task.design], self.variations, self.values(task))

    def match_seed(self, task: Task) -> int:
        """The seed of the match of one game."""
        return int(self.rng(task, 0).integers(2**63))

    def rng(self, task: Task, purpose: int) -> np.random.Generator:
        """Chance for one purpose in one game: 0 the match, 1 the design, 2 which placements and their hands."""
        return np.random.default_rng([self.seed, task.game, purpose])

    def to_json(self) -> dict[str, Any]:
        """Plain data, sets included, from which `from_json` makes the same set-up anywhere."""
        return {
            "set": _set_json(self.piece_set),
            "against": None if self.against is None else _set_json(self.against),
            "games": self.games,
            "vary": [[variation.dimension.word, variation.low, variation.high] for variation in self.variations],
            **{key: getattr(self, key) for key in _PLAIN},
            "bots": list(self.bots),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StudySetup:
        """The set-up of plain data that `to_json` made."""
        variations = tuple(Variation(_dimension(word), low, high) for word, low, high in data["vary"])
        against = None if data["against"] is None else _set_of(data["against"])
        plain = {key: data[key] for key in _PLAIN}
        return cls(_set_of(data["set"]), data["games"], variations, against, bots=tuple(data["bots"]), **plain)

    @property
    def text(self) -> str:
        """`to_json` as text: what is sent to other processes. Keys stay in order, as the order of pieces counts."""
        return json.dumps(self.to_json(), separators=(",", ":"))

    @property
    def digest(self) -> str:
        """Changes whenever results of a game could; how many games there are does not count."""
        known = {**self.to_json(), "games": None, "version": STUDY_VERSION, "physics": physics_build()}
        return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:32]


@lru_cache(maxsize=4)
def setup_of(text: str) -> StudySetup:
    """The set-up of a text that `StudySetup.text` gave."""
    return StudySetup.from_json(json.loads(text))


_PLAIN = ("players", "hand", "seed", "placements", "hands", "iterations")


def _set_json(piece_set: PieceSet) -> dict[str, Any]:
    return {"name": piece_set.name, "source": dict(piece_set.source)}


def _set_of(data: Mapping[str, Any]) -> PieceSet:
    return build_piece_set(data["name"], data["source"])


def _dimension(word: str) -> Dimension:
    dimension = Dimension.named(word)
    if dimension is None:
        raise StakdError(f"there is no dimension {word}")
    return dimension
