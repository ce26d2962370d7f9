"""Learning the card games by playing them: small positions and questions, judged by the real rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import numpy as np

from games.card_match import CardMatch, CardSeat, CardSetup, game_of
from games.errors import Violation
from games.guide import read_text
from games.interface import State
from games.sakana import deck as sakana_deck
from games.sakapuss import deck as sakapuss_deck
from games.sardines.card_list import Order, OrderKind, standard


@dataclass(frozen=True, slots=True)
class CardChoice:
    """One answer to a question. `means` is what it claims, as `CardLesson.truth` says it; `words` tell why it is right or wrong."""

    text: str
    means: int
    words: str


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """What a try came to: whether it is what the lesson asks for, words for the learner, and every rule broken (none if it was legal)."""

    right: bool
    words: str
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class CardLesson:
    """A small position and a task for the learner, who sits at seat 0, or a question with `choices`.

    `right` are patterns of the legal moves that are asked for. `then` are moves that follow (`1 pass`: seat and move). `wrong` has words for
    a code of the game's rules, `missed` for a legal move that isn't right. `measure` and `seat` say what a question asks: see `MEASURES`.
    `tries` are moves worth trying and what comes of them: a code, `missed`, or empty if right. `rules` are the rows taught.
    """

    game: str
    id: str
    title: str
    position: Mapping[str, Any]
    instruction: str
    hint: str
    rules: tuple[str, ...]
    names: tuple[str, ...] = ("You", "Ben", "Cleo")
    right: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    explanation: str = ""
    missed: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[CardChoice, ...] = ()
    measure: str = ""
    seat: int = 0
    tries: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_question(self) -> bool:
        """Whether it is answered by a choice rather than a move."""
        return bool(self.choices)

    def match(self) -> CardMatch:
        """The position as the start of a match of its own."""
        return CardMatch(CardSetup(self.game, tuple(map(CardSeat, self.names)), 1), start=self.state())

    def state(self) -> State:
        """The position; cards that don't matter lie where there is room for them, always the same. Raises `BadState` for one that can't be."""
        return game_of(self.game).load(_FILLED[self.game](self.position, len(self.names)))

    def follow(self, match: CardMatch) -> None:
        """Make the moves that follow the learner's."""
        for entry in self.then:
            seat, _, move = entry.partition(" ")
            match.play(move, player=int(seat))

    def explain(self, state: State, move: str) -> tuple[Violation, ...]:
        """Every rule the learner's move breaks, in the lesson's own words where it has some."""
        broken = state.explain(move, player=0)
        return tuple(replace(entry, message=self.wrong.get(str(entry.code), entry.message)) for entry in broken)

    def judge(self, move: str) -> CardAnswer:
        """What there is to say about a move of the learner."""
        broken = self.explain(self.state(), move)
        if broken:
            return CardAnswer(False, broken[0].message, broken)
        right = any(fnmatchcase(move, pattern) for pattern in self.right)
        return CardAnswer(right, self.explanation if right else self.missed)

    def answer(self, number: int) -> CardAnswer:
        """What there is to say about an answer."""
        choice = self.choices[number]
        return CardAnswer(choice.means == self.truth, choice.words)

    @property
    def truth(self) -> int:
        """What a question asks for, measured after the moves that follow."""
        match = self.match()
        self.follow(match)
        return MEASURES[self.measure](match.state.to_json(), self.seat)

    def right_move(self) -> str:
        """A move that is asked for."""
        return next(move for move in map(str, self.state().legal_moves(0)) if self.judge(move).right)


def _parasites(data: Mapping[str, Any], seat: int) -> int:
    return sakapuss_deck.parasites(tuple(data["front"][seat]))


def _banked(data: Mapping[str, Any], seat: int) -> int:
    return len(data["banked"][seat])


def _ahead(data: Mapping[str, Any], seat: int) -> int:
    return min(range(data["players"]), key=lambda other: _parasites(data, other))


MEASURES: Mapping[str, Callable[[Mapping[str, Any], int], int]] = {"parasites": _parasites, "banked": _banked, "ahead": _ahead}
"""What a question can ask: parasites of a seat, cards it has banked, or which seat has the fewest parasites."""


