"""The demo: bots play a round on the physical table; record, picture and film of the fall are kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from games.match import ActKind, Match, MatchSetup
from games.record import save_record
from games.words import act_summary, tell
from meshes.files import make_folder
from viewer.drawing import fall_shot, film_shots, hands_left, shot_of
from viewer.picture import render, save_picture
from viewer.pushing import topple
from viewer.shots import Shot

FILM_SIZE = (640, 360)
FILM_SPEED = 0.35
"""Slow enough to see what fails first."""


def play_demo(setup: MatchSetup, out: Path, *, push: bool = False, say: Callable[[str], None], console: Console) -> dict[str, Any]:
    """Play one round, tell every turn through `say`, and leave `match.stakd`, `tower.png` and, if it fell, `fall.gif` in `out`.

    With `push` a tower that stands to the end is pushed over when all is told and kept, so that there is a fall to film.

    The record is saved after every act. Gives a summary as plain data. Raises `UnwritableFile` before a piece is laid if `out`
    can't be used.
    """
    record = make_folder(out) / "match.stakd"
    match, names = Match(setup), [seat.name for seat in setup.seats]
    save_record(match, record)
    while match.state.round == 1 and not match.over:
        with console.status(escape(f"{match.seat.name} thinks and lays a piece")):
            act = match.place(match.think())
        save_record(match, record)
        for line in tell(act, names):
            say(f"{act.number:3}  {line}")
    summary = _summary(match) | {"record": str(record), "picture": str(_draw(match, out, console))}
    shot = _last_fall(match, push, say, console)
    if shot is not None:
        summary["film"] = str(out / "fall.gif")
        film_shots([shot], out / "fall.gif", size=FILM_SIZE, console=console)
    for key in ("record", "picture", "film"):
        if key in summary:
            say(f"{key}: {summary[key]}")
    return summary


def _draw(match: Match, out: Path, console: Console) -> Path:
    """The tower at the end of the round; after a fall as it stood before."""
    path, table = out / "tower.png", match.table_after(len(match.acts))
    with console.status("drawing the tower"):
        save_picture(render(table.tower, rest=hands_left(table)), path)
    return path


def _last_fall(match: Match, push: bool, say: Callable[[str], None], console: Console) -> Shot | None:
    """The fall that ended the round, or what a push does to the tower afterwards."""
    last = match.acts[-1]
    if last.kind is ActKind.KNOCKED_OVER:
        return shot_of(match, last, FILM_SPEED)
    if not push:
        say("The tower stands to the end, so there is no fall to film.")
        return None
    tower = match.table_after(last.number).tower
    with console.status("pushing the tower"):
        knocked = topple(tower)
    if knocked is None or knocked.knock_over is None:
        say("The tower stands to the end, and pushes don't topple it, so there is no fall to film.")
        return None
    say(f"The tower stands to the end. Pushed over for the film: {knocked.knock_over}.")
    return fall_shot(tower, knocked.track, knocked.knock_over, FILM_SPEED)


def _summary(match: Match) -> dict[str, Any]:
    events = match.acts[-1].events
    winner = next((event["winner"] for event in events if event["type"] == "round_over"), None)
    table = match.table_after(len(match.acts))
    return {
        "seats": [seat.name for seat in match.setup.seats],
        "seed": match.setup.seed,
        "set": match.setup.piece_set.name,
        "acts": [act_summary(act) for act in match.acts],
        "pieces": len(table.tower.laid),
        "layers": table.tower.layers,
        "winner": winner,
        "fell": match.acts[-1].kind is ActKind.KNOCKED_OVER,
    }
