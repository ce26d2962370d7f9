"""What is fixed for a whole match of STAKD: piece set, players, options, and the tables that follow from them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from games.errors import BadOptions
from games.stakd.bases import BaseContact, BaseTable
from games.stakd.board import Board, Shape
from meshes.errors import Defect
from meshes.piece_set import PieceSet, load_piece_set

Hand = tuple[int, ...]
"""How many pieces of each type one player holds, in the order of the piece set."""

PIECES_BEFORE_NEW_LAYER = 6
"""So many pieces must lie on a layer before the next may be started (S25)."""

POINTS_TO_WIN = 3
"""The first player with this score wins the game (S40)."""

_BOARDS_KEPT = 64


class NewLayerException(StrEnum):
    """Option S27: who must be without a move on the current layer before it may be left early.

    `MOVER`: the player to move. `ALL`: every player still in the round.
    """

    MOVER = "mover"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Options:
    """The readings of the rulebook that players can choose (S7, S27)."""

    new_layer_exception: NewLayerException = NewLayerException.MOVER
    base_contact: BaseContact = BaseContact.ONE_BASE

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Options:
        """Options from protocol form; missing ones take their default. Raises `BadOptions` naming every unknown key or value."""
        kinds: dict[str, type[StrEnum]] = {"new_layer_exception": NewLayerException, "base_contact": BaseContact}
        defects = []
        for key, value in data.items():
            if key not in kinds:
                defects.append(Defect("unknown-key", f"options.{key}", f"no such option; STAKD has {', '.join(kinds)}"))
            elif not isinstance(value, str) or value not in list(kinds[key]):
                defects.append(Defect("bad-value", f"options.{key}", f"must be one of {', '.join(kinds[key])}"))
        if defects:
            raise BadOptions("stakd", defects)
        return cls(**{key: kinds[key](value) for key, value in data.items()})  # type: ignore[arg-type]

    def to_json(self) -> dict[str, str]:
        """Both options in protocol form."""
        return {"new_layer_exception": self.new_layer_exception.value, "base_contact": self.base_contact.value}


class Rules:
    """One piece set, number of players and choice of options; made by `rules_for`, shared by all states, never changed.

    `names` are the piece types in the order of the set, `shapes` their distinct rotations, `base` the index of the BASE,
    `hand` what each player takes, `seats` the number of players.
    """

    __slots__ = ("_boards", "_spots", "base", "bases", "everyone_counts", "hand", "names", "options", "piece_set", "seats", "shapes", "single")

    def __init__(self, piece_set: PieceSet, players: int, options: Options) -> None:
        self.piece_set, self.seats, self.options = piece_set, players, options
        self.names = tuple(piece.name for piece in piece_set.pieces)
        self.shapes = tuple(tuple(map(Shape, piece_set.lattice.orientations(piece.cells))) for piece in piece_set.pieces)
        self.single = tuple(piece.is_uni for piece in piece_set.pieces)
        self.base = self.names.index(piece_set.base.name)
        self.hand: Hand = piece_set.hands[players - 1]
        self.bases = BaseTable(piece_set.lattice, piece_set.base, options.base_contact)
        self.everyone_counts = options.new_layer_exception is NewLayerException.ALL
        self._boards: OrderedDict[tuple[int, ...], Board] = OrderedDict()
        self._spots: OrderedDict[tuple[int, ...], tuple[int, ...]] = OrderedDict()

    def spots(self, bases: tuple[int, ...]) -> tuple[int, ...]:
        """Ids of the legal places for one more BASE."""
        key = tuple(sorted(bases))
        found = self._spots.get(key)
        if found is None:
            found = self._spots[key] = self.bases.spots(bases)
            if len(self._spots) > _BOARDS_KEPT:
                self._spots.popitem(last=False)
        return found

    def board(self, bases: tuple[int, ...]) -> Board:
        """The board above these bases."""
        found = self._boards.get(bases)
        if found is None:
            cells = tuple(self.bases.cells(base) for base in bases)
            found = self._boards[bases] = Board(self.piece_set.lattice, self.names, self.shapes, cells, self.base)
            if len(self._boards) > _BOARDS_KEPT:
                self._boards.popitem(last=False)
        return found


def rules_for(players: int, *, piece_set: PieceSet | None = None, options: Options | None = None) -> Rules:
    """The rules for so many players, by default with the classic set and default options.

    Raises `BadOptions` if the set has no hand for that number of players.
    """
    piece_set = piece_set or _classic()
    if not 1 <= players <= piece_set.max_players:
        message = f"the set {piece_set.name} is for 1 to {piece_set.max_players} players, not {players}"
        raise BadOptions("stakd", [Defect("bad-players", "players", message)])
    return _rules(piece_set, players, options or Options())


@lru_cache(maxsize=1)
def _classic() -> PieceSet:
    return load_piece_set("classic")


@lru_cache(maxsize=64)
def _rules(piece_set: PieceSet, players: int, options: Options) -> Rules:
    return Rules(piece_set, players, options)
