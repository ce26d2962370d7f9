"""What can happen in STAKD because of a move, in protocol form."""

from __future__ import annotations

from enum import StrEnum

from games.interface import Event
from meshes.placement import Placement


class OutReason(StrEnum):
    """Why a player is out of the round; the value is the row of the rules decisions that says so."""

    NO_BASE_PLACE = "S5"
    LAYER_HELD = "S27"
    NO_PLACE = "S28"
    ONLY_UNI_FITS = "S31"
    EMPTY_HAND = "S36"
    LEFT = "S53"

    @property
    def message(self) -> str:
        """The reason in words, to follow the player's name."""
        return _WORDS[self]


_WORDS = {
    OutReason.NO_BASE_PLACE: "has no BASE to lay, or no place for it, while the base layer is being laid",
    OutReason.LAYER_HELD: "has no place on the current layer, and it may not be left while another player can still lay on it",
    OutReason.NO_PLACE: "has no place for any piece in hand",
    OutReason.ONLY_UNI_FITS: "could open the new layer with a one-node piece only, which is not allowed while larger pieces are in hand",
    OutReason.EMPTY_HAND: "has no pieces left",
    OutReason.LEFT: "left the match",
}


def placed(player: int, placement: Placement) -> Event:
    """A player laid a piece."""
    return {"type": "placed", "player": player, "move": str(placement)}


def layer_opened(player: int, layer: int) -> Event:
    """The piece just laid is the first of a new layer."""
    return {"type": "layer_opened", "player": player, "layer": layer}


def out(player: int, reason: OutReason) -> Event:
    """A player is out for the rest of the round."""
    return {"type": "out", "player": player, "reason": reason.value, "message": reason.message}


def knocked_over(player: int) -> Event:
    """A player knocked over the play area (S39)."""
    return {"type": "knock_over", "player": player}


def round_over(number: int, winner: int | None, scores: tuple[int, ...]) -> Event:
    """A round ended; no winner after a knock-over and when solo is lost. `scores` are those after it."""
    return {"type": "round_over", "round": number, "winner": winner, "scores": list(scores)}


def game_over(winner: int | None) -> Event:
    """The whole game ended."""
    return {"type": "game_over", "winners": [] if winner is None else [winner]}
