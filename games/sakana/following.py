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


def plays(hand: int, catch: int, ahead: Sequence[Stack], most: int) -> list[Cards]:
    """All legal moves: `PASS`, then every stack that can be played from the hand, with or without the Catch of the Day.

    `ahead` are the `targets`, `most` is the largest number in play.
    """
    moves = [PASS]
    by_suit = [0 if not ahead else _NEVER] * 6
    by_number: dict[int, int] = {}
    for _, cards in ahead:
        value = len(cards) * (cards[0] // 6)
        top = cards[-1]
        by_suit[top % 6] = min(value, by_suit[top % 6])
        by_number[top // 6] = min(value, by_number.get(top // 6, _NEVER))
    caught, lone = divmod(catch, 6)
    for number in range(1, most + 1):
        suits = hand >> 6 * number & 63
        if not suits:
            continue
        if number == caught:
            suits |= 1 << lone
        room = number * suits.bit_count()
        same = by_number.get(number, _NEVER)
        for suit in _MEMBERS[suits]:
            value = by_suit[suit]
            if same < value:
                value = same
            if value <= room:
                least = -(-value // number)
                # the Catch needs a card from the hand with it (K20)
                moves += piles(number, suits, suit, 2 if least < 2 and number == caught and suit == lone else least)
    return moves


_MEMBERS = [tuple(suit for suit in range(6) if suits >> suit & 1) for suits in range(64)]
"""For each set of suits (bits) the suits in it."""
