"""Every way a move of STAKD can be wrong, and the rule that says so."""

from __future__ import annotations

from enum import StrEnum

from games.errors import Violation
from meshes.lattice import Cells
from meshes.placement import Placement


class Code(StrEnum):
    """What is wrong with a move. `rule` is the row of the rules decisions, `section` the place in the rulebook."""

    MALFORMED = "malformed"
    UNKNOWN_PIECE = "unknown-piece"
    WRONG_SHAPE = "wrong-shape"
    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    ALREADY_LEFT = "already-left"
    NOT_IN_HAND = "not-in-hand"
    BASES_FIRST = "bases-first"
    BASES_ONLY = "bases-only"
    BASE_STACKED = "base-stacked"
    FIRST_BASE_PLACE = "first-base-place"
    BASE_CONTACT = "base-contact"
    LAYER_LOCKED = "layer-locked"
    LAYER_NOT_STARTED = "layer-not-started"
    LAYER_NOT_FULL = "layer-not-full"
    UNI_OPENS_LAYER = "uni-opens-layer"
    OVERLAP = "overlap"
    NOT_CONNECTED = "not-connected"
    OVERHANG = "overhang"
    SAME_TYPE_ON_PIECE = "same-type-on-piece"
    DUPLICATE = "duplicate"
    UNI_ON_UNI = "uni-on-uni"

    @property
    def rule(self) -> str:
        """The row of the rules decisions, such as `S14`."""
        return _RULES[self][0]

    @property
    def section(self) -> str:
        """The section of the rulebook."""
        return _RULES[self][1]


_RULES = {
    Code.MALFORMED: ("S1", "Setup: Game Pieces"),
    Code.UNKNOWN_PIECE: ("S1", "Setup: Game Pieces"),
    Code.WRONG_SHAPE: ("S1", "Setup: Game Pieces"),
    Code.GAME_OVER: ("S40", "Step 5: Win"),
    Code.NOT_YOUR_TURN: ("S51", "Step 2: Stack and Block"),
    Code.ALREADY_LEFT: ("S53", "Step 4: Repeat"),
    Code.NOT_IN_HAND: ("S36", "Setup: Pieces Per Player"),
    Code.BASES_FIRST: ("S5", "Step 1: Lay the Base Foundation"),
    Code.BASES_ONLY: ("S5", "Step 1: Lay the Base Foundation"),
    Code.BASE_STACKED: ("S5", "Step 1: Lay the Base Foundation"),
    Code.FIRST_BASE_PLACE: ("S9", "Step 1: Lay the Base Foundation"),
    Code.BASE_CONTACT: ("S7", "Step 1: Lay the Base Foundation"),
    Code.LAYER_LOCKED: ("S33", "Step 3: New Layers"),
    Code.LAYER_NOT_STARTED: ("S14", "Step 3: New Layers"),
    Code.LAYER_NOT_FULL: ("S25", "Step 3: New Layers"),
    Code.UNI_OPENS_LAYER: ("S30", "Step 3: New Layers"),
    Code.OVERLAP: ("S14", "Step 2: No Overhanging"),
    Code.NOT_CONNECTED: ("S11", "Step 2: Stack and Block"),
    Code.OVERHANG: ("S14", "Step 2: No Overhanging"),
    Code.SAME_TYPE_ON_PIECE: ("S16", "Step 2: One Piece Type Allowed Per Piece Below"),
    Code.DUPLICATE: ("S20", "Step 2: No Duplicate Stacking"),
    Code.UNI_ON_UNI: ("S21", "Step 2: No Duplicate Stacking"),
}


def violation(code: Code, message: str, *, cells: Cells = (), pieces: tuple[Placement, ...] = (), layer: int | None = None) -> Violation:
    """A violation with the rule that belongs to its code."""
    return Violation(code, code.rule, message, cells, pieces, layer)


def game_over() -> Violation:
    """Nothing is legal when the game is over."""
    return violation(Code.GAME_OVER, "the game is over; start a new one or take the last move back")


def already_left() -> Violation:
    """Who has left the match can't leave it again, nor knock anything over."""
    return violation(Code.ALREADY_LEFT, "this player has already left the match")
