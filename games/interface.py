"""What every game is to the engine, the bots and the front ends, whatever its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from numpy.random import Generator

from games.errors import Violation


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended: the scores by seat and the seats that won (several if they share, none if solo is lost)."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """In protocol form."""
        return {"scores": list(self.scores), "winners": list(self.winners)}


Event = dict[str, Any]
"""Something that happened because of a move, in protocol form: its name stands under `type`."""


class View(Protocol):
    """What one player may know. It holds no way back to what is hidden from him."""

    def to_json(self) -> dict[str, Any]:
        """The keys of the state; a list the player may not see is replaced by its length."""


class State(Protocol):
    """One game in progress. Moves are frozen values with a text form; every method takes the text too.

    A `player` is a seat, 0 and up; left out, it is the player to move. Chance (a reshuffle, say) comes from the generator
    given to `play` and from nowhere else.
    """

    @property
    def players(self) -> int:
        """Number of seats."""

    @property
    def to_move(self) -> int | None:
        """The seat to move, when the game is over one with no moves; always None in a game where several may move at once."""

    def legal_moves(self, player: int | None = None) -> Sequence[object]:
        """The legal moves of the player; none if it is not his turn or the game is over."""

    def explain(self, move: str, *, player: int | None = None) -> tuple[Violation, ...]:
        """Every rule the move breaks; empty if it is legal."""

    def play(self, move: str, *, player: int | None = None, rng: Generator | None = None) -> list[Event]:
        """Make a move; raises `IllegalMove` and changes nothing if it is not legal."""

    def undo(self) -> None:
        """Take back the last move, across rounds too; raises `NothingToUndo`."""

    def copy(self) -> Self:
        """An independent state, its moves to take back included."""

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""

    def view(self, player: int) -> View:
        """What a player may know."""

    def to_json(self) -> dict[str, Any]:
        """The full state in protocol form."""


class Game(Protocol):
    """One game: its name, how many can play, its options, and how to begin. Its bots are in `games.bots`."""

    @property
    def name(self) -> str:
        """Short name (`stakd`)."""

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option with its default."""

    def new(self, players: int, *, options: Mapping[str, Any], rng: Generator) -> State:
        """The first state; raises `BadOptions`."""

    def load(self, data: Mapping[str, Any]) -> State:
        """A state from protocol form; raises `BadState` naming every defect."""
