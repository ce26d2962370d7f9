"""What a file leaves open: its unit, told by the size a piece likely has, and which way is up, told by its largest flat face."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from meshes.mesh_units import Axis, Unit
from meshes.reading.clusters import clusters
from meshes.reading.limits import LIKELY_MM, MOST_SHELLS
from meshes.reading.scene import Shape, Unreadable
from meshes.reading.surface import edges_of, shell_labels

_NEARLY = 0.9
"""A flat with this share of the largest one's area will do as the bottom where it is the usual one."""
_LEVEL = 1e-3
"""A flat face may be this share of the size off its plane, and its normal as much off the axis, squared."""


def likely_unit(shapes: Sequence[Shape]) -> Unit:
    """The unit in which the largest body of welded shapes has the size of a piece; mm if that will do. Raises `Unreadable` if none will."""
    across = max(_largest_body(shape) for shape in shapes)
    low, high = LIKELY_MM
    fitting = [unit for unit in Unit if low <= across * unit.mm <= high]
    if not fitting:
        sizes = ", ".join(f"{across * unit.mm:.3g} mm if in {unit.value}" for unit in Unit)
        raise Unreadable(
            "unit-unclear", f"it is {across:.4g} across, which is no size of a piece ({low:g} to {high:g} mm) in any unit: {sizes}; give the unit"
        )
    middle = np.sqrt(low * high)
    return fitting[0] if fitting[0] is Unit.MM else min(fitting, key=lambda unit: abs(np.log(across * unit.mm / middle)))


def likely_up(shapes: Sequence[Shape], usual: Axis) -> Axis:
    """The axis that points away from the largest flat face; `usual` where its own is nearly as large, or there are no flats."""
    flats = {axis: sum(_flat_area(shape, axis) for shape in shapes) for axis in Axis}
    largest = max(flats.values())
    return usual if flats[usual] >= _NEARLY * largest else next(axis for axis in Axis if flats[axis] >= _NEARLY * largest)


def _largest_body(shape: Shape) -> float:
    vertices, faces = shape.vertices, shape.faces
    label = shell_labels(faces, edges_of(faces))
    count = int(label.max()) + 1
    if count > MOST_SHELLS:
        return float(np.ptp(vertices, axis=0).max())
    order = np.argsort(label, kind="stable")
    starts = np.searchsorted(label[order], np.arange(count))
    a, b, c = (vertices[faces[order, k]] for k in range(3))
    low = np.minimum.reduceat(np.minimum(np.minimum(a, b), c), starts)
    high = np.maximum.reduceat(np.maximum(np.maximum(a, b), c), starts)
    groups = clusters(np.stack((low, high), axis=1), gap=0.0)
    return max(float((high[group].max(axis=0) - low[group].min(axis=0)).max()) for group in groups)


def _flat_area(shape: Shape, axis: Axis) -> float:
    """Area of the faces in the lowest plane along an axis."""
    heights = shape.vertices @ axis.direction
    bottom, size = heights.min(), float(np.ptp(shape.vertices, axis=0).max())
    low = heights <= bottom + _LEVEL * size
    a, b, c = shape.faces.T
    corners = shape.vertices[shape.faces[low[a] & low[b] & low[c]]]
    doubled = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(doubled, axis=1)
    return float(area[np.abs(doubled @ axis.direction) >= (1 - _LEVEL) * area].sum() / 2)
