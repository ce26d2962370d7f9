"""Bodies: the masses and centres that statics balances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from meshes.solid import build_solid
from physics.pose import Vector
from physics.tower import Tower


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Rigid bodies, in the order contacts count them. `mass_g`: (n,) grams; `centre_mm`: (n, 3) centres of mass on the table."""

    mass_g: Vector
    centre_mm: Vector

    def __len__(self) -> int:
        return len(self.mass_g)


def tower_bodies(tower: Tower) -> Bodies:
    """The pieces of a tower as bodies, in laid order."""
    solids = [build_solid(tower.piece_set, tower.piece_type(i)) for i in range(len(tower.laid))]
    centres = [piece.pose.apply(solid.centre_mm[None, :])[0] for piece, solid in zip(tower.laid, solids, strict=True)]
    return Bodies(np.array([solid.mass_g for solid in solids]), np.array(centres).reshape(-1, 3))
