"""What a match of a card game waits for."""

from __future__ import annotations

from enum import Enum


class CardPhase(Enum):
    """What a match waits for."""

    PERSON = "a person is to move"
    THINKING = "a bot thinks"
    PASSING = "a person is to choose a cat to pass on"
    WATCHING = "all watch the cats go round, or the slaps come in"
    CURTAIN = "the screen is to be passed to another person"
    ROUND_OVER = "a round is over"
    OVER = "the game is over"
