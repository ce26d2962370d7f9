"""The rules of place: what a piece must keep to beside and above the pieces laid, whoever lays it and when (S5–S21)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.errors import Violation
from games.stakd.bases import BaseContact
from games.stakd.codes import Code, violation
from meshes.lattice import Cell, Cells, Lattice, moved_to_origin
from meshes.piece_set import PieceSet, PieceType
from meshes.placement import Placement

Layer = tuple[Placement, ...]
Layers = tuple[Layer, ...]
"""Laid pieces by layer, in laying order."""


def place_violations(piece_set: PieceSet, contact: BaseContact, laid: Layers, placement: Placement) -> Iterator[Violation]:
    """The rules of place that one more piece of a known type breaks."""
    piece, lattice = piece_set.by_name[placement.piece], piece_set.lattice
    beside = laid[placement.layer] if placement.layer < len(laid) else ()
    below = laid[placement.layer - 1] if 0 < placement.layer <= len(laid) else ()
    if moved_to_origin(placement.cells) not in lattice.orientations(piece.cells):
        yield violation(Code.WRONG_SHAPE, f"these cells are not the shape of a {piece.name}, however turned", cells=placement.cells)
    yield from _overlap(placement, beside)
    if piece is piece_set.base:
        yield from _base(lattice, contact, placement, beside)
    elif placement.layer == 0:
        yield violation(Code.BASES_ONLY, f"only a {piece_set.base.name} may lie on layer 0", layer=0)
    else:
        yield from _connection(lattice, placement, beside)
        yield from _support(placement, below)
        yield from _one_of_a_type(placement, beside, below)
        yield from _duplicate(piece, placement, below)


def _overlap(placement: Placement, beside: Layer) -> Iterator[Violation]:
    """Two pieces can't be in the same place."""
    for piece in beside:
        shared = common(placement.cells, piece.cells)
        if shared:
            yield violation(Code.OVERLAP, f"a {piece.piece} lies on {spoken(shared)} already", cells=shared, pieces=(piece,), layer=piece.layer)


def _base(lattice: Lattice, contact: BaseContact, placement: Placement, beside: Layer) -> Iterator[Violation]:
    if placement.layer:
        yield violation(Code.BASE_STACKED, f"a {placement.piece} is never stacked, it lies on layer 0", layer=placement.layer)
    elif beside and not _touches_enough(lattice, contact, placement.cells, beside):
        yield violation(Code.BASE_CONTACT, _CONTACT_WORDS[contact].format(piece=placement.piece), cells=placement.cells, layer=0)


_CONTACT_WORDS = {
    BaseContact.ONE_BASE: "at least two nodes of the {piece} must touch one and the same {piece} already laid",
    BaseContact.TWO_PAIRS: "the nodes of the {piece} must touch nodes already laid in at least two places",
    BaseContact.ANY: "at least one node of the {piece} must touch a {piece} already laid",
}


def _touches_enough(lattice: Lattice, contact: BaseContact, cells: Cells, beside: Layer) -> bool:
    """S7, in each of its readings."""
    touched = [[len(common(lattice.neighbours(cell), base.cells)) for cell in cells] for base in beside]
    if contact is BaseContact.ONE_BASE:
        return any(sum(pairs > 0 for pairs in nodes) >= 2 for nodes in touched)
    return sum(map(sum, touched)) >= (2 if contact is BaseContact.TWO_PAIRS else 1)


def _connection(lattice: Lattice, placement: Placement, beside: Layer) -> Iterator[Violation]:
    """S11: every piece of a layer but the first touches another one sideways."""
    around = {near for cell in placement.cells for near in lattice.neighbours(cell)}
    if beside and not any(around.intersection(piece.cells) for piece in beside):
        message = f"it must touch at least one piece of layer {placement.layer} sideways"
        yield violation(Code.NOT_CONNECTED, message, cells=placement.cells, layer=placement.layer)


def _support(placement: Placement, below: Layer) -> Iterator[Violation]:
    """S14: every node sits on a node directly below."""
    held = {cell for piece in below for cell in piece.cells}
    bare = tuple(cell for cell in placement.cells if cell not in held)
    if bare:
        yield violation(Code.OVERHANG, f"there is nothing on layer {placement.layer - 1} below {spoken(bare)}", cells=bare, layer=placement.layer)


def _one_of_a_type(placement: Placement, beside: Layer, below: Layer) -> Iterator[Violation]:
    """S16, S17: at most one piece of each type stands on a piece below, be it with one node only."""
    for piece in below:
        shared = common(placement.cells, piece.cells)
        others = tuple(other for other in beside if other.piece == placement.piece and common(other.cells, piece.cells))
        if shared and others:
            message = f"the {piece.piece} below {spoken(shared)} already carries a {placement.piece}; a piece carries one of each type"
            yield violation(Code.SAME_TYPE_ON_PIECE, message, cells=shared, pieces=(piece, *others), layer=placement.layer)


def _duplicate(piece: PieceType, placement: Placement, below: Layer) -> Iterator[Violation]:
    """S20, S21: never on its own kind in the same position; a piece of one node has no other position."""
    for other in below:
        if other.piece == piece.name and other.cells == placement.cells:
            code, message = Code.DUPLICATE, f"a {piece.name} lies below in just this position; shift or turn it"
            if piece.is_uni:
                code, message = Code.UNI_ON_UNI, f"a {piece.name} is never laid on a {piece.name}"
            yield violation(code, message, cells=placement.cells, pieces=(other,), layer=placement.layer)


def common(some: Iterable[Cell], others: Cells) -> Cells:
    """The cells of `some` that are among `others`."""
    return tuple(cell for cell in some if cell in others)


def spoken(cells: Cells) -> str:
    """Cells in a sentence: `(0,0)`, `(0,0) and (1,0)`."""
    words = [f"({q},{r})" for q, r in cells]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
