"""Why a move of Sakapuss is not legal: every rule it breaks, in words."""

from __future__ import annotations

from collections.abc import Iterator

from games.errors import Violation
from games.sakapuss.codes import Code, violation
from games.sakapuss.deck import CATS, SLAP, kinds
from games.sakapuss.move import Move
from games.sakapuss.position import NO_CARD, Position


def violations(position: Position, move: Move | str, *, player: int) -> tuple[Violation, ...]:
    """Every rule that `move` breaks if `player` makes it in `position`; empty if it is legal."""
    if position.over:
        return (violation(Code.GAME_OVER, "the game is over; start a new one or take the last move back"),)
    parsed = Move.parse(move) if isinstance(move, str) else move
    if parsed is None:
        return (violation(Code.MALFORMED, "not a move: write `slap`, or `pass` and the letter of a cat with a single space between, like `pass A`"),)
    return tuple(_slap(position, player) if parsed.id == SLAP else _pass(position, parsed.id, player))


def _slap(position: Position, player: int) -> Iterator[Violation]:
    if player in position.slapped:
        yield violation(Code.ALREADY_SLAPPED, f"player {player} has slapped already; now the others must")


def _pass(position: Position, cat: int, player: int) -> Iterator[Violation]:
    seats = len(position.hands)
    if position.slapped:
        caller = position.slapped[0]
        yield violation(Code.ALREADY_CALLED, f"player {caller} has called with four cats alike, so nothing is passed any more; slap the pile")
    if position.chosen[player] != NO_CARD:
        yield violation(Code.ALREADY_CHOSEN, f"player {player} has chosen a card already, and a choice can't be changed")
    if cat >= seats:
        yield violation(Code.UNKNOWN_CAT, f"there is no cat {CATS[cat]} with {seats} players; there are {', '.join(CATS[:seats])}")
    elif cat not in kinds(position.hands[player]):
        yield violation(Code.NOT_IN_HAND, f"player {player} holds no cat {CATS[cat]}")
