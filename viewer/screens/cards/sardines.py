"""Sunny Day Sardines' table: the market, the orders, the hand; cards are gathered, orders filled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from games.card_phases import CardPhase
from games.card_thinker import Thinker
from viewer.cards.card_art import order_card
from viewer.cards.place import Place
from viewer.gui.box import Box
from viewer.gui.gui import Gui, Kind
from viewer.gui.painter import Align
from viewer.gui.theme import GOLD, NIGHT_INK, Face
from viewer.screens.cards.table import CardTable, counted
from viewer.screens.cards.table_play import CardTablePlay
from viewer.screens.placing_words import broken_words
from viewer.screens.screen import Key

if TYPE_CHECKING:
    from viewer.program import Program


class SardinesTable(CardTable):
    """Click cards of the market to gather them; or an order, and cards of the hand to pay it with; or drag those onto it."""

    GAME, TITLE = "sardines", "Sunny Day Sardines"

    def __init__(self, program: Program, play: CardTablePlay, thinker: Thinker | None = None) -> None:
        super().__init__(program, play, thinker)
        self._market: list[int] = []
        self._order: int | None = None
        self._paid: list[int] = []
        self._order_places: Sequence[Place] = ()

    def forget(self) -> None:
        """Nothing is chosen."""
        self._market.clear()
        self._paid.clear()
        self._order = None

    def turn_words(self) -> str:
        """What may be done."""
        must = self.play.view()["must_discard"]
        if must:
            return f"too many cards: choose {must} to discard"
        if self._order is not None:
            return "choose the cards that pay for the order"
        return "gather from the market, or choose an order to fill"

    def seat_note(self, view: Mapping[str, Any], seat: int) -> str:
        """Cards in hand, orders filled, points where they may be known."""
        score = self.play.scores[seat]
        cards, orders = counted(view["hands"][seat]), counted(view["completed"][seat])
        words = f"{cards} card{'' if cards == 1 else 's'} · {orders} order{'' if orders == 1 else 's'}"
        return words + (f" · {score} pts" if score is not None else "")

    def draw_cards(self, gui: Gui, view: Mapping[str, Any], box: Box) -> None:
        """Orders above, market below them, then buttons and the hand."""
        hand_high = min(180.0, box.h * 0.32)
        high = (box.h - hand_high - 62) / 2
        legal = self.play.legal() if self.play.phase is CardPhase.PERSON else []
        self._draw_orders(gui, view, Box(box.x, box.y, box.w, high - 6), legal)
        self._draw_market(gui, view, Box(box.x, box.y + high, box.w, high - 6), legal)
        self._draw_actions(gui, view, Box(box.x, box.y + 2 * high + 2, box.w, 46), legal)
        self._draw_hand(gui, view, Box(box.x, box.bottom - hand_high, box.w, hand_high), legal)

    # --- orders and market

    def _draw_orders(self, gui: Gui, view: Mapping[str, Any], box: Box, legal: Sequence[str]) -> None:
        places = self._order_places = self._row(gui, box, "Orders", "back:orders", counted(view["order_deck"]), len(view["orders"]))
        for index, (order, place) in enumerate(zip(view["orders"], places, strict=True)):
            can = any(move.startswith(f"fill {index} ") for move in legal)
            state = gui.area(
                f"order/{index}", place.box, enabled=bool(legal), hint="" if can else "You can't pay for this order yet" if legal else ""
            )
            chosen = index == self._order
            self.faces.draw(
                order_card(order),
                place,
                lift=0.7 if chosen else 0.35 if state.hovered and can else 0.0,
                glow=GOLD if chosen else None,
                dim=bool(legal) and not can,
            )
            if state.pressed:
                self._choose_order(index, view, legal)
        if view["final_round"]:
            gui.paint.words("Last round", box.right - 14, box.y + 6, 15, face=Face.BOLD, colour=GOLD, align=Align.RIGHT)

    def _draw_market(self, gui: Gui, view: Mapping[str, Any], box: Box, legal: Sequence[str]) -> None:
        places = self._row(gui, box, "Market", "back", counted(view["deck"]), len(view["market"]))
        for index, (card, place) in enumerate(zip(view["market"], places, strict=True)):
            can = index in self._market or self._gathers([*self._market, index], view, legal)
            state = gui.area(f"market/{index}", place.box, enabled=bool(legal))
            chosen = index in self._market
            self.faces.draw(
                card,
                place,
                lift=0.7 if chosen else 0.35 if state.hovered and can else 0.0,
                glow=GOLD if chosen else None,
                dim=bool(legal) and not can,
            )
            if state.pressed:
                self._choose_market(index, view, legal)

    def _row(self, gui: Gui, box: Box, title: str, back: str, left: int, count: int) -> list[Place]:
        """The plate of a row of cards with its pile; where its cards lie."""
        gui.paint.plate(box, (0.03, 0.16, 0.12, 0.35), radius=16, border=(1.0, 1.0, 1.0, 0.08))
        wide = min(104.0, (box.h - 24) / 1.4, (box.w - 210) / max(5, count) - 16)
        y = box.y + box.h / 2
        gui.paint.words(title, box.x + 16, box.y + 8, 13.5, face=Face.SEMI, colour=(*NIGHT_INK[:3], 0.8))
        self.faces.pile(back, Place(box.x + 84 + wide / 2, y, wide), left)
        gui.paint.words(f"{left} left", box.x + 16, y - 9, 14, face=Face.BOLD, colour=NIGHT_INK)
        step = wide + 18
        before = 104 + wide
        first = box.x + before + (box.w - before - 10 - step * count) / 2 + step / 2
        return [Place(first + k * step, y, wide) for k in range(count)]

    def _choose_order(self, index: int, view: Mapping[str, Any], legal: Sequence[str]) -> None:
        chosen = None if index == self._order else index
        self.forget()
        self._order = chosen
        payments = [move.split()[2:] for move in legal if chosen is not None and move.startswith(f"fill {chosen} ")]
        if payments:
            self._paid = _places_of(payments[0], self._own(view))
        elif chosen is not None:
            self.program.sounds.play("no")

    def _choose_market(self, index: int, view: Mapping[str, Any], legal: Sequence[str]) -> None:
        self._order = None
        self._paid.clear()
        if index in self._market:
            self._market.remove(index)
        elif self._gathers([*self._market, index], view, legal):
            self._market.append(index)
        else:
            self._market = [index]

    def _gathers(self, chosen: Sequence[int], view: Mapping[str, Any], legal: Sequence[str]) -> bool:
        """Whether these cards of the market are, or begin, a legal gathering."""
        wanted = sorted(view["market"][index] for index in chosen)
        return any(move.startswith("gather ") and _within(wanted, move.split()[1:]) for move in legal)

    # --- what is done

    def _draw_actions(self, gui: Gui, view: Mapping[str, Any], box: Box, legal: Sequence[str]) -> None:
        if not legal:
            return
        middle = box.x + box.w / 2
        move, label = self._move(view)
        broken = self.play.explain(move) if move else ()
        if gui.button(
            "sardines/do",
            Box(middle - 180, box.y, 240, 44),
            label,
            kind=Kind.PRIMARY,
            enabled=bool(move) and not broken,
            hint=broken_words(broken, self.play.names) or "Enter",
        ):
            self.after_drawing(lambda: self.attempt(move))
        some = bool(self._market or self._paid or self._order is not None)
        if gui.button("sardines/clear", Box(middle + 74, box.y, 110, 44), "Clear", enabled=some, hint="Choose anew (Backspace)"):
            self.forget()

    def _move(self, view: Mapping[str, Any]) -> tuple[str, str]:
        """The move that is chosen, as text, and what the button says."""
        own = self._own(view)
        paid = sorted(own[k] for k in self._paid)
        if view["must_discard"]:
            return ("discard " + " ".join(paid) if paid else ""), f"Discard {' '.join(paid)}"
        if self._order is not None:
            return (f"fill {self._order} " + " ".join(paid) if paid else ""), f"Pay {' '.join(paid)}" if paid else "Pay"
        gathered = sorted(view["market"][k] for k in self._market)
        return ("gather " + " ".join(gathered) if gathered else ""), f"Gather {' '.join(gathered)}" if gathered else "Gather"

    def _draw_hand(self, gui: Gui, view: Mapping[str, Any], box: Box, legal: Sequence[str]) -> None:
        hand = self._own(view)
        paying = self._order is not None or view["must_discard"]
        can = set(range(len(hand))) if paying or not legal else set()
        hints = {} if paying or not legal else dict.fromkeys(range(len(hand)), "Choose an order first; cards of your hand pay for it")
        chosen = tuple(self._paid)
        events = self.fan.draw(gui, self.faces, hand, box, legal=can or None, chosen=chosen, hints=hints, enabled=bool(legal))
        if events.pressed is not None and paying:
            if events.pressed in self._paid:
                self._paid.remove(events.pressed)
            else:
                self._paid.append(events.pressed)
        if events.dropped is not None:
            self._put_down(*events.dropped, view, legal)

    def _put_down(self, card: int, x: float, y: float, view: Mapping[str, Any], legal: Sequence[str]) -> None:
        """A card was dragged onto an order, which it shall help to pay for; or anywhere, when some must be discarded."""
        order = next((index for index, place in enumerate(self._order_places) if place.has(x, y)), None)
        if view["must_discard"]:
            self._paid = sorted({*self._paid, card})
        elif order is None:
            self.program.sounds.play("no")
            self.program.tell("Drag a card onto the order that it shall pay for.")
        else:
            if order != self._order:
                self._market.clear()
                self._order, self._paid = order, []
            self._paid = sorted({*self._paid, card})

    def _own(self, view: Mapping[str, Any]) -> list[str]:
        seat = self.play.view_seat
        hand = view["hands"][seat] if seat is not None else []
        return hand if isinstance(hand, list) else []

    def acted(self, number: int) -> None:
        """Cards fly to the seat, or from it."""
        act = self.play.match.acts[number - 1]
        wide, high = self.program.gui.size
        for event in act.events:
            if event["type"] in ("gathered", "filled") and act.player is not None:
                seat = Place(*self.seat_place(act.player).middle, 46)
                table = Place(wide * 0.45, high * (0.5 if event["type"] == "gathered" else 0.28), 92)
                for k, card in enumerate(event["cards"]):
                    start, end = (table, seat) if event["type"] == "gathered" else (seat, table)
                    self.motion.fly(card, start, end, delay=0.08 * k)
                self.program.sounds.play("card")

    def on_table_key(self, key: Key) -> bool:
        """Enter does what is chosen, Backspace clears."""
        if self.play.phase is not CardPhase.PERSON:
            return False
        if key.name == "enter" and self._move(self.play.view())[0]:
            self.attempt(self._move(self.play.view())[0])
        elif key.name == "backspace":
            self.forget()
        else:
            return False
        self.program.wake()
        return True


def _within(wanted: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether all the wanted cards are among the others, each as often."""
    return all(wanted.count(card) <= cards.count(card) for card in wanted)


def _places_of(cards: Sequence[str], hand: Sequence[str]) -> list[int]:
    """Where cards lie in a hand, each another one."""
    places: list[int] = []
    for card in cards:
        places.append(next(k for k, held in enumerate(hand) if held == card and k not in places))
    return places
