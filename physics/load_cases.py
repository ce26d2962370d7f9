"""Load cases: one tower, and one more piece on it at many poses that differ little. What is alike is reckoned once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from meshes.placement import Placement
from meshes.solid import build_solid
from physics.bodies import Bodies, tower_bodies
from physics.contact import Contact, tower_contacts
from physics.flat_system import FlatSystem, Unsupported, flat_system
from physics.pose import Pose
from physics.shrink import InsetMemory, holds_upright
from physics.statics import Stability, equilibrium, shrink_margin
from physics.tower import Tower


class LoadCase(NamedTuple):
    """The tower with the piece at one pose. `moving`: which bodies fall, the new one counted last; none if all stands."""

    bodies: Bodies
    contacts: Sequence[Contact]
    system: FlatSystem | None
    moving: tuple[int, ...]

    @property
    def falls(self) -> bool:
        """Whether a laid piece falls; the new one alone does not count."""
        return any(body < len(self.bodies) - 1 for body in self.moving)


class LoadCases:
    """A piece put on one tower again and again. Raises `NotFlat` if a laid piece leans."""

    def __init__(self, tower: Tower, placement: Placement) -> None:
        self._placement = placement
        self._tower = tower
        self._laid = tower_bodies(tower)
        self._contacts = tower_contacts(tower)
        self._z_mm = placement.layer * tower.piece_set.thickness_mm
        below = [i for i, laid in enumerate(tower.laid) if laid.placement.layer == placement.layer - 1]
        self._below = Tower(tower.piece_set, tuple(tower.laid[i] for i in below))
        self._index = (*below, len(tower.laid))
        self._solid = build_solid(tower.piece_set, tower.piece_set.by_name[placement.piece])
        self._memory = InsetMemory()

    def at(self, pose: Pose) -> LoadCase:
        """The piece laid flat at the place and turn of `pose`."""
        flat = Pose.flat(pose.x, pose.y, self._z_mm, pose.yaw_deg)
        contacts = [*self._contacts, *self._supports(flat)]
        centre = flat.apply(self._solid.centre_mm[None, :])
        bodies = Bodies(np.append(self._laid.mass_g, self._solid.mass_g), np.vstack([self._laid.centre_mm, centre]))
        try:
            system = flat_system(bodies, contacts)
        except Unsupported as error:
            return LoadCase(bodies, contacts, None, error.bodies)
        assert system is not None, "contacts of flat pieces are flat"
        if holds_upright(system, memory=self._memory):
            return LoadCase(bodies, contacts, system, ())
        stability = equilibrium(bodies, contacts, friction=self._tower.piece_set.friction, margins=False)
        return LoadCase(bodies, contacts, system, _moving(stability))

    def margin_mm(self, case: LoadCase) -> float:
        """The shrink margin of a case, `physics.statics.Shrink`; −∞ if nothing bears the piece."""
        if case.system is None:
            return -math.inf
        return shrink_margin(case.bodies, case.contacts, case.system, memory=self._memory).mm

    def _supports(self, pose: Pose) -> list[Contact]:
        """The contacts of the new piece, bodies counted as in the whole tower."""
        *_, new = self._index
        near = tower_contacts(self._below.with_piece(self._placement, pose))
        own = [contact for contact in near if contact.upper == len(self._index) - 1]
        return [Contact(contact.lower if contact.lower < 0 else self._index[contact.lower], new, contact.points, contact.normal) for contact in own]


def _moving(stability: Stability) -> tuple[int, ...]:
    return stability.fall.moving if stability.fall else ()
