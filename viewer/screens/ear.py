"""What is heard of pieces that are seen again."""

from __future__ import annotations

import numpy as np

from physics.pose import as_array
from physics.tower import Tower
from viewer.impacts import Impacts
from viewer.sound import Sounds


class Ear:
    """Hears pieces land in a replay, at any speed as hard as they did."""

    def __init__(self, sounds: Sounds) -> None:
        self._sounds = sounds
        self._names: list[str] = []
        self._impacts: Impacts | None = None

    def hear(self, tower: Tower, seconds: float) -> None:
        """The tower as it is at a moment of the replay, while it plays."""
        names = [laid.placement.piece for laid in tower.laid]
        if self._impacts is None or names != self._names:
            self._names, self._impacts = names, Impacts(tower.piece_set, names)
        if names:
            self._sounds.land(self._impacts.update(np.array([as_array(laid.pose) for laid in tower.laid]), seconds))
