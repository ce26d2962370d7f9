"""The faces and backs of all cards, drawn by the program."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from PIL import Image

from games.sakana.deck import SUIT_NAMES, deck, names
from games.sakapuss.deck import CATS, PILE
from games.sakapuss.words import CAT_NAMES, PARASITE_NAMES
from games.sardines.card_list import OrderKind, standard
from viewer.cards.card_backs import draw_back
from viewer.cards.card_paper import CREAM, HEIGHT, INK, WHITE, WIDTH, last_corner, panel, paper, stamp, words
from viewer.cards.cats import CAT_COLOURS, draw_cat
from viewer.cards.fish import FISH_COLOURS, draw_fish, draw_tin
from viewer.cards.parasites import PARASITE_COLOURS, SHOWER_COLOUR, SPRAY_COLOUR, draw_insecticide, draw_parasite, draw_shower
from viewer.cards.pen import Pen, Rgb, mixed, rgb
from viewer.cards.seafood import SUIT_COLOURS, draw_suit

BACK, ORDER_BACK, PILE_BACK = "back", "back:orders", "back:pile"


def all_cards(game: str) -> list[str]:
    """Every card of a game that looks different, and its backs."""
    if game == "sakana":
        return [*names(deck(5)), BACK]
    if game == "sardines":
        orders = (order_card(order.to_json()) for order in standard().orders)
        return [*standard().sardines, *dict.fromkeys(orders), BACK, ORDER_BACK]
    return [*CATS, *dict.fromkeys(PILE), BACK, PILE_BACK]


def order_card(order: Mapping[str, Any]) -> str:
    """The card of an order in protocol form."""
    return f"order:{order['kind']}:{order['need']}:{order['points']}"


def back_of(game: str, card: str) -> str:
    """The back of a card."""
    if game == "sardines" and card.startswith("order"):
        return ORDER_BACK
    return PILE_BACK if game == "sakapuss" and card not in CATS else BACK


def draw_cards(game: str) -> dict[str, Image.Image]:
    """All of `all_cards`, RGBA, `WIDTH` × `HEIGHT` pixels, without round corners."""
    drawers = {"sakana": _sakana, "sardines": _sardines, "sakapuss": _sakapuss}
    faces = drawers[game]()
    return {card: draw_back(game, card) if card.startswith("back") else faces[card] for card in all_cards(game)}


# --- Sakana Stack


def _sakana() -> dict[str, Image.Image]:
    faces = {}
    for suit, name in SUIT_NAMES.items():
        base = SUIT_COLOURS[suit]
        ground = paper()
        panel(ground, (76, 44, WIDTH - 20, HEIGHT - 96), mixed(CREAM, base, 0.13))
        stamp(ground, draw_suit(suit, 150), 158, 156)
        words(ground, name, 112, HEIGHT - 54, 30, base, face="Nunito-Bold", widest=150)
        small = draw_suit(suit, 54)
        for card in names(deck(5)):
            if card[0] == suit:
                face = ground.copy()
                face.alpha_composite(_suit_corner(card, base, small), (12, 12))
                last_corner(face, card[1:], base)
                faces[card] = face
    return faces


def _suit_corner(card: str, base: Rgb, small: Image.Image) -> Image.Image:
    corner = Image.new("RGBA", (64, 172))
    words(corner, card[1:], 32, 36, 82, base, widest=62)
    stamp(corner, small, 32, 102)
    words(corner, card[0], 32, 150, 34, base)
    return corner


# --- Sunny Day Sardines


def _sardines() -> dict[str, Image.Image]:
    faces = {}
    for card in standard().sardines:
        face = paper(CREAM, rgb("#dcebee"))
        panel(face, (64, 40, WIDTH - 24, HEIGHT - 40), mixed(CREAM, FISH_COLOURS[card[0]], 0.16), radius=24)
        if len(card) == 2:
            panel(face, (64, HEIGHT // 2, WIDTH - 24, HEIGHT - 40), mixed(CREAM, FISH_COLOURS[card[1]], 0.16), radius=24)
        for fish, y in zip(card, (HEIGHT / 2,) if len(card) == 1 else (118, 246), strict=True):
            stamp(face, draw_fish(fish, 168, 92), 150, y)
        face.alpha_composite(_letters_corner(card), (8, 12))
        faces[card] = face
    for order in standard().orders:
        card = order_card(order.to_json())
        if card not in faces:
            faces[card] = _order(order.kind, order.need, order.points)
    return faces


def _letters_corner(card: str) -> Image.Image:
    corner = Image.new("RGBA", (50, 54 * len(card)))
    for k, fish in enumerate(card):
        stamp(corner, _badge(fish, 48), 25, 27 + 54 * k)
    return corner


@cache
def _badge(fish: str, pixels: int) -> Image.Image:
    pen = Pen(pixels)
    pen.disc(0, 0, 0.97, FISH_COLOURS.get(fish, rgb("#8d8378")))
    pen.words(fish, 0, 0, 1.4, WHITE)
    return pen.finish()


def _order(kind: OrderKind, need: str | int, points: int) -> Image.Image:
    heads = {
        OrderKind.REGULAR: ("ORDER", rgb("#8c5a2b")),
        OrderKind.SPECIAL: ("SPECIAL", rgb("#a8791a")),
        OrderKind.MIXED: ("MIXED BAG", rgb("#2f7f86")),
    }
    head, colour = heads[kind]
    card = paper(rgb("#fbf0d8"), rgb("#ecd8b0"))
    panel(card, (14, 14, WIDTH - 14, 74), colour, radius=14)
    words(card, head, 95, 44, 32, WHITE, widest=136)
    coin = Pen(76)
    coin.disc(0, 0, 0.98, mixed(colour, INK, 0.4))
    coin.disc(0, 0, 0.86, rgb("#ffd873"))
    coin.words(str(points), 0, 0, 1.3, INK)
    stamp(card, coin.finish(), WIDTH - 50, 46)
    fish = need if isinstance(need, str) else "?" * need
    tin = draw_tin(220, 222, gold=kind is OrderKind.SPECIAL)
    stamp(card, tin, WIDTH / 2, 204)
    step = min(64, 202 / len(fish))
    height = round(min(58, step - 3))
    mixed_bag = "BGOP" if kind is OrderKind.MIXED else ""
    for k, letter in enumerate(fish):
        y = 204 + (k - (len(fish) - 1) / 2) * step
        stamp(card, draw_fish(mixed_bag[k] if mixed_bag else letter, round(min(140, height * 1.95)), height), 153, y)
        stamp(card, _badge("?" if mixed_bag else letter, min(42, height)), 56, y)
    notes = {OrderKind.REGULAR: "", OrderKind.SPECIAL: f"{need} of one colour", OrderKind.MIXED: f"{need} colours"}
    note = notes[kind] or "  ".join(f"{fish.count(letter)}{letter}" for letter in dict.fromkeys(fish))
    words(card, note, WIDTH / 2, HEIGHT - 27, 30, mixed(colour, INK, 0.3), widest=228)
    return card


# --- Sakapuss


def _sakapuss() -> dict[str, Image.Image]:
    faces = {cat: _cat(cat) for cat in CATS}
    for card in dict.fromkeys(PILE):
        faces[card] = _pile_card(card)
    return faces


def _cat(cat: str) -> Image.Image:
    base = CAT_COLOURS[cat]
    card = paper()
    panel(card, (22, 78, WIDTH - 22, HEIGHT - 78), mixed(CREAM, base, 0.3), radius=26)
    stamp(card, draw_cat(cat, 204), WIDTH / 2, HEIGHT / 2)
    corner = Image.new("RGBA", (64, 66))
    words(corner, cat, 32, 34, 80, base)
    card.alpha_composite(corner, (12, 12))
    last_corner(card, cat, base)
    words(card, CAT_NAMES[cat], WIDTH / 2 + 20, 46, 32, base, face="Nunito-Bold")
    return card


def _pile_card(card: str) -> Image.Image:
    if card == "shower":
        face = paper(CREAM, rgb("#cfe8f2"))
        stamp(face, draw_shower(196), WIDTH / 2, 176)
        words(face, "shower", WIDTH / 2, HEIGHT - 46, 36, SHOWER_COLOUR, face="Nunito-Bold")
        return face
    kind = card[-1] if card[0] == "i" else card[0]
    base, (one, many) = PARASITE_COLOURS[kind], PARASITE_NAMES[kind]
    if card[0] == "i":
        face = paper(CREAM, rgb("#d5ebe6"))
        panel(face, (20, 64, WIDTH - 20, HEIGHT - 76), mixed(CREAM, SPRAY_COLOUR, 0.14), radius=26)
        stamp(face, draw_insecticide(kind, 200), WIDTH / 2, 176)
        words(face, f"no more {many}", WIDTH / 2, HEIGHT - 46, 34, base, face="Nunito-Bold", widest=220)
        words(face, "insecticide", WIDTH / 2, 40, 32, SPRAY_COLOUR, widest=220)
        return face
    count = int(card[1:])
    face = paper()
    panel(face, (72, 44, WIDTH - 20, HEIGHT - 96), mixed(CREAM, base, 0.16), radius=22)
    _swarm(face, kind, count)
    words(face, f"{count} {one if count == 1 else many}", 112, HEIGHT - 54, 32, base, face="Nunito-Bold", widest=150)
    corner = Image.new("RGBA", (60, 168))
    words(corner, card[1:], 30, 36, 82, base, widest=58)
    stamp(corner, draw_parasite(kind, 52), 30, 100)
    words(corner, kind, 30, 148, 34, base)
    face.alpha_composite(corner, (12, 12))
    last_corner(face, card[1:], base)
    return face


def _swarm(face: Image.Image, kind: str, count: int) -> None:
    """As many as the card counts, up to six."""
    shown = min(count, 6)
    columns = 1 if shown < 4 else 2
    rows = -(-shown // columns)
    size = round(min(150 if columns == 1 else 78, 216 / rows - 4))
    picture = draw_parasite(kind, size)
    for k in range(shown):
        x = 156 + (k % columns - (columns - 1) / 2) * 80
        stamp(face, picture, x, 156 + (k // columns - (rows - 1) / 2) * (216 / rows))
