"""Shells: faces that hang together, with what is wrong with them; and which lie within which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from meshes.reading.crossings import windings
from meshes.reading.piercings import Piercings, piercings
from meshes.reading.scene import Faces, Vertices
from meshes.reading.surface import compact, edges_of, hole_count

_PROBES = 5
"""Faces of a shell that are asked whether they lie within another."""


@dataclass(frozen=True, eq=False)
class Shell:
    """Faces that hang together by their edges. Closed if it has no edges of one face, none with the wrong number of faces, and two sides."""

    vertices: Vertices
    faces: Faces
    open_edges: int = 0
    holes: int = 0
    odd_edges: int = 0
    one_sided: int = 0
    piercings: Piercings | None = None
    """where a closed one goes through itself"""

    @property
    def closed(self) -> bool:
        """Whether it has an inside."""
        return not (self.open_edges or self.odd_edges or self.one_sided)

    @property
    def box(self) -> NDArray[np.float64]:
        """(2, 3) lowest and highest corner."""
        return np.array([self.vertices.min(axis=0), self.vertices.max(axis=0)])

    @property
    def turned(self) -> Shell:
        """The same looking the other way."""
        return replace(self, faces=self.faces[:, ::-1])


def measured_shell(vertices: Vertices, faces: Faces) -> Shell:
    """The shell of these faces, its edges counted."""
    vertices, faces = compact(vertices, faces)
    edges = edges_of(faces)
    alone = edges.uses == 1
    one_sided = int(((edges.uses == 2) & (edges.balance != 0)).sum())
    odd = int(((edges.uses > 2) & (edges.balance != 0)).sum())
    closed = not (alone.any() or odd or one_sided)
    through = piercings(vertices, faces, edges) if closed else None
    return Shell(vertices, faces, int(alone.sum()), hole_count(edges.ends[alone]), odd, one_sided, through)


def within(inner: Sequence[Shell], outer: Sequence[Shell]) -> NDArray[np.bool_]:
    """(inner, outer) whether a shell lies in what another encloses: its box in the other's, and most of its faces. None is within itself."""
    answer = np.zeros((len(inner), len(outer)), dtype=bool)
    if not len(inner) or not len(outer):
        return answer
    low, high = np.array([shell.box for shell in inner]).transpose(1, 0, 2)
    for j, around in enumerate(outer):
        lowest, highest = around.box
        boxed = (low >= lowest).all(axis=1) & (high <= highest).all(axis=1)
        asked = [k for k in np.flatnonzero(boxed).tolist() if inner[k] is not around]
        answer[asked, j] = shares_within([inner[k] for k in asked], around) > 0.5
    return answer


def shares_within(inner: Sequence[Shell], outer: Shell) -> NDArray[np.float64]:
    """(inner,) share of the faces of each shell, a few asked, that lie in what a closed shell encloses."""
    if not len(inner):
        return np.zeros(0)
    probes = [_probes(shell) for shell in inner]
    inside = windings(np.concatenate(probes), outer.vertices, outer.faces) != 0
    counts = np.array([len(points) for points in probes])
    shares: NDArray[np.float64] = np.add.reduceat(inside.astype(np.float64), np.cumsum(counts) - counts) / counts
    return shares


def _probes(shell: Shell) -> NDArray[np.float64]:
    """Middles of some faces."""
    chosen = shell.faces[np.linspace(0, len(shell.faces) - 1, min(_PROBES, len(shell.faces))).astype(int)]
    middles: NDArray[np.float64] = shell.vertices[chosen].mean(axis=1)
    return middles
