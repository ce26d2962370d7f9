"""Whole games of Sakapuss between bots, without waiting: who acts first is who would have been first at a real table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from numpy.random import Generator

from games.bots import SimultaneousBot
from games.interface import Event
from games.sakapuss.bots import BOTS, USUAL_LEVELS
from games.sakapuss.deck import SLAP
from games.sakapuss.move import Move
from games.sakapuss.position import NO_CARD
from games.sakapuss.reactions import Act, Level, acts, answer_s, first_to_come
from games.sakapuss.state import State

PASS_S = 0.8
"""From the last choice until the new cards can be seen."""

DEAL_S = 3.0
"""From the end of a round until the new hands can be seen."""

PENALTY_S = 2.0
"""A wrong slap holds up the game so long."""

MOST_PASSES = 200
"""After so many passes in one round it is dealt again (P28)."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at one seat. `rng` is for his choices, times and mistakes."""

    bot: SimultaneousBot
    level: Level
    rng: Generator


def usual_sitters(names: Sequence[str], rngs: Sequence[Generator]) -> list[Sitter]:
    """The bots of these names by seat, each as attentive as it usually is."""
    return [Sitter(BOTS[name](), USUAL_LEVELS[name], rng) for name, rng in zip(names, rngs, strict=True)]


@dataclass(frozen=True, slots=True)
class TimedMove:
    """What happened so many seconds after the start. Without `player` and `move` the cats were dealt again (P28)."""

    seconds: float
    player: int | None
    move: Move | None
    events: tuple[Event, ...]


def simulate(state: State, sitters: Sequence[Sitter], *, rng: Generator) -> Iterator[TimedMove]:
    """Play `state` on to its end, in place, and tell every move with its time. `rng` deals and draws lots."""
    table = _Table(state, sitters, rng)
    while not state.over:
        yield table.step()


@dataclass(frozen=True, slots=True)
class _Due:
    seconds: float
    player: int
    move: Move


class _Table:
    """The clock, and what each player is about to do."""

    def __init__(self, state: State, sitters: Sequence[Sitter], rng: Generator) -> None:
        self._state, self._sitters, self._rng = state, sitters, rng
        self._clock, self._passes = 0.0, 0
        self._due: list[_Due] = []
        self._plan(range(state.players), after=0.0)

    def step(self) -> TimedMove:
        """Let the player act whose time comes first."""
        if self._passes >= MOST_PASSES:
            told = self._state.redeal(self._rng)
            self._react(None, told)
            return TimedMove(self._clock, None, None, tuple(told))
        act = self._due.pop(first_to_come([due.seconds for due in self._due], self._rng))
        self._clock = act.seconds
        told = self._state.play(act.move, player=act.player, rng=self._rng)
        moved = TimedMove(self._clock, act.player, act.move, tuple(told))
        self._react(act.player, told)
        return moved

    def _react(self, player: int | None, told: Iterable[Event]) -> None:
        """Plan what the players will do because of what has just been seen."""
        seen = {event["type"] for event in told}
        if "round_over" in seen:
            self._passes = 0
            self._plan(range(self._state.players), after=DEAL_S)
        elif "passed" in seen:
            self._passes += 1
            self._plan(range(self._state.players), after=PASS_S)
        elif "called" in seen:
            self._answer()
        elif "wrong_slap" in seen and player is not None:
            self._due = [_Due(due.seconds + PENALTY_S, due.player, due.move) for due in self._due]
            if all(due.player != player for due in self._due) and self._state.position.chosen[player] == NO_CARD:
                self._plan([player], after=PENALTY_S)

    def _plan(self, players: Iterable[int], *, after: float) -> None:
        """What these players will do with the hands that they see `after` seconds from now. Who has chosen waits."""
        players = list(players)
        self._due = [due for due in self._due if due.player not in players]
        position = self._state.position
        for player in players:
            if position.slapped:
                self._due += self._answers(player)
            elif position.chosen[player] == NO_CARD:
                sitter = self._sitters[player]
                move = sitter.bot.choose(self._state, sitter.rng, player=player)
                self._due += self._timed(player, acts(self._state.view(player), move, sitter.level, sitter.rng), after)

    def _answer(self) -> None:
        """All others slap after a right call; who was about to slap anyhow comes no later than he would have."""
        own = [due for due in self._due if due.move.id == SLAP]
        self._due = [due for player in range(self._state.players) for due in self._answers(player)]
        for slap in own:
            self._due = [slap if due.player == slap.player and slap.seconds < due.seconds else due for due in self._due]

    def _answers(self, player: int) -> list[_Due]:
        if player in self._state.position.slapped:
            return []
        sitter = self._sitters[player]
        return self._timed(player, [Act(answer_s(sitter.level, sitter.rng), Move(SLAP))], 0.0)

    def _timed(self, player: int, planned: Iterable[Act], after: float) -> list[_Due]:
        return [_Due(self._clock + after + act.seconds, player, act.move) for act in planned]
