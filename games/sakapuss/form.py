"""Sakapuss in protocol form: writing positions, and reading them back with every defect named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.cards import deck_defects
from games.errors import BadOptions, BadState
from games.sakapuss.deck import CATS, HAND, MAX_PLAYERS, MIN_PLAYERS, PARASITES, PILE, ROUNDS, cats_in_play, hand_names, packed
from games.sakapuss.position import NO_CARD, Position
from meshes.errors import Defect
from meshes.forms import form_defects

_MOST = 1_000
"""No list of a real state is longer."""

OPTIONS = {"false_slap_ends_round": False}
"""The options with their defaults (P11)."""


def to_json(position: Position) -> dict[str, Any]:
    """A position in protocol form."""
    return {
        "game": "sakapuss",
        "players": len(position.hands),
        "options": {"false_slap_ends_round": position.false_slap_ends_round},
        "round": position.round,
        "dealer": position.dealer,
        "hands": [hand_names(hand) for hand in position.hands],
        "pile": list(position.pile),
        "front": [list(front) for front in position.front],
        "chosen": [None if cat == NO_CARD else CATS[cat] for cat in position.chosen],
        "slapped": list(position.slapped),
    }


def read_options(data: Mapping[str, Any]) -> bool:
    """Whether a wrong slap ends the round. Raises `BadOptions` naming every unknown key or value."""
    defects = []
    for key, value in data.items():
        if key not in OPTIONS:
            defects.append(Defect("unknown-key", f"options.{key}", f"no such option; Sakapuss has {', '.join(OPTIONS)}"))
        elif not isinstance(value, bool):
            defects.append(Defect("bad-value", f"options.{key}", "must be true or false"))
    if defects:
        raise BadOptions("sakapuss", defects)
    return bool({**OPTIONS, **data}["false_slap_ends_round"])


def read_position(data: Mapping[str, Any]) -> Position:
    """Check a position in protocol form.

    All cards must be there once, every hand has four, and a pass, a call or a round must not be over by half; whether play can lead
    there is not asked. Hands may come in any order. Raises `BadState` naming every defect.
    """
    try:
        form = _StateForm.model_validate(dict(data))
    except ValidationError as error:
        raise BadState("sakapuss", form_defects(error)) from error
    ends_round, defects = False, list[Defect]()
    try:
        ends_round = read_options(form.options)
    except BadOptions as error:
        defects += error.defects
    sizes = list(_size_defects(form))
    defects += [*sizes, *_card_defects(form)]
    if not sizes:
        defects += [*_choice_defects(form), *_slap_defects(form)]
    if defects:
        raise BadState("sakapuss", defects)
    return _position(form, ends_round)


_Cards = Annotated[list[str], Field(max_length=_MOST)]
_Seat = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]


class _StateForm(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    game: Annotated[str, Field(pattern="^sakapuss$")]
    players: Annotated[int, Field(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
    options: dict[str, Any]
    round: Annotated[int, Field(ge=1, le=ROUNDS)]
    dealer: _Seat
    hands: Annotated[list[_Cards], Field(max_length=MAX_PLAYERS)]
    pile: _Cards
    front: Annotated[list[_Cards], Field(max_length=MAX_PLAYERS)]
    chosen: Annotated[list[str | None], Field(max_length=MAX_PLAYERS)]
    slapped: Annotated[list[_Seat], Field(max_length=MAX_PLAYERS)]


def _position(form: _StateForm, ends_round: bool) -> Position:
    return Position(
        hands=tuple(packed(map(CATS.index, hand)) for hand in form.hands),
        pile=tuple(form.pile),
        front=tuple(map(tuple, form.front)),
        chosen=tuple(NO_CARD if cat is None else CATS.index(cat) for cat in form.chosen),
        slapped=tuple(form.slapped),
        round=form.round,
        dealer=form.dealer,
        false_slap_ends_round=ends_round,
    )


def _size_defects(form: _StateForm) -> Iterator[Defect]:
    for key, entries in (("hands", form.hands), ("front", form.front), ("chosen", form.chosen)):
        if len(entries) != form.players:
            yield Defect("wrong-length", key, f"there are {form.players} players, so this list needs {form.players} entries, not {len(entries)}")
    for key, seat in (("dealer", form.dealer), *((f"slapped[{index}]", seat) for index, seat in enumerate(form.slapped))):
        if seat >= form.players:
            yield Defect("no-such-player", key, f"players are numbered 0 to {form.players - 1}")
    for seat, hand in enumerate(form.hands):
        if len(hand) != HAND:
            yield Defect("wrong-hand-size", f"hands[{seat}]", f"every hand has {HAND} cats, not {len(hand)}; a card chosen is still in it")


def _card_defects(form: _StateForm) -> Iterator[Defect]:
    yield from deck_defects((cat for hand in form.hands for cat in hand), (CATS[cat] for cat in cats_in_play(form.players)))
    yield from deck_defects((card for zone in (form.pile, *form.front) for card in zone), PILE)
    for seat, front in enumerate(form.front):
        for index, card in enumerate(front):
            if card in PILE and card not in PARASITES:
                yield Defect("not-a-parasite", f"front[{seat}][{index}]", f"only parasites stay here; {card} goes under the pile (P19)")


def _choice_defects(form: _StateForm) -> Iterator[Defect]:
    for seat, (cat, hand) in enumerate(zip(form.chosen, form.hands, strict=True)):
        if cat is not None and cat not in hand:
            yield Defect("not-in-hand", f"chosen[{seat}]", f"player {seat} holds no {cat}; the card chosen stays in the hand until all have chosen")
    if None not in form.chosen:
        yield Defect("all-chosen", "chosen", "when the last player chooses, all cards are passed at once; then all entries are null (P4)")


def _slap_defects(form: _StateForm) -> Iterator[Defect]:
    slapped, players = form.slapped, form.players
    if not slapped:
        return
    if len(set(slapped)) != len(slapped):
        yield Defect("slapped-twice", "slapped", "every player is named at most once")
    elif len(slapped) == players - 1 or (len(slapped) == players and form.round != ROUNDS):
        message = f"with all but one come the round is over and the next is dealt; only after round {ROUNDS} are all players named"
        yield Defect("round-over", "slapped", message)
    if len(set(form.hands[slapped[0]])) != 1:
        yield Defect("wrong-call", "slapped", f"player {slapped[0]} slapped first, so he must hold four cats alike (P9)")
