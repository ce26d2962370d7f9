"""What can go wrong in a game: rules broken, states that make no sense, nothing to take back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from meshes.errors import DefectiveInput, StakdError
from meshes.lattice import Cells
from meshes.placement import Placement


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that a move breaks.

    `code` is a member of the game's own enum, `rule` the row of the rules decisions (`S14`), `message` says in a player's words
    what is wrong. Where it helps to show it on the table, `cells` are the places, `pieces` the laid pieces and `layer` the layer
    concerned; card games leave them empty.
    """

    code: StrEnum
    rule: str
    message: str
    cells: Cells = ()
    pieces: tuple[Placement, ...] = ()
    layer: int | None = None

    def to_json(self) -> dict[str, str]:
        """The three keys the engine protocol shows."""
        return {"code": self.code.value, "rule": self.rule, "message": self.message}


class IllegalMove(StakdError):
    """A move that is not legal now; `violations` holds every rule it breaks."""

    def __init__(self, move: str, violations: Iterable[Violation]) -> None:
        self.move = move
        self.violations = tuple(violations)
        lines = "".join(f"\n  - {entry.message} [{entry.rule}]" for entry in self.violations)
        super().__init__(f"{move} is not legal now:{lines}")


class BadState(DefectiveInput):
    """A state given to us breaks its form or a rule."""

    kind = "state"


class BadOptions(DefectiveInput):
    """A game was asked for with players or options it does not have."""

    kind = "game"


class NothingToUndo(StakdError):
    """There is no move left to take back."""

    def __init__(self) -> None:
        super().__init__("there is no move to take back")


class NoSuchSeat(StakdError):
    """A player is named who is not at the table."""

    def __init__(self, player: int, players: int) -> None:
        self.player, self.players = player, players
        super().__init__(f"there is no player {player}; they are numbered 0 to {players - 1}")


class PlayerNeeded(StakdError):
    """Several players may move at once, and it was not said whose move is meant."""

    def __init__(self) -> None:
        super().__init__("several may move at once, so say whose move it is: give `player`, a seat from 0 up")
