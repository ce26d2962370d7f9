"""Words to read: the rules page of STAKD, and tips for idle moments."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from games.guide import Section, read_rules_page, read_text
from meshes.piece_set import PieceSet, PieceType, load_piece_set


def rules_page(piece_set: PieceSet | None = None) -> tuple[Section, ...]:
    """The whole rules of STAKD in our own words; lists of pieces and hands are those of the set, by default the classic one."""
    piece_set = piece_set or load_piece_set("classic")
    return read_rules_page("games.stakd", {name: partial(lines, piece_set) for name, lines in _LISTS.items()})


def tips() -> tuple[str, ...]:
    """One-line tips on play and on steady hands, for the classic set."""
    return tuple(read_text("games.stakd", "tips")["tips"])


def _piece_lines(piece_set: PieceSet) -> Iterator[str]:
    return (f"{piece.name}: {_nodes(piece)}, {piece.count} in the box" for piece in piece_set.pieces)


def _nodes(piece: PieceType) -> str:
    return "1 node" if piece.is_uni else f"{len(piece.cells)} nodes"


def _hand_lines(piece_set: PieceSet) -> Iterator[str]:
    for players in range(1, piece_set.max_players + 1):
        who = "Solo" if players == 1 else f"{players} players, each"
        yield f"{who}: " + ", ".join(f"{count} {name}" for name, count in piece_set.hand(players).items() if count)


_LISTS = {"pieces": _piece_lines, "hands": _hand_lines}
