"""OBJ: corners and faces; colours and materials are left out, and the files that hold them are never opened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from meshes.errors import Defect
from meshes.reading.limits import MOST_CORNERS, MOST_CORNERS_OF_A_FACE, MOST_FACES, MOST_SHELLS
from meshes.reading.polygons import check_corners, triangles_of
from meshes.reading.references import named_path
from meshes.reading.scene import Scene, Shape, Unreadable, Vertices
from meshes.reading.source import Source
from meshes.reading.surface import compact, welded
from meshes.reading.text import clean_name, lines_of, number_rows, plain_text, shown, without_decimal_commas

_CURVED = {b"curv", b"curv2", b"surf", b"cstype"}


@dataclass
class _Lines:
    """What the lines of a file say. `section` and `group`, one a polygon, tell its object and its group, counted from 1; 0 is none."""

    places: list[bytes] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    corners: list[int] = field(default_factory=list)
    section: list[int] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    group: list[int] = field(default_factory=list)
    groups: dict[bytes, int] = field(default_factory=dict)
    materials: dict[bytes, None] = field(default_factory=dict)
    curved: bool = False


def read_obj(source: Source) -> Scene:
    """The scene of an OBJ file: one shape an object (`o`). Without objects groups (`g`) are shapes, those that hang together one."""
    text = plain_text(source.data)
    lines = _parsed(text)
    if lines.curved and not lines.counts:
        raise Unreadable("curved", "it has curved surfaces instead of faces; export it as a mesh")
    vertices, commas = _vertices(lines.places)
    counts, corners = np.array(lines.counts, dtype=np.int64), np.array(lines.corners, dtype=np.int64)
    check_corners(corners, len(vertices))
    notes = ["decimal commas are read as points"] if commas else []
    if lines.materials:
        notes.append(_left_out(lines, text, source.path.parent))
    return Scene(tuple(_shapes(lines, vertices, counts, corners)), notes=tuple(notes))


def _left_out(lines: _Lines, text: bytes, home: Path) -> str:
    """What is said of files of materials; raises `Unreadable` with the line if one is outside the folder. None is opened."""
    for rest in lines.materials:
        # names are set apart by spaces, but many programs write one with spaces in it
        for name in (rest, *rest.split()):
            if (problem := _outside(name, home)) is not None:
                raise Unreadable(problem.code, problem.message, f"line {_line_of(rest, text)}")
    missing = [rest for rest in lines.materials if not _is_there(rest, home)]
    shown = clean_name((missing or list(lines.materials))[0])
    return f"colours and materials are left out ({shown} is {'missing' if missing else 'not opened'})"


def _outside(name: bytes, home: Path) -> Defect | None:
    try:
        named_path(_plain(name), home)
    except Unreadable as error:
        return next((defect for defect in error.defects if defect.code == "outside"), None)
    return None


def _is_there(rest: bytes, home: Path) -> bool:
    """Whether all files of a line are there; asked of files inside the folder only."""
    try:
        return all((home / _plain(name)).is_file() for name in rest.split()) or (home / _plain(rest)).is_file()
    except (OSError, ValueError):
        return False


def _plain(name: bytes) -> str:
    return name.decode(errors="replace").replace("\\", "/")


def _line_of(rest: bytes, text: bytes) -> int:
    """The number of the line that ends in `rest`."""
    found = re.search(rb"^\s*mtllib\s+" + rb"(?:\s|\\\n)+".join(map(re.escape, rest.split())), text, re.MULTILINE)
    return text.count(b"\n", 0, found.end()) + 1 if found else 1


def _parsed(text: bytes) -> _Lines:
    lines = _Lines()
    here = group = 0
    for line in lines_of(text.replace(b"\\\n", b" ")):
        words = line.split(None, 1)
        if len(words) < 2 or words[0].startswith(b"#"):
            continue
        word, rest = words
        if word == b"v":
            lines.places.append(rest)
            _check_number(len(lines.places), MOST_CORNERS, "corners")
        elif word == b"f":
            _add_face(lines, rest)
            lines.section.append(here)
            lines.group.append(group)
        elif word == b"o":
            lines.objects.append(clean_name(rest))
            here = len(lines.objects)
            _check_number(here, MOST_SHELLS, "objects")
        elif word == b"g":
            group = lines.groups.setdefault(rest, len(lines.groups) + 1)
            _check_number(group, MOST_FACES, "groups")
        elif word == b"mtllib":
            lines.materials[rest] = None
            _check_number(len(lines.materials), MOST_SHELLS, "files of materials")
        elif word in _CURVED:
            lines.curved = True
    return lines


def _add_face(lines: _Lines, rest: bytes) -> None:
    try:
        corners = [int(word.partition(b"/")[0]) for word in rest.split(None, MOST_CORNERS_OF_A_FACE)]
    except ValueError as error:
        raise Unreadable("bad-number", f"a face must be whole numbers, one is “{shown(rest)}”; export it again") from error
    there = len(lines.places)
    # 1 is the first corner, -1 the last one so far; 0 is none
    lines.corners += [corner - 1 if 0 < corner <= MOST_CORNERS else there + corner if -there <= corner < 0 else -1 for corner in corners]
    lines.counts.append(len(corners))
    _check_number(len(lines.counts), MOST_FACES, "faces")
    _check_number(len(lines.corners), 3 * MOST_FACES, "corners of faces")


def _check_number(count: int, most: int, what: str) -> None:
    if count > most:
        raise Unreadable(f"too-many-{what.split()[0]}", f"it has more than {most:,} {what}, the most that may be; make the mesh coarser")


def _vertices(places: list[bytes]) -> tuple[Vertices, bool]:
    numbers, commas = without_decimal_commas(b"\n".join(places))
    return number_rows(numbers.split(b"\n") if places else [], 3, "a corner"), commas


def _shapes(lines: _Lines, vertices: Vertices, counts: NDArray[np.int64], corners: NDArray[np.int64]) -> Iterator[Shape]:
    label, names = np.array(lines.section, dtype=np.int64), ["", *lines.objects]
    if not lines.objects:
        label, names = _joined(np.array(lines.group, dtype=np.int64), vertices, counts, corners), ["", *map(clean_name, lines.groups)]
    owner = np.repeat(label, counts)
    for section in np.unique(label):
        faces = triangles_of(vertices, counts[label == section], corners[owner == section])
        if len(faces):
            yield Shape(names[section], *compact(vertices, faces))


def _joined(group: NDArray[np.int64], vertices: Vertices, counts: NDArray[np.int64], corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Groups that share a place in space are one: many programs group the faces of a body by material or smoothing."""
    if not len(group) or (group == group[0]).all():
        return np.zeros_like(group)
    _, same = welded(vertices, np.concatenate((corners, corners[: -len(corners) % 3])).reshape(-1, 3))
    place, owner = same.ravel()[: len(corners)], np.repeat(group, counts)
    size = int(group.max()) + 1
    links = coo_matrix((np.ones(len(place), np.int8), (owner, size + place)), shape=(size + int(place.max()) + 1,) * 2)
    label = connected_components(links, directed=False)[1][:size]
    _, first = np.unique(label, return_index=True)
    leader = {int(label[k]): int(k) for k in sorted(first, reverse=True)}
    return np.array([leader[int(label[k])] for k in group], dtype=np.int64)
