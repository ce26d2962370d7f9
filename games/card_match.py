"""A match of a card game: who sits where, what was done, and the rules' state after it.

All chance comes from the match's seed and the number of the act, so that the same set-up and the same acts give the same match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from games.bots import bot_names
from games.card_acts import CardAct, CardActKind
from games.card_eyes import bystander
from games.card_words import seen_move, tell
from games.errors import BadOptions, NothingToUndo
from games.interface import Event, Game, State
from games.registry import all_games
from games.sakapuss.reactions import LEVELS
from games.sakapuss.simulate import MOST_PASSES
from games.sakapuss.state import State as SakapussState
from meshes.errors import Defect, StakdError

__all__ = [
    "CARD_GAMES",
    "CardAct",
    "CardActKind",
    "CardMatch",
    "CardSeat",
    "CardSetup",
    "Frame",
    "bot_seats",
    "game_of",
    "seen",
    "seen_by_nobody",
]

CARD_GAMES = ("sakana", "sakapuss", "sardines")
"""The games this module plays."""

STANDS_IN = "greedy"
"""The bot that plays on in the seat of a person who has left."""

LEVEL = "normal"

THINK, SHUFFLE, DEAL, REFLEX = range(4)
"""What chance is for; each purpose has a generator of its own."""


@dataclass(frozen=True, slots=True)
class CardSeat:
    """Who sits at a place. `bot` None is a person. `level` says how quickly a bot slaps in Sakapuss."""

    name: str
    bot: str | None = None
    level: str = LEVEL
    milliseconds: int | None = None
    iterations: int | None = None


@dataclass(frozen=True)
class CardSetup:
    """Everything that fixes a match before its first act."""

    game: str
    seats: tuple[CardSeat, ...]
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of a replay as one viewer may see it: the act that led to it (none for the start) and the view after it, in protocol form."""

    number: int
    round: int
    player: int | None
    kind: CardActKind | None
    move: str | None
    events: tuple[Event, ...]
    seconds: float
    words: tuple[str, ...]
    view: Mapping[str, Any]


class CardMatch:
    """Set-up, acts and state. `state` may be read and copied, not changed; `seats` has a bot where a person has left.

    It begins with cards dealt by the seed, or at `start`. Raises `BadOptions` or `StakdError` for a set-up that can't be.
    """

    def __init__(self, setup: CardSetup, start: State | None = None) -> None:
        _check(setup)
        self.setup = setup
        dealt = np.random.default_rng((setup.seed, 0, DEAL))
        self.state: State = start or game_of(setup.game).new(len(setup.seats), options=setup.options, rng=dealt)
        self.acts: list[CardAct] = []
        self.round = 1
        self.seats = setup.seats
        self._before: list[tuple[State, int, tuple[CardSeat, ...]]] = []

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.outcome() is not None

    @property
    def names(self) -> tuple[str, ...]:
        """By seat."""
        return tuple(seat.name for seat in self.setup.seats)

    @property
    def simultaneous(self) -> bool:
        """Whether several may move at once."""
        return self.setup.game == "sakapuss"

    def chance(self, purpose: int, *more: int) -> tuple[int, ...]:
        """The seed of the coming act for one purpose. A match loaded from its record goes on as one that was never stopped."""
        return self.setup.seed, len(self.acts), purpose, *more

    def play(self, move: str, *, player: int, seconds: float = 0.0) -> CardAct:
        """A player makes a move. Raises `IllegalMove` with every rule broken; then nothing has changed."""
        after = self.state.copy()
        events = after.play(move, player=player, rng=np.random.default_rng(self.chance(SHUFFLE)))
        return self._append(CardActKind.MOVED, player, move, events, after, seconds)

    def leave(self, player: int, *, seconds: float = 0.0) -> CardAct:
        """A person leaves; a bot plays on in the seat, as every card must stay in the game."""
        if self.over or not 0 <= player < len(self.setup.seats) or self.seats[player].bot is not None:
            raise StakdError("only a person can leave, and only while the match goes on")
        act = self._append(CardActKind.LEFT, player, None, [], self.state.copy(), seconds)
        self.seats = tuple(replace(seat, bot=STANDS_IN) if number == player else seat for number, seat in enumerate(self.seats))
        return act

    @property
    def must_redeal(self) -> bool:
        """Whether cats have been passed so often in this round that it is dealt again (RULES P28)."""
        passes = 0
        for act in reversed(self.acts if self.simultaneous else ()):
            types = {event["type"] for event in act.events}
            if "dealt" in types:
                break
            if types & {"called", "slapped"}:
                return False
            passes += "passed" in types
            if passes >= MOST_PASSES:
                return True
        return False

    def redeal(self, *, seconds: float = 0.0) -> CardAct:
        """Deal the cats of the round again; raises `StakdError` unless `must_redeal`."""
        after = self.state.copy()
        if not self.must_redeal or not isinstance(after, SakapussState):
            raise StakdError("the cats are dealt again only when they have been passed on and on without end")
        events = after.redeal(np.random.default_rng(self.chance(SHUFFLE)))
        return self._append(CardActKind.REDEALT, None, None, events, after, seconds)

    def restore(self, act: CardAct) -> CardAct:
        """Do a recorded act again; gives it as the rules have it now. Raises `IllegalMove`, `StakdError`."""
        if act.kind is CardActKind.REDEALT:
            return self.redeal(seconds=act.seconds)
        if act.player is None:
            raise StakdError("it is not said who did this")
        if act.kind is CardActKind.LEFT:
            return self.leave(act.player, seconds=act.seconds)
        if act.move is None:
            raise StakdError("there is no move in this act")
        return self.play(act.move, player=act.player, seconds=act.seconds)

    def undo(self) -> CardAct:
        """Take back the last act, whatever it was; `games.card_undo` says when that is fair. Raises `NothingToUndo`."""
        if not self.acts:
            raise NothingToUndo
        self.state, self.round, self.seats = self._before.pop()
        return self.acts.pop()

    def state_before(self, number: int) -> State:
        """What the rules knew before act `number`, counted from 1; of the act to come too. Don't change it."""
        return self._before[number - 1][0] if number <= len(self.acts) else self.state

    def frames(self, viewer: int | None) -> list[Frame]:
        """The match from its start as a replay for one player, who sees what he could see then; None: everything open."""
        start = Frame(0, 1, None, None, None, (), 0.0, (), seen(self.state_before(1), viewer))
        return [start, *(self._frame(act, viewer) for act in self.acts)]

    def _frame(self, act: CardAct, viewer: int | None) -> Frame:
        shown = replace(act, move=act.move if viewer is None else seen_move(self.setup.game, act, viewer))
        return Frame(
            number=act.number,
            round=act.round,
            player=act.player,
            kind=act.kind,
            move=shown.move,
            events=act.events,
            seconds=act.seconds,
            words=tuple(tell(self.setup.game, shown, self.names)),
            view=seen(self.state_before(act.number + 1), viewer),
        )

    def _append(self, kind: CardActKind, player: int | None, move: str | None, events: Sequence[Event], after: State, seconds: float) -> CardAct:
        act = CardAct(len(self.acts) + 1, self.round, player, kind, move, tuple(events), round(seconds, 3))
        self._before.append((self.state, self.round, self.seats))
        self.acts.append(act)
        self.state = after
        self.round = next((event["round"] for event in events if event["type"] == "dealt"), self.round)
        return act


