"""Block stacks whose answers are known in closed form: harmonic overhangs, the best four blocks, cubes on end."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from meshes.solid import box
from physics.bodies import Bodies
from physics.contact import TABLE, Contact
from physics.pose import Vector

Places = Sequence[tuple[int, float]]
"""For each block its level and the middle of it, in block lengths; the table fills x ≤ 0."""

LENGTH, WIDTH, HEIGHT = 100.0, 40.0, 20.0
UP = np.array([0.0, 0.0, 1.0])


def blocks(places: Places, *, length: float = LENGTH, width: float = WIDTH, height: float = HEIGHT) -> tuple[Bodies, list[Contact]]:
    """Equal blocks in a plane, as bodies and contacts for `physics.statics.equilibrium`; sizes in mm."""
    solid = box(length, width, height, 0.7)
    centres = [(x * length, 0.0, (level + 0.5) * height) for level, x in places]
    contacts = []
    for upper, (level, x) in enumerate(places):
        spans = [(TABLE, x - 0.5, min(x + 0.5, 0.0))] if level == 0 else []
        spans += [(i, max(x, other) - 0.5, min(x, other) + 0.5) for i, (low, other) in enumerate(places) if low == level - 1]
        for lower, left, right in spans:
            if right - left > 1e-9:
                contacts.append(Contact(lower, upper, _patch(left * length, right * length, width, level * height), UP))
    return Bodies(np.full(len(places), solid.mass_g), np.array(centres)), contacts


def cubes(count: int, *, edge: float = 20.0) -> tuple[Bodies, list[Contact]]:
    """`count` cubes on end, far from the edge of the table; they tip at atan(1 / count)."""
    return blocks([(level, -5) for level in range(count)], length=edge, width=edge, height=edge)


def harmonic(count: int, beyond: float = 0.0) -> list[tuple[int, float]]:
    """The stack of most overhang with one block a level, H_n / 2 lengths, all of it shifted outward by `beyond` lengths."""
    right = harmonic_overhang(count) + beyond
    middles = []
    for k in range(1, count + 1):
        middles.append(right - 0.5)
        right -= 1 / (2 * k)
    return list(enumerate(reversed(middles)))


def harmonic_overhang(count: int) -> float:
    """H_n / 2, in block lengths."""
    return sum(1 / (2 * k) for k in range(1, count + 1))


def four_in_three(beyond: float = 0.0) -> list[tuple[int, float]]:
    """The best overhang of four blocks in three levels, (15 − 4√2) / 8 = 1.16789 lengths (Hall 2005, Paterson and Zwick 2009):
    one below, two in the middle, one on top that weighs both down; shifted outward by `beyond` lengths."""
    root = math.sqrt(2)
    right, left = 1 - root / 4, -0.6
    top, middle_of_all = (5 * root - 10) / 4 - left, (2 * root - 3) / 8
    return [(level, x - middle_of_all + beyond) for level, x in ((0, 0.0), (1, right), (1, left), (2, top))]


def overhang(places: Places) -> float:
    """How far the outermost block reaches beyond the edge of the table, in block lengths."""
    return max(x + 0.5 for _, x in places)


def edge_between(stands: Callable[[float], bool], low: float, high: float, *, within: float) -> float:
    """The value between `low`, which stands, and `high`, which does not, where it stops standing."""
    while high - low > within:
        middle = (low + high) / 2
        low, high = (middle, high) if stands(middle) else (low, middle)
    return (low + high) / 2


def _patch(x_low: float, x_high: float, width: float, z: float) -> Vector:
    y = width / 2
    return np.array([[x_low, -y, z], [x_high, -y, z], [x_high, y, z], [x_low, y, z]])
