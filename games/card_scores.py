"""Scores of card games as one viewer may know them, and what each round brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.card_match import CardMatch
from games.card_words import score_words, tell_event, winners_sentence
from games.sakapuss.deck import parasites


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round that is over. `points` are what it brought, `scores` the totals after it, by seat; an uncounted one is played again."""

    round: int
    counted: bool
    points: tuple[int, ...]
    scores: tuple[int, ...]
    words: tuple[str, ...]


def scores_seen(view: Mapping[str, Any]) -> tuple[int | None, ...]:
    """The scores in a view in protocol form, by seat; None where they are hidden (RULES D18)."""
    if view["game"] == "sakana":
        return tuple(view["scores"])
    if view["game"] == "sakapuss":
        return tuple(parasites(tuple(front)) for front in view["front"])
    return tuple(sum(order["points"] for order in orders) if isinstance(orders, list) else None for orders in view["completed"])


def round_summaries(match: CardMatch) -> list[RoundSummary]:
    """All rounds that are over, in order; Sunny Day Sardines has none."""
    found: list[RoundSummary] = []
    before = (0,) * len(match.names)
    for act in match.acts:
        for event in act.events:
            if event["type"] == "round_over":
                scores = tuple(event["scores"])
                points = tuple(event.get("points", [now - then for now, then in zip(scores, before, strict=True)]))
                words = tuple(tell_event(match.setup.game, event, match.names))
                found.append(RoundSummary(event["round"], event.get("counted", True), points, scores, words))
                before = scores
    return found


def result_words(match: CardMatch) -> str:
    """Who has won and with what, in words; empty while the game goes on."""
    outcome = match.state.outcome()
    if outcome is None:
        return ""
    return f"{winners_sentence(outcome.winners, match.names)} {score_line(match)}."


def score_line(match: CardMatch) -> str:
    """The final scores in words; empty while the game goes on."""
    outcome = match.state.outcome()
    scores = zip(match.names, outcome.scores if outcome else (), strict=False)
    return ", ".join(f"{name} {score_words(match.setup.game, score)}" for name, score in scores)
