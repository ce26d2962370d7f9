"""The rules once more, slowly: cells, sets and the text of the rulebook. Legal moves, turns, scores and ends must agree with it."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from games.stakd.bases import BaseContact
from games.stakd.rules import NewLayerException, Options
from games.stakd.state import State
from meshes.piece_set import load_piece_set

Cell = tuple[int, int]
Laid = tuple[str, frozenset[Cell]]
Move = tuple[str, int, tuple[Cell, ...]]

HEX = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
SQUARE = [(1, 0), (0, 1), (-1, 0), (0, -1)]
CLASSIC: dict[str, Any] = {
    "around": HEX,
    "pieces": {
        "BASE": [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)],
        "UNI": [(0, 0)],
        "DUO": [(0, 0), (1, 0)],
        "TRIO": [(0, 0), (1, 0), (0, 1)],
        "QUAD": [(0, 0), (1, 0), (0, 1), (1, 1)],
    },
}
RIVAL: dict[str, Any] = {
    "around": SQUARE,
    "pieces": {
        "BASE": [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)],
        "UNI": [(0, 0)],
        "DUO": [(0, 0), (1, 0)],
        "TRIO": [(0, 0), (0, 1), (1, 0)],
        "QUAD": [(0, 0), (0, 1), (1, 0), (1, 1)],
    },
}
DEAL = {1: (2, 16, 10, 6, 4), 2: (2, 12, 8, 4, 2), 3: (1, 6, 4, 2, 1), 4: (1, 6, 4, 2, 1), 5: (1, 4, 3, 2, 1)}


class Reference:
    """A game as the rulebook tells it."""

    def __init__(self, shapes: dict[str, Any], players: int, exception: str, contact: str) -> None:
        self.around, self.players, self.exception, self.contact = shapes["around"], players, exception, contact
        self.turned = {name: self._turns(cells) for name, cells in shapes["pieces"].items()}
        self.names = list(shapes["pieces"])
        self.scores, self.starter, self.round, self.finished = [0] * players, 0, 1, False
        self.deal()

    def _turns(self, cells: list[Cell]) -> list[list[Cell]]:
        found: list[list[Cell]] = []
        for _ in self.around:
            cells = [(-r, q + r) if len(self.around) == 6 else (-r, q) for q, r in cells]
            q0, r0 = min(cells)
            shape = sorted((q - q0, r - r0) for q, r in cells)
            if shape not in found:
                found.append(shape)
        return found

    def deal(self) -> None:
        """Begin a round (S48)."""
        self.hands = [Counter(dict(zip(self.names, DEAL[self.players], strict=True))) for _ in range(self.players)]
        self.layers: list[list[Laid]] = []
        self.out = [False] * self.players
        self.to_move = self.starter

    def near(self, cells: frozenset[Cell]) -> set[Cell]:
        """Cells next to any of these."""
        return {(q + dq, r + dr) for q, r in cells for dq, dr in self.around}

    def legal(self, player: int) -> set[Move]:
        """Every move the player could make if it were his turn."""
        hand = +self.hands[player]
        if any(self.hands[p]["BASE"] for p in range(self.players) if not self.out[p]):
            return self.base_moves() if hand["BASE"] else set()
        top = len(self.layers) - 1
        here = self.stacking(player, top) if top else set()
        early = top > 0 and len(self.layers[top]) < 6
        if early and here:
            return here
        others = [p for p in range(self.players) if not self.out[p]] if self.exception == "all" else []
        if early and any(self.stacking(p, top) for p in others):
            return here
        opening = self.stacking(player, top + 1)
        if set(hand) != {"UNI"}:
            opening = {move for move in opening if move[0] != "UNI"}
        return here | opening

    def base_moves(self) -> set[Move]:
        """Places for a BASE (S5–S9)."""
        if not self.layers:
            q0, r0 = min(self.first())
            return {("BASE", 0, tuple(sorted((q - q0, r - r0) for q, r in self.first())))}
        laid = [cells for _, cells in self.layers[0]]
        taken = set().union(*laid)
        return {
            ("BASE", 0, tuple(sorted(cells)))
            for shape in self.turned["BASE"]
            for anchor, node in itertools.product(self.near(frozenset(taken)) - taken, shape)
            for cells in [frozenset((q + anchor[0] - node[0], r + anchor[1] - node[1]) for q, r in shape)]
            if not cells & taken and self.touching(cells, laid)
        }

    def first(self) -> list[Cell]:
        """The cells of the BASE."""
        cells: list[Cell] = (CLASSIC if len(self.around) == 6 else RIVAL)["pieces"]["BASE"]
        return cells

    def touching(self, new: frozenset[Cell], laid: list[frozenset[Cell]]) -> bool:
        """At least two nodes touch another BASE, in the reading chosen (S7)."""
        pairs = [[(cell, near) for cell in new for near in self.near(frozenset([cell])) & base] for base in laid]
        if self.contact == "one_base":
            return any(len({cell for cell, _ in found}) >= 2 for found in pairs)
        return sum(len(found) for found in pairs) >= (2 if self.contact == "two_pairs" else 1)

    def stacking(self, player: int, layer: int) -> set[Move]:
        """Placements on one layer that keep the rules of place, whether or not the layer may be played on."""
        below = self.layers[layer - 1]
        beside = self.layers[layer] if layer < len(self.layers) else []
        floor = set().union(*(cells for _, cells in below))
        taken: set[Cell] = set().union(*(cells for _, cells in beside))
        found = set()
        for name in +self.hands[player]:
            for shape, (q0, r0) in itertools.product(self.turned[name], floor):
                cells = frozenset((q + q0, r + r0) for q, r in shape)
                if cells <= floor and not cells & taken and self.fits(name, cells, beside, below):
                    found.add((name, layer, tuple(sorted(cells))))
        return found

    def fits(self, name: str, cells: frozenset[Cell], beside: list[Laid], below: list[Laid]) -> bool:
        """Connected, one of a type on each piece below, no duplicate (S11, S16, S20)."""
        if beside and not any(self.near(cells) & other for _, other in beside):
            return False
        for _, under in below:
            if cells & under and any(kind == name and other & under for kind, other in beside):
                return False
        return (name, cells) not in below

    def play(self, move: Move) -> None:
        """Lay a piece and pass the turn on (S35–S38, S51)."""
        name, layer, cells = move
        if layer == len(self.layers):
            self.layers.append([])
        self.layers[layer].append((name, frozenset(cells)))
        self.hands[self.to_move][name] -= 1
        if self.players == 1:
            self.out[0] = bool(+self.hands[0]) and not self.legal(0)
            self.finished = self.out[0] or not +self.hands[0]
            return None
        mover = player = self.to_move
        while True:
            player = (player + 1) % self.players
            if self.out.count(False) == 1:
                return self.won(self.out.index(False))
            if self.out[player]:
                continue
            if player != mover and not self.legal(player):
                self.out[player] = True
                continue
            self.to_move = player
            return None

    def won(self, winner: int) -> None:
        """Score the round (S39, S40)."""
        self.scores[winner] += 1
        self.to_move = winner
        if self.scores[winner] == 3:
            self.finished = True
            return
        self.round += 1
        self.starter = winner
        self.deal()


def same(state: State, reference: Reference) -> None:
    """Everything a player sees is as the reference has it."""
    data = state.to_json()
    assert data["to_move"] == reference.to_move
    assert data["out"] == reference.out
    assert data["scores"] == reference.scores
    assert (data["round"], data["starter"]) == (reference.round, reference.starter)
    assert [Counter(hand) for hand in data["hands"]] == reference.hands
    assert [[(p["piece"], frozenset(map(tuple, p["cells"]))) for p in layer] for layer in data["layers"]] == reference.layers
    assert (state.outcome() is not None) == reference.finished


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(("set_name", "shapes"), [("classic", CLASSIC), ("square", RIVAL)], ids=["classic", "square"])
@pytest.mark.parametrize("exception", ["mover", "all"])
@pytest.mark.parametrize("contact", ["one_base", "two_pairs", "any"])
def test_random_rounds_agree(players: int, set_name: str, shapes: dict[str, Any], exception: str, contact: str) -> None:
    """Through a random round legal moves, hands, eliminations, scores and the next round are those of the rulebook text."""
    options = Options(NewLayerException(exception), BaseContact(contact))
    state = State.new(players, piece_set=load_piece_set(set_name), options=options)
    reference = Reference(shapes, players, exception, contact)
    rng = np.random.default_rng([players, len(set_name), len(exception), len(contact)])
    while state.round == 1 and not reference.finished:
        same(state, reference)
        moves = state.legal_moves()
        assert len(moves) == len(set(moves))
        assert set(map(tuple, moves)) == reference.legal(state.to_move)
        move = moves[int(rng.integers(len(moves)))]
        state.play(move)
        reference.play((move.piece, move.layer, move.cells))
    same(state, reference)


def test_a_whole_match_agrees() -> None:
    """Round after round to three points, starters and scores are those of the rulebook text (S39–S41, S48)."""
    state, reference = State.new(3), Reference(CLASSIC, 3, "mover", "one_base")
    rng = np.random.default_rng(7)
    while not reference.finished:
        moves = state.legal_moves()
        move = moves[int(rng.integers(len(moves)))]
        state.play(move)
        reference.play((move.piece, move.layer, move.cells))
        same(state, reference)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (reference.scores.index(3),)