def bot_seats(game: str, bots: Sequence[str], *, players: int, iterations: int | None = None) -> tuple[CardSeat, ...]:
    """So many bots (at most ten), taken in turn from `bots`, with names to tell them apart."""
    chosen = [bots[number % len(bots)].strip() for number in range(players)]
    return tuple(CardSeat(f"{name} ({bot})", bot, iterations=iterations) for name, bot in zip(_NAMES[:players], chosen, strict=True))


_NAMES = ("Ada", "Björn", "Chloé", "Dmitri", "Esi", "Farid", "Greta", "Hiro", "Ines", "Jonas")


def seen(state: State, viewer: int | None) -> Mapping[str, Any]:
    """What a viewer sees of a state, in protocol form; None: everything."""
    return state.to_json() if viewer is None else state.view(viewer).to_json()


def seen_by_nobody(state: State) -> Mapping[str, Any]:
    """What everybody may see: no hand is open."""
    return bystander([state.view(player).to_json() for player in range(state.players)])


@cache
def game_of(name: str) -> Game:
    """A card game by name; raises `StakdError` naming those there are."""
    if name not in CARD_GAMES:
        raise StakdError(f"there is no card game {name}; there are {', '.join(CARD_GAMES)}")
    return all_games()[name]


def _check(setup: CardSetup) -> None:
    """Seats must be filled by persons, or bots and levels that exist, and so many can play."""
    fewest, most = game_of(setup.game).players
    defects = []
    if not fewest <= len(setup.seats) <= most:
        defects.append(Defect("bad-players", "seats", f"{setup.game} is for {fewest} to {most} players, not {len(setup.seats)}"))
    for number, seat in enumerate(setup.seats):
        if seat.bot is not None and seat.bot not in (known := bot_names(setup.game)):
            defects.append(Defect("unknown-bot", f"seats[{number}]", f"{setup.game} has no bot {seat.bot}; it has {', '.join(known)}"))
        if seat.level not in LEVELS:
            defects.append(Defect("unknown-level", f"seats[{number}]", f"there is no level {seat.level}; there are {', '.join(LEVELS)}"))
    if defects:
        raise BadOptions(setup.game, defects)
