"""Results of a study: what one game was, as plain values that go into the journal and come back."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from games.acts import ActKind
from games.sealing import LineFault
from games.study.setup import Task
from meshes.forms import form_defects


class ActRow(NamedTuple):
    """One act: the piece tried and its layer, the seat, what came of it, how far off its place it rests (mm), how many laid pieces fell, what
    fell first in words, and the whole move as text."""

    piece: str
    layer: int
    seat: int
    kind: ActKind
    offset_mm: float | None
    fallen: int
    knock_over: str | None
    move: str


class PlacementRow(NamedTuple):
    """One placement for which the chance of a fall was reckoned: the piece and its layer, how many pieces stood, hands, falls, margins."""

    piece: str
    layer: int
    pieces: int
    hands: int
    falls: int
    margins_mm: tuple[float, ...]


class GameResult(BaseModel):
    """One game. `values`: of what was varied. `height_mm`, `layers`, `pieces`: of the tower at the end, after a fall as it stood before.

    `winner`, `toppled_by`: seats, None if there is none. `fault`: why the game could not be played to its end; such a game counts nowhere.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    design: int
    game: int
    seed: int
    values: tuple[float, ...]
    layers: int
    height_mm: float
    pieces: int
    winner: int | None
    toppled_by: int | None
    acts: tuple[ActRow, ...]
    placements: tuple[PlacementRow, ...]
    fault: str | None = None

    @property
    def task(self) -> Task:
        """Which game of the study this is."""
        return Task(self.design, self.game)

    @property
    def fell(self) -> bool:
        """Whether the round ended in a knock-over."""
        return self.toppled_by is not None

    @property
    def moves(self) -> tuple[str, ...]:
        """The pieces of the tower at the end, after a fall as it stood before."""
        return tuple(act.move for act in self.acts if act.kind is ActKind.PLACED)

    @property
    def slips(self) -> int:
        """How often a piece had to be taken back."""
        return sum(act.kind is ActKind.TAKEN_BACK for act in self.acts)

    @classmethod
    def of(cls, content: dict[str, Any]) -> Self:
        """The result in a line of a journal; raises `LineFault`."""
        try:
            return cls.model_validate(content, strict=False)
        except ValidationError as error:
            raise LineFault(*form_defects(error)) from error
