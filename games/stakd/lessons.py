"""Learning STAKD by playing it: small positions from the rulebook's figures, judged by the real rules."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import Any

from games.errors import Violation
from games.stakd.explain import out_reason
from games.stakd.position import Position
from games.stakd.rules import rules_for
from games.stakd.state import State
from meshes.placement import Placement


@lru_cache(maxsize=1)
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order they are best taken."""
    data = tomllib.loads(resources.files("games.stakd").joinpath("texts", "lessons.toml").read_text("utf8"))
    return tuple(_lesson(entry, data["wrong"]) for entry in data["lesson"])


def lesson(lesson_id: str) -> Lesson:
    """The lesson called `lesson_id`; raises KeyError."""
    return {entry.id: entry for entry in lessons()}[lesson_id]


class Goal(StrEnum):
    """What a lesson asks for.

    `PLACE`: a legal placement, of the lesson's piece and on its layer if it names them. `WIN`: the legal placement after which every
    opponent is out. `FINISH`: in solo, a legal placement after which all the rest can be laid. `CAN_PLAY`: a question, has the player
    on turn a move, and if not, why. `KNOCK_OVER`: a question, what are the scores if the player on turn knocks the tower over.
    """

    PLACE = "place"
    WIN = "win"
    FINISH = "finish"
    CAN_PLAY = "can-play"
    KNOCK_OVER = "knock-over"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question. `means` is what it claims, as `Lesson.truth` says it; `words` tell why it is right or wrong."""

    text: str
    means: str
    words: str


@dataclass(frozen=True, slots=True)
class Try:
    """A placement worth showing: `code` is what `State.explain` says first about it, empty if it reaches the goal, `missed` if it is legal only."""

    placement: Placement
    code: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a try came to: whether it reaches the goal, words for the learner, and every rule broken (empty if it was legal)."""

    right: bool
    words: str
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A small position and a task.

    `instruction`, `hint` and `explanation` (shown when right; a choice has its own words) are whole sentences; `rules` the rows of the
    rules decisions taught.
    `names` and `hands` go by seat. `wrong` has words for a code of `games.stakd.codes.Code`, `missed` for a legal move that misses the goal.
    `piece` and `layer` are None where the lesson leaves them open. Questions have `choices`, all others none. `tries` are the figures'
    right and wrong ones.
    """

    id: str
    title: str
    goal: Goal
    names: tuple[str, ...]
    laid: tuple[tuple[Placement, ...], ...]
    hands: tuple[Mapping[str, int], ...]
    to_move: int
    scores: tuple[int, ...]
    piece: str | None
    layer: int | None
    instruction: str
    hint: str
    explanation: str
    missed: str
    wrong: Mapping[str, str]
    choices: tuple[Choice, ...]
    tries: tuple[Try, ...]
    rules: tuple[str, ...]

    @property
    def is_question(self) -> bool:
        """Whether it is answered by a choice rather than a placement."""
        return bool(self.choices)

    def state(self) -> State:
        """The position as a fresh state to play in: classic set, default options.

        Hands are small, so that pieces don't add up to a full deal; `State.from_json` would refuse it. In `CAN_PLAY` the player on turn may
        have no move and is not put out yet, as that is what is asked.
        """
        rules = rules_for(len(self.hands))
        hands = tuple(tuple(hand.get(name, 0) for name in rules.names) for hand in self.hands)
        state = State(rules)
        everyone = (1 << rules.seats) - 1
        state.position = Position.restore(rules, self.laid, hands, inside=everyone, seat=self.to_move, over=False, winner=None)
        state.scores = self.scores
        return state

    def judge(self, placement: Placement) -> Answer:
        """What to say to a placement of the player on turn. In a question no placement is right, but trying tells why."""
        state = self.state()
        broken = state.explain(placement)
        if broken:
            return Answer(False, self._why_not(broken), broken)
        return Answer(True, self.explanation) if self._reaches(state, placement) else Answer(False, self.missed)

    def answer(self, choice: int) -> Answer:
        """What to say to `choices[choice]`."""
        chosen = self.choices[choice]
        return Answer(chosen.means == self.truth(), chosen.words)

    def right_placements(self) -> tuple[Placement, ...]:
        """All that reach the goal; none in a question."""
        state = self.state()
        return tuple(move for move in state.legal_moves() if self._reaches(state, move))

    def truth(self) -> str:
        """The right answer to the question, from the rules.

        `CAN_PLAY`: `yes`, or the row that puts the player out, such as `S31`. `KNOCK_OVER`: the scores afterwards, such as `0 -1`.
        """
        state = self.state()
        if self.goal is Goal.KNOCK_OVER:
            state.knock_over(self.to_move)
            return " ".join(map(str, state.scores))
        return "yes" if state.legal_ids() else out_reason(state.position, self.to_move).value

    def _reaches(self, state: State, placement: Placement) -> bool:
        """Whether a legal placement is what was asked for."""
        if self.is_question or self.piece not in (None, placement.piece) or self.layer not in (None, placement.layer):
            return False
        found = state.find(placement)
        assert found is not None, "asked about an illegal placement"
        after = state.position.after(found)
        if self.goal is Goal.WIN:
            return after.over and after.winner == self.to_move
        return self.goal is not Goal.FINISH or _can_finish(after)

    def _why_not(self, broken: tuple[Violation, ...]) -> str:
        """The lesson's own words for one of the rules broken, else the rule's."""
        return next((self.wrong[entry.code] for entry in broken if entry.code in self.wrong), broken[0].message)


def _can_finish(position: Position) -> bool:
    """Whether a solo player can lay everything from here. Tries all ways: for the last few pieces only."""
    if position.over:
        return position.winner is not None
    return any(_can_finish(position.after(move)) for move in position.ids())


def _lesson(entry: Mapping[str, Any], wrong: Mapping[str, str]) -> Lesson:
    hands = tuple(entry["hands"])
    return Lesson(
        id=entry["id"],
        title=entry["title"],
        goal=Goal(entry["goal"]),
        names=tuple(entry["names"]),
        laid=tuple(tuple(_laid(texts, layer)) for layer, texts in enumerate(entry["laid"])),
        hands=hands,
        to_move=entry.get("to_move", 0),
        scores=tuple(entry.get("scores", [0] * len(hands))),
        piece=entry.get("piece"),
        layer=entry.get("layer"),
        instruction=entry["instruction"],
        hint=entry["hint"],
        explanation=entry["explanation"],
        missed=entry.get("missed", "You may lay that, but here another piece is asked for."),
        wrong={**wrong, **entry.get("wrong", {})},
        choices=tuple(Choice(**choice) for choice in entry.get("choices", ())),
        tries=tuple(Try(_placement(text), code) for text, code in entry.get("tries", {}).items()),
        rules=tuple(entry["rules"]),
    )


def _laid(texts: list[str], layer: int) -> Iterator[Placement]:
    """Pieces of one layer, each written without it: `DUO 0,0 1,0`."""
    for text in texts:
        piece, _, cells = text.partition(" ")
        yield _placement(f"{piece} {layer} {cells}")


def _placement(text: str) -> Placement:
    placement = Placement.parse(text)
    if placement is None:
        raise ValueError(f"{text} is not a placement")
    return placement
