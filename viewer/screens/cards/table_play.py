"""What a table of a card game asks of the match on it, whether that is played, only watched, or a lesson."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from games.card_log import CardLogEntry
from games.card_match import CardMatch
from games.card_phases import CardPhase
from games.card_scores import RoundSummary
from games.errors import Violation


class CardTablePlay(Protocol):
    """See `CardPlay` for what each is."""

    match: CardMatch
    messages: list[str]

    @property
    def paused(self) -> bool:
        """Whether bots rest and the clock stands still."""

    @paused.setter
    def paused(self, paused: bool) -> None: ...

    @property
    def stopped(self) -> bool:
        """Whether bots have failed so often that they wait for `try_again`."""

    def try_again(self) -> None:
        """Let bots that are stopped go on."""

    @property
    def phase(self) -> CardPhase:
        """What the match waits for."""

    @property
    def names(self) -> tuple[str, ...]:
        """By seat."""

    @property
    def persons(self) -> tuple[int, ...]:
        """Seats of those who can do something at this screen."""

    @property
    def to_move(self) -> int | None:
        """Whose turn it is."""

    @property
    def view_seat(self) -> int | None:
        """Whose hand lies open."""

    @property
    def next_seat(self) -> int | None:
        """For whom the curtain opens."""

    def view(self) -> Mapping[str, Any]:
        """What may be seen now, in protocol form."""

    @property
    def scores(self) -> tuple[int | None, ...]:
        """By seat; None where hidden."""

    @property
    def rounds(self) -> list[RoundSummary]:
        """The rounds that are over."""

    @property
    def result(self) -> str:
        """The result in words."""

    @property
    def log(self) -> list[CardLogEntry]:
        """The acts in words."""

    @property
    def due(self) -> float | None:
        """When `update` has something to do next, if that is known."""

    def legal(self, seat: int | None = None) -> Sequence[str]:
        """The texts of the legal moves."""

    def explain(self, move: object, seat: int | None = None) -> tuple[Violation, ...]:
        """Every rule a move breaks."""

    def play(self, move: object, seat: int | None = None) -> None:
        """Make a move. Raises `IllegalMove`, `NotNow`."""

    def slap(self, seat: int) -> bool:
        """Slap; whether that had a meaning. Raises `IllegalMove` in a lesson."""

    def show_hand(self) -> None:
        """Open the curtain. Raises `NotNow`."""

    def go_on(self) -> None:
        """Leave the end of a round."""

    def leave(self, seat: int) -> None:
        """A person leaves. Raises `NotNow`, `StakdError`."""

    @property
    def undo_refusal(self) -> str | None:
        """Why nothing can be taken back now."""

    def undo(self) -> None:
        """Take back the last move of a person. Raises `CannotTakeBack`."""

    def update(self) -> bool:
        """Let time pass; True if anything is to be drawn anew."""

    def close(self) -> None:
        """Leave the match."""
