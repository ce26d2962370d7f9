"""The story of a match in words: the log of its acts, and why a player is out."""

from __future__ import annotations

from collections.abc import Mapping
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


def why_out(match: Match, player: int, round_number: int) -> str | None:
    """Why a player is out of a round, citing the row of the rules decisions; None if he is in it.

    With S31, which surprises most, the pieces are named that bar him from opening with a smaller one.
    """
    name = match.setup.seats[player].name
    for act in reversed(match.acts):
        for event in act.events if act.round == round_number else ():
            if event["type"] == "out" and event["player"] == player:
                held = _larger(match, hand_after(match, act, player)) if event["reason"] == OutReason.ONLY_UNI_FITS.value else ""
                return f"{name} {event['message']}{held} [{event['reason']}]."
    gone = any(act.kind is ActKind.RESIGNED and act.player == player for act in match.acts)
    return f"{name} {OutReason.LEFT.message} [{OutReason.LEFT.value}]." if gone else None


def hand_after(match: Match, act: MatchAct, player: int) -> dict[str, int]:
    """What a player held after an act, by piece name, even if it ended the round."""
    state = match.table_before(act.number).state
    assert state is not None, "a match knows its rules"
    hand = state.hand(player)
    if act.kind is ActKind.PLACED and act.placement and act.player == player:
        hand[act.placement.piece] -= 1
    return hand


def _larger(match: Match, hand: Mapping[str, int]) -> str:
    by_name = match.setup.piece_set.by_name
    return f" (still held: {', '.join(f'{count} {name}' for name, count in hand.items() if count and not by_name[name].is_uni)})"
