"""What a reader makes of a file, before anything is measured or mended: named shapes in the file's own unit and frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from meshes.errors import Defect
from meshes.mesh_units import Axis, Unit
from meshes.reading.limits import MOST_FACES

Vertices = NDArray[np.float64]
"""(n, 3)"""
Faces = NDArray[np.int64]
"""(m, 3), every index within the vertices"""


class Unreadable(Exception):
    """A file can't be read, for the reasons in `defects`; the way in turns it into `BadMesh`."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        self.defects = (Defect(code, where, message),)
        super().__init__(message)


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One object of a file, transforms applied. `name` is empty where the file gives none."""

    name: str
    vertices: Vertices
    faces: Faces

    def placed(self, matrix: NDArray[np.float64]) -> Shape:
        """Moved by a (4, 4) matrix, for columns; a mirror image turns the windings, so that they look outwards again."""
        with np.errstate(invalid="ignore", over="ignore"):  # what is no place is found and counted later
            vertices = self.vertices @ matrix[:3, :3].T + matrix[:3, 3]
            mirrored = np.linalg.det(matrix[:3, :3]) < 0
        return Shape(self.name, vertices, self.faces[:, ::-1] if mirrored else self.faces)


class Triangles(Protocol):
    """Whatever has corners and faces."""

    @property
    def vertices(self) -> Vertices:
        """Corners."""

    @property
    def faces(self) -> Faces:
        """Faces on them."""


def together(meshes: Sequence[Triangles]) -> tuple[Vertices, Faces]:
    """All corners and faces as one mesh; nothing is merged."""
    starts = accumulate((len(mesh.vertices) for mesh in meshes[:-1]), initial=0)
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]
    return np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces)


def check_faces(count: int) -> None:
    """Raises `Unreadable` where there are none or more than may be."""
    if count > MOST_FACES:
        raise Unreadable("too-many-faces", f"it has {count:,} triangles, the most is {MOST_FACES:,}; make the mesh coarser")
    if count == 0:
        raise Unreadable("no-faces", "it has no faces; export the surface of the piece as triangles")


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All objects of a file. `unit` and `up` are what the file or its format says, None where it says nothing."""

    shapes: tuple[Shape, ...]
    unit: Unit | None = None
    up: Axis | None = None
    notes: tuple[str, ...] = ()
