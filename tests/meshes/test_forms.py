"""Telling what is wrong with data given to us: places, values and keys in the words of their author, whatever they hold."""

from __future__ import annotations

from datetime import date
from itertools import repeat
from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from meshes.forms import form_defects, key_text, path_text, value_text


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    count: Annotated[int, Field(strict=True, ge=1)]
    name: str


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")
    rows: list[_Row]


def _told(data: object, **known: object) -> list[str]:
    with pytest.raises(ValidationError) as refused:
        _Form.model_validate(data)
    return [str(defect) for defect in form_defects(refused.value, **known)]  # type: ignore[arg-type]


def test_each_complaint_has_its_place_and_says_what_is_right() -> None:
    """A missing key, one too many, a wrong type and a number out of range."""
    assert _told({"rows": [{"count": 0, "name": "a"}, {"count": "two", "name": "a", "x y": 1}, {"count": 1}]}) == [
        "rows[0].count: must be at least 1; found 0 [bad-value]",
        'rows[1].count: must be a whole number; found "two" [bad-value]',
        'rows[1]."x y": unknown key; remove it or mend its spelling [unknown-key]',
        "rows[2].name: this key must be given [missing-key]",
    ]


def test_known_keys_are_told_where_they_are_known() -> None:
    """Who misspells a key is told which there are, at that place."""
    told = _told({"rows": [], "row": 1}, known=lambda place: ("rows",) if len(place) == 1 else ())
    assert told == ["row: unknown key; remove it or mend its spelling (known here: rows) [unknown-key]"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("u", '"u"'),
        (True, "true"),
        (None, "null"),
        ([0, 0, "é"], '[0, 0, "é"]'),
        ({"mm": 30}, '{"mm": 30}'),
        ("\x1b[2J\u202e", '"\\u001b[2J\N{REPLACEMENT CHARACTER}"'),
        pytest.param(10**5000, "a value of type int", id="5001 digits"),
        (date(2020, 1, 1), "a value of type date"),
        ([7] * 10**7, "[" + "7, " * 16 + "…"),
    ],
)
def test_values_are_shown_in_short(value: object, text: str) -> None:
    """As JSON has them, cut where they are long, and nothing that a terminal would obey."""
    assert value_text(value) == text


def test_a_list_is_looked_at_only_as_far_as_it_is_shown() -> None:
    """A list nested without end, as a file of brackets has it, is shown like any other."""
    nested: list[object] = []
    for _ in repeat(None, 100_000):
        nested = [nested]
    assert value_text(nested) == "[" * 49 + "…"


def test_keys_that_could_confuse_are_in_quotes() -> None:
    """A dot or a blank in a key does not look like a path."""
    assert [key_text(key) for key in ("UNI", "a-b_2", "a.b", "", "größe")] == ["UNI", "a-b_2", '"a.b"', '""', '"größe"']
    assert path_text(("pieces", "my piece", "cells", 2)) == 'pieces."my piece".cells[2]'
    assert path_text((3, "a")) == "[3].a"


def test_a_wrong_key_is_told_as_one() -> None:
    """Where keys must have a form, the complaint names the key's place, says that it is about the key, and what it must be."""
    table: TypeAdapter[dict[str, int]] = TypeAdapter(dict[Annotated[str, StringConstraints(pattern="^[A-C]$")], int])
    with pytest.raises(ValidationError) as refused:
        table.validate_python({"A": 1, "X": 2})
    assert [str(defect) for defect in form_defects(refused.value)] == ['X: the key must be of the form ^[A-C]$; found "X" [bad-value]']
