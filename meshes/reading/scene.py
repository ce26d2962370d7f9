"""What a reader makes of a file, before anything is measured or mended: named shapes in the file's own unit and frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from meshes.errors import Defect
from meshes.mesh_units import Axis, Unit

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


def joined(name: str, shapes: Sequence[Shape]) -> Shape:
    """All shapes as one."""
    starts = accumulate((len(shape.vertices) for shape in shapes[:-1]), initial=0)
    faces = [shape.faces + start for shape, start in zip(shapes, starts, strict=True)]
    return Shape(name, np.concatenate([shape.vertices for shape in shapes]), np.concatenate(faces))


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All objects of a file. `unit` and `up` are what the file or its format says, None where it says nothing."""

    shapes: tuple[Shape, ...]
    unit: Unit | None = None
    up: Axis | None = None
    notes: tuple[str, ...] = ()
