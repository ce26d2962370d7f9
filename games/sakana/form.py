"""Sakana Stack in protocol form: writing positions, and reading them back with every defect named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.cards import deck_defects
from games.errors import BadState
from games.sakana.deck import CARDS, MAX_PLAYERS, MIN_PLAYERS, Stack, bits, deck, hand_names, names
from games.sakana.position import Position
from meshes.errors import Defect
from meshes.forms import form_defects

_MOST = 1_000
"""No list of a real state is longer, nor any number larger."""


def to_json(position: Position) -> dict[str, Any]:
    """A position in protocol form."""
    return {
        "game": "sakana",
        "players": position.seats,
        "options": {},
        "round": position.round,
        "dealer": position.dealer,
        "to_move": position.seat,
        "hands": [hand_names(hand) for hand in position.hands],
        "draw": names(position.draw),
        "discard": names(position.discard),
        "stacks": [{"owner": stack.owner, "cards": names(stack.cards)} for stack in position.stacks],
        "banked": [names(cards) for cards in position.banked],
        "exhaustions": position.exhaustions,
        "scores": list(position.scores),
    }


def read_position(data: Mapping[str, Any]) -> Position:
    """Check a position in protocol form.

    The cards of all zones together must be the deck, stacks must be stacks (K14, K21), and the round or the game must not be over
    by half; whether play can lead there is not asked. Hands may come in any order. Raises `BadState` naming every defect.
    """
    try:
        form = _StateForm.model_validate(dict(data))
    except ValidationError as error:
        raise BadState("sakana", form_defects(error)) from error
    cards = list(_card_defects(form))
    defects = [*_option_defects(form), *_size_defects(form), *cards, *_end_defects(form), *_score_defects(form), *_owner_defects(form)]
    if not any(defect.code == "unknown-card" for defect in cards):
        defects += _stack_defects(form)
    if defects:
        raise BadState("sakana", defects)
    return _position(form)


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Seat = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
_Cards = Annotated[list[str], Field(max_length=_MOST)]


class _StackForm(_Form):
    owner: _Seat
    cards: _Cards

    @property
    def numbers(self) -> list[int]:
        """The numbers of its cards, bottom to top; the cards must be known."""
        return [CARDS[name] // 6 for name in self.cards]


class _StateForm(_Form):
    game: str = Field(pattern="^sakana$")
    players: Annotated[int, Field(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
    options: dict[str, Any]
    round: Annotated[int, Field(ge=1, le=MAX_PLAYERS)]
    dealer: _Seat
    to_move: _Seat
    hands: Annotated[list[_Cards], Field(max_length=MAX_PLAYERS)]
    draw: _Cards
    discard: _Cards
    stacks: Annotated[list[_StackForm], Field(max_length=_MOST)]
    banked: Annotated[list[_Cards], Field(max_length=MAX_PLAYERS)]
    exhaustions: Annotated[int, Field(ge=0, le=2)]
    scores: Annotated[list[Annotated[int, Field(ge=0, le=_MOST)]], Field(max_length=MAX_PLAYERS)]

    @property
    def over(self) -> bool:
        """Whether the whole game is over: the last round, and nobody holds a card."""
        return self.round == self.players and not any(self.hands)

    def zones(self) -> Iterator[Sequence[str]]:
        """All lists of cards."""
        yield from (*self.hands, self.draw, self.discard, *(stack.cards for stack in self.stacks), *self.banked)


def _position(form: _StateForm) -> Position:
    new = Position()
    new.seats, new.round, new.dealer, new.seat = form.players, form.round, form.dealer, form.to_move
    new.hands = tuple(bits(_ids(hand)) for hand in form.hands)
    new.draw, new.discard = _ids(form.draw), _ids(form.discard)
    new.stacks = tuple(Stack(stack.owner, _ids(stack.cards)) for stack in form.stacks)
    new.banked = tuple(map(_ids, form.banked))
    new.exhaustions, new.scores, new.over = form.exhaustions, tuple(form.scores), form.over
    return new


def _ids(cards: Sequence[str]) -> tuple[int, ...]:
    return tuple([CARDS[name] for name in cards])


def _option_defects(form: _StateForm) -> Iterator[Defect]:
    for key in form.options:
        yield Defect("unknown-key", f"options.{key}", "Sakana Stack has no options; leave it out")


def _size_defects(form: _StateForm) -> Iterator[Defect]:
    for key, entries in (("hands", form.hands), ("banked", form.banked), ("scores", form.scores)):
        if len(entries) != form.players:
            yield Defect("wrong-length", key, f"there are {form.players} players, so this list needs {form.players} entries, not {len(entries)}")
    for key, seat in (("dealer", form.dealer), ("to_move", form.to_move)):
        if seat >= form.players:
            yield Defect("no-such-player", key, f"players are numbered 0 to {form.players - 1}")
    if form.round > form.players:
        yield Defect("no-such-round", "round", f"with {form.players} players there are {form.players} rounds")


def _card_defects(form: _StateForm) -> Iterator[Defect]:
    yield from deck_defects((card for zone in form.zones() for card in zone), names(deck(form.players)))


def _end_defects(form: _StateForm) -> Iterator[Defect]:
    """A round ends when a hand is empty or the draw pile was exhausted twice; only at the end of the game is no new one dealt."""
    if form.over:
        if form.stacks:
            yield Defect("live-stacks", "stacks", "the game is over (nobody holds a card), so all stacks must be banked")
        return
    for seat, hand in enumerate(form.hands[: form.players]):
        if not hand:
            yield Defect("empty-hand", f"hands[{seat}]", "the round ends when a hand is empty, so while it goes on it has at least one card (K9)")
    if not form.draw:
        yield Defect("no-catch", "draw", "while the round goes on the draw pile has at least one card, the Catch of the Day (K3)")
    if form.exhaustions == 2:
        yield Defect("exhausted", "exhaustions", "the round ends when the draw pile is exhausted twice, so while it goes on this is 0 or 1 (K4)")


def _score_defects(form: _StateForm) -> Iterator[Defect]:
    """Points are cards of finished rounds, the last one too when the game is over."""
    finished = form.round if form.over else form.round - 1
    most = finished * len(deck(form.players))
    if sum(form.scores) > most:
        yield Defect("too-many-points", "scores", f"after {finished} finished rounds there can't be more than {most} points in all")
    for seat, (score, cards) in enumerate(zip(form.scores, form.banked, strict=False)):
        if form.over and score < len(cards):
            yield Defect(
                "too-few-points", f"scores[{seat}]", f"the game is over, so the {len(cards)} cards banked in the last round must count in it"
            )


def _owner_defects(form: _StateForm) -> Iterator[Defect]:
    """With 3–5 players a stack is banked before its owner's next turn, so nobody has two and the mover has none (K10)."""
    owners = Counter(stack.owner for stack in form.stacks)
    for index, stack in enumerate(form.stacks):
        where = f"stacks[{index}].owner"
        if stack.owner >= form.players:
            yield Defect("no-such-player", where, f"players are numbered 0 to {form.players - 1}")
        elif form.players == 2 or form.over:
            continue
        elif stack.owner == form.to_move:
            yield Defect("not-banked", where, f"player {stack.owner} is to move, so this stack must be banked already (K10)")
        elif owners[stack.owner] > 1:
            yield Defect("second-stack", where, f"player {stack.owner} has {owners[stack.owner]} stacks; with {form.players} players only one (K10)")


def _stack_defects(form: _StateForm) -> Iterator[Defect]:
    """A stack has cards of one number; with 3–5 players all are worth the same (K14). Every card must be a known one."""
    values = []
    for index, stack in enumerate(form.stacks):
        if not stack.cards:
            yield Defect("empty-stack", f"stacks[{index}].cards", "a stack has at least one card; leave it out")
        elif len(set(stack.numbers)) > 1:
            yield Defect("different-numbers", f"stacks[{index}].cards", "all cards of a stack have the same number (K21)")
        else:
            values.append(sum(stack.numbers))
    if form.players > 2 and len(set(values)) > 1:
        message = f"with 3 to 5 players all live stacks are worth the same; these are worth {', '.join(map(str, values))} (K14)"
        yield Defect("unequal-stacks", "stacks", message)
