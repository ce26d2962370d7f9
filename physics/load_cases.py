"""Load cases: one tower, and one more piece on it at many poses that differ little. What is alike is reckoned once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from meshes.placement import Placement
from meshes.solid import build_solid
from physics.bodies import Bodies, tower_bodies
from physics.contact import Contact, tower_contacts
from physics.flat_system import FlatSystem, Unsupported, flat_system, patch_hulls
from physics.pose import Pose, Vector
from physics.shrink import InsetMemory, collapse
from physics.statics import shrink_margin, tower_stability
from physics.tilt import stands_level
from physics.tower import Tower

HEAVY = 6.0
"""A tower that would bear so many times the weight of the new piece is not asked whether a blow of it tips it over."""
_STILL = 1e-6


class LoadCase(NamedTuple):
    """The new piece at one pose: where its weight is, the contacts of all, and these prepared; None if nothing bears the piece, so that it falls
    alone."""

    bodies: Bodies
    contacts: Sequence[Contact]
    system: FlatSystem | None


class LoadCases:
    """A piece put on one tower again and again. Raises `NotFlat` if a laid piece leans."""

    def __init__(self, tower: Tower, placement: Placement) -> None:
        self._placement = placement
        self._tower = tower
        self._laid = tower_bodies(tower)
        self._contacts = tower_contacts(tower)
        self._patches = patch_hulls(self._contacts) if self._contacts else np.empty(0, dtype=object)
        below = [i for i, laid in enumerate(tower.laid) if laid.placement.layer == placement.layer - 1]
        self._below = Tower(tower.piece_set, tuple(tower.laid[i] for i in below))
        self._index = (*below, len(tower.laid))
        self._solid = build_solid(tower.piece_set, tower.piece_set.by_name[placement.piece])
        self._margins, self._loads, self._heavy_loads = InsetMemory(), InsetMemory(), InsetMemory()
        self.stands = _stands(tower)
        """Whether the tower stands without the new piece, by statics."""

    def at(self, pose: Pose) -> LoadCase:
        """The piece laid flat at the place and turn of `pose`."""
        flat = Pose.flat(pose.x, pose.y, self._placement.layer * self._tower.piece_set.thickness_mm, pose.yaw_deg)
        centre = flat.apply(self._solid.centre_mm[None, :])
        bodies = Bodies(np.append(self._laid.mass_g, self._solid.mass_g), np.vstack([self._laid.centre_mm, centre]))
        own = self._supports(flat)
        patches = patch_hulls(own) if own else np.empty(0, dtype=object)
        assert patches is not None and self._patches is not None, "contacts of flat pieces are flat"
        contacts = [*self._contacts, *own]
        try:
            return LoadCase(bodies, contacts, flat_system(bodies, contacts, np.concatenate([self._patches, patches])))
        except Unsupported:
            return LoadCase(bodies, contacts, None)

    def ready(self, case: LoadCase) -> frozenset[int]:
        """The laid pieces that would fall if the new one were `HEAVY` times as heavy: those a blow might tip over. None do where nothing bears the
        new one, as it falls alone."""
        if case.system is None:
            return frozenset()
        masses: Vector = case.bodies.mass_g.copy()
        masses[-1] *= HEAVY
        return _moving(collapse(case.system.weighing(masses), memory=self._heavy_loads))

    def falls(self, case: LoadCase) -> bool:
        """Whether a laid piece falls as the new one lies there, by statics."""
        if case.system is None or not _moving(collapse(case.system, memory=self._loads)):
            return False
        # vertical forces don't hold it, but friction may
        return not stands_level(case.system, self._tower.piece_set.friction)

    def margin_mm(self, case: LoadCase) -> float:
        """The shrink margin of a case, `physics.statics.Shrink`; −∞ if nothing bears the piece."""
        return -math.inf if case.system is None else shrink_margin(case.bodies, case.contacts, case.system, memory=self._margins).mm

    def _supports(self, pose: Pose) -> list[Contact]:
        """The contacts of the new piece, bodies counted as in the whole tower."""
        *_, new = self._index
        near = tower_contacts(self._below.with_piece(self._placement, pose))
        own = [contact for contact in near if contact.upper == len(self._index) - 1]
        return [Contact(contact.lower if contact.lower < 0 else self._index[contact.lower], new, contact.points, contact.normal) for contact in own]


@lru_cache(maxsize=4)
def _stands(tower: Tower) -> bool:
    return tower_stability(tower, margins=False).stable


def _moving(motion: Vector | None) -> frozenset[int]:
    """The laid pieces that move in a collapse; none if there is none."""
    if motion is None:
        return frozenset()
    size = np.abs(motion[:-1]).max(axis=1)
    return frozenset(np.flatnonzero(size > _STILL * np.abs(motion).max()).tolist())
