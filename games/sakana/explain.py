"""Why a move of Sakana Stack is not legal: every rule it breaks, in words. Slow and plain, where `following.plays` is quick."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.errors import Violation
from games.sakana.codes import Code, violation
from games.sakana.deck import NAMES, SUIT_NAMES, Cards, Stack, highest
from games.sakana.following import follows, targets
from games.sakana.move import Move
from games.sakana.position import Position


def violations(position: Position, move: Move | str, *, player: int) -> tuple[Violation, ...]:
    """Every rule that `move` breaks if `player` makes it in `position`; empty if it is legal."""
    if position.over:
        return (violation(Code.GAME_OVER, "the game is over; start a new one or take the last move back"),)
    parsed = Move.parse(move) if isinstance(move, str) else move
    turn = [] if player == position.seat else [violation(Code.NOT_YOUR_TURN, f"player {player} is not to move; it is player {position.seat}'s turn")]
    if parsed is None:
        message = "not a move: write `pass`, or `play` and the cards of the stack bottom to top with single spaces between, like `play U7 S7`"
        return (*turn, violation(Code.MALFORMED, message))
    if not parsed.cards:
        return tuple(turn)
    return (*turn, *_cards(position, parsed.cards, player), *_stack(position, parsed.cards, player))


def _cards(position: Position, cards: Cards, player: int) -> Iterator[Violation]:
    """Whether the player has these cards."""
    most, catch, hand = highest(position.seats), position.draw[0], position.hands[player]
    for card in sorted(set(cards)):
        name = NAMES[card]
        if card // 6 > most:
            yield violation(Code.UNKNOWN_CARD, f"{name} is not in play: with {position.seats} players the numbers go to {most}")
        elif card != catch and not hand >> card & 1:
            yield violation(Code.NOT_IN_HAND, f"{name} is neither in the hand of player {player} nor the Catch of the Day")
        if cards.count(card) > 1:
            yield violation(Code.CARD_TWICE, f"{name} is named {cards.count(card)} times; there is only one")


def _stack(position: Position, cards: Cards, player: int) -> Iterator[Violation]:
    """Whether these cards are a stack, and one that may be played now."""
    catch, numbers = position.draw[0], sorted({card // 6 for card in cards})
    if len(numbers) > 1:
        message = f"all cards of a stack have the same number; these are {' and '.join(map(str, numbers))}"
        yield violation(Code.DIFFERENT_NUMBERS, message)
    if set(cards) == {catch}:
        message = f"the Catch of the Day can be played only together with a card of its number from the hand; play another {catch // 6} with it"
        yield violation(Code.CATCH_ALONE, message)
    yield from _conditions(position.seats, cards, targets(position.stacks, player, position.seats))


def _conditions(seats: int, cards: Cards, ahead: Sequence[Stack]) -> Iterator[Violation]:
    """The two conditions of "1 - Play a Stack"; with two players one stack must meet both (K31)."""
    if not ahead:
        return
    bottom, value = cards[0], sum(card // 6 for card in cards)
    followed = [stack for stack in ahead if follows(bottom, stack)]
    least = min(stack.value for stack in followed or ahead)
    if not followed:
        tops = " or ".join(_follow_words(stack) for stack in ahead)
        row = "K16" if seats > 2 else "K31"
        yield violation(Code.NOT_FOLLOWING, f"the bottom card {NAMES[bottom]} must follow number or suit: it must be {tops}", rule=row)
    if value < least:
        what = "the stack before" if seats > 2 else "the lowest stack followed" if followed else "the lowest stack of the opponent"
        row = "K14" if seats > 2 else "K31"
        yield violation(Code.TOO_LOW, f"the stack is worth {value}; it must match or beat {what}, which is worth {least}", rule=row)


def _follow_words(stack: Stack) -> str:
    """What can follow this stack: `a 4 or an urchin`."""
    name = NAMES[stack.cards[-1]]
    suit = SUIT_NAMES[name[0]]
    number = name[1:]
    return f"{_article(number)} {number} or {_article(suit)} {suit}"


def _article(word: str) -> str:
    return "an" if word == "8" or word[0] in "aeu" else "a"
