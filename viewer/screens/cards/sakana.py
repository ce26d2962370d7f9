"""Sakana Stack's table: the draw pile with the Catch of the Day, the live stacks, the hand; stacks are built card by card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from games.card_phases import CardPhase
from games.card_thinker import Thinker
from viewer.cards.place import Place
from viewer.gui.box import Box
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GOLD, NIGHT_INK, Face
from viewer.screens.cards.table import CardTable, counted
from viewer.screens.cards.table_play import CardTablePlay
from viewer.screens.placing_words import broken_words
from viewer.screens.players_panel import draw_seat
from viewer.screens.screen import Key

if TYPE_CHECKING:
    from viewer.program import Program

_CATCH = "catch"


class SakanaTable(CardTable):
    """Click cards in the order in which they shall lie, bottom first, then lay them, or drag the last one onto the table; or pass."""

    GAME, TITLE = "sakana", "Sakana Stack"

    def __init__(self, program: Program, play: CardTablePlay, thinker: Thinker | None = None) -> None:
        super().__init__(program, play, thinker)
        self._chosen: list[str] = []

    def forget(self) -> None:
        """Nothing is chosen."""
        self._chosen.clear()

    def turn_words(self) -> str:
        """What may be done."""
        if [str(move) for move in self.play.legal()] == ["pass"]:
            return "no card in hand can follow and match – pass"
        if not self._chosen:
            return "choose cards of one number, bottom first – or pass"
        return "lay them, or choose more of the same number"

    def seat_note(self, view: Mapping[str, Any], seat: int) -> str:
        """Cards in hand, banked ones, points of earlier rounds."""
        return f"{counted(view['hands'][seat])} cards · {counted(view['banked'][seat])} banked · {view['scores'][seat]} pts"

    def draw_cards(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        """Pile and Catch at the left, stacks amid, hand below."""
        hand_high = min(190.0, box.h * 0.36)
        table = Box(box.x, box.y, box.w, box.h - hand_high - 60)
        legal = self.play.legal() if self.play.phase is CardPhase.PERSON else []
        self._draw_pile(gui, view, Box(table.x, table.y, 230, table.h), legal)
        self._draw_stacks(gui, view, Box(table.x + 240, table.y, table.w - 240, table.h))
        self._draw_actions(gui, Box(box.x, table.bottom + 6, box.w, 46), legal)
        self._draw_hand(gui, view, Box(box.x, box.bottom - hand_high, box.w, hand_high), legal)

    def _draw_pile(self, gui: Gui, view: Mapping[str, Any], box: Box, legal: Sequence[str]) -> None:
        wide = min(96.0, box.h / 1.9)
        y = box.y + box.h * 0.46
        draw = view["draw"]
        hidden = sum(entry if isinstance(entry, int) else 1 for entry in draw[1:])
        self.faces.pile("back", Place(box.x + 62, y, wide), hidden)
        _caption(gui, "Draw pile", str(hidden), box.x + 62, y + wide * 0.7 + 8)
        if not draw:
            return
        place = Place(box.x + 62 + wide + 22, y, wide)
        can = draw[0] in self._next(legal)
        chosen = draw[0] in self._chosen
        state = gui.area(
            _CATCH,
            place.box,
            enabled=bool(legal),
            radius=10,
            hint="" if can or chosen else "A card of your hand with its number must lie with it (K20)",
        )
        self.faces.draw(draw[0], place, lift=0.6 if chosen else 0.3 if can and state.hovered else 0.0, glow=GOLD if chosen else None)
        _caption(gui, "Catch of the Day", "", place.x, y + wide * 0.7 + 8)
        if state.pressed:
            self._choose(draw[0], legal)

    def _draw_stacks(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        stacks = view["stacks"]
        gui.paint.plate(box, (0.03, 0.16, 0.12, 0.35), radius=16, border=(1.0, 1.0, 1.0, 0.08))
        if not stacks:
            gui.paint.words_in("No stack lies on the table: any cards of one number may be laid", box.inset(20, 0), 15, colour=(*NIGHT_INK[:3], 0.7))
            return
        for number, (stack, part) in enumerate(zip(stacks, box.inset(14, 8).row(len(stacks), 12), strict=True)):
            # the last one; with two players any of the other's (K16, K31)
            followed = number == len(stacks) - 1 if view["players"] > 2 else stack["owner"] != self.play.to_move
            self._draw_stack(gui, stack, part, followed=followed)

    def _draw_stack(self, gui: Gui, stack: Mapping[str, Any], box: Box, *, followed: bool) -> None:
        cards, owner = stack["cards"], stack["owner"]
        wide = min(96.0, box.h / 2.1, box.w / (1 + 0.36 * (len(cards) - 1)) - 6)
        step = wide * 0.36
        x = box.x + box.w / 2 - step * (len(cards) - 1) / 2
        y = box.y + box.h * 0.44
        for k, card in enumerate(cards):
            self.faces.draw(card, Place(x + k * step, y - k * 3, wide), glow=GOLD if followed and k == len(cards) - 1 else None)
        value = sum(int(card[1:]) for card in cards)
        draw_seat(gui, box.x + box.w / 2 - 52, y + wide * 0.7 + 24, 12, owner, self.play.names[owner])
        words = f"value {value}"
        for longer in (f"{self.play.names[owner]} · {words}", f"{self.play.names[owner]} · {words} · follow this" if followed else ""):
            words = longer if longer and gui.paint.measure(longer, 13.5, Face.SEMI)[0] <= box.w / 2 + 26 else words
        gui.paint.words(words, box.x + box.w / 2 - 34, y + wide * 0.7 + 15, 13.5, face=Face.SEMI, colour=NIGHT_INK)

    def _draw_actions(self, gui: Gui, box: Box, legal: Sequence[str]) -> None:
        if self.play.phase is not CardPhase.PERSON:
            return
        words = "play " + " ".join(self._chosen)
        middle = box.x + box.w / 2
        label = f"Lay {' '.join(self._chosen)}" if self._chosen else "Lay"
        why = "" if words in legal or not self._chosen else self._why(words)
        if gui.button("sakana/play", Box(middle - 252, box.y, 200, 44), label, kind=Kind.PRIMARY, enabled=words in legal, hint=why or "Enter"):
            self.after_drawing(lambda: self.attempt(words))
        if gui.button(
            "sakana/pass",
            Box(middle - 40, box.y, 130, 44),
            "Pass",
            enabled="pass" in legal,
            hint="Take the Catch of the Day; every stack banks its top card (P)",
        ):
            self.after_drawing(lambda: self.attempt("pass"))
        if gui.button("sakana/clear", Box(middle + 102, box.y, 110, 44), "Clear", enabled=bool(self._chosen), hint="Choose anew (Backspace)"):
            self._chosen.clear()

    def _draw_hand(self, gui: Gui, view: Mapping[str, Any], box: Box, legal: Sequence[str]) -> None:
        seat = self.play.view_seat
        hand = view["hands"][seat] if seat is not None else None
        if not isinstance(hand, list):
            return
        following = self._next(legal)
        can = {k for k, card in enumerate(hand) if card in following or card in self._chosen}
        hints = {k: self._why("play " + " ".join([*self._chosen, card])) for k, card in enumerate(hand) if k not in can and legal}
        chosen = tuple(k for k, card in enumerate(hand) if card in self._chosen)
        events = self.fan.draw(
            gui, self.faces, hand, box, legal=can if legal else set(range(len(hand))), chosen=chosen, hints=hints, enabled=bool(legal)
        )
        if events.pressed is not None:
            self._choose(hand[events.pressed], legal)
        if events.dropped is not None:
            self._put_down(hand[events.dropped[0]], legal)

    def _put_down(self, card: str, legal: Sequence[str]) -> None:
        """A card was dragged onto the table: it goes on top of what is chosen, and all of it is laid if it may lie so."""
        if card not in self._chosen:
            self._choose(card, legal)
        words = "play " + " ".join(self._chosen)
        if card in self._chosen and words in legal:
            self.after_drawing(lambda: self.attempt(words))

    def _choose(self, card: str, legal: Sequence[str]) -> None:
        """Put a card on the stack that is being built, or take it and what lies on it away again."""
        if card in self._chosen:
            del self._chosen[self._chosen.index(card) :]
        elif card in self._next(legal):
            self._chosen.append(card)
            self.program.sounds.play("card")
        else:
            self.program.sounds.play("no")
            self.program.tell(self._why("play " + " ".join([*self._chosen, card])) or "That card does not fit.")

    def _next(self, legal: Sequence[str]) -> set[str]:
        """Cards that may come next on the stack that is being built."""
        size = len(self._chosen)
        moves = [move.split()[1:] for move in legal if move != "pass"]
        return {move[size] for move in moves if len(move) > size and move[:size] == self._chosen}

    def _why(self, move: str) -> str:
        return broken_words(self.play.explain(move), self.play.names)

    def acted(self, number: int) -> None:
        """Cards fly from the seat to the stacks, the Catch to the hand."""
        act = self.play.match.acts[number - 1]
        for event in act.events:
            if event["type"] == "played" and act.player is not None:
                start, (wide, high) = self.seat_place(act.player), self.program.gui.size
                for k, card in enumerate(event["cards"]):
                    end = Place(wide * 0.45 + 40 * k, high * 0.34, 88)
                    self.motion.fly(card, Place(*start.middle, 50), end, delay=0.08 * k)
                self.program.sounds.play("card")

    def on_table_key(self, key: Key) -> bool:
        """Enter lays, P passes, Backspace clears."""
        if self.play.phase is not CardPhase.PERSON:
            return False
        if key.name == "enter" and self._chosen:
            self.attempt("play " + " ".join(self._chosen))
        elif key.name == "p":
            self.attempt("pass")
        elif key.name == "backspace":
            self._chosen.clear()
        else:
            return False
        self.program.wake()
        return True


def _caption(gui: Gui, words: str, count: str, x: float, y: float) -> None:
    gui.paint.words(words, x, y, 12.5, colour=(*NIGHT_INK[:3], 0.8), align=Align.CENTRE)
    if count:
        gui.paint.words(count, x, y + 17, 14, face=Face.BOLD, colour=NIGHT_INK, align=Align.CENTRE)
