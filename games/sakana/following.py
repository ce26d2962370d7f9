"""Which stacks may be played: what must be followed, what must be matched, and all legal stacks, quickly."""

from __future__ import annotations

from collections.abc import Sequence

from games.sakana.deck import PASS, Cards, Stack, piles

_NEVER = 1_000


def targets(stacks: Sequence[Stack], seat: int, seats: int) -> Sequence[Stack]:
    """The stacks one of which the next stack of `seat` must follow and match; none if it may lead.

    With 3–5 players only the one played last counts (K15, K16), with 2 all of the opponent's (K31).
    """
    others = [stack for stack in stacks if stack.owner != seat]
    return others if seats == 2 else others[-1:]


def follows(bottom: int, stack: Stack) -> bool:
    """Whether a card has the number or the suit of the card on top of a stack."""
    top = stack.cards[-1]
    return bottom % 6 == top % 6 or bottom // 6 == top // 6


def plays(hand: int, catch: int, ahead: Sequence[Stack]) -> list[Cards]:
    """All legal moves: `PASS`, then every stack that can be played from the hand, with or without the Catch of the Day, by number.

    `ahead` are the `targets`.
    """
    if len(ahead) > 1:
        return _after_several(hand, catch, ahead)
    top, bottoms, value = (0, 63, 0) if not ahead else (ahead[0].cards[-1] // 6, 1 << ahead[0].cards[-1] % 6, ahead[0].value)
    moves = [PASS]
    caught, lone = divmod(catch, 6)
    number, rest = 1, hand >> 6
    while rest:
        suits = rest & 63
        if suits:
            if number == caught:
                suits |= 1 << lone
            under = suits if number == top else suits & bottoms
            if under and value <= number * suits.bit_count():
                moves += piles(number, suits, under, -(-value // number), lone if number == caught else -1)
        number, rest = number + 1, rest >> 6
    return moves


def _after_several(hand: int, catch: int, ahead: Sequence[Stack]) -> list[Cards]:
    """The same where one of several stacks must be followed and matched: each suit at the bottom has a least value of its own (K31)."""
    by_suit, by_number = [_NEVER] * 6, [_NEVER] * 11
    for _, cards in ahead:
        number, suit = divmod(cards[-1], 6)
        value = number * len(cards)
        by_suit[suit] = min(by_suit[suit], value)
        by_number[number] = min(by_number[number], value)
    moves = [PASS]
    caught, lone = divmod(catch, 6)
    number, rest = 1, hand >> 6
    while rest:
        suits = rest & 63
        if suits:
            if number == caught:
                suits |= 1 << lone
            room, same = number * suits.bit_count(), by_number[number]
            for suit, value in enumerate(by_suit):
                if same < value:
                    value = same
                if value <= room and suits >> suit & 1:
                    moves += piles(number, suits, 1 << suit, -(-value // number), lone if number == caught else -1)
        number, rest = number + 1, rest >> 6
    return moves
