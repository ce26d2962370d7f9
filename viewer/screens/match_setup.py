"""Setting up a match: who plays, how well, with which hand, and which reading of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, TypeVar, get_args

from games.stakd.bases import BaseContact
from games.stakd.rules import NewLayerException
from meshes.errors import BadPieceSet, StakdError
from meshes.piece_set import load_piece_set, shipped_sets
from physics.grip import STEADINESS
from viewer.gui.box import Box, Column
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import FAINT_INK, RED, SEATS, SOFT_INK, Face, colour
from viewer.match_draft import Level, MatchDraft
from viewer.screens.screen import Key, Screen
from viewer.screens.sheet import heading, sheet
from viewer.settings import HandLevel, Placing

if TYPE_CHECKING:
    from viewer.program import Program

_Option = TypeVar("_Option")
HANDS: tuple[HandLevel, ...] = get_args(HandLevel)
_LEVELS = tuple(Level)
_PLACING = {
    Placing.BOARD: ("On the board", "Persons glide pieces from one legal place to the next; each lies exactly. Can be changed at any time."),
    Placing.HAND: ("By hand", "Persons hold the piece itself; it may bump into others and lies where it is let go. Can be changed at any time."),
}
_CONTACT = {
    BaseContact.ONE_BASE: ("Locked", "Two nodes of a new BASE must touch one and the same BASE that lies there. So the foundation can't swing."),
    BaseContact.TWO_PAIRS: (
        "Two touches",
        "Two pairs of touching nodes are enough, with whichever BASEs: one node nestling between two others counts twice.",
    ),
    BaseContact.ANY: ("Any touch", "One touching node is enough. Foundations become wider and more varied."),
}
_EXCEPTION = {
    NewLayerException.MOVER: (
        "Who is stuck",
        "With fewer than six pieces on a layer, you may open the next one as soon as you have no place left for your pieces on this one.",
    ),
    NewLayerException.ALL: (
        "All are stuck",
        "With fewer than six pieces on a layer, the next one opens only when nobody in the round has a place left on this one. "
        "Whoever is stuck before that is out.",
    ),
}


class MatchSetupPage(Screen):
    """Begins as the last match was set up, or with you against one bot; Enter starts at once."""

    def __init__(self, program: Program, set_name: str | None = None) -> None:
        """`set_name`: play with this set, a shipped one or one's own by its path, whatever was played with last."""
        super().__init__(program)
        self.draft, message = MatchDraft.from_settings(program.settings)
        self._more = False
        self._fresh = True
        if message:
            program.tell(message)
        if set_name is not None:
            self._choose_set(set_name)

    def leave(self) -> None:
        """The set-up is remembered, started or not."""
        settings, kept = self.program.settings, self.draft.remembered()
        if any(getattr(settings, name) != value for name, value in kept.items()):
            self.program.change(**kept)

    def start(self) -> None:
        """Play."""
        from viewer.screens.table import TablePage

        try:
            page = TablePage(self.program, self.draft.setup())
        except StakdError as error:
            self.program.tell(f"This match can't begin: {error}")
            return
        self.program.replace(page)

    def on_key(self, key: Key) -> bool:
        """Enter starts, Escape closes what is open."""
        if key.name == "escape" and self._more:
            self._more = False
        elif key.name == "enter" and not self._more:
            self.start()
        else:
            return False
        return True

    def on_drop(self, paths: list[str]) -> None:
        """A piece set of one's own."""
        self._choose_set(paths[0])

    def draw(self, gui: Gui) -> None:
        """The sheet, and what is open over it."""
        with gui.blocked(self._more):
            inner = sheet(gui, "New match", 940, 560)
            self._draw_players(gui, Box(inner.right - 330, inner.y - 50, 330, 40))
            column = Column(inner)
            self._draw_heads(gui, column.take(20, 4))
            for seat in range(self.draft.players):
                self._draw_seat(gui, column.take(40, 7), seat)
            foot = Box(inner.x, inner.bottom - 46, inner.w, 46)
            self._draw_note(gui, Box(inner.x, column.y, inner.w, foot.y - 88 - column.y))
            self._draw_table(gui, Box(inner.x, foot.y - 78, inner.w, 62))
            self._draw_foot(gui, foot)
        if self._more:
            self._draw_more(gui)
        self._fresh = False

    # --- parts

    def _draw_players(self, gui: Gui, box: Box) -> None:
        count = self.draft.most_players
        gui.paint.words_in("Players", Box(box.x, box.y, 64, box.h), align=Align.LEFT)
        words = [str(k + 1) for k in range(count)]
        hints = [
            "Solo: try to lay all pieces by yourself.",
            *(f"{k} play round after round, until one has three points." for k in range(2, count + 1)),
        ]
        self.draft.players = 1 + gui.choice("setup/players", Box(box.x + 72, box.y, box.w - 72, box.h), words, self.draft.players - 1, hints=hints)

    def _draw_heads(self, gui: Gui, row: Box) -> None:
        _, name, level, hand = _cells(row)
        for words, box in (("Name", name), ("Played by", level), ("The bot's hand", hand)):
            heading(gui, words, box)

    def _draw_seat(self, gui: Gui, row: Box, seat: int) -> None:
        draft = self.draft.seats[seat]
        badge, name, level, hand = _cells(row)
        x, y = badge.middle
        gui.paint.disc(x, y, 17, SEATS[seat])
        letter = (draft.name.strip() or str(seat + 1))[0].upper()
        gui.paint.words_in(letter, badge, 17, face=Face.SUBTITLE, colour=colour("#ffffff"))
        draft.name = gui.field(f"setup/name/{seat}", name, draft.name, hint=f"Player {seat + 1}")
        chosen, now = _LEVELS.index(draft.level), [entry.words for entry in _LEVELS]
        chosen = gui.choice(f"setup/level/{seat}", level, now, chosen, hints=[entry.hint for entry in _LEVELS])
        if _LEVELS[chosen] is not draft.level:
            self.draft.choose_level(seat, _LEVELS[chosen], self.program.settings.player_name)
        if draft.level is Level.PERSON:
            gui.paint.words_in("as persons lay, see below", hand, 13.5, colour=FAINT_INK, align=Align.LEFT)
        else:
            chosen = gui.choice(f"setup/hand/{seat}", hand, [entry.capitalize() for entry in HANDS], HANDS.index(draft.hand), hints=_HAND_HINTS)
            draft.hand = HANDS[chosen]

    def _draw_note(self, gui: Gui, box: Box) -> None:
        """What is mended, then what was chosen in words, as far as there is room."""
        y = box.y
        for words in self.draft.complaints[:2]:
            y += 3 + gui.paint.words(words, box.x, y, 13.5, colour=RED, wrap=box.w)
        lines = [(words, gui.paint.measure(words, 13.5, wrap=box.w - 32)[1] + 6) for words in self._explained()]
        while lines and sum(high for _, high in lines) + 22 > box.bottom - y - 4:
            lines.pop()
        if not lines:
            return
        plate = Box(box.x, y + 4, box.w, sum(high for _, high in lines) + 18)
        gui.note(plate)
        y = plate.y + 12
        for words, high in lines:
            gui.paint.words(words, box.x + 16, y, 13.5, colour=SOFT_INK, wrap=box.w - 32)
            y += high

    def _explained(self) -> list[str]:
        draft = self.draft
        hand = draft.piece_set.hands[draft.players - 1]
        stacked = sum(hand) - hand[draft.piece_set.pieces.index(draft.piece_set.base)]
        if draft.players == 1:
            words = f"Solo: lay your BASEs, then all your other {stacked} pieces. When none has a legal place, or the tower falls, you have lost."
        else:
            words = f"Each lays BASEs, then {stacked} pieces by turns. Who is the last to lay one wins the round; three points win the match."
        bots = [(name, seat) for name, seat in zip(draft.names, draft.playing, strict=True) if seat.level is not Level.PERSON]
        return [words, *(f"{name}: {seat.level.hint} {_HAND_HINTS[HANDS.index(seat.hand)]}" for name, seat in bots)]

    def _draw_table(self, gui: Gui, box: Box) -> None:
        left, right = Box(box.x, box.y, 0.52 * box.w, box.h), Box(box.x + 0.56 * box.w, box.y, 0.44 * box.w, box.h)
        heading(gui, "Piece set", left)
        names = [*shipped_sets(), *([self.draft.own] if self.draft.own else [])]
        titles = [_set_title(name) if name != self.draft.own else "Your own" for name in names]
        now = names.index(self.draft.piece_set.name) if self.draft.piece_set.name in names else len(names) - 1
        hints = ["A .toml file dropped on this window is a piece set too."] * len(names)
        chosen = gui.choice("setup/set", left.below(22).top_part(40), titles, now, hints=hints)
        if chosen != now:
            self._choose_set(names[chosen])
        heading(gui, "Persons lay pieces", right)
        settings, ways = self.program.settings, list(_PLACING)
        persons = any(seat.level is Level.PERSON for seat in self.draft.playing)
        titles, hints = map(list, zip(*_PLACING.values(), strict=True))
        box = right.below(22).top_part(40)
        placing = ways[gui.choice("setup/placing", box, titles, ways.index(settings.placing), enabled=persons, hints=hints)]
        if placing is not settings.placing:
            self.program.change(placing=placing)

    def _choose_set(self, name: str) -> None:
        """A shipped set, or one of one's own by its path, which may be gone or wrong."""
        try:
            self.draft.choose_set(load_piece_set(name), None if name in shipped_sets() else name)
        except BadPieceSet as error:
            more = f" (and {len(error.defects) - 1} more)" if len(error.defects) > 1 else ""
            self.program.tell(f"This piece set can't be used: {error.defects[0]}{more}")

    def _draw_foot(self, gui: Gui, row: Box) -> None:
        if self._fresh:
            gui.focus("setup/start")
        if gui.button("setup/back", Box(row.x, row.y, 120, row.h), "Back"):
            self.program.back()
            return
        if gui.button("setup/more", Box(row.x + 132, row.y, 150, row.h), "More …", hint="Two readings of the rules, and the number of the match."):
            self._more = True
        if gui.button("setup/start", Box(row.right - 220, row.y, 220, row.h), "Start", kind=Kind.PRIMARY, size=17):
            self.start()

    def _draw_more(self, gui: Gui) -> None:
        draft = self.draft
        with gui.dialog("more", 640, 456) as inner:
            column = Column(inner)
            gui.paint.words("Where the rulebook can be read in two ways", inner.x, column.take(34, 4).y, 19, face=Face.TITLE)
            heading(gui, "How must a new BASE touch the others?", column.take(20, 4))
            contact = _pick(gui, column, "setup/contact", _CONTACT, draft.options.base_contact)
            heading(gui, "When may a layer be left early?", column.take(20, 4))
            exception = _pick(gui, column, "setup/exception", _EXCEPTION, draft.options.new_layer_exception)
            draft.options = replace(draft.options, base_contact=contact, new_layer_exception=exception)
            heading(gui, "Number of the match", column.take(20, 4))
            row = column.take(38, 6)
            draft.seed = gui.field("setup/seed", Box(row.x, row.y, 240, row.h), draft.seed, hint="by chance")
            fault = draft.seed_fault
            gui.paint.words(
                fault or "The same number, set-up and moves give the same chances again: bots' hands err alike.",
                row.x + 256,
                row.y,
                13.5,
                colour=RED if fault else SOFT_INK,
                wrap=row.w - 256,
            )
            if gui.button("setup/more/done", Box(inner.right - 130, inner.bottom - 44, 130, 44), "Done", kind=Kind.PRIMARY):
                self._more = False


