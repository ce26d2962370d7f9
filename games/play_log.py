"""The story of a match in words: the log of its acts, and why a player is out."""

from __future__ import annotations

from dataclasses import dataclass

from games.acts import ActKind, MatchAct
from games.match import Match
from games.stakd.events import OutReason
from games.words import tell


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One act in words, a sentence each. `number` counts acts from 1."""

    number: int
    round: int
    player: int
    kind: ActKind
    words: tuple[str, ...]


class PlayLog:
    """The log of a match, told anew only where acts are new."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._acts: list[MatchAct] = []
        self._entries: list[LogEntry] = []

    def of(self, match: Match) -> list[LogEntry]:
        """One entry an act."""
        acts = match.acts
        same = next((i for i, (old, new) in enumerate(zip(self._acts, acts, strict=False)) if old is not new), min(len(self._acts), len(acts)))
        del self._acts[same:], self._entries[same:]
        for act in acts[same:]:
            self._acts.append(act)
            self._entries.append(LogEntry(act.number, act.round, act.player, act.kind, tuple(tell(act, self._names))))
        return self._entries


def why_out(match: Match, player: int) -> str | None:
    """Why a player is out of the round, citing the row of the rules decisions; None if he is in it.

    After S31, which surprises most, the pieces are named that he would have to lay first.
    """
    state = match.state
    if not state.out[player]:
        return None
    name = match.setup.seats[player].name
    if state.left >> player & 1:
        return f"{name} left the match; the pieces laid stay [{OutReason.LEFT.value}]."
    told = [event for act in match.acts if act.round == state.round for event in act.events if event["type"] == "out" and event["player"] == player]
    if not told:  # the last player of a solo round that is over
        return None
    message, reason = told[-1]["message"], told[-1]["reason"]
    return f"{name} {message}{_still_held(match, player) if reason == OutReason.ONLY_UNI_FITS.value else ''} [{reason}]."


def _still_held(match: Match, player: int) -> str:
    by_name = match.setup.piece_set.by_name
    larger = [f"{count} {name}" for name, count in match.state.hand(player).items() if count and not by_name[name].is_uni]
    return f" (still held: {', '.join(larger)})"
