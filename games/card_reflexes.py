"""What bots do in Sakapuss and when, on the match's own clock: a plan that follows from the acts and the seed alone.

A match loaded from its record, whatever moment it was stopped at, goes on with the same plan. Times and mistakes are those of
`games.sakapuss.reactions`; the table waits as in `games.sakapuss.simulate`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from games.bots import choose_move
from games.card_acts import CardAct, CardActKind
from games.card_match import REFLEX, CardMatch
from games.sakapuss.deck import SLAP
from games.sakapuss.move import Move
from games.sakapuss.position import NO_CARD
from games.sakapuss.reactions import LEVELS, SLAP_WINDOW_S, Act, acts, answer_s
from games.sakapuss.simulate import PASS_S, PENALTY_S
from games.sakapuss.state import State


@dataclass(frozen=True, slots=True)
class Due:
    """A seat makes a move at a time on the match's clock, in s. `lot` decides between equal times (RULES P26)."""

    seconds: float
    lot: float
    seat: int
    move: Move


class Reflexes:
    """The plan. Tell it each act by `hear`, in order; after an undo make a new one."""

    def __init__(self, match: CardMatch) -> None:
        self._match = match
        self.hold_until = PASS_S
        """Until then cards are between hands, or two are being drawn: nobody acts, and slaps don't count (RULES P6, P10)."""
        self._due: list[Due] = []
        self._state = _sakapuss(match, 1)
        self._plan(range(self._state.players), 0, after=PASS_S)
        for act in match.acts:
            self.hear(act)

    @property
    def next(self) -> Due | None:
        """What comes first."""
        return min(self._due, key=lambda due: (due.seconds, due.lot), default=None)

    @property
    def called(self) -> bool:
        """Whether somebody has rightly slapped, so that all slap now."""
        return bool(self._state.position.slapped)

    def chooser(self, persons: Iterable[int], now: float) -> int | None:
        """The person who is to choose a cat, going round from the dealer's left; None while nobody is."""
        if self.called or now < self.hold_until:
            return None
        chosen, dealer = self._state.position.chosen, self._state.position.dealer
        open_seats = [seat for seat in persons if chosen[seat] == NO_CARD]
        return min(open_seats, key=lambda seat: (seat - dealer - 1) % len(chosen), default=None)

    def hear(self, act: CardAct) -> None:
        """Plan what bots will do because of an act that has just been made."""
        self._state = _sakapuss(self._match, act.number + 1)
        seen = {event["type"] for event in act.events}
        self._forget(act, seen)
        if self._state.over:
            self._due.clear()
        elif seen & {"dealt", "passed"}:
            self.hold_until = round(act.seconds + PASS_S, 3)
            self._due.clear()
            self._plan(range(self._state.players), act.number, after=self.hold_until)
        elif "called" in seen:
            self._answer(act)
        elif "wrong_slap" in seen and act.player is not None:
            self.hold_until = round(act.seconds + PENALTY_S, 3)
            self._due = [replace(due, seconds=round(due.seconds + PENALTY_S, 3)) for due in self._due]
            if all(due.seat != act.player for due in self._due):
                self._plan([act.player], act.number, after=self.hold_until)
        elif act.kind is CardActKind.LEFT and act.player is not None:
            self._due = [due for due in self._due if due.seat != act.player]
            self._plan([act.player], act.number, after=max(act.seconds, self.hold_until))

    def _forget(self, act: CardAct, seen: set[str]) -> None:
        """What has been done is no longer due."""
        if act.move is not None:
            done = next((due for due in self._sorted() if due.seat == act.player and str(due.move) == act.move), None)
            self._due = [due for due in self._due if due is not done and not ("slapped" in seen and due.seat == act.player)]

    def _sorted(self) -> list[Due]:
        return sorted(self._due, key=lambda due: (due.seconds, due.lot))

    def _plan(self, seats: Iterable[int], number: int, *, after: float) -> None:
        """What the bots among these seats will do with hands that are seen from `after` on. Who has chosen waits."""
        for seat in seats:
            position, sitter = self._state.position, self._match.seats[seat]
            if sitter.bot is None:
                continue
            rng = self._rng(number, seat)
            if position.slapped:
                self._due += self._answers(seat, rng, after)
            elif position.chosen[seat] == NO_CARD:
                move = choose_move("sakapuss", sitter.bot, self._state, rng, player=seat)
                planned = acts(self._state.view(seat), move, LEVELS[sitter.level], rng)
                self._due += [self._at(after, act, seat, rng) for act in planned]

    def _answer(self, act: CardAct) -> None:
        """All others slap after a right call; who was about to slap anyhow comes no later than he would have. Persons who never come are
        last, one drawn among them: the others get their slap at the end of the window (RULES P26)."""
        own = {due.seat: due for due in self._due if str(due.move) == "slap"}
        self._due = []
        for seat in range(self._state.players):
            if seat not in self._state.position.slapped:
                rng = self._rng(act.number, seat)
                answers = self._answers(seat, rng, act.seconds)
                self._due += [own[seat]] if seat in own and own[seat].seconds < answers[0].seconds else answers

    def _answers(self, seat: int, rng: Generator, after: float) -> list[Due]:
        sitter = self._match.seats[seat]
        seconds = SLAP_WINDOW_S if sitter.bot is None else answer_s(LEVELS[sitter.level], rng)
        return [self._at(after, Act(seconds, Move(SLAP)), seat, rng)]

    def _at(self, after: float, act: Act, seat: int, rng: Generator) -> Due:
        return Due(round(after + act.seconds, 3), float(rng.random()), seat, act.move)

    def _rng(self, number: int, seat: int) -> Generator:
        return np.random.default_rng((self._match.setup.seed, number, REFLEX, seat))


def _sakapuss(match: CardMatch, number: int) -> State:
    state = match.state_before(number)
    assert isinstance(state, State), "reflexes are for Sakapuss only"
    return state
