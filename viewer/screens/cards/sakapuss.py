"""Sakapuss' table: the cats in hand, what lies in front of everybody, and a table to slap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from games.card_phases import CardPhase
from games.card_words import card_name
from viewer.cards.place import Place
from viewer.gui.box import Box
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GOLD, NIGHT_INK, Face, colour
from viewer.screens.cards.table import CardTable, counted
from viewer.screens.players_panel import draw_seat
from viewer.screens.screen import Key

SLAP_KEYS = (("space",), ("a", "l"), ("a", "space", "l"), ("q", "a", "l", "p"), ("q", "a", "space", "l", "p"))
"""By number of persons at the screen: each one's key to slap, in the order of the seats."""


class SakapussTable(CardTable):
    """Click a cat, or drag it onto the table, to pass it on; slap as soon as you hold four alike, or when somebody else does."""

    GAME, TITLE = "sakapuss", "Sakapuss"
    ON_KEYS = ("enter",)  # Space is a slap
    _fronts: Mapping[int, Box] = MappingProxyType({})

    @property
    def slap_keys(self) -> Mapping[int, str]:
        """Which key slaps for which seat."""
        persons = self.play.persons
        return dict(zip(persons, SLAP_KEYS[max(0, min(len(persons), len(SLAP_KEYS)) - 1)], strict=False))

    def turn_words(self) -> str:
        """What may be done."""
        if self.play.phase is CardPhase.PASSING:
            return "choose a cat to pass on; four alike: slap!"
        if self.play.view()["slapped"]:
            return "Slap! The last one takes a card"
        return "The cats go round…"

    def seat_note(self, view: Mapping[str, Any], seat: int) -> str:
        """Parasites, and the key to slap with."""
        key = self.slap_keys.get(seat)
        return f"{self.play.scores[seat]} parasites" + (f" · slap: {key.capitalize()}" if key else "")

    def draw_cards(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        """What lies in front of everybody above, the pile and the hand below."""
        hand_high = min(230.0, box.h * 0.42)
        above = Box(box.x, box.y, box.w, box.h - hand_high - 10)
        fronts = above.row(len(self.play.names), 10)
        self._fronts = dict(enumerate(fronts))
        for seat, part in enumerate(fronts):
            self._draw_front(gui, view, seat, part)
        below = Box(box.x, box.bottom - hand_high, box.w, hand_high)
        left = counted(view["pile"])
        self.faces.pile("back:pile", Place(below.x + 66, below.y + hand_high / 2 - 8, min(86.0, hand_high / 1.9)), left)
        gui.paint.words(f"{left} cards", below.x + 66, below.bottom - 22, 13, colour=(*NIGHT_INK[:3], 0.8), align=Align.CENTRE)
        self._draw_hand(gui, view, Box(below.x + 140, below.y, below.w - 300, hand_high))
        self._draw_slap(gui, Box(below.right - 150, below.y + hand_high / 2 - 75, 150, 150))

    def _draw_front(self, gui: Gui, view: Mapping[str, Any], seat: int, box: Box) -> None:
        gui.paint.plate(box, (0.03, 0.16, 0.12, 0.35), radius=16, border=(1.0, 1.0, 1.0, 0.08))
        draw_seat(gui, box.x + 26, box.y + 26, 14, seat, self.play.names[seat])
        gui.paint.words_in(
            self.play.names[seat], Box(box.x + 48, box.y + 12, box.w - 110, 28), 15, face=Face.SEMI, colour=NIGHT_INK, align=Align.LEFT
        )
        gui.paint.words(str(self.play.scores[seat]), box.right - 16, box.y + 10, 22, face=Face.TITLE, colour=NIGHT_INK, align=Align.RIGHT)
        self._draw_doing(gui, view, seat, box)
        cards = view["front"][seat]
        if not cards:
            gui.paint.words_in("no parasites", box, 14, colour=(*NIGHT_INK[:3], 0.55))
            return
        wide = min(70.0, (box.h - 96) / 1.5, (box.w - 30) / (1 + 0.42 * (len(cards) - 1)))
        step = min(wide * 1.08, (box.w - 30 - wide) / max(1, len(cards) - 1))
        first = box.x + box.w / 2 - step * (len(cards) - 1) / 2
        for k, card in enumerate(cards):
            place = Place(first + k * step, box.y + 48 + (box.h - 84) / 2, wide)
            gui.area(f"front/{seat}/{k}", place.box, hint=card_name(self.GAME, card))
            self.faces.draw(card, place)

    def _draw_doing(self, gui: Gui, view: Mapping[str, Any], seat: int, box: Box) -> None:
        """Whether a player has chosen, or slapped."""
        if self.play.phase not in (CardPhase.PASSING, CardPhase.WATCHING):
            return
        if seat in view["slapped"]:
            words, ink = f"slapped {view['slapped'].index(seat) + 1}.", GOLD
        elif view["slapped"]:
            return
        elif view["chosen"][seat] is not None:
            words, ink = "has chosen", colour("#9fe0b0")
        else:
            words, ink = "is choosing", (*NIGHT_INK[:3], 0.55)
        gui.paint.words(words, box.x + box.w / 2, box.bottom - 28, 13.5, face=Face.SEMI, colour=ink, align=Align.CENTRE)

    def _draw_hand(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        seat = self.play.view_seat
        hand = view["hands"][seat] if seat is not None else None
        if not isinstance(hand, list) or seat is None:
            return
        open_ = self.play.phase is CardPhase.PASSING
        chosen = view["chosen"][seat]
        marked = (hand.index(chosen),) if isinstance(chosen, str) and chosen in hand else ()
        events = self.fan.draw(gui, self.faces, hand, box, legal=set(range(len(hand))), chosen=marked, enabled=open_, widest=130)
        passed = events.pressed if events.dropped is None else events.dropped[0]
        if passed is not None and open_:
            move = f"pass {hand[passed]}"
            self.after_drawing(lambda: self.attempt(move))

    def _draw_slap(self, gui: Gui, box: Box) -> None:
        persons = self.play.persons
        if not persons or self.play.phase in (CardPhase.ROUND_OVER, CardPhase.OVER):
            return
        for (seat, key), part in zip(self.slap_keys.items(), _parts(box, len(persons)), strict=False):
            words = "Slap!" if len(persons) == 1 else f"{self.play.names[seat][:9]}!"
            if gui.button(f"slap/{seat}", part, words, kind=Kind.PRIMARY, hint=f"Or press {key.capitalize()}", size=22 if len(persons) == 1 else 14):
                self.after_drawing(partial(self.slap, seat))

    def slap(self, seat: int) -> None:
        """A person slaps the table."""
        with self.telling():
            if self.play.slap(seat):
                self.program.sounds.play("knock")
        self.program.wake()

    def acted(self, number: int) -> None:
        """Slaps are heard; drawn cards fly from the pile."""
        act = self.play.match.acts[number - 1]
        for event in act.events:
            if event["type"] in ("called", "slapped"):
                self.program.sounds.play("knock")
            elif event["type"] == "wrong_slap":
                self.program.sounds.play("no")
            elif event["type"] == "passed":
                self.program.sounds.play("card")
            elif event["type"] == "drew":
                front, pile = self._fronts.get(event["player"]), Place(82, self.program.gui.size[1] * 0.83, 80)
                if front is not None:
                    self.motion.fly(event["card"], pile, Place(*front.middle, 66), flip=True, seconds=0.7)

    def on_table_key(self, key: Key) -> bool:
        """Slap keys; a digit passes the cat of that place on."""
        for slapper, name in self.slap_keys.items():
            if key.name == name:
                self.slap(slapper)
                return True
        viewer = self.play.view_seat
        if key.name.isdigit() and self.play.phase is CardPhase.PASSING and viewer is not None:
            hand = self.play.view()["hands"][viewer]
            if 1 <= int(key.name) <= len(hand):
                self.attempt(f"pass {hand[int(key.name) - 1]}")
            return True
        return False


def _parts(box: Box, count: int) -> Sequence[Box]:
    """The box for one person, strips one below the other for several."""
    if count == 1:
        return [box]
    high = (box.h - 6 * (count - 1)) / count
    return [Box(box.x, box.y + k * (high + 6), box.w, high) for k in range(count)]
