"""Words on where a piece would go: why it can't, or how surely it would stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.errors import Violation
from games.judgement import TowerJudgement
from games.stakd.codes import Code
from physics.judge import Verdict

DELICATE_DEG = 3.0
"""A tower with less tilt to spare than this is called delicate."""


def reasons(violations: Sequence[Violation], names: Sequence[str]) -> list[tuple[str, str]]:
    """Each broken rule: what is wrong, with players by name, and where that is written."""
    return [(_named(broken.message, names), _source(broken)) for broken in violations]


def broken_words(violations: Sequence[Violation], names: Sequence[str]) -> str:
    """The first broken rule as a sentence, players by name, and where that is written; empty if none is broken."""
    return f"{_named(violations[0].message, names)} [{violations[0].rule}]" if violations else ""


def sentence(words: str) -> str:
    """Words that begin with a capital."""
    return words[:1].upper() + words[1:]


def verdict_words(verdict: Verdict) -> tuple[str, bool]:
    """How surely the tower would stand with the piece, and whether that is surely enough."""
    stability = verdict.stability
    if verdict.overlaps:
        return f"A neighbour is in the way by {max(cut.depth_mm for cut in verdict.overlaps):.1f} mm; it will be pushed aside.", False
    if stability is None:
        return "Whether it would stand can't be told by balance alone: a piece leans.", False
    if stability.fall is not None:
        return f"Unsafe: the tower would fall, first {verdict.names[stability.fall.first]}.", False
    if stability.tilt is None or stability.shrink is None:
        return "It would stand.", True
    spare = f"{stability.tilt.deg:.1f}° of tilt and {max(0.0, stability.shrink.mm):.1f} mm to spare"
    if stability.needs_friction:
        return f"Delicate: only friction holds it. {spare}.", False
    if stability.tilt.deg < DELICATE_DEG:
        return f"Delicate: it stands, with {spare}.", False
    return f"It stands, with {spare}.", True


def margin_words(judged: TowerJudgement) -> tuple[str, bool]:
    """How surely a tower stands, in a few words, and whether that is surely enough."""
    stability = judged.stability
    if stability is None:
        return "A piece leans: balance can't tell", False
    if stability.fall is not None:
        return f"About to fall, first {judged.names[stability.fall.first]}", False
    if stability.tilt is None:
        return "It stands", True
    delicate = stability.needs_friction or stability.tilt.deg < DELICATE_DEG
    return f"{'Delicate' if delicate else 'It stands'}, with {stability.tilt.deg:.1f}° of tilt to spare", not delicate


def _source(broken: Violation) -> str:
    section = f"{broken.code.section} · " if isinstance(broken.code, Code) else ""
    return f"{section}{broken.rule}"


def _named(message: str, names: Sequence[str]) -> str:
    """A sentence with `player 0` by name."""
    return sentence(re.sub(r"\bplayer (\d+)\b", lambda found: names[int(found[1])], message))
