"""The rules of a card game to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.guide import card_rules_page
from viewer.screens.rules import RulesPage

if TYPE_CHECKING:
    from viewer.program import Program


class CardRulesPage(RulesPage):
    """All sections of the game's rules page."""

    EXAMPLE = "card or tie"

    def __init__(self, program: Program, game: str) -> None:
        super().__init__(program, sections=card_rules_page(game))