@cache
def card_lessons(game: str) -> tuple[CardLesson, ...]:
    """All lessons of a card game, in the order they are best taken."""
    return tuple(_lesson(game, entry) for entry in read_text(f"games.{game}", "lessons")["lesson"])


def _lesson(game: str, entry: Mapping[str, Any]) -> CardLesson:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    values["choices"] = tuple(CardChoice(**choice) for choice in entry.get("choices", ()))
    return CardLesson(game, **values)


# --- filling positions up


class _Rest:
    """The cards of a game that a position doesn't name, in an order that is always the same."""

    def __init__(self, cards: Iterable[str], given: Iterable[Iterable[str]]) -> None:
        left = Counter(cards)
        for zone in given:
            left.subtract(zone)
        self._cards = sorted(left.elements())
        np.random.default_rng(7).shuffle(self._cards)

    def take(self, count: int | None = None) -> list[str]:
        """So many of them, or all."""
        count = len(self._cards) if count is None else count
        taken, self._cards = self._cards[:count], self._cards[count:]
        return taken


def _hands(position: Mapping[str, Any], players: int, rest: _Rest, size: int) -> list[list[str]]:
    """Each hand that is named, and `size` other cards for everybody else."""
    return [sorted(hand) if hand else rest.take(size) for hand in _named(position, players)]


def _named(position: Mapping[str, Any], players: int) -> list[list[str]]:
    hands = list(position["hands"])
    return hands + [[]] * (players - len(hands))


def _sakana(position: Mapping[str, Any], players: int) -> dict[str, Any]:
    stacks = position.get("stacks", [])
    rest = _Rest(
        sakana_deck.names(sakana_deck.deck(players)), [*_named(position, players), [position["catch"]], *(stack["cards"] for stack in stacks)]
    )
    hands, left = _hands(position, players, rest, 6), rest.take(11)
    return {
        "game": "sakana",
        "players": players,
        "options": {},
        "round": 1,
        "dealer": players - 1,
        "to_move": position.get("to_move", 0),
        "hands": hands,
        "draw": [position["catch"], *left],
        "stacks": stacks,
        "discard": rest.take(),
        "banked": [[] for _ in range(players)],
        "exhaustions": 0,
        "scores": [0] * players,
    }


def _order(text: str) -> Order:
    """An order of the card list: `BBOO`, `special 3`, `mixed 2`."""
    kind, _, number = text.partition(" ")
    wanted = (OrderKind(kind), int(number)) if number else (OrderKind.REGULAR, text)
    return next(order for order in standard().orders if (order.kind, order.need) == wanted)


def _sardines(position: Mapping[str, Any], players: int) -> dict[str, Any]:
    cards = [card for card, count in standard().sardines.items() for _ in range(count)]
    rest = _Rest(cards, [*_named(position, players), position["market"]])
    orders = [_order(text) for text in position["orders"]]
    hands = [sorted(hand) for hand in _hands(position, players, rest, 3)]
    return {
        "game": "sardines",
        "players": players,
        "options": {},
        "starter": 0,
        "to_move": 0,
        "hands": hands,
        "market": position["market"],
        "deck": rest.take(),
        "discard": [],
        "orders": [order.to_json() for order in orders],
        "order_deck": [order.to_json() for order in standard().orders if order not in orders],
        "completed": [[] for _ in range(players)],
        "final_round": False,
        "must_discard": max(0, len(hands[0]) - 6),
    }


def _sakapuss(position: Mapping[str, Any], players: int) -> dict[str, Any]:
    cats = _Rest((sakapuss_deck.CATS[cat] for cat in sakapuss_deck.cats_in_play(players)), _named(position, players))
    front: Sequence[list[str]] = position.get("front", [[] for _ in range(players)])
    top = position.get("pile", [])
    return {
        "game": "sakapuss",
        "players": players,
        "options": {"false_slap_ends_round": False},
        "round": position.get("round", 3),
        "dealer": 0,
        "hands": _hands(position, players, cats, 4),
        "pile": [*top, *_Rest(sakapuss_deck.PILE, [*front, top]).take()],
        "front": front,
        "chosen": [None] * players,
        "slapped": position.get("slapped", []),
    }


_FILLED: Mapping[str, Callable[[Mapping[str, Any], int], dict[str, Any]]] = {"sakana": _sakana, "sardines": _sardines, "sakapuss": _sakapuss}
