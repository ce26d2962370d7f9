"""STL, binary and text."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meshes.reading.limits import MOST_FACES, MOST_SHELLS
from meshes.reading.scene import Scene, Shape, Unreadable, check_faces
from meshes.reading.source import Source
from meshes.reading.text import clean_name, number_rows, plain_text, shown, without_decimal_commas

_HEAD_BYTES = 84
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_SOLID = re.compile(rb"^[ \t]*solid(?:[ \t]+([^\n]*))?$", re.MULTILINE | re.IGNORECASE)
_VERTEX = re.compile(rb"\bvertex[ \t]+([^\n]*)", re.IGNORECASE)
_FACET = re.compile(rb"\bfacet\s+normal\b", re.IGNORECASE)


def read_stl(source: Source) -> Scene:
    """The scene of an STL file. Text files may hold several solids; in a binary one everything is one shape."""
    if source.size < _HEAD_BYTES or not _is_binary(source):
        return _text(source)
    count = int.from_bytes(source.head[80:84], "little")
    if source.size < _HEAD_BYTES + _RECORD.itemsize * count:
        _check_words(source.head)
        there = (source.size - _HEAD_BYTES) // _RECORD.itemsize
        message = f"its head says {count:,} triangles, there is room for {there:,}: it was cut short, or is no STL; export or copy it again"
        raise Unreadable("cut-short", message)
    check_faces(count)
    corners = np.frombuffer(source.data, _RECORD, count=count, offset=_HEAD_BYTES)["corners"]
    more = source.size - _HEAD_BYTES - _RECORD.itemsize * count
    return Scene((_soup("", corners),), notes=(f"{more} bytes after the triangles are left out",) if more else ())


def _is_binary(source: Source) -> bool:
    """By its length; the head of a binary file may begin with `solid` too."""
    if source.has_stl_length:
        return True
    try:
        start = plain_text(source.head).lower()
    except Unreadable:
        return True
    return b"facet" not in start and (b"solid" not in start or 0 in source.head[:_HEAD_BYTES])


def _check_words(head: bytes) -> None:
    """Refuses what is text and yet no STL: as numbers its letters would be triangles by the milliard."""
    try:
        start = plain_text(head).decode("utf-8", "ignore")
    except Unreadable:
        return
    if all(letter.isprintable() or letter in "\n\t\f" for letter in start):
        begins = shown(start.encode())
        raise Unreadable("no-stl", f"it is text, but no STL, which has facets: it begins “{begins}”; export or download the mesh again")


def _text(source: Source) -> Scene:
    text = plain_text(source.data)
    if not _FACET.search(text) and not _SOLID.search(text):
        _check_words(text)
    check_faces(sum(1 for _ in islice(_FACET.finditer(text), MOST_FACES + 1)))
    starts = list(islice(_SOLID.finditer(text), MOST_SHELLS + 1))
    if len(starts) > MOST_SHELLS:
        raise Unreadable("too-many-parts", f"it has more than {MOST_SHELLS:,} solids, the most that may be; save them in several files")
    ends = [start.start() for start in starts] + [len(text)]
    named = [(clean_name(start[1] or b""), text[start.end() : end]) for start, end in zip(starts, ends[1:], strict=True)]
    commas, shapes = False, []
    for name, body in [("", text[: ends[0]]), *named]:
        shape, had_commas = _solid(name, body)
        commas |= had_commas
        shapes += [shape] if len(shape.faces) else []
    return Scene(tuple(shapes), notes=("decimal commas are read as points",) if commas else ())


def _solid(name: str, text: bytes) -> tuple[Shape, bool]:
    facets = sum(1 for _ in _FACET.finditer(text))
    triples = [found[1] for found in islice(_VERTEX.finditer(text), 3 * facets + 1)]
    if len(triples) != 3 * facets:
        there = "more" if len(triples) > 3 * facets else str(len(triples))
        raise Unreadable("cut-short", f"{facets} facets should have {3 * facets} vertices, there are {there}; export or copy it again", name)
    numbers, commas = without_decimal_commas(b"\n".join(triples))
    return _soup(name, number_rows(numbers.split(b"\n") if facets else [], 3, "a vertex")), commas


def _soup(name: str, corners: NDArray[np.floating[Any]]) -> Shape:
    with np.errstate(invalid="ignore"):  # what is no number is found and counted later
        vertices = corners.reshape(-1, 3).astype(np.float64)
    return Shape(name, vertices, np.arange(len(vertices), dtype=np.int64).reshape(-1, 3))
