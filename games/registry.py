"""All games, by name."""

from __future__ import annotations

from collections.abc import Mapping

from games.interface import Game
from games.sakana.game import SakanaGame
from games.sakapuss.game import SakapussGame
from games.sardines.game import SardinesGame
from games.stakd.game import StakdGame
from meshes.piece_set import PieceSet


def all_games(piece_set: PieceSet | None = None) -> Mapping[str, Game]:
    """Every game there is, sorted by name; STAKD with `piece_set`, by default the classic one."""
    games: list[Game] = [StakdGame(piece_set), SakanaGame(), SardinesGame(), SakapussGame()]
    return {game.name: game for game in sorted(games, key=lambda game: game.name)}
