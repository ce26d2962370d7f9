"""Why a move of STAKD is not legal: every rule it breaks, in words. Slow and plain, where `Position` is quick."""

from __future__ import annotations

from collections.abc import Iterator

from games.errors import Violation
from games.stakd.codes import Code, game_over, violation
from games.stakd.events import OutReason
from games.stakd.geometry import place_violations
from games.stakd.position import Position
from games.stakd.rules import PIECES_BEFORE_NEW_LAYER, Rules
from meshes.piece_set import PieceType
from meshes.placement import Placement


def violations(position: Position, move: Placement | str, *, player: int) -> tuple[Violation, ...]:
    """Every rule that `move` breaks if `player` makes it in `position`; empty if it is legal."""
    if position.over:
        return (game_over(),)
    rules, placement = position.rules, Placement.parse(str(move))
    turn = _turn(position, player)
    if placement is None:
        return (*turn, _malformed(rules))
    piece = rules.piece_set.by_name.get(placement.piece)
    if piece is None:
        return (*turn, violation(Code.UNKNOWN_PIECE, f"there is no piece {placement.piece}; this set has {', '.join(rules.names)}"))
    laid = position.laid()
    place = place_violations(rules.piece_set, rules.options.base_contact, laid, placement)
    return (*turn, *_hand(position, piece, player), *_layer(position, piece, placement, player), *place)


def out_reason(position: Position, seat: int) -> OutReason:
    """Why a player put out of the round had no move."""
    if not any(position.hands[seat]):
        return OutReason.EMPTY_HAND
    if position.board is None:
        return OutReason.NO_BASE_PLACE
    if not position.openings(seat):
        return OutReason.NO_PLACE
    return OutReason.LAYER_HELD if position.is_held() else OutReason.ONLY_UNI_FITS


def _malformed(rules: Rules) -> Violation:
    example = Placement(next(name for name in rules.names if name != rules.names[rules.base]), 1, ((0, 0),))
    message = f"not a move: write piece, layer and the cells q,r in ascending order, with single spaces between, like {example}"
    return violation(Code.MALFORMED, message)


def _turn(position: Position, player: int) -> list[Violation]:
    if player == position.seat:
        return []
    out = "" if position.inside >> player & 1 else " and is out of this round"
    return [violation(Code.NOT_YOUR_TURN, f"player {player} is not to move{out}; it is player {position.seat}'s turn")]


def _hand(position: Position, piece: PieceType, player: int) -> list[Violation]:
    if position.hands[player][position.rules.names.index(piece.name)]:
        return []
    return [violation(Code.NOT_IN_HAND, f"player {player} has no {piece.name} left")]


def _layer(position: Position, piece: PieceType, placement: Placement, player: int) -> Iterator[Violation]:
    """The rules of when which layer may be played on."""
    level, layer, is_base = position.level, placement.layer, piece is position.rules.piece_set.base
    if position.board is None:
        yield from _laying_bases(position, piece, placement)
    elif layer < level:
        yield violation(Code.LAYER_LOCKED, f"layer {level} has been started, so nothing more is laid on layer {layer}", layer=layer)
    elif layer > level + 1:
        yield violation(Code.LAYER_NOT_STARTED, f"layer {layer} can't be started before layer {layer - 1}", layer=layer)
    elif layer == level + 1 and not is_base:
        yield from _opening(position, piece, player)


def _laying_bases(position: Position, piece: PieceType, placement: Placement) -> Iterator[Violation]:
    rules = position.rules
    base = rules.piece_set.base
    if piece is not base:
        yield violation(Code.BASES_FIRST, f"every {base.name} must be laid before anything is stacked", layer=placement.layer)
    elif not position.bases and placement.layer == 0 and rules.bases.place(placement.cells) not in (None, rules.bases.first):
        first = rules.bases.placements[rules.bases.first]
        message = f"the first {base.name} is laid as {first}; any other place is the same play, moved or turned"
        yield violation(Code.FIRST_BASE_PLACE, message, cells=first.cells, layer=0)


def _opening(position: Position, piece: PieceType, player: int) -> Iterator[Violation]:
    """Steps 3: when the next layer may be started, and with what (S25, S27, S30)."""
    level, top = position.level, position.laid()[-1]
    now, _ = position.choices(player)
    if position.is_early() and (now or position.is_held()):
        who = f"player {player} can" if now else "another player can"
        message = f"layer {level} has {len(top)} of the {PIECES_BEFORE_NEW_LAYER} pieces needed before layer {level + 1}, and {who} still lay on it"
        yield violation(Code.LAYER_NOT_FULL, message, pieces=top, layer=level)
    larger = position.larger_types(player)
    if piece.is_uni and larger:
        message = f"a {piece.name} may start a layer only when the hand holds nothing larger; player {player} still has {', '.join(larger)}"
        yield violation(Code.UNI_OPENS_LAYER, message, layer=level + 1)
