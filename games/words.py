"""Acts of a match in words, for people: the command line and the log of the window say the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.acts import ActKind, MatchAct
from games.match import Match
from games.record_lines import act_facts
from physics.build import physics_build


def tell(act: MatchAct, names: Sequence[str]) -> Iterator[str]:
    """What happened in `act`, one sentence a line; `names` by seat."""
    name = names[act.player]
    if act.kind is ActKind.RESIGNED:
        yield f"{name} leaves the match."
    elif act.placement is not None:
        piece = act.placement.piece
        where = "on the table" if act.placement.layer == 0 else f"on layer {act.placement.layer}"
        yield f"{name} {_DEEDS[act.kind]} {piece} {where}{_how(act)}"
    if act.squared_up:
        yield "Pieces had shifted a little and are squared up."
    if act.knock_over is not None:
        yield f"The tower falls: {act.knock_over}."
    for event in act.events:
        yield from tell_event(event, names)


def tell_event(event: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """An event of the rules, if people want to hear of it."""
    if event["type"] == "out":
        yield f"{names[event['player']]} is out: {event['message']} ({event['reason']})."
    elif event["type"] == "round_over":
        winner = event["winner"]
        yield "The round is over" + (f": {names[winner]} wins it." if winner is not None else ".")
        scores = event.get("scores")
        if scores and len(names) > 1:
            yield "Score: " + ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True)) + "."


def act_summary(act: MatchAct) -> dict[str, Any]:
    """An act as plain data for programs, without its poses."""
    return {**act_facts(act), "offset_mm": None if act.offset_mm is None else round(act.offset_mm, 3)}


def physics_note(match: Match) -> str | None:
    """What to know before playing on with a match that another build of the physics began; None if it was this one."""
    if match.foreign_physics is None:
        return None
    return f"Begun with {match.foreign_physics}; here is {physics_build()}. The replay is exact, but acts played on from here may end otherwise."


_DEEDS = {
    ActKind.PLACED: "adds a",
    ActKind.TAKEN_BACK: "lets slip and takes back a",
    ActKind.KNOCKED_OVER: "knocks the tower over, adding a",
}


def _how(act: MatchAct) -> str:
    cells = " ".join(f"{q},{r}" for q, r in act.placement.cells) if act.placement else ""
    if act.kind is ActKind.PLACED and act.offset_mm:
        return f" ({cells}), {act.offset_mm:.1f} mm off."
    return f" ({cells})."
