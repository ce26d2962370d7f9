"""Setting up a match of a card game: which game, who plays, how strong."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from games.card_match import CardMatch, CardSeat, CardSetup, game_of
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.theme import SOFT_INK
from viewer.match_draft import BOT_NAMES, mended_names
from viewer.screens.cards.sakana import SakanaTable
from viewer.screens.cards.sakapuss import SakapussTable
from viewer.screens.cards.sardines import SardinesTable
from viewer.screens.cards.table import CardTable
from viewer.screens.players_panel import draw_seat
from viewer.screens.screen import Key, Screen
from viewer.screens.sheet import heading, sheet

if TYPE_CHECKING:
    from viewer.program import Program


class _Level(NamedTuple):
    """Who plays a seat: words, bot, reaction level, time to think in ms, and what there is to say about it."""

    words: str
    bot: str | None
    reactions: str
    milliseconds: int | None
    hint: str


_PERSON = _Level("Person", None, "normal", None, "Somebody at this screen; hands are hidden while the screen is passed on.")
_TURNS = (
    _PERSON,
    _Level("Beginner", "random", "normal", None, "Makes any legal move, by chance."),
    _Level("Easy", "greedy", "normal", None, "Follows rules of thumb."),
    _Level("Hard", "ismcts", "normal", 1000, "Tries out what the hidden cards may be, for a second a move."),
)
_SLAPS = (
    _PERSON,
    _Level("Sleepy", "random", "slow", None, "Passes cats on by chance, and reacts slowly."),
    _Level("Awake", "greedy", "normal", None, "Collects cats alike, and reacts as people usually do."),
    _Level("Quick", "greedy", "quick", None, "Collects cats alike, and reacts quickly; never before a person could."),
)
TABLES: dict[str, type[CardTable]] = {"sakana": SakanaTable, "sardines": SardinesTable, "sakapuss": SakapussTable}
_ABOUT = {
    "sakana": "Beat the last stack or let it be banked. Two to five players, as many rounds as players.",
    "sardines": "Gather fish at the market and fill orders. Two to four players.",
    "sakapuss": "Pass cats on, slap at four alike, keep clear of lice, fleas and ticks. Three to five players.",
}


class CardSetupPage(Screen):
    """Everything is ready to start at once: you against bots."""

    def __init__(self, program: Program, game: str = "sakana") -> None:
        super().__init__(program)
        self._game = game
        self._players = 3
        self._names = [program.settings.player_name, *BOT_NAMES[1:]]
        self._levels = [0, 2, 2, 2, 2]
        self._message = ""

    def enter(self) -> None:
        """Enter starts."""
        self.program.gui.focus("cards/start")

    @property
    def _choices(self) -> Sequence[_Level]:
        return _SLAPS if self._game == "sakapuss" else _TURNS

    def draw(self, gui: Gui) -> None:
        """The sheet in the middle."""
        inner = sheet(gui, "Card games", 860, 560)
        column = Column(inner)
        games = list(TABLES)
        self._game = games[gui.choice("cards/game", column.take(42), [TABLES[game].TITLE for game in games], games.index(self._game))]
        column.take(gui.paint.words(_ABOUT[self._game], inner.x + 4, column.y, 14, colour=SOFT_INK, wrap=inner.w), 12)
        fewest, most = game_of(self._game).players
        self._players = min(most, max(fewest, self._players))
        heading(gui, "Players", column.take(20, 0))
        counts = [str(count) for count in range(fewest, most + 1)]
        self._players = fewest + gui.choice("cards/players", column.take(38)._replace(w=70 * len(counts)), counts, self._players - fewest)
        for seat in range(self._players):
            self._draw_seat(gui, seat, column.take(42, 8))
        gui.paint.words(self._message, inner.x, inner.bottom - 74, 13.5, colour=SOFT_INK, wrap=inner.w)
        learn, back, start = Box(inner.right - 480, inner.bottom - 46, 480, 46).row(3, 12)
        if gui.button("cards/learn", learn, "Learn", hint="Small tasks on the game's own table"):
            self.learn()
        if gui.button("cards/back", back, "Back"):
            self.program.back()
        if gui.button("cards/start", start, "Start", kind=Kind.PRIMARY):
            self.start()

    def _draw_seat(self, gui: Gui, seat: int, row: Box) -> None:
        draw_seat(gui, row.x + 18, row.y + row.h / 2, 15, seat, self._names[seat] or "?")
        self._names[seat] = gui.field(f"cards/name{seat}", Box(row.x + 44, row.y + 2, 220, 38), self._names[seat], hint="Name")[:40]
        choices = self._choices
        words, hints = [level.words for level in choices], [level.hint for level in choices]
        self._levels[seat] = gui.choice(f"cards/level{seat}", Box(row.x + 276, row.y + 1, row.w - 276, 40), words, self._levels[seat], hints=hints)

    def setup(self) -> CardSetup:
        """What is chosen, names mended."""
        names, complaints = mended_names(self._names[: self._players])
        self._message = " ".join(complaints)
        levels = [self._choices[self._levels[seat]] for seat in range(self._players)]
        seats = tuple(CardSeat(name, level.bot, level.reactions, level.milliseconds) for name, level in zip(names, levels, strict=True))
        return CardSetup(self._game, seats, secrets.randbelow(1 << 48))

    def start(self) -> None:
        """Sit down at the table."""
        setup = self.setup()
        self.program.replace(TABLES[self._game].begin(self.program, setup))
        if self._message:
            self.program.tell(self._message)

    def learn(self) -> None:
        """The lessons of the game."""
        from viewer.screens.cards.learn import CardLearnPage

        self.program.open(CardLearnPage(self.program, self._game))

    def on_key(self, key: Key) -> bool:
        """Enter starts wherever no item has the focus."""
        if key.name != "enter":
            return False
        self.start()
        return True


def resume_cards(program: Program, path: Path) -> CardTable:
    """The table of a saved match of a card game, to go on with. Raises `BadRecord`."""
    from games.card_record import load_card_record

    match: CardMatch = load_card_record(path)
    return TABLES[match.setup.game].begin(program, match.setup, match=match, path=path)
