"""OFF, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

import numpy as np

from meshes.reading.limits import MOST_CORNERS, MOST_CORNERS_OF_A_FACE, MOST_FACES
from meshes.reading.polygons import triangles_of
from meshes.reading.scene import Scene, Shape, Unreadable
from meshes.reading.source import Source
from meshes.reading.text import lines_of, number_rows, plain_text, shown

_HEAD = re.compile(rb"(?:ST)?C?N?(4?)(n?)OFF\b", re.IGNORECASE)


def read_off(source: Source) -> Scene:
    """The scene of an OFF file: one shape. Colours, normals and textures of corners are left out."""
    rows = _rows(plain_text(source.data))
    first = next(rows, b"")
    head = _HEAD.match(first)
    if head and (head[1] or head[2]):
        raise Unreadable("other-dimension", "its corners are not in three dimensions; export it as plain OFF")
    first = first[head.end() :].strip() if head else first
    try:
        corners, faces = (int(word) for word in (first or next(rows, b"")).split(None, 2)[:2])
    except ValueError as error:
        raise Unreadable("bad-head", "it must begin with OFF and the numbers of corners and faces; binary OFF is not read") from error
    _check_counts(corners, faces)
    places, rest = list(islice(rows, corners)), list(islice(rows, faces))
    if len(rest) < faces:
        there = f"{len(places)} and {len(rest)}"
        raise Unreadable("cut-short", f"its head says {corners} corners and {faces} faces, it has {there}; export or copy it again")
    vertices = number_rows(places, 3, "a corner")
    try:
        polygons = [_polygon(row) for row in rest]
    except ValueError as error:
        raise Unreadable("bad-number", f"a face is no row of whole numbers ({shown(str(error).encode(), 80)}); export it again") from error
    counts = np.array([len(polygon) for polygon in polygons], dtype=np.int64)
    return Scene((Shape("", vertices, triangles_of(vertices, counts, np.array(list(chain.from_iterable(polygons)), dtype=np.int64))),))


def _rows(text: bytes) -> Iterator[bytes]:
    """Rows that say something, without comments."""
    for line in lines_of(text):
        row = line.partition(b"#")[0].strip()
        if row:
            yield row


def _check_counts(corners: int, faces: int) -> None:
    if corners > MOST_CORNERS or faces > MOST_FACES:
        limits = f"the most are {MOST_CORNERS:,} and {MOST_FACES:,}; make the mesh coarser"
        raise Unreadable("too-many-faces", f"it has {corners:,} corners and {faces:,} faces, {limits}")
    if corners < 0 or faces < 0:
        raise Unreadable("bad-head", f"its head says {corners} corners and {faces} faces; export it again")


def _polygon(row: bytes) -> list[int]:
    words = row.split(None, MOST_CORNERS_OF_A_FACE + 1)
    count = int(words[0])
    corners = [int(word) for word in words[1 : 1 + min(max(count, 0), MOST_CORNERS_OF_A_FACE)]]
    if len(corners) != count:
        raise ValueError(f"a face says {count} corners and has {len(corners)}")
    return corners
