"""Units and up axes of mesh files."""

from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray


class Unit(Enum):
    """What 1 in a mesh file means."""

    MM = "mm"
    CM = "cm"
    M = "m"
    INCH = "inch"

    @property
    def mm(self) -> float:
        """Millimetres in one unit."""
        return _MM[self]


class Axis(Enum):
    """Which way is up in a mesh file."""

    Z_UP = "+z"
    Y_UP = "+y"
    X_UP = "+x"
    Z_DOWN = "-z"
    Y_DOWN = "-y"
    X_DOWN = "-x"

    @property
    def direction(self) -> NDArray[np.float64]:
        """Unit vector (3,) that points up, in the file's frame."""
        up: NDArray[np.float64] = self.rotation[2]
        return up

    @property
    def rotation(self) -> NDArray[np.float64]:
        """Rotation (3, 3) that carries the file's frame to one with z up; with +z up it changes nothing."""
        return np.array(_ROWS[self], dtype=np.float64)


_MM = {Unit.MM: 1.0, Unit.CM: 10.0, Unit.M: 1000.0, Unit.INCH: 25.4}
_ROWS = {
    Axis.Z_UP: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    Axis.Y_UP: ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    Axis.X_UP: ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    Axis.Z_DOWN: ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    Axis.Y_DOWN: ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    Axis.X_DOWN: ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
}
