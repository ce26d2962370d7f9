"""Statics of bodies that touch at any points, leaning ones too: six balances a body, a force within a friction pyramid at each point.

The general form, for contacts that are no flat patches. Several times slower than `physics.flat_system`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from physics.bodies import Bodies
from physics.contact import TABLE, Contact
from physics.linear import Columns, Programme
from physics.pose import Vector
from physics.tilt import FRICTION_SIDES, Support

_BALANCES = 6
_PRECISION = 1e-8


class PointSystem:
    """Forces at contact points against a gravity (3,) of any direction and length 1. Lengths in units of the bodies' spread."""

    def __init__(self, bodies: Bodies, contacts: Sequence[Contact], friction: float, gravity: Vector) -> None:
        self.length_mm = float(np.ptp(np.concatenate([bodies.centre_mm, *(contact.points for contact in contacts)]), axis=0).max())
        self.centres = (bodies.centre_mm - bodies.centre_mm.mean(axis=0)) / self.length_mm
        self._masses = bodies.mass_g / bodies.mass_g.mean()
        self._gravity = gravity
        self._forces = _force_columns(bodies, contacts, friction, self.length_mm)
        self._tilts: Programme | None = None

    def collapse(self) -> Vector | None:
        """None if some forces hold everything; else (n, 6) how each body begins to move: speed of its centre, then its turning.

        Asks for the largest part of the weight, at most all of it, that can be held: it is all or nothing.
        """
        weight = self._weights(self._gravity)
        whole, none = np.append(weight, 1.0), np.zeros(len(weight))
        columns = self._forces.extended(np.arange(len(whole), dtype=np.int32), np.array([whole, np.append(none, 1.0)]))
        cost = np.append(np.zeros(self._forces.size), [-1.0, 0.0])
        solution = Programme(columns, cost, np.append(none, 1.0)).solve()
        return None if solution.value < -1 + _PRECISION else solution.dual[:-1].reshape(-1, _BALANCES)

    def support(self, direction: Vector, enough: float) -> Support:
        """How far the tiltable set reaches along `direction` (2,), for a gravity straight down that holds everything. Always looks all the way."""
        if self._tilts is None:
            tilts = np.array([self._weights(axis) for axis in np.eye(3)[:2]])
            columns = self._forces.extended(np.arange(tilts.shape[1], dtype=np.int32), tilts)
            self._tilts = Programme(columns, np.zeros(columns.size), -self._weights(self._gravity), free=2)
        self._tilts.set_costs(self._forces.size + np.arange(2, dtype=np.int32), -direction)
        solution = self._tilts.solve()
        return Support(-solution.value, self._tilts.variables()[-2:], solution.dual)

    def limit(self, direction: Vector) -> float:
        """How far it can be tilted in the unit direction (2,) itself, for a gravity straight down that holds everything; ∞ if nothing ends that."""
        held = -self._weights(self._gravity)
        columns = self._forces.extended(np.arange(len(held), dtype=np.int32), self._weights(np.append(direction, 0.0))[None])
        cost = np.append(np.zeros(self._forces.size), -1.0)
        return -Programme(columns, cost, held).solve().value

    def motion(self, support: Support) -> Vector:
        """(n, 6) the collapse that ends a support, as `collapse` gives it."""
        return support.prices.reshape(-1, _BALANCES)

    def _weights(self, gravity: Vector) -> Vector:
        """(6 n,) what a gravity adds to the balances."""
        weights = np.zeros((len(self._masses), _BALANCES))
        weights[:, :3] = self._masses[:, None] * gravity
        return weights.ravel()


def _force_columns(bodies: Bodies, contacts: Sequence[Contact], friction: float, length_mm: float) -> Columns:
    """One column for each edge of each point's friction pyramid: force and torque on the upper body, their opposites on the lower one."""
    place: list[NDArray[np.int32]] = []
    value: list[Vector] = []
    for contact in contacts:
        edges = _pyramid(contact.normal, friction)
        force, point = np.tile(edges, (len(contact.points), 1)), np.repeat(contact.points, len(edges), axis=0)
        ends = [(contact.upper, 1.0)] + ([(contact.lower, -1.0)] if contact.lower != TABLE else [])
        parts = [sign * np.hstack([force, np.cross((point - bodies.centre_mm[body]) / length_mm, force)]) for body, sign in ends]
        rows = np.concatenate([_BALANCES * body + np.arange(_BALANCES) for body, _ in ends])
        value += list(np.hstack(parts))
        place += [rows.astype(np.int32)] * len(force)
    start = np.concatenate([[0], np.cumsum([len(rows) for rows in place])])
    return Columns(start.astype(np.int32), np.concatenate(place), np.concatenate(value))


def _pyramid(normal: Vector, friction: float) -> Vector:
    """(sides, 3) edges of a pyramid around the friction cone; its sides touch the cone straight along the tangents used."""
    across = np.eye(3)[int(np.abs(normal).argmin())]
    first = across - (across @ normal) * normal
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    angles = 2 * math.pi / FRICTION_SIDES * (np.arange(FRICTION_SIDES) + 0.5)
    reach = friction / math.cos(math.pi / FRICTION_SIDES)
    edges: Vector = normal + reach * (np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second)
    return edges
