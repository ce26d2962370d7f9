"""Shared by the tests of this room: positions made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games.stakd.geometry import place_violations
from games.stakd.position import Position
from games.stakd.rules import Options, rules_for
from games.stakd.state import State
from meshes.piece_set import load_piece_set
from meshes.placement import Placement

Setting = Callable[..., State]

FULL = {"UNI": 9, "DUO": 9, "TRIO": 9, "QUAD": 9}


def set_table(
    *layers: Sequence[str],
    hands: Sequence[dict[str, int]] = (FULL, FULL),
    to_move: int = 0,
    out: Sequence[int] = (),
    scores: Sequence[int] | None = None,
    options: Options | None = None,
    set_name: str = "classic",
) -> State:
    """A state with these pieces on the table (`DUO 0,0 1,0`, layer by layer) and these hands, whatever play could lead to it."""
    rules = rules_for(len(hands), piece_set=load_piece_set(set_name), options=options)
    laid = tuple(tuple(_placement(text, layer) for text in texts) for layer, texts in enumerate(layers))
    for layer, placements in enumerate(laid):
        for index, placement in enumerate(placements):
            broken = list(place_violations(rules.piece_set, rules.options.base_contact, (*laid[:layer], placements[:index]), placement))
            assert not broken, f"{placement} can't lie there: {broken}"
    counts = tuple(tuple(hand.get(name, 0) for name in rules.names) for hand in hands)
    inside = sum(1 << seat for seat in range(len(hands)) if seat not in out)
    state = State(rules)
    state.position = Position.restore(rules, laid, counts, inside=inside, seat=to_move, over=False, winner=None)
    state.scores = tuple(scores) if scores else state.scores
    return state


def _placement(text: str, layer: int) -> Placement:
    piece, _, cells = text.partition(" ")
    placement = Placement.parse(f"{piece} {layer} {cells}")
    assert placement is not None, text
    return placement


@pytest.fixture
def table() -> Setting:
    """`set_table`."""
    return set_table


@pytest.fixture
def codes() -> Callable[..., list[str]]:
    """The codes of all rules a move breaks, in order; `[]` if it is legal."""

    def found(state: State, move: str, *, player: int | None = None) -> list[str]:
        violations = state.explain(move, player=player)
        legal = move in map(str, state.legal_moves(player))
        assert legal == (not violations), "the legal moves and the explanation must agree"
        return [broken.code.value for broken in violations]

    return found
