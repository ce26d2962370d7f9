"""OFF, as text."""

from __future__ import annotations

import re
from itertools import chain

import numpy as np

from meshes.reading.limits import MOST_CORNERS, MOST_FACES
from meshes.reading.polygons import triangles_of
from meshes.reading.scene import Scene, Shape, Unreadable
from meshes.reading.source import Source
from meshes.reading.text import number_rows, plain_text, shown

_HEAD = re.compile(rb"(?:ST)?C?N?(4?)(n?)OFF\b", re.IGNORECASE)


def read_off(source: Source) -> Scene:
    """The scene of an OFF file: one shape. Colours, normals and textures of corners are left out."""
    text = re.sub(rb"#[^\n]*", b"", plain_text(source.data)).strip()
    head = _HEAD.match(text)
    if head and (head[1] or head[2]):
        raise Unreadable("other-dimension", "its corners are not in three dimensions; export it as plain OFF")
    rows = [row for row in text[head.end() if head else 0 :].split(b"\n") if row.strip()]
    try:
        corners, faces = (int(word) for word in rows[0].split()[:2])
    except (ValueError, IndexError) as error:
        raise Unreadable("bad-head", "it must begin with OFF and the numbers of corners and faces; binary OFF is not read") from error
    _check_counts(corners, faces, len(rows) - 1)
    vertices = number_rows(rows[1 : 1 + corners], 3, "a corner")
    try:
        polygons = [_polygon(row) for row in rows[1 + corners : 1 + corners + faces]]
    except ValueError as error:
        raise Unreadable("bad-number", f"a face is no row of whole numbers ({shown(str(error).encode(), 80)}); export it again") from error
    counts = np.array([len(polygon) for polygon in polygons], dtype=np.int64)
    return Scene((Shape("", vertices, triangles_of(vertices, counts, np.array(list(chain.from_iterable(polygons)), dtype=np.int64))),))


def _check_counts(corners: int, faces: int, rows: int) -> None:
    if corners > MOST_CORNERS or faces > MOST_FACES:
        limits = f"the most are {MOST_CORNERS:,} and {MOST_FACES:,}; make the mesh coarser"
        raise Unreadable("too-many-faces", f"it has {corners:,} corners and {faces:,} faces, {limits}")
    if corners < 0 or faces < 0 or corners + faces > rows:
        raise Unreadable("cut-short", f"its head says {corners} corners and {faces} faces, it has {rows} rows; export or copy it again")


def _polygon(row: bytes) -> list[int]:
    words = row.split()
    count = int(words[0])
    corners = [int(word) for word in words[1 : 1 + max(count, 0)]]
    if len(corners) != count:
        raise ValueError(f"a face says {count} corners and has {len(corners)}")
    return corners
