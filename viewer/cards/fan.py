"""A hand of cards, held as a fan: where each card lies, which one is under the pointer, and what was done with it."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from viewer.cards.faces import CardFaces
from viewer.cards.place import TALL, Place
from viewer.gui.box import Box
from viewer.gui.gui import Gui
from viewer.gui.theme import GOLD

_TURN_DEG, _MOST_TURN_DEG = 4.6, 15.0
"""Between two cards, and of the outermost."""
_STEP = 0.62
"""From one card to the next, in widths of a card, if there is room."""
_LEGAL, _CHOSEN, _POINTED = 0.07, 0.2, 0.27
"""How far a card is lifted out of the fan, in its heights."""
_QUICK = 16.0
"""How fast a card rises: the share of what is left of its way, a second."""
_DRAG = 7.0
"""Units the pointer moves before a press becomes a drag."""


class FanEvents(NamedTuple):
    """What the hand tells in a frame, as indices into the cards: under the pointer or with the keyboard's focus; clicked; in the pointer's
    grip right now; and let go away from the hand after a drag, with the place where."""

    pointed: int | None = None
    pressed: int | None = None
    dragged: int | None = None
    dropped: tuple[int, float, float] | None = None


@dataclass(slots=True)
class _Grip:
    index: int
    start: tuple[float, float]
    moved: bool = False


class Fan:
    """A hand. Keep one for as long as the hand is shown: it knows how far each card has risen and what is being dragged."""

    def __init__(self, name: str = "hand") -> None:
        self.name = name
        self.still = False
        """Whether cards take their places at once (reduced motion)."""
        self.grip: _Grip | None = None
        self._risen: list[float] = []
        self._wanted: list[float] = []

    def update(self, seconds: float) -> bool:
        """Let cards rise and sink; gives whether anything moved."""
        if self._risen == self._wanted:
            return False
        share = 1.0 if self.still else 1.0 - math.exp(-_QUICK * seconds)
        self._risen = [
            want if abs(want - risen) < 0.004 else risen + share * (want - risen) for risen, want in zip(self._risen, self._wanted, strict=True)
        ]
        return True

    def draw(
        self,
        gui: Gui,
        faces: CardFaces,
        cards: Sequence[str],
        box: Box,
        *,
        legal: Container[int] | None = None,
        chosen: Sequence[int] = (),
        hints: Mapping[int, str] | None = None,
        enabled: bool = True,
        face_up: bool = True,
        hidden: Container[int] = (),
        widest: float = 150.0,
    ) -> FanEvents:
        """Draw the hand in a box whose lower edge the cards may touch; each card is an item `hand/k`.

        `legal`: indices that can be used, lifted a little; the others are dim, but pressing them is told too (None: no difference).
        `chosen` are lifted with a gold ring, `hidden` ones (on their way) leave a gap, `hints` by index are shown on pointing. A card's own
        width is at most `widest`. The keyboard's focus lifts a card as the pointer does. Cards may be dragged; one that is let go over
        the hand itself just goes back."""
        places = fan_places(len(cards), box, widest)
        if len(self._risen) != len(cards):
            self._risen, self.grip = [0.0] * len(cards), None
        risen = [lifted(place, rise) for place, rise in zip(places, self._risen, strict=True)]
        hit = card_at(places, risen, *gui.pointer) if enabled and not (self.grip and self.grip.moved) else None
        events = self._items(gui, places, hit, hints or {}, enabled, hidden)
        events = self._drag(gui, events, box)
        self._wanted = [self._goal(k, legal, chosen, events.pointed) for k in range(len(cards))]
        for k in sorted(range(len(cards)), key=lambda k: (k == events.pointed, k)):
            if k in hidden or k == events.dragged:
                continue
            usable = legal is None or k in legal
            glow = GOLD if k in chosen or (k == events.pointed and usable and enabled) else None
            faces.draw(cards[k], risen[k], face_up=face_up, lift=min(1.0, self._risen[k] * 2.5), dim=not usable, glow=glow)
        if events.dragged is not None:
            with gui.on_top():
                place = Place(*gui.pointer, places[0].width * 1.05)
                faces.draw(cards[events.dragged], place, face_up=face_up, lift=1.0, glow=GOLD)
        return events

    def _goal(self, k: int, legal: Container[int] | None, chosen: Sequence[int], pointed: int | None) -> float:
        if k == pointed:
            return _POINTED
        return _CHOSEN if k in chosen else _LEGAL if legal is not None and k in legal else 0.0

    def _items(
        self, gui: Gui, places: Sequence[Place], hit: int | None, hints: Mapping[int, str], enabled: bool, hidden: Container[int]
    ) -> FanEvents:
        pointed, pressed, held = hit, None, None
        for k, place in enumerate(places):
            if k in hidden:
                continue
            gui.cover(place.box)
            box = _item_box(places, k, gui.pointer, k == hit)
            state = gui.area(f"{self.name}/{k}", box, enabled=enabled, hint=hints.get(k, ""), ring=False)
            pointed = k if state.focused else pointed
            pressed = k if state.pressed else pressed
            held = k if state.held and gui.holding else held
        if held is None and self.grip is not None and not self.grip.moved:
            self.grip = None
        elif held is not None and self.grip is None:
            self.grip = _Grip(held, gui.pointer)
        return FanEvents(pointed, pressed)

    def _drag(self, gui: Gui, events: FanEvents, box: Box) -> FanEvents:
        grip = self.grip
        if grip is None:
            return events
        grip.moved = grip.moved or math.dist(grip.start, gui.pointer) > _DRAG
        if not grip.moved:
            return events
        if gui.holding:
            return FanEvents(pointed=grip.index, dragged=grip.index)
        self.grip = None
        return FanEvents() if box.has(*gui.pointer) else FanEvents(dropped=(grip.index, *gui.pointer))


def fan_places(count: int, box: Box, widest: float = 150.0) -> list[Place]:
    """Where `count` cards lie in a box, with room for one to rise: on an arc, the left ones turned to the left; smaller or closer together
    where there is little room."""
    if count == 0:
        return []
    turn = min(_TURN_DEG, 2 * _MOST_TURN_DEG / max(1, count - 1))
    lean, between = math.radians(turn * (count - 1) / 2), math.radians(turn)
    tall = TALL * (math.cos(lean) + 1) / 2 + (math.sin(lean) + math.sin(between)) / 2 + TALL * _POINTED
    width = min(widest, box.h / (tall + _STEP / between * (1 - math.cos(lean))), box.w / 2.2)
    spare = box.w - width * (math.cos(lean) + TALL * (1 + 2 * _POINTED) * math.sin(lean))
    radius = min(_STEP * width, spare / max(1, count - 1)) / between
    x = box.middle[0]
    y = box.bottom - radius * (1 - math.cos(lean)) - width * (TALL * math.cos(lean) + math.sin(lean)) / 2
    angles = [(k - (count - 1) / 2) * between for k in range(count)]
    return [Place(x + radius * math.sin(angle), y + radius * (1 - math.cos(angle)), width, math.degrees(angle)) for angle in angles]


def lifted(place: Place, rise: float) -> Place:
    """A card pulled out of the fan by a share of its height, along itself."""
    x, y = place.at(0.0, -rise * place.height)
    return place._replace(x=x, y=y)


def topmost(places: Sequence[Place], x: float, y: float) -> int | None:
    """The card that is seen at a point, later cards lying on earlier ones."""
    return next((k for k in reversed(range(len(places))) if places[k].has(x, y)), None)


def card_at(places: Sequence[Place], risen: Sequence[Place], x: float, y: float) -> int | None:
    """The card meant by a point: where the cards rest comes first, so that a risen one does not flutter; then where they stick out."""
    found = topmost(places, x, y)
    return topmost(risen, x, y) if found is None else found


def _item_box(places: Sequence[Place], k: int, pointer: tuple[float, float], hit: bool) -> Box:
    """A box around the part of a card that no other covers, its middle on that part. It has the pointer if and only if the card is meant."""
    place = places[k]
    seen = place.width if k == len(places) - 1 else min(place.width, math.dist(place[:2], places[k + 1][:2]))
    x, y = place.at((seen - place.width) / 2, -0.2 * place.height)
    half_width, half_height = 0.4 * seen, 0.25 * place.height
    across, down = abs(pointer[0] - x), abs(pointer[1] - y)
    if hit:
        half_width, half_height = max(half_width, across + 1), max(half_height, down + 1)
    elif across <= half_width and down <= half_height:
        half_width, half_height = min(half_width, max(0.5, across - 1)), min(half_height, max(0.5, down - 1))
    return Box(x - half_width, y - half_height, 2 * half_width, 2 * half_height)
