"""Pages for the real window to begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.card_match import CardSeat, CardSetup
from games.match import Match, MatchSetup, Seat
from meshes.piece_set import load_piece_set
from physics.grip import STEADY
from viewer.screens.cards.setup import TABLES
from viewer.screens.cards.table import CardTable
from viewer.screens.lab.page import LabPage
from viewer.screens.table import TablePage

if TYPE_CHECKING:
    from viewer.program import Program

LAYERS = 7


def high_tower(program: Program) -> TablePage:
    """Ada and Bo, both persons, before a slender tower."""
    match = Match(MatchSetup(load_piece_set("classic"), (Seat("Ada"), Seat("Bo")), 3))
    while match.tower.layers < LAYERS:
        match.place(match.state.legal_moves()[-1])
    return TablePage.continue_from(program, match, len(match.acts))


def bots(program: Program) -> TablePage:
    """Two bots that lay by the Grip."""
    return TablePage(program, MatchSetup(load_piece_set("classic"), (Seat("Ada", "greedy", STEADY), Seat("Bo", "random", STEADY)), 5))


def two_persons(program: Program) -> TablePage:
    """A new match of Ada and Bo."""
    return TablePage(program, MatchSetup(load_piece_set("classic"), (Seat("Ada"), Seat("Bo")), 3))


def sakana(program: Program) -> CardTable:
    """A person against three bots at Sakana Stack."""
    return _cards(program, "sakana", 3)


def sardines(program: Program) -> CardTable:
    """A person against three bots at Sunny Day Sardines."""
    return _cards(program, "sardines", 3)


def sakapuss(program: Program) -> CardTable:
    """A person against two bots at Sakapuss."""
    return _cards(program, "sakapuss", 2)


def _cards(program: Program, game: str, bots: int) -> CardTable:
    seats = (CardSeat("Mia"), *(CardSeat(f"Bot {k}", "greedy") for k in range(bots)))
    return TABLES[game].begin(program, CardSetup(game, seats, 5))


def lab(program: Program) -> LabPage:
    """The piece lab."""
    return LabPage(program)
