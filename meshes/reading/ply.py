"""PLY, as text and binary."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from meshes.reading.limits import MOST_CORNERS, MOST_CORNERS_OF_A_FACE, MOST_FACES
from meshes.reading.polygons import triangles_of
from meshes.reading.scene import Scene, Shape, Unreadable, Vertices
from meshes.reading.source import Source
from meshes.reading.text import clean_name, lines_of, number_rows, shown

_TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4", "double": "f8"}
_TYPES |= {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "float32": "f4", "float64": "f8"}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}
_CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "f4": "f", "f8": "d"}
_STRUCTS = {order + kind: struct.Struct(order + code) for order in "<>" for kind, code in _CODES.items()}
_MOST_HEAD = 2**16
_CORNER_LISTS = ("vertex_indices", "vertex_index")
_HEAD_END = re.compile(rb"\nend_header[ \t]*\n")

Polygons = tuple[NDArray[np.int64], NDArray[np.int64]]
"""How many corners each has, and the corners of all in a row."""


@dataclass
class _Element:
    """`properties` by name: type of a value and, of lists, type of the count (else empty)."""

    name: str
    count: int
    properties: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def corner_list(self) -> str:
        """Name of the list of a face's corners; empty if there is none."""
        return next((name for name in _CORNER_LISTS if self.properties.get(name, ("", ""))[1]), "")


class _Rows(Protocol):
    """The data of a file, element by element in the order of its head."""

    def places(self, element: _Element) -> Vertices:
        """Corners (n, 3)."""

    def polygons(self, element: _Element) -> Polygons:
        """Faces."""

    def skip(self, element: _Element) -> None:
        """Pass over what is not wanted."""


def read_ply(source: Source) -> Scene:
    """The scene of a PLY file: one shape; everything but places and faces is left out."""
    order, elements, start = _head(source.data)
    rows: _Rows = _BinaryRows(source.data, start, order) if order else _TextRows(source.data[start:])
    vertices: Vertices | None = None
    polygons: Polygons | None = None
    for element in elements:
        if element.name == "vertex" and vertices is None:
            vertices = rows.places(element)
        elif element.name == "face" and element.corner_list and polygons is None:
            polygons = rows.polygons(element)
        else:
            rows.skip(element)
    if vertices is None or polygons is None:
        strips = any(element.name == "tristrips" for element in elements)
        raise Unreadable(
            "no-faces", f"it has {'strips of triangles; export plain faces' if strips else 'no faces; export a mesh, not a cloud of points'}"
        )
    return Scene((Shape("", vertices, triangles_of(vertices, *polygons)),))


def _head(data: bytes) -> tuple[str, list[_Element], int]:
    """Byte order (empty: text), the elements, and where they begin."""
    start = data[:_MOST_HEAD].replace(b"\r\n", b" \n").replace(b"\r", b"\n")
    end = _HEAD_END.search(start)
    if not data.startswith(b"ply") or end is None:
        raise Unreadable("bad-head", "it must begin with ply and have an end_header; export it again")
    order, elements = "?", list[_Element]()
    for line in start[: end.start()].decode("ascii", "replace").split("\n")[1:]:
        match line.split():
            case ["format", ("ascii" | "binary_little_endian" | "binary_big_endian") as form, *_]:
                order = _ORDERS.get(form, "")
            case ["element", name, count] if count.isdecimal() and count.isascii() and len(count) < 19:
                elements.append(_Element(name, int(count)))
            case ["property", "list", count, kind, name] if elements and count in _TYPES and kind in _TYPES:
                elements[-1].properties[name] = (_TYPES[kind], _TYPES[count])
            case ["property", kind, name] if elements and kind in _TYPES:
                elements[-1].properties[name] = (_TYPES[kind], "")
            case ["comment" | "obj_info", *_] | []:
                pass
            case _:
                raise Unreadable("bad-head", f"its head has a line that is no PLY: “{shown(line.encode())}”; export it again")
    if order == "?":
        raise Unreadable("bad-head", "its head does not say whether it is text or binary; export it again")
    _check_elements(elements)
    return order, elements, end.end()


def _check_elements(elements: list[_Element]) -> None:
    for element in elements:
        most = MOST_FACES if element.name == "face" else MOST_CORNERS
        if element.count > most:
            raise Unreadable("too-many-faces", f"it has {element.count:,} of {_called(element)}, the most is {most:,}; make the mesh coarser")
        lists = any(listed for _, listed in element.properties.values())
        if element.name == "vertex" and (lists or not {"x", "y", "z"} <= set(element.properties)):
            raise Unreadable("no-corners", "its corners have no plain x, y and z; export it as a mesh")


