"""A match of a card game that is only watched: what a table shows of one moment of it, as one viewer may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.card_log import CardLogEntry
from games.card_match import CardMatch, CardSeat
from games.card_phases import CardPhase
from games.card_scores import RoundSummary, scores_seen
from games.errors import Violation
from games.phases import NotNow

_ONLY_WATCHED = "this match is only watched"


class WatchedPlay:
    """Stands where a table has its `CardPlay`; nobody can do anything. `viewer` None sees everything."""

    def __init__(self, match: CardMatch, viewer: int | None = None) -> None:
        self.match = match
        self.paused = True
        self.messages: list[str] = []
        self.at = 0
        self._look(viewer)

    def look(self, viewer: int | None) -> None:
        """Watch with the eyes of a seat, or see everything."""
        self._look(viewer)

    def _look(self, viewer: int | None) -> None:
        self.viewer = viewer
        self.frames = self.match.frames(viewer)

    @property
    def stopped(self) -> bool:
        """No bot can fail."""
        return False

    def try_again(self) -> None:
        """No bot waits."""

    @property
    def phase(self) -> CardPhase:
        """Nobody plays."""
        return CardPhase.OVER if self.at == len(self.frames) - 1 and self.match.over else CardPhase.WATCHING

    @property
    def names(self) -> tuple[str, ...]:
        """By seat."""
        return self.match.names

    @property
    def seats(self) -> tuple[CardSeat, ...]:
        """Who played."""
        return self.match.seats

    @property
    def persons(self) -> tuple[int, ...]:
        """Nobody can do anything."""
        return ()

    @property
    def to_move(self) -> int | None:
        """Whose turn it was."""
        seat = self.view().get("to_move")
        return seat if isinstance(seat, int) else None

    @property
    def view_seat(self) -> int | None:
        """Whose hand lies open below; of a match seen openly the hand of whoever is to move."""
        return self.viewer if self.viewer is not None else (self.to_move or 0)

    @property
    def next_seat(self) -> int | None:
        """There is no curtain."""
        return None

    def view(self) -> Mapping[str, Any]:
        """What could be seen."""
        return self.frames[self.at].view

    @property
    def scores(self) -> tuple[int | None, ...]:
        """By seat, as known then."""
        outcome = self.match.state.outcome() if self.at == len(self.frames) - 1 else None
        return outcome.scores if outcome else scores_seen(self.view())

    @property
    def rounds(self) -> list[RoundSummary]:
        """Not summed up again."""
        return []

    @property
    def result(self) -> str:
        """How it ended, at its end."""
        return "The match is over"

    @property
    def log(self) -> list[CardLogEntry]:
        """What had been done."""
        return [CardLogEntry(frame.number, frame.round, frame.player, frame.words) for frame in self.frames[1 : self.at + 1]]

    @property
    def due(self) -> float | None:
        """Nothing goes on by itself."""
        return None

    def legal(self, seat: int | None = None) -> Sequence[str]:
        """Nothing."""
        return []

    def explain(self, move: object, seat: int | None = None) -> tuple[Violation, ...]:
        """Nothing to explain."""
        return ()

    def play(self, move: object, seat: int | None = None) -> None:
        """Nobody plays: raises `NotNow`."""
        raise NotNow("moving", self.phase)

    def slap(self, seat: int) -> bool:
        """Nobody plays."""
        return False

    def show_hand(self) -> None:
        """There is no curtain."""

    def go_on(self) -> None:
        """Nothing waits."""

    def leave(self, seat: int) -> None:
        """Nobody plays."""

    @property
    def undo_refusal(self) -> str | None:
        """Why nothing can be taken back."""
        return _ONLY_WATCHED

    def undo(self) -> None:
        """Nobody plays."""

    def update(self) -> bool:
        """Nothing goes on by itself."""
        return False

    def close(self) -> None:
        """Nothing is kept."""
