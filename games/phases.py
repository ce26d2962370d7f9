"""What a match that is being played waits for, and what is refused meanwhile."""

from __future__ import annotations

from enum import Enum

from meshes.errors import StakdError


class Phase(Enum):
    """What a match waits for."""

    PERSON = "a person is to lay a piece"
    HOLDING = "a person holds a piece"
    THINKING = "a bot thinks"
    LAYING = "a piece is being laid, or has been let go"
    SLIPPED = "a piece has slipped and is taken back in a moment"
    FALLEN = "the tower has been knocked over; goes on by `go_on`"
    ROUND_OVER = "a round is over; goes on by `go_on`"
    OVER = "the match is over"


class NotNow(StakdError):
    """Something was asked for in a phase that does not allow it."""

    def __init__(self, deed: str, phase: Enum) -> None:
        self.phase = phase
        super().__init__(f"{deed} is not possible now: {phase.value}")


class NoPlace(StakdError):
    """A piece was taken up that has no legal place anywhere."""

    def __init__(self, piece: str) -> None:
        self.piece = piece
        super().__init__(f"there is no legal place for a {piece} now; take another piece")
