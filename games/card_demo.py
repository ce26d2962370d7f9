"""The demo of a card game: bots play a whole game in words, without waiting; the record is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from games.card_match import CardMatch, CardSetup
from games.card_play import CardPhase, CardPlay
from games.card_record import save_card_record
from games.card_scores import result_words
from games.card_thinker import AtOnce
from games.card_words import tell
from meshes.files import make_folder


class LeapingClock:
    """A clock that stands still until it is moved on to when there is something to do, so that bots' reflexes take no time to watch."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time, in s."""
        return self.now

    def leap(self, due: float | None) -> None:
        """Go on to `due`, if that is to come."""
        self.now = max(self.now, due or 0.0)


def play_card_demo(setup: CardSetup, out: Path, *, say: Callable[[str], None], console: Console) -> dict[str, Any]:
    """Let the bots of `setup` play their game, tell every act through `say`, and leave `GAME.stakd` in `out`, saved after every act.

    Gives a summary as plain data. Raises `UnwritableFile` before a card is played if `out` can't be used.
    """
    match, clock = CardMatch(setup), LeapingClock()
    record = _record_path(out, setup.game)
    save_card_record(match, record)
    play = CardPlay(match, AtOnce(), clock=clock)
    told = 0
    while play.phase is not CardPhase.OVER:
        with console.status(escape(_doing(play))):
            play.update()
            play.go_on()
            clock.leap(play.due)
        if len(match.acts) > told:
            save_card_record(match, record)
        for act in match.acts[told:]:
            for line in tell(setup.game, act, match.names):
                say(f"{act.number:3}  {line}")
        told = len(match.acts)
    say(result_words(match))
    for problem in play.messages:
        say(problem)
    say(f"record: {record}")
    return card_summary(match) | {"record": str(record)}


def card_summary(match: CardMatch) -> dict[str, Any]:
    """A match as plain data for programs."""
    outcome = match.state.outcome()
    return {
        "game": match.setup.game,
        "seats": list(match.names),
        "seed": match.setup.seed,
        "acts": [act.to_json() for act in match.acts],
        "state": match.state.to_json(),
        "outcome": outcome.to_json() if outcome else None,
    }


def _doing(play: CardPlay) -> str:
    return f"{play.names[play.to_move]} thinks" if play.to_move is not None else "the cats go round"


def _record_path(out: Path, game: str) -> Path:
    return make_folder(out) / f"{game}.stakd"
