"""Which cards lie in the pile: read from the data file, checked against what the rulebook says."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from meshes.errors import Defect, DefectiveInput
from meshes.forms import form_defects

KINDS = "LFK"
"""The kinds of parasites: lice, fleas and ticks."""

SHOWER = "shower"

PARASITE_CARDS, INSECTICIDES = 18, 6
"""Cards in the box, with one shower (rulebook: Overview)."""


@dataclass(frozen=True, slots=True)
class CardList:
    """All cards of the pile in text form, in text order. `stand_in` marks a list that is made up."""

    stand_in: bool
    cards: tuple[str, ...]


class BadCardList(DefectiveInput):
    """A card list breaks its form or what the rulebook says about the cards."""

    kind = "card list"


@lru_cache(maxsize=1)
def standard() -> CardList:
    """The list that ships with the game."""
    return read_card_list(files("games.sakapuss").joinpath("cards.toml").read_text("utf8"))


def read_card_list(text: str) -> CardList:
    """A card list from TOML. Raises `BadCardList` naming every defect."""
    try:
        form = _ListForm.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadCardList("sakapuss", [Defect("not-toml", "", str(error))]) from error
    except ValidationError as error:
        raise BadCardList("sakapuss", form_defects(error)) from error
    defects = list(_total_defects(form))
    if defects:
        raise BadCardList("sakapuss", defects)
    parasites = [f"{kind}{number}" for kind, numbers in form.parasites.items() for number in numbers]
    insecticides = [f"i{kind}" for kind, count in form.insecticides.items() for _ in range(count)]
    return CardList(form.stand_in, tuple(sorted([*parasites, *insecticides, SHOWER])))


_Kind = Annotated[str, Field(pattern=f"^[{KINDS}]$")]


class _ListForm(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    stand_in: bool
    parasites: dict[_Kind, list[Annotated[int, Field(ge=1, le=9)]]]
    insecticides: dict[_Kind, Annotated[int, Field(ge=0, le=INSECTICIDES)]]


def _total_defects(form: _ListForm) -> Iterator[Defect]:
    for where, total, due in (
        ("parasites", sum(map(len, form.parasites.values())), PARASITE_CARDS),
        ("insecticides", sum(form.insecticides.values()), INSECTICIDES),
    ):
        if total != due:
            yield Defect("wrong-total", where, f"these are {total} cards; there must be {due}")
