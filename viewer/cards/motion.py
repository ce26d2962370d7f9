"""Cards on their way from one place to another."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from viewer.cards.faces import CardFaces
from viewer.cards.place import Place
from viewer.settings import Settings

SECONDS = 0.45
"""A flight at the usual speed."""
_HIGH = 0.9
"""Lift in the middle of a flight."""


class FlyingCard(NamedTuple):
    """How a card on its way is drawn."""

    card: str
    place: Place
    face_up: bool
    narrow: float
    lift: float


@dataclass(frozen=True, slots=True)
class Flight:
    """A card's way, on the clock of its `Motion`. With `flip` it is turned over half-way and arrives `face_up`."""

    card: str
    start: Place
    end: Place
    begins: float
    seconds: float
    face_up: bool = True
    flip: bool = False

    @property
    def ends(self) -> float:
        """When it arrives."""
        return self.begins + self.seconds

    def at(self, now: float) -> FlyingCard:
        """The card at a time; before and after the flight, at its start and its end exactly."""
        share = min(1.0, max(0.0, (now - self.begins) / self.seconds))
        if share in (0.0, 1.0):
            return FlyingCard(self.card, self.end if share else self.start, self.face_up != (self.flip and not share), 1.0, 0.0)
        eased = share * share * (3 - 2 * share)
        place = Place(*[a + eased * (b - a) for a, b in zip(self.start, self.end, strict=True)])
        high = math.sin(math.pi * eased)
        face_up = self.face_up if not self.flip or eased >= 0.5 else not self.face_up
        return FlyingCard(self.card, place, face_up, abs(math.cos(math.pi * eased)) if self.flip else 1.0, _HIGH * high)


class Motion:
    """All cards on their way, on a clock of its own that `update` moves on. With reduced motion cards arrive at once.

    Ask `busy` before letting the game go on.
    """

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._now = 0.0
        self._flights: list[Flight] = []

    @property
    def busy(self) -> bool:
        """Whether any card is on its way or waits for its turn."""
        return bool(self._flights)

    def fly(
        self,
        card: str,
        start: Place,
        end: Place,
        *,
        face_up: bool = True,
        flip: bool = False,
        delay: float = 0.0,
        seconds: float = SECONDS,
    ) -> None:
        """Send a card from one place to another after a `delay`; seconds are those of the usual speed. `face_up` as it arrives."""
        if not self._settings().reduced_motion:
            self._flights.append(Flight(card, start, end, self._now + delay, max(1e-3, seconds), face_up, flip))

    def update(self, seconds: float) -> bool:
        """Let time pass; gives whether anything moved."""
        if not self._flights:
            return False
        settings = self._settings()
        self._now = math.inf if settings.reduced_motion else self._now + seconds * settings.animation_speed
        self._flights = [flight for flight in self._flights if flight.ends > self._now]
        if not self._flights:
            self._now = 0.0
        return True

    def finish(self) -> None:
        """All cards arrive now."""
        self._flights = []
        self._now = 0.0

    def flying(self) -> list[FlyingCard]:
        """What is on its way, in the order it was sent."""
        return [flight.at(self._now) for flight in self._flights]

    def draw(self, faces: CardFaces) -> None:
        """Draw what is on its way; at its start what still waits."""
        for card, place, face_up, narrow, lift in self.flying():
            faces.draw(card, place, face_up=face_up, narrow=narrow, lift=lift)
