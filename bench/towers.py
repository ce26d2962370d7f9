"""Towers to measure with: legal ones from random play, as high or as full as asked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from games.stakd.state import State
from meshes.piece_set import PieceSet, load_piece_set
from physics.tower import Tower


@cache
def full_tower(pieces: int, seed: int = 0) -> Tower:
    """A legal tower of `pieces` pieces, one player laying the whole box at random until a round reaches that many."""
    whole = whole_box(load_piece_set("classic"))
    for attempt in range(seed, seed + 10_000):
        tower = random_tower(whole, 1, attempt)
        if len(tower.laid) >= pieces:
            return replace(tower, laid=tower.laid[:pieces])
    raise ValueError(f"no random round laid {pieces} pieces")


@cache
def slender_towers(count: int, *, pieces: int = 45, layers: int = 18) -> tuple[Tower, ...]:
    """The first `count` random rounds that end with so many pieces and layers or more; two to five players."""
    found = []
    for seed in range(1_000_000):
        tower = random_tower(load_piece_set("classic"), 2 + seed % 4, seed)
        if len(tower.laid) >= pieces and tower.layers >= layers:
            found.append(tower)
            if len(found) == count:
                break
    return tuple(found)


def random_tower(piece_set: PieceSet, players: int, seed: int) -> Tower:
    """The tower at the end of a random round, every piece exactly in its place."""
    rng, state = np.random.default_rng(seed), State.new(players, piece_set=piece_set)
    last = state.placements()
    while state.round == 1 and not state.over:
        moves = state.legal_moves()
        move = moves[int(rng.integers(len(moves)))]
        last = [*state.placements(), move]
        state.play(move)
    return Tower.exact(piece_set, last)


def whole_box(piece_set: PieceSet) -> PieceSet:
    """The set with one player holding the whole box."""
    return replace(piece_set, name=f"{piece_set.name} (whole box)", hands=(tuple(piece.count for piece in piece_set.pieces),))
