"""STAKD states in protocol form: writing them, and reading them back with every defect named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.errors import BadOptions, BadState
from games.stakd.codes import Code
from games.stakd.geometry import Layers, place_violations
from games.stakd.position import Position
from games.stakd.rules import POINTS_TO_WIN, Options, Rules, rules_for
from meshes.errors import Defect
from meshes.forms import form_defects
from meshes.piece_set import PieceSet
from meshes.placement import Placement

if TYPE_CHECKING:
    from games.stakd.state import State

FARTHEST = 1000
"""The first BASE must lie no farther than this from the origin, where play puts it; the rest hangs on it."""

LARGEST = 10**9
"""Rounds and points beyond this are no game, and numbers of any length could be too long to print."""

MOST_PIECES = 2000
"""With more pieces on the table than any set holds, only their number is refused; looking at each would take too long."""


class ReadState(NamedTuple):
    """What a state in protocol form says, checked."""

    position: Position
    starter: int
    scores: tuple[int, ...]
    round: int


def to_json(state: State) -> dict[str, Any]:
    """A state in protocol form."""
    layers = [[{"piece": piece, "cells": [list(cell) for cell in cells]} for piece, _, cells in layer] for layer in state.layers]
    return {
        "game": "stakd",
        "players": state.players,
        "options": state.options.to_json(),
        "hands": [state.hand(player) for player in range(state.players)],
        "layers": layers,
        "to_move": state.to_move,
        "out": list(state.out),
        "starter": state.starter,
        "scores": list(state.scores),
        "round": state.round,
    }


def read_state(data: Mapping[str, Any], *, piece_set: PieceSet | None = None) -> ReadState:
    """Check a state in protocol form, by default of the classic set.

    What lies and what is held must add up, pieces must keep the rules of place, and the player to move must be able to move;
    whether play can lead there is not asked. Raises `BadState` naming every defect.
    """
    try:
        form = _StateForm.model_validate(dict(data))
    except ValidationError as error:
        raise BadState("stakd", form_defects(error)) from error
    rules, defects = _rules(form, piece_set)
    laid = tuple(tuple(Placement(piece.piece, layer, _cells(piece)) for piece in pieces) for layer, pieces in enumerate(form.layers))
    sizes = list(_size_defects(form))
    defects += [*sizes, *_count_defects(form, rules), *_table_defects(form, rules, laid), *_score_defects(form)]
    defects += [] if sizes else _turn_defects(form)
    if not defects:
        position = _position(form, rules, laid)
        if position.over or position.count():
            return ReadState(position, form.starter, tuple(form.scores), form.round)
        message = f"player {form.to_move} has no legal move; a player who can't move is out when his turn comes"
        defects.append(Defect("cannot-move", "to_move", message))
    raise BadState("stakd", defects)


def _rules(form: _StateForm, piece_set: PieceSet | None) -> tuple[Rules, list[Defect]]:
    """The rules of the state and what is wrong with its options; raises `BadState` if there are none for its number of players."""
    defects: list[Defect] = []
    try:
        options = Options.from_json(form.options)
    except BadOptions as error:
        options, defects = Options(), list(error.defects)
    try:
        return rules_for(form.players, piece_set=piece_set, options=options), defects
    except BadOptions as error:
        raise BadState("stakd", [*defects, *error.defects]) from error


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Whole = Annotated[int, Field(ge=0, le=1_000_000)]
_Coordinate = Annotated[int, Field(ge=-100_000, le=100_000)]


class _PieceForm(_Form):
    piece: str
    cells: list[Annotated[list[_Coordinate], Field(min_length=2, max_length=2)]] = Field(min_length=1, max_length=100)


class _StateForm(_Form):
    game: str = Field(pattern="^stakd$")
    players: _Whole
    options: dict[str, Any]
    hands: list[dict[str, _Whole]]
    layers: list[list[_PieceForm]]
    to_move: _Whole
    out: list[bool]
    starter: _Whole
    scores: list[Annotated[int, Field(ge=-LARGEST, le=LARGEST)]]
    round: Annotated[int, Field(ge=1, le=LARGEST)]

    @property
    def winner(self) -> int | None:
        """The seat with the points that win the game."""
        return self.scores.index(POINTS_TO_WIN) if POINTS_TO_WIN in self.scores and self.players > 1 else None

    @property
    def solo_over(self) -> bool:
        """Whether this is solo and won or lost (S49)."""
        return self.players == 1 and (self.out[0] or not any(self.hands[0].values()))


def _cells(piece: _PieceForm) -> tuple[tuple[int, int], ...]:
    return tuple((q, r) for q, r in piece.cells)


def _position(form: _StateForm, rules: Rules, laid: Layers) -> Position:
    hands = tuple(tuple(hand[name] for name in rules.names) for hand in form.hands)
    inside = sum(1 << seat for seat, out in enumerate(form.out) if not out)
    over = form.winner is not None or form.solo_over
    winner = form.winner if form.players > 1 else (0 if form.solo_over and not form.out[0] else None)
    return Position.restore(rules, laid, hands, inside=inside, seat=form.to_move, over=over, winner=winner)


def _size_defects(form: _StateForm) -> Iterator[Defect]:
    for key, entries in (("hands", form.hands), ("out", form.out), ("scores", form.scores)):
        if len(entries) != form.players:
            yield Defect("wrong-length", key, f"there are {form.players} players, so this list needs {form.players} entries, not {len(entries)}")
    for key, seat in (("to_move", form.to_move), ("starter", form.starter)):
        if seat >= form.players:
            yield Defect("no-such-player", key, f"players are numbered 0 to {form.players - 1}")


def _count_defects(form: _StateForm, rules: Rules) -> Iterator[Defect]:
    """Every piece in play lies on the table or in a hand, and no hand is larger than dealt."""
    deal = dict(zip(rules.names, rules.hand, strict=True))
    for seat, hand in enumerate(form.hands):
        for name in hand.keys() ^ deal.keys():
            where, known = f"hands[{seat}].{name}", name in deal
            yield Defect("missing-key" if known else "unknown-piece", where, "this key must be given" if known else "there is no such piece")
        for name, count in hand.items():
            if count > deal.get(name, count):
                yield Defect("hand-too-large", f"hands[{seat}].{name}", f"a player is dealt {deal[name]}, so can't hold {count}")
    laid = [piece.piece for pieces in form.layers for piece in pieces]
    for name in sorted(set(laid) - deal.keys()):
        yield Defect("unknown-piece", "layers", f"there is no piece {name}; this set has {', '.join(rules.names)}")
    for name, each in deal.items():
        held, lying = sum(hand.get(name, 0) for hand in form.hands), laid.count(name)
        if held + lying != each * form.players:
            message = f"{lying} on the table and {held} in hands make {held + lying}; {each * form.players} are in play"
            yield Defect("wrong-total", f"pieces.{name}", message)


def _table_defects(form: _StateForm, rules: Rules, laid: Layers) -> Iterator[Defect]:
    """The rules of place, piece by piece as laid."""
    base = rules.names[rules.base]
    pieces_laid = [placement for pieces in laid for placement in pieces]
    if len(pieces_laid) > MOST_PIECES or any(placement.piece not in rules.names for placement in pieces_laid):
        return
    if len(laid) > 1 and any(hand.get(base) and not out for hand, out in zip(form.hands, form.out, strict=False)):
        yield Defect(Code.BASES_FIRST.value, "layers", f"nothing may be stacked while a player in the round holds a {base} (S5)")
    if laid and laid[0] and max(abs(number) for cell in laid[0][0].cells for number in cell) > FARTHEST:
        yield Defect("too-far", "layers[0][0]", f"the first {base} must lie within {FARTHEST} of (0,0)")
    for layer, pieces in enumerate(laid):
        if not pieces:
            yield Defect("empty-layer", f"layers[{layer}]", "a layer has at least one piece; leave it out")
        for index, placement in enumerate(pieces):
            where = f"layers[{layer}][{index}]"
            if list(placement.cells) != sorted(set(placement.cells)):
                yield Defect("unsorted-cells", f"{where}.cells", "cells must be sorted by q, then r, each once")
                continue
            before = (*laid[:layer], pieces[:index])
            for broken in place_violations(rules.piece_set, rules.options.base_contact, before, placement):
                yield Defect(broken.code.value, where, f"{placement}: {broken.message} ({broken.rule})")


def _score_defects(form: _StateForm) -> Iterator[Defect]:
    if form.players == 1:
        for key, found, only in (("scores", form.scores, [0]), ("round", form.round, 1)):
            if found != only:
                yield Defect("not-solo", key, f"solo is one round without points, so this must be {only}")
    elif any(score > POINTS_TO_WIN for score in form.scores) or form.scores.count(POINTS_TO_WIN) > 1:
        yield Defect("too-many-points", "scores", f"the game ends when the first player has {POINTS_TO_WIN} points")


def _turn_defects(form: _StateForm) -> Iterator[Defect]:
    """The player to move is in the round; when the game is over he is the winner."""
    if form.winner is not None and form.to_move != form.winner:
        yield Defect("not-the-winner", "to_move", f"the game is over, so this must be the winner, player {form.winner}")
    if form.out[form.to_move] and not form.solo_over:
        yield Defect("player-out", "to_move", f"player {form.to_move} is out of the round")
