"""States of Sunny Day Sardines in protocol form: writing them, and reading them back with every defect named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from games.cards import deck_defects
from games.errors import BadState
from games.sardines import tables
from games.sardines.card_list import Order, OrderKind
from games.sardines.position import Position
from games.sardines.tables import GATHERED, HAND_LIMIT, MARKET, ROW
from meshes.errors import Defect
from meshes.forms import form_defects


def to_json(position: Position) -> dict[str, Any]:
    """A position in protocol form."""
    return {
        "game": "sardines",
        "players": len(position.hands),
        "options": {},
        "starter": position.starter,
        "to_move": position.to_move,
        "hands": [tables.names(hand) for hand in position.hands],
        "market": _named(position.market),
        "deck": _named(position.deck[position.top :]),
        "discard": _named(position.discard),
        "orders": _shown(position.orders),
        "order_deck": _shown(position.order_deck[position.order_top :]),
        "completed": [_shown(orders) for orders in position.completed],
        "final_round": position.final_round,
        "must_discard": position.must_discard,
    }


def read_position(data: Mapping[str, Any]) -> Position:
    """Check a state in protocol form.

    All cards must be there once, no hand may be over the limit but that of a player who must discard, and market and row must be
    full while there are cards to fill them; whether play can lead there is not asked. Raises `BadState` naming every defect.
    """
    try:
        form = _StateForm.model_validate(dict(data))
    except ValidationError as error:
        raise BadState("sardines", form_defects(error)) from error
    defects = [*_option_defects(form), *_size_defects(form), *_card_defects(form), *_order_defects(form), *_hand_defects(form), *_table_defects(form)]
    if defects:
        raise BadState("sardines", defects)
    return Position(
        hands=tuple(tables.packed(_numbers(hand)) for hand in form.hands),
        market=_numbers(form.market),
        deck=_numbers(form.deck),
        top=0,
        discard=_numbers(form.discard),
        orders=_order_numbers(form.orders),
        order_deck=_order_numbers(form.order_deck),
        order_top=0,
        completed=tuple(_order_numbers(orders) for orders in form.completed),
        to_move=form.to_move,
        must_discard=form.must_discard,
        starter=form.starter,
    )


def _named(cards: tuple[int, ...]) -> list[str]:
    return [tables.NAMES[card] for card in cards]


def _shown(orders: tuple[int, ...]) -> list[dict[str, Any]]:
    return [tables.ORDERS[order].to_json() for order in orders]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Seat = Annotated[int, Field(ge=0, le=1_000_000)]
_Cards = Annotated[list[str], Field(max_length=1000)]


class _OrderForm(_Form):
    kind: Annotated[str, Field(pattern="^(regular|special|mixed)$")]
    need: str | int
    points: int

    @model_validator(mode="after")
    def _check_need(self) -> _OrderForm:
        if isinstance(self.need, str) != (self.kind == OrderKind.REGULAR):
            raise ValueError("a regular order needs fish like BBOO, a special or mixed one a number of fish")
        return self

    @property
    def order(self) -> Order:
        """The order card meant, whether there is such a one or not."""
        return Order(OrderKind(self.kind), self.need, self.points)


_Orders = Annotated[list[_OrderForm], Field(max_length=1000)]


class _StateForm(_Form):
    game: Annotated[str, Field(pattern="^sardines$")]
    players: Annotated[int, Field(ge=2, le=4)]
    options: dict[str, Any]
    starter: _Seat
    to_move: _Seat
    hands: Annotated[list[_Cards], Field(max_length=100)]
    market: _Cards
    deck: _Cards
    discard: _Cards
    orders: _Orders
    order_deck: _Orders
    completed: Annotated[list[_Orders], Field(max_length=100)]
    final_round: bool
    must_discard: Annotated[int, Field(ge=0, le=GATHERED)]


def _numbers(cards: list[str]) -> tuple[int, ...]:
    return tuple(tables.CARD_INDEX[card] for card in cards)


def _order_numbers(orders: list[_OrderForm]) -> tuple[int, ...]:
    return tuple(tables.ORDER_INDEX[entry.order] for entry in orders)


def _option_defects(form: _StateForm) -> Iterator[Defect]:
    for key in form.options:
        yield Defect("unknown-key", f"options.{key}", "no such option; Sunny Day Sardines has none")


def _size_defects(form: _StateForm) -> Iterator[Defect]:
    for key, entries in (("hands", form.hands), ("completed", form.completed)):
        if len(entries) != form.players:
            yield Defect("wrong-length", key, f"there are {form.players} players, so this list needs {form.players} entries, not {len(entries)}")
    for key, seat in (("to_move", form.to_move), ("starter", form.starter)):
        if seat >= form.players:
            yield Defect("no-such-player", key, f"players are numbered 0 to {form.players - 1}")


def _card_defects(form: _StateForm) -> Iterator[Defect]:
    found = chain(*form.hands, form.market, form.deck, form.discard)
    yield from deck_defects(found, chain.from_iterable([name] * count for name, count in zip(tables.NAMES, tables.COUNTS, strict=True)))


def _order_defects(form: _StateForm) -> Iterator[Defect]:
    found = [_text(entry.order) for entry in chain(form.orders, form.order_deck, *form.completed)]
    due = chain.from_iterable([_text(order)] * count for order, count in zip(tables.ORDERS, tables.ORDER_COUNTS, strict=True))
    yield from deck_defects(found, due)


def _text(order: Order) -> str:
    return f"{order.kind} {order.need} for {order.points}"


def _hand_defects(form: _StateForm) -> Iterator[Defect]:
    """Hands are sorted, and over the limit by just what must be discarded (D13)."""
    for seat, hand in enumerate(form.hands):
        if hand != sorted(hand):
            yield Defect("unsorted-hand", f"hands[{seat}]", "the cards of a hand must be sorted by text")
        over = form.must_discard if seat == form.to_move else 0
        if over and len(hand) != HAND_LIMIT + over:
            message = f"{over} to discard means {HAND_LIMIT + over} cards in hand, not {len(hand)}"
            yield Defect("wrong-hand-size", f"hands[{seat}]", message)
        elif len(hand) > HAND_LIMIT + over:
            yield Defect("wrong-hand-size", f"hands[{seat}]", f"{len(hand)} cards are more than the {HAND_LIMIT} a hand may hold")


def _table_defects(form: _StateForm) -> Iterator[Defect]:
    """Market and row are full while there are cards to fill them; the final round begins when there are no orders left to turn up."""
    for key, lying, full, more in (
        ("market", len(form.market), MARKET, bool(form.deck or form.discard)),
        ("orders", len(form.orders), ROW, bool(form.order_deck)),
    ):
        if lying > full or (more and lying < full):
            yield Defect("wrong-number", key, f"there must be {full} cards here{'' if more else ' at most'}, not {lying}")
    if form.final_round == bool(form.order_deck):
        yield Defect("wrong-final-round", "final_round", "must be true exactly when order_deck is empty")
