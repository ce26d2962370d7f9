"""Retelling a record of any game act by act, after it has been checked against the rules; nothing is simulated again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from games.card_record import is_card_file, load_card_record
from games.record import load_record
from games.words import act_summary, physics_note, tell
from meshes.errors import StakdError


class Retold(NamedTuple):
    """What happened: `lines` for people, `data` for programs, `note` on how the record was made, empty if there is nothing to say."""

    lines: list[str]
    data: dict[str, Any]
    note: str = ""


def retold(record: Path, act: int | None = None) -> Retold:
    """All acts of a record, or one. Raises `BadRecord`, and `StakdError` if there is no such act."""
    return _cards(record, act) if is_card_file(record) else _stakd(record, act)


def _stakd(record: Path, act: int | None) -> Retold:
    match = load_record(record)
    names = [seat.name for seat in match.setup.seats]
    acts = match.acts if act is None else [match.act(act)]
    state, outcome = match.state if act is None else match.table_after(act).state, match.state.outcome()
    ends = {"state": state.to_json() if state else None, "outcome": outcome.to_json() if outcome else None}
    lines = [f"{entry.number:3}  {line}" for entry in acts for line in tell(entry, names)]
    return Retold(lines, {"seats": names, "acts": [act_summary(entry) for entry in acts], **ends}, physics_note(match) or "")


def _cards(record: Path, act: int | None) -> Retold:
    from games.card_demo import card_summary
    from games.card_words import tell as tell_cards

    match = load_card_record(record)
    if act is not None and act > len(match.acts):
        raise StakdError(f"there is no act {act}; this match has {len(match.acts)}")
    acts = match.acts if act is None else [match.acts[act - 1]]
    state = match.state if act is None else match.state_before(act + 1)
    lines = [f"{entry.number:3}  {line}" for entry in acts for line in tell_cards(match.setup.game, entry, match.names)]
    return Retold(lines, card_summary(match) | {"acts": [entry.to_json() for entry in acts], "state": state.to_json()})
