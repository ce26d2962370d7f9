"""A match that is being set up: seats, levels, hands, set and options; mended where need be, and remembered."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from games.stakd.bases import BaseContact
from games.stakd.rules import NewLayerException, Options
from meshes.errors import BadPieceSet
from meshes.piece_set import PieceSet, load_piece_set, shipped_sets
from viewer.settings import HandLevel, SeatChoice, Settings

if TYPE_CHECKING:
    from games.match import MatchSetup, Seat

MOST_SEATS = 5
LONGEST_NAME = 24
MOST_SEED = (1 << 63) - 1
BOT_NAMES = ("Esi", "Ada", "Björn", "Chloé", "Dmitri")
"""By seat."""
_CHANCE = 1_000_000_000


class Level(Enum):
    """Who plays a seat: its words, the bot, its time to think in ms, and what there is to say about it. The first is a person."""

    PERSON = ("Person", None, None, "Somebody at this screen. Several persons take turns.")
    BEGINNER = ("Beginner", "random", None, "Lays any piece in any legal place, by chance.")
    EASY = ("Easy", "greedy", None, "Looks one move ahead and keeps its own places open.")
    MEDIUM = ("Medium", "mcts", 300, "Tries out what may follow, for a third of a second a move.")
    HARD = ("Hard", "mcts", 3000, "Tries out what may follow, for three seconds a move; near the end of a round it often plays without a fault.")

    def __init__(self, words: str, bot: str | None, milliseconds: int | None, hint: str) -> None:
        self.words, self.bot, self.milliseconds, self.hint = words, bot, milliseconds, hint

    @classmethod
    def of(cls, choice: SeatChoice | Seat) -> Level:
        """The level that comes nearest to a seat, or to a choice kept in the settings."""
        known = [level for level in cls if level.bot == choice.bot]
        return min(known, key=lambda level: abs((level.milliseconds or 0) - (choice.milliseconds or 0)), default=cls.EASY)


@dataclass(slots=True)
class SeatDraft:
    """One seat as it stands on the page; the name as it was typed."""

    name: str
    level: Level
    hand: HandLevel = "steady"


@dataclass(slots=True)
class MatchDraft:
    """All that can be chosen. `seats` has room for `MOST_SEATS`, of which the first `players` play; `own` is the path of a set that is not shipped.

    `seed` as typed; empty leaves it to chance.
    """

    piece_set: PieceSet
    seats: list[SeatDraft]
    players: int = 2
    own: str | None = None
    options: Options = field(default_factory=Options)
    seed: str = ""

    @classmethod
    def from_settings(cls, settings: Settings) -> tuple[MatchDraft, str | None]:
        """The last match set up, or you against one bot; and one line for the user if its piece set can't be used any more."""
        chosen = settings.seats[:MOST_SEATS]
        seats = [SeatDraft(choice.name, Level.of(choice), choice.hand) for choice in chosen]
        seats += [SeatDraft(BOT_NAMES[k], Level.EASY) for k in range(len(seats), MOST_SEATS)]
        if not chosen:
            seats[0] = SeatDraft(settings.player_name, Level.PERSON)
        person = next((seat for seat in seats[: len(chosen)] if seat.level is Level.PERSON), None)
        if person is not None:
            person.name = settings.player_name
        options = Options(NewLayerException(settings.new_layer_exception), BaseContact(settings.base_contact))
        message = None
        try:
            piece_set = load_piece_set(settings.piece_set)
        except BadPieceSet as error:
            piece_set, message = (
                load_piece_set("classic"),
                f"The last piece set can't be used, so here is the classic one ({error.defects[0].message}).",
            )
        draft = cls(piece_set, seats, len(chosen) or 2, None, options)
        if message is None and settings.piece_set not in shipped_sets():
            draft.own = settings.piece_set
        draft.choose_set(piece_set, draft.own)
        return draft, message

    @property
    def most_players(self) -> int:
        """How many can play with this set."""
        return min(MOST_SEATS, self.piece_set.max_players)

    @property
    def playing(self) -> list[SeatDraft]:
        """The seats that play."""
        return self.seats[: self.players]

    def choose_set(self, piece_set: PieceSet, own: str | None = None) -> None:
        """Play with another set; `own` is its path if it is not shipped."""
        self.piece_set = piece_set
        self.own = own or self.own
        self.players = min(self.players, self.most_players)

    def choose_level(self, seat: int, level: Level, player_name: str) -> None:
        """Another level; a name that was not typed by anybody goes with it."""
        draft, person = self.seats[seat], f"Player {seat + 1}"
        if level is Level.PERSON and draft.name in BOT_NAMES:
            taken = [other.name for other in self.playing if other.level is Level.PERSON]
            draft.name = person if player_name in taken else player_name
        elif level is not Level.PERSON and draft.name in (person, player_name):
            draft.name = BOT_NAMES[seat]
        draft.level = level

    @property
    def names(self) -> tuple[str, ...]:
        """The names as they will be used: none empty, too long or there twice."""
        return self._names()[0]

    @property
    def complaints(self) -> tuple[str, ...]:
        """What is wrong with the set-up and how it is mended, a sentence each."""
        return (*self._names()[1], *([self.seed_fault] if self.seed_fault else []))

    @property
    def seed_fault(self) -> str:
        """Why the seed can't be used, or nothing."""
        words = self.seed.strip()
        if not words or (words.isascii() and words.isdigit() and int(words[:20]) <= MOST_SEED and len(words) < 20):
            return ""
        return "The number of the match is not a whole number above zero that a match can have, so one is drawn by chance."

    def setup(self) -> MatchSetup:
        """The match, all mended."""
        # the physics behind a match takes its time to import: not before it is wanted
        from games.match import BOARD, MatchSetup, Seat
        from physics.grip import STEADINESS

        seats = []
        for name, draft in zip(self.names, self.playing, strict=True):
            by_bot = draft.level is not Level.PERSON and draft.hand != BOARD
            seats.append(Seat(name, draft.level.bot, STEADINESS[draft.hand] if by_bot else None, draft.level.milliseconds))
        drawn = secrets.randbelow(_CHANCE) if self.seed_fault or not self.seed.strip() else int(self.seed)
        return MatchSetup(self.piece_set, tuple(seats), drawn, self.options)

    def remembered(self) -> dict[str, Any]:
        """The fields of the settings that keep this."""
        choices = (
            SeatChoice(name, draft.level.bot, draft.hand, draft.level.milliseconds) for name, draft in zip(self.names, self.playing, strict=True)
        )
        shipped = self.piece_set.name in shipped_sets()
        person = next((name for name, draft in zip(self.names, self.playing, strict=True) if draft.level is Level.PERSON), None)
        return {
            "seats": tuple(choices),
            "piece_set": self.piece_set.name if shipped or self.own is None else self.own,
            "new_layer_exception": self.options.new_layer_exception.value,
            "base_contact": self.options.base_contact.value,
            **({"player_name": person} if person else {}),
        }

    def _names(self) -> tuple[tuple[str, ...], list[str]]:
        return mended_names([seat.name for seat in self.playing])


def mended_names(typed: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names to play with from those typed, and what was mended, a sentence each."""
    names: list[str] = []
    complaints = []
    for number, raw in enumerate(typed, 1):
        name = " ".join("".join(sign if sign.isprintable() else " " for sign in raw).split())
        if not name:
            name = f"Player {number}"
            complaints.append(f"Seat {number} has no name and plays as {name}.")
        if len(name) > LONGEST_NAME:
            name = name[:LONGEST_NAME].rstrip()
            complaints.append(f"Names have at most {LONGEST_NAME} letters: seat {number} plays as {name}.")
        if name.casefold() in [other.casefold() for other in names]:
            free = next(other for k in range(2, 99) if (other := f"{name[: LONGEST_NAME - 3]} {k}").casefold() not in [n.casefold() for n in names])
            complaints.append(f"{name} is there twice: seat {number} plays as {free}.")
            name = free
        names.append(name)
    return tuple(names), complaints
