"""Which cards there are: read from the data file, checked against what the rulebook says."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from meshes.errors import Defect, DefectiveInput
from meshes.forms import form_defects

COLOURS = "BGOP"
"""Blue, green, orange and pink, in the order in which cards print them."""

SARDINES = 32
"""Sardine cards in the box (rulebook: Components)."""

MOST_ALIKE = 7
"""So many cards may be alike at most; hands are counted in three bits a kind."""

Demand = tuple[int, int, int, int]
"""How many fish are due of each of `COLOURS`."""


class OrderKind(StrEnum):
    """The three kinds of order cards, by what they ask for."""

    REGULAR = "regular"
    SPECIAL = "special"
    MIXED = "mixed"


ORDER_CARDS = {OrderKind.REGULAR: 14, OrderKind.SPECIAL: 3, OrderKind.MIXED: 3}
"""Order cards in the box (rulebook: Components)."""


class Order(NamedTuple):
    """What an order card shows. `need` is fish (`BBOO`) for a regular order, a number of fish for the other kinds."""

    kind: OrderKind
    need: str | int
    points: int

    def __str__(self) -> str:
        """What it asks for, in words."""
        if self.kind is OrderKind.REGULAR:
            return f"the fish {self.need}"
        return f"{self.need} fish of {'one colour' if self.kind is OrderKind.SPECIAL else f'{self.need} colours'}"

    def demands(self) -> tuple[Demand, ...]:
        """The order is filled by fish that meet any one of these (D7, D10, D11)."""
        if isinstance(self.need, str):
            return (fish_on(self.need),)
        if self.kind is OrderKind.SPECIAL:
            return tuple(fish_on(colour * self.need) for colour in COLOURS)
        return tuple(fish_on("".join(colours)) for colours in combinations(COLOURS, self.need))

    def to_json(self) -> dict[str, Any]:
        """In protocol form."""
        return {"kind": self.kind.value, "need": self.need, "points": self.points}


@dataclass(frozen=True, slots=True)
class CardList:
    """All cards of the game: how many of each sardine card, and every order card. `stand_in` marks a list that is made up."""

    stand_in: bool
    sardines: dict[str, int]
    orders: tuple[Order, ...]


class BadCardList(DefectiveInput):
    """A card list breaks its form or what the rulebook says about the cards."""

    kind = "card list"


def fish_on(letters: str) -> Demand:
    """How often each of `COLOURS` is among the letters."""
    blue, green, orange, pink = map(letters.count, COLOURS)
    return blue, green, orange, pink


@lru_cache(maxsize=1)
def standard() -> CardList:
    """The list that ships with the game."""
    return read_card_list(files("games.sardines").joinpath("cards.toml").read_text("utf8"))


def read_card_list(text: str) -> CardList:
    """A card list from TOML. Raises `BadCardList` naming every defect."""
    try:
        form = _ListForm.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadCardList("sardines", [Defect("not-toml", "", str(error))]) from error
    except ValidationError as error:
        raise BadCardList("sardines", form_defects(error)) from error
    orders = tuple(Order(OrderKind(entry.kind), need, entry.points) for entry in form.orders for need in entry.need)
    defects = [*_sardine_defects(form.sardines), *_order_defects(orders)]
    if defects:
        raise BadCardList("sardines", defects)
    return CardList(form.stand_in, dict(sorted(form.sardines.items())), orders)


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _OrderForm(_Form):
    kind: Annotated[str, Field(pattern="^(regular|special|mixed)$")]
    need: list[str | int]
    points: Annotated[int, Field(ge=0, le=100)]


class _ListForm(_Form):
    stand_in: bool
    sardines: dict[str, Annotated[int, Field(ge=1, le=MOST_ALIKE)]]
    orders: list[_OrderForm]


def _sardine_defects(sardines: dict[str, int]) -> Iterator[Defect]:
    for card in sardines:
        if not 1 <= len(card) <= 2 or not _is_fish(card):
            yield Defect("bad-card", f"sardines.{card}", f"a sardine card shows one or two of the fish {', '.join(COLOURS)}, letters sorted")
    total = sum(sardines.values())
    if total != SARDINES:
        yield Defect("wrong-total", "sardines", f"these are {total} cards; there must be {SARDINES}")


def _order_defects(orders: tuple[Order, ...]) -> Iterator[Defect]:
    counts = Counter(order.kind for order in orders)
    for kind, due in ORDER_CARDS.items():
        if counts[kind] != due:
            yield Defect("wrong-total", "orders", f"these are {counts[kind]} {kind} orders; there must be {due}")
    for order in orders:
        if order.kind is OrderKind.REGULAR:
            if not isinstance(order.need, str) or not 1 <= len(order.need) <= 6 or not _is_fish(order.need):
                yield Defect("bad-need", "orders", f"a regular order needs fish like BBOO, letters sorted, not {order.need!r}")
        elif not isinstance(order.need, int) or not 1 <= order.need <= len(COLOURS):
            yield Defect("bad-need", "orders", f"a {order.kind} order needs a number of fish from 1 to {len(COLOURS)}, not {order.need!r}")


def _is_fish(letters: str) -> bool:
    return set(letters) <= set(COLOURS) and list(letters) == sorted(letters)
