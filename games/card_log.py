"""The story of a match of a card game in words, as one viewer may hear it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.card_acts import CardAct
from games.card_match import CardMatch
from games.card_words import seen_move, tell


@dataclass(frozen=True, slots=True)
class CardLogEntry:
    """One act in words, a sentence each. `player` is None if it was nobody's doing."""

    number: int
    round: int
    player: int | None
    words: tuple[str, ...]


class CardLog:
    """The log of a match, told anew only where acts are new or somebody else looks."""

    def __init__(self, match: CardMatch) -> None:
        self._match = match
        self._viewer: int | None = None
        self._acts: Sequence[CardAct] = ()
        self._entries: list[CardLogEntry] = []

    def of(self, viewer: int | None, *, everything: bool = False) -> list[CardLogEntry]:
        """One entry an act; what `viewer` (None: nobody in particular) may not know is left out, unless `everything` is open."""
        acts = self._match.acts
        eyes = -1 if everything else viewer
        same = next((i for i, (old, new) in enumerate(zip(self._acts, acts, strict=False)) if old is not new), min(len(self._acts), len(acts)))
        known = same if eyes == self._viewer else 0
        shown = [act if everything else replace(act, move=seen_move(self._match.setup.game, act, viewer)) for act in acts[known:]]
        self._entries = self._entries[:known] + [self._entry(act) for act in shown]
        self._viewer, self._acts = eyes, tuple(acts)
        return self._entries

    def _entry(self, act: CardAct) -> CardLogEntry:
        return CardLogEntry(act.number, act.round, act.player, tuple(tell(self._match.setup.game, act, self._match.names)))