class _TextRows:
    """One row a line; blank lines are none."""

    def __init__(self, data: bytes) -> None:
        self._rows = lines_of(data.replace(b"\r", b"\n"))

    def places(self, element: _Element) -> Vertices:
        columns = [list(element.properties).index(axis) for axis in "xyz"]
        return number_rows(self._take(element), max(columns) + 1, "a corner")[:, columns]

    def polygons(self, element: _Element) -> Polygons:
        counts, corners = [], list[int]()
        for row in self._take(element):
            try:
                found = self._corners(row, element)
            except (ValueError, IndexError) as error:
                raise Unreadable("bad-number", f"a face must be whole numbers, one is “{shown(row)}”; export it again") from error
            counts.append(len(found))
            corners += found
            _check_total(len(corners))
        return np.array(counts, dtype=np.int64), np.array(corners, dtype=np.int64)

    def skip(self, element: _Element) -> None:
        for _ in islice(self._rows, element.count):
            pass

    def _take(self, element: _Element) -> list[bytes]:
        rows = list(islice(self._rows, element.count))
        if len(rows) < element.count:
            raise _cut_short(element, len(rows))
        return rows

    @staticmethod
    def _corners(row: bytes, element: _Element) -> list[int]:
        words, at = row.split(None, 2 * MOST_CORNERS_OF_A_FACE), 0
        for name, (_, listed) in element.properties.items():
            many = int(words[at]) if listed else 1
            at += bool(listed)
            if many < 0 or at + many > len(words):
                raise ValueError("a row is too short")
            if name == element.corner_list:
                return [_within_64_bits(int(word)) for word in words[at : at + many]]
            at += many
        return []


class _BinaryRows:
    """Rows in one stretch of bytes, lists as long as each says."""

    def __init__(self, data: bytes, at: int, order: str) -> None:
        self._data, self._at, self._order = data, at, order

    def places(self, element: _Element) -> Vertices:
        values = self._even(element, {})
        if values is None:
            raise _cut_short(element, 0)
        with np.errstate(invalid="ignore"):  # what is no number is found and counted later
            return np.column_stack([values[axis][:, 0].astype(np.float64) for axis in "xyz"])

    def polygons(self, element: _Element) -> Polygons:
        values = self._even(element, self._first_lengths(element))
        if values is None:
            return self._walk(element, element.corner_list)
        corners = values[element.corner_list]
        _check_total(corners.size)
        return np.full(len(corners), corners.shape[1], dtype=np.int64), _as_indices(corners.ravel())

    def skip(self, element: _Element) -> None:
        if self._even(element, self._first_lengths(element)) is None:
            self._walk(element, "")

    def _first_lengths(self, element: _Element) -> dict[str, int]:
        """How long the lists of the first row are."""
        lengths, at = dict[str, int](), self._at
        if not element.count:
            return lengths
        for name, (kind, listed) in element.properties.items():
            if listed:
                lengths[name] = int(self._number(listed, at, element, 0))
                at += np.dtype(listed).itemsize
            at += np.dtype(kind).itemsize * max(0, lengths.get(name, 1))
        return lengths

    def _even(self, element: _Element, lengths: dict[str, int]) -> NDArray[Any] | None:
        """Rows whose lists are all that long, and past them; None if they are not, or the data too short."""
        fields: list[Any] = []
        for name, (kind, listed) in element.properties.items():
            if not 0 <= lengths.get(name, 1) <= MOST_CORNERS_OF_A_FACE:
                return None
            fields += [(f"{name} ", self._order + listed)] if listed else []
            fields.append((name, self._order + kind, (lengths.get(name, 1),)))
        row = np.dtype(fields)
        if self._at + row.itemsize * element.count > len(self._data):
            return None
        values = np.frombuffer(self._data, row, element.count, self._at) if row.itemsize * element.count else np.zeros(element.count, row)
        if any((values[f"{name} "] != length).any() for name, length in lengths.items()):
            return None
        self._at += row.itemsize * element.count
        return values

    def _walk(self, element: _Element, wanted: str) -> Polygons:
        """Row by row, past them; keeps the list that is wanted."""
        counts, lists, total = list[int](), list[NDArray[np.int64]](), 0
        for row in range(element.count):
            for name, (kind, listed) in element.properties.items():
                many = int(self._number(listed, self._at, element, row)) if listed else 1
                self._at += np.dtype(listed).itemsize if listed else 0
                end = self._at + np.dtype(kind).itemsize * many
                if many < 0 or end > len(self._data):
                    raise _cut_short(element, row)
                if name == wanted:
                    total += many
                    _check_total(total)
                    counts.append(many)
                    lists.append(_as_indices(np.frombuffer(self._data, self._order + kind, many, self._at)) if many else np.zeros(0, np.int64))
                self._at = end
        return np.array(counts, dtype=np.int64), np.concatenate([np.zeros(0, np.int64), *lists])

    def _number(self, kind: str, at: int, element: _Element, row: int) -> float:
        try:
            number: float = _STRUCTS[self._order + kind].unpack_from(self._data, at)[0]
        except struct.error as error:
            raise _cut_short(element, row) from error
        return number if abs(number) < 2**32 else -1


def _as_indices(values: NDArray[Any]) -> NDArray[np.int64]:
    with np.errstate(invalid="ignore"):
        return values.astype(np.int64)  # what is no number becomes one that names no corner


def _within_64_bits(corner: int) -> int:
    return corner if abs(corner) < 2**62 else -1


def _check_total(corners: int) -> None:
    most = 3 * MOST_FACES
    if corners > most:
        raise Unreadable("too-many-corners", f"its faces have more than {most:,} corners in all, the most that may be; make the mesh coarser")


def _called(element: _Element) -> str:
    return clean_name(element.name)


def _cut_short(element: _Element, there: int) -> Unreadable:
    return Unreadable("cut-short", f"its head says {element.count} of {_called(element)}, there are {there}; export or copy it again")