@cache
def _set_title(name: str) -> str:
    return load_piece_set(name).title.removeprefix("STAKD ").capitalize()


def _pick(gui: Gui, column: Column, name: str, options: Mapping[_Option, tuple[str, str]], now: _Option) -> _Option:
    """A choice with its meaning under it."""
    keys = list(options)
    chosen = keys[gui.choice(name, column.take(38, 6), [words for words, _ in options.values()], keys.index(now))]
    gui.paint.words(options[chosen][1], column.box.x, column.take(40, 12).y, 14, colour=SOFT_INK, wrap=column.box.w)
    return chosen


def _cells(row: Box) -> tuple[Box, Box, Box, Box]:
    """Badge, name, level and hand of a seat."""
    hand = 0.325 * row.w
    level = 0.4 * row.w
    name = row.w - 44 - level - hand - 24
    return (
        Box(row.x, row.y, 34, row.h),
        Box(row.x + 44, row.y, name, row.h),
        Box(row.x + 44 + name + 12, row.y, level, row.h),
        Box(row.right - hand, row.y, hand, row.h),
    )


def _hand_hint(hand: HandLevel) -> str:
    if hand not in STEADINESS:
        return "Lays with both hands: every piece lies exactly in its place, and nothing is ever touched."
    steadiness = STEADINESS[hand]
    if not steadiness.tremor_mm:
        return "One hand that never errs. Pieces can still slip off a crowded place, and towers that can't stand fall."
    words = {"steady": "A calm hand", "normal": "A hand like most", "shaky": "A nervous hand: many towers fall"}[hand]
    return (
        f"{words}. Lets go about {steadiness.tremor_mm:g} mm off, {steadiness.turn_deg:g}° turned and {steadiness.drop_mm:g} mm above it; "
        f"errs by about {steadiness.sag_mm:g} mm in the height at which it passes over others."
    )


_HAND_HINTS = [_hand_hint(hand) for hand in HANDS]
