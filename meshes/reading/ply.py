"""PLY, as text and binary."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meshes.reading.limits import MOST_CORNERS, MOST_FACES
from meshes.reading.polygons import triangles_of
from meshes.reading.scene import Scene, Shape, Unreadable
from meshes.reading.source import Source
from meshes.reading.text import clean_name, number_rows, shown

_TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4", "double": "f8"}
_TYPES |= {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "float32": "f4", "float64": "f8"}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}
_CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "f4": "f", "f8": "d"}
_MOST_HEAD = 2**16
_CORNER_LISTS = ("vertex_indices", "vertex_index")
_HEAD_END = re.compile(rb"\nend_header[ \t]*(\r\n|\n|\r)")


@dataclass
class _Element:
    """`properties` by name: type of a value and, of lists, type of the count (else empty)."""

    name: str
    count: int
    properties: dict[str, tuple[str, str]] = field(default_factory=dict)


@dataclass
class _Table:
    """The rows of an element: plain properties (n,) and of lists the counts (n,) and all values in a row."""

    plain: Mapping[str, NDArray[np.float64]]
    lists: Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]


def read_ply(source: Source) -> Scene:
    """The scene of a PLY file: one shape; everything but places and faces is left out."""
    order, elements, start = _head(source.data)
    tables = _text_tables(source.data[start:], elements) if not order else _binary_tables(source.data, start, order, elements)
    corners, faces = tables.get("vertex"), tables.get("face")
    if corners is None or not {"x", "y", "z"} <= set(corners.plain):
        raise Unreadable("no-corners", "it has no corners with x, y and z; export it as a mesh")
    lists = next((faces.lists[name] for name in _CORNER_LISTS if name in faces.lists), None) if faces is not None else None
    if lists is None:
        what = "triangle strips; export plain faces" if "tristrips" in tables else "no faces; export a mesh, not a cloud of points"
        raise Unreadable("no-faces", f"it has {what}")
    with np.errstate(invalid="ignore"):
        indices = lists[1].astype(np.int64)  # what is no number becomes one that names no corner
    vertices = np.column_stack([corners.plain[axis] for axis in "xyz"])
    return Scene((Shape("", vertices, triangles_of(vertices, lists[0], indices)),))


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
    _check_counts(elements)
    return order, elements, end.end()


def _check_counts(elements: list[_Element]) -> None:
    for element in elements:
        most = MOST_FACES if element.name == "face" else MOST_CORNERS
        if element.count > most:
            raise Unreadable(
                "too-many-faces", f"it has {element.count:,} of {shown(element.name.encode())}, the most is {most:,}; make the mesh coarser"
            )


def _text_tables(data: bytes, elements: list[_Element]) -> dict[str, _Table]:
    rows = [row for row in data.replace(b"\r", b"\n").split(b"\n") if row.strip()]
    tables, start = {}, 0
    for element in elements:
        mine = rows[start : start + element.count]
        if len(mine) < element.count:
            raise _cut_short(element, len(mine))
        try:
            tables[element.name] = _text_table(element, mine)
        except (ValueError, OverflowError) as error:
            raise Unreadable("bad-number", f"a row is no row of numbers ({shown(str(error).encode(), 80)}); export it again", element.name) from error
        start += element.count
    return tables


def _text_table(element: _Element, rows: list[bytes]) -> _Table:
    if not any(count for _, count in element.properties.values()):
        values = number_rows(rows, len(element.properties), f"a {clean_name(element.name)}")
        return _Table(dict(zip(element.properties, values.T, strict=True)), {})
    columns: dict[str, list[float]] = {name: [] for name in element.properties}
    counts: dict[str, list[int]] = {name: [] for name in element.properties}
    for row in rows:
        words, at = row.split(), 0
        for name, (_, listed) in element.properties.items():
            many = int(words[at]) if listed and at < len(words) else 1
            at += bool(listed)
            if not 0 <= many <= len(words) - at:
                raise ValueError("a row is too short")
            columns[name] += [float(word) for word in words[at : at + many]]
            counts[name].append(many)
            at += many
    return _table(element, counts, columns)


def _binary_tables(data: bytes, start: int, order: str, elements: list[_Element]) -> dict[str, _Table]:
    tables = {}
    for element in elements:
        tables[element.name], start = _even_table(data, start, order, element) or _uneven_table(data, start, order, element)
    return tables


def _even_table(data: bytes, start: int, order: str, element: _Element) -> tuple[_Table, int] | None:
    """Rows that are all as long as the first; None if they are not."""
    fields: list[Any] = []
    at = start
    for index, (kind, listed) in enumerate(element.properties.values()):
        many = 1
        if listed:
            size = np.dtype(listed).itemsize
            if at + size > len(data):
                return None
            many = int(np.frombuffer(data, order + listed, count=1, offset=at)[0])
            fields.append((f"n{index}", order + listed))
            at += size
        if not 0 <= many * np.dtype(kind).itemsize <= len(data) - at:
            return None
        fields.append((f"p{index}", order + kind, (many,)))
        at += many * np.dtype(kind).itemsize
    row = np.dtype(fields)
    if start + row.itemsize * element.count > len(data):
        return None
    values = np.frombuffer(data, row, count=element.count, offset=start) if row.itemsize else np.zeros(element.count, row)
    lists = {name: index for index, (name, (_, listed)) in enumerate(element.properties.items()) if listed}
    if any((values[f"n{index}"] != row[f"p{index}"].shape[0]).any() for index in lists.values()):
        return None
    plain = {name: values[f"p{index}"][:, 0].astype(np.float64) for index, name in enumerate(element.properties) if name not in lists}
    listed_values = {name: (values[f"n{i}"].astype(np.int64), values[f"p{i}"].ravel().astype(np.float64)) for name, i in lists.items()}
    return _Table(plain, listed_values), start + row.itemsize * element.count


def _uneven_table(data: bytes, start: int, order: str, element: _Element) -> tuple[_Table, int]:
    columns: dict[str, list[float]] = {name: [] for name in element.properties}
    counts: dict[str, list[int]] = {name: [] for name in element.properties}
    readers = [
        (name, order, _CODES[kind], struct.Struct(order + _CODES[listed]) if listed else None) for name, (kind, listed) in element.properties.items()
    ]
    for row in range(element.count):
        try:
            for name, first, code, counter in readers:
                many = 1
                if counter is not None:
                    many = int(counter.unpack_from(data, start)[0])
                    start += counter.size
                # struct itself refuses a negative or too great number
                values = struct.unpack_from(f"{first}{max(many, 0)}{code}", data, start)
                start += struct.calcsize(f"{first}{max(many, 0)}{code}")
                columns[name] += values
                counts[name].append(max(many, 0))
        except (struct.error, OverflowError, ValueError) as error:
            raise _cut_short(element, row) from error
    return _table(element, counts, columns), start


def _table(element: _Element, counts: Mapping[str, list[int]], columns: Mapping[str, list[float]]) -> _Table:
    plain = {name: np.array(columns[name], dtype=np.float64) for name, (_, listed) in element.properties.items() if not listed}
    lists = {
        name: (np.array(counts[name], dtype=np.int64), np.array(columns[name], dtype=np.float64))
        for name, (_, listed) in element.properties.items()
        if listed
    }
    return _Table(plain, lists)


def _cut_short(element: _Element, there: int) -> Unreadable:
    return Unreadable("cut-short", f"its head says {element.count} of {shown(element.name.encode())}, there are {there}; export or copy it again")
