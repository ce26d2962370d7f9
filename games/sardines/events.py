"""What can happen in Sunny Day Sardines because of a move, in protocol form. All of it is seen by all players."""

from __future__ import annotations

from collections.abc import Iterator

from games.interface import Event
from games.sardines import tables
from games.sardines.moves import Move, MoveKind
from games.sardines.position import Position


def told(before: Position, move: Move, after: Position, winners: tuple[int, ...]) -> list[Event]:
    """What happened on the way from `before` to `after`; `winners` are told if the game is over."""
    seat = before.to_move
    events = [_deed(before, move)]
    if move.kind is MoveKind.GATHER:
        events += _refilled(before, move, after)
    if move.kind is MoveKind.FILL and move.order is not None and after.order_top > before.order_top:
        order = tables.ORDERS[after.orders[move.order]]
        events.append({"type": "order_turned_up", "index": move.order, "order": order.to_json()})
    if after.final_round and not before.final_round:
        events.append({"type": "final_round", "player": seat})
    if after.must_discard:
        events.append({"type": "must_discard", "player": seat, "number": after.must_discard})
    if after.over:
        events.append({"type": "game_over", "winners": list(winners)})
    return events


def _deed(before: Position, move: Move) -> Event:
    seat, cards = before.to_move, list(move.cards)
    if move.kind is MoveKind.FILL and move.order is not None:
        order = tables.ORDERS[before.orders[move.order]]
        return {"type": "filled", "player": seat, "index": move.order, "order": order.to_json(), "cards": cards}
    if move.kind is MoveKind.PASS:
        return {"type": "passed", "player": seat}
    return {"type": "gathered" if move.kind is MoveKind.GATHER else "discarded", "player": seat, "cards": cards}


def _refilled(before: Position, move: Move, after: Position) -> Iterator[Event]:
    """The cards turned up in the market, and the shuffle if one was needed for them."""
    places = before.taken(tables.packed(tables.CARD_INDEX[card] for card in move.cards))
    left = len(before.deck) - before.top
    for count, place in enumerate(places[: len(places) + len(after.market) - len(before.market)]):
        if count == left:
            yield {"type": "reshuffled", "cards": len(before.discard)}
        yield {"type": "turned_up", "index": place, "card": tables.NAMES[after.market[place]]}
