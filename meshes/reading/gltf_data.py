"""Buffers, views and accessors of a glTF file: arrays, every length checked before it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meshes.reading.gltf_tree import Table, bad, entry, table, whole
from meshes.reading.limits import MOST_BYTES, MOST_CORNERS, MOST_FACES
from meshes.reading.scene import Unreadable

_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_INDEX_COMPONENTS = (5121, 5123, 5125)


@dataclass
class Buffers:
    """The data of a file. `load` gives the bytes of buffer k, read once and only when asked for."""

    tree: Table
    load: Callable[[int, Table], bytes]
    _read: dict[int, bytes] = field(default_factory=dict)
    _total: int = 0

    def places(self, index: int) -> NDArray[np.float64]:
        """Corners (n, 3) of an accessor."""
        accessor = entry(self.tree, "accessors", index)
        if accessor.get("type") != "VEC3":
            bad("corners are not of three numbers", f"accessors/{index}")
        values = self._values(accessor, MOST_CORNERS, f"accessors/{index}")
        with np.errstate(invalid="ignore"):  # what is no number is found and counted later
            floats = values.astype(np.float64)
        if accessor.get("normalized") is True and values.dtype.kind in "iu":
            floats = np.maximum(floats / np.iinfo(values.dtype).max, -1.0)
        return floats

    def indices(self, index: int) -> NDArray[np.int64]:
        """Corner numbers (n,) of an accessor."""
        accessor = entry(self.tree, "accessors", index)
        if accessor.get("type") != "SCALAR" or accessor.get("componentType") not in _INDEX_COMPONENTS:
            bad("corner numbers are not plain whole numbers", f"accessors/{index}")
        return self._values(accessor, 3 * MOST_FACES, f"accessors/{index}").astype(np.int64).ravel()

    def _values(self, accessor: Table, most: int, where: str) -> NDArray[Any]:
        count = whole(accessor, "count")
        if count > most:
            raise Unreadable("too-many-corners", f"it has {count:,} entries, the most is {most:,}; make the mesh coarser", where)
        width = _WIDTHS[accessor["type"]]
        kind = _component(accessor)
        if "bufferView" in accessor:
            values = self._viewed(whole(accessor, "bufferView"), whole(accessor, "byteOffset", 0), kind, count, width, where)
        else:
            values = np.zeros((count, width), kind)
        if "sparse" in accessor:
            values = self._patched(values, table(accessor, "sparse"), where)
        return values

    def _patched(self, values: NDArray[Any], sparse: Table, where: str) -> NDArray[Any]:
        count, at, new = whole(sparse, "count"), table(sparse, "indices"), table(sparse, "values")
        if count > len(values):
            bad("it replaces more corners than there are", where)
        if at.get("componentType") not in _INDEX_COMPONENTS:
            bad("the numbers of corners it replaces are not plain whole numbers", where)
        rows = self._viewed(whole(at, "bufferView"), whole(at, "byteOffset", 0), _component(at), count, 1, where).ravel().astype(np.int64)
        if len(rows) and rows.max() >= len(values):
            bad("it replaces a corner that is not there", where)
        patched = values.copy()
        patched[rows] = self._viewed(whole(new, "bufferView"), whole(new, "byteOffset", 0), values.dtype, count, values.shape[1], where)
        return patched

    def _viewed(self, view: int, offset: int, kind: np.dtype[Any], count: int, width: int, where: str) -> NDArray[Any]:
        """`count` rows of `width` values in a buffer view, from `offset` in it."""
        found = entry(self.tree, "bufferViews", view)
        data = self._buffer(whole(found, "buffer"))
        start, length = whole(found, "byteOffset", 0), whole(found, "byteLength")
        row = kind.itemsize * width
        stride = whole(found, "byteStride", row)
        if stride < row or start + length > len(data) or (count and offset + stride * (count - 1) + row > length):
            bad("its data are shorter than it says", where)
        if offset % kind.itemsize or (start % kind.itemsize and kind.itemsize > 1) or stride % kind.itemsize:
            bad("its data don't stand on whole numbers of values", where)
        if count == 0:
            return np.zeros((0, width), kind)
        return np.ndarray((count, width), kind, data, start + offset, (stride, kind.itemsize))

    def _buffer(self, index: int) -> bytes:
        if index not in self._read:
            buffer = entry(self.tree, "buffers", index)
            data = self.load(index, buffer)
            length = whole(buffer, "byteLength")
            self._total += len(data)
            if self._total > MOST_BYTES:
                raise Unreadable("too-large-file", f"its data are more than {MOST_BYTES / 2**20:.0f} MiB; make the mesh coarser")
            if len(data) < length:
                raise Unreadable("cut-short", f"buffer {index} has {len(data):,} of {length:,} bytes; export or copy it again")
            self._read[index] = data[:length]
        return self._read[index]


def _component(accessor: Table) -> np.dtype[Any]:
    kind = accessor.get("componentType")
    if not isinstance(kind, int) or kind not in _COMPONENTS:
        bad(f"a componentType is {str(kind)[:20]}, which there is not")
    return np.dtype(_COMPONENTS[kind])


def corner_rows(corners: NDArray[np.int64], mode: int) -> NDArray[np.int64]:
    """Triangles (m, 3) of corner numbers: 4 separate ones, 5 a strip, 6 a fan."""
    if mode == 4:
        return corners[: len(corners) // 3 * 3].reshape(-1, 3)
    if len(corners) < 3:
        return np.zeros((0, 3), np.int64)
    if mode == 6:
        return np.column_stack((np.full(len(corners) - 2, corners[0]), corners[1:-1], corners[2:]))
    strip = np.column_stack((corners[:-2], corners[1:-1], corners[2:]))
    strip[1::2] = strip[1::2][:, [1, 0, 2]]
    return strip
