"""Why a move of Sunny Day Sardines is not legal: every rule it breaks, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from games.errors import Violation
from games.sardines import tables
from games.sardines.card_list import OrderKind, fish_on
from games.sardines.codes import Code, game_over, violation
from games.sardines.moves import Move, MoveKind
from games.sardines.position import Position

_NOT_FILLED = {
    OrderKind.REGULAR: Code.NOT_FILLED,
    OrderKind.SPECIAL: Code.SPECIAL_NOT_FILLED,
    OrderKind.MIXED: Code.MIXED_NOT_FILLED,
}
_MALFORMED = (
    "not a move: write `gather OO`, `gather B O`, `fill 2 P PP` (the order's index first), `discard BO P` or `pass`; cards sorted, single spaces"
)


def violations(position: Position, move: Move | str, *, player: int) -> tuple[Violation, ...]:
    """Every rule that `move` breaks if `player` makes it in `position`; empty if it is legal."""
    if position.over:
        return (game_over(),)
    read = Move.parse(str(move))
    turn = list(_turn(position, player))
    if read is None:
        return (*turn, violation(Code.MALFORMED, _MALFORMED))
    return (*turn, *_phase(position, read), *_CHECKS[read.kind](position, read, player))


def _turn(position: Position, player: int) -> Iterator[Violation]:
    if player != position.to_move:
        yield violation(Code.NOT_YOUR_TURN, f"player {player} is not to move; it is player {position.to_move}'s turn")


def _phase(position: Position, move: Move) -> Iterator[Violation]:
    """Cards over the hand limit are thrown away before anything else, and only then."""
    if position.must_discard and move.kind is not MoveKind.DISCARD:
        count = position.must_discard
        yield violation(
            Code.MUST_DISCARD, f"{_cards(count)} must be discarded first: no more than {tables.HAND_LIMIT} may be held at the end of a turn"
        )


def _gather(position: Position, move: Move, player: int) -> Iterator[Violation]:
    yield from _lacking(Code.NOT_IN_MARKET, "the market", [tables.NAMES[card] for card in position.market], move.cards)
    fish = sum(map(len, move.cards))
    if fish != tables.GATHERED:
        yield violation(Code.NOT_TWO_FISH, f"a gather takes exactly 2 fish, one card with two or two cards with one each; these show {fish}")


def _fill(position: Position, move: Move, player: int) -> Iterator[Violation]:
    yield from _not_held(position, move, player)
    index = move.order or 0
    if index >= len(position.orders):
        yield violation(Code.NO_SUCH_ORDER, f"there is no order {index}; the row has {len(position.orders)}, numbered from 0")
        return
    order = tables.ORDERS[position.orders[index]]
    fish = fish_on("".join(move.cards))
    if not any(all(map(int.__ge__, fish, demand)) for demand in order.demands()):
        yield violation(_NOT_FILLED[order.kind], f"the order asks for {order}; {' '.join(move.cards)} does not cover it")


def _discard(position: Position, move: Move, player: int) -> Iterator[Violation]:
    yield from _not_held(position, move, player)
    due = position.must_discard
    if not due:
        yield violation(Code.NOTHING_TO_DISCARD, f"cards are discarded only at the end of a turn with more than {tables.HAND_LIMIT} in hand")
    elif len(move.cards) != due:
        yield violation(Code.WRONG_NUMBER, f"exactly {_cards(due)} must be discarded, not {len(move.cards)}")


def _pass(position: Position, move: Move, player: int) -> Iterator[Violation]:
    if not position.must_discard and position.ids() != [tables.PASS]:
        yield violation(Code.CAN_ACT, "a turn can't be passed while fish can be gathered or an order completed")


_CHECKS = {MoveKind.GATHER: _gather, MoveKind.FILL: _fill, MoveKind.DISCARD: _discard, MoveKind.PASS: _pass}


def _not_held(position: Position, move: Move, player: int) -> Iterator[Violation]:
    yield from _lacking(Code.NOT_IN_HAND, f"player {player}'s hand", tables.names(position.hands[player]), move.cards)


def _lacking(code: Code, place: str, there: Sequence[str], wanted: Sequence[str]) -> Iterator[Violation]:
    lacking = sorted((Counter(wanted) - Counter(there)).elements())
    if lacking:
        yield violation(code, f"not in {place}: {', '.join(lacking)}")


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
