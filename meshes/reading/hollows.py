"""Hollows: closed shells that look inwards, and what they are taken out of. The one rule for files that are read and for pieces played with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from manifold3d import Manifold, OpType

from meshes.manifolds import manifold_of
from meshes.reading.shells import Shell, within
from meshes.reading.surface import volume


class Hollowed(NamedTuple):
    """`bodies`: one for each that was given, less its hollows. `astray`: hollows that lie in no single body, as bodies of their own."""

    bodies: list[Manifold]
    astray: list[Manifold]


def hollowed(solids: Sequence[tuple[Manifold, Shell]], hollows: Sequence[Shell]) -> Hollowed:
    """Each hollow is taken out of the smallest solid around it, so that a body in it stays, and what another body fills is filled.

    `solids` are bodies with their surfaces; `hollows` look inwards.
    """
    taken: list[list[Manifold]] = [[] for _ in solids]
    astray: list[Manifold] = []
    for hollow, home in zip(hollows, homes(hollows, [shell for _, shell in solids]), strict=True):
        cavity = manifold_of(hollow.turned.vertices, hollow.turned.faces)
        if cavity is not None:
            (astray if home is None else taken[home]).append(cavity)
    bodies = [Manifold.batch_boolean([solid, *cut], OpType.Subtract) if cut else solid for (solid, _), cut in zip(solids, taken, strict=True)]
    return Hollowed(bodies, astray)


def homes(inner: Sequence[Shell], outer: Sequence[Shell]) -> list[int | None]:
    """Of each inner shell, the smallest outer one around it."""
    sizes = np.array([volume(shell.vertices, shell.faces) for shell in outer])
    return [int(np.flatnonzero(row)[sizes[row].argmin()]) if row.any() else None for row in within(inner, outer)]
