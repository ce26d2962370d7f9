"""Faces of more than three corners, groups, and all parts of a file taken together."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from meshes.errors import BadMesh
from meshes.mesh_file import MeshFile, read_mesh_file
from tests.meshes import mesh_twins as twins

_L = ((0, 0), (40, 0), (40, 10), (10, 10), (10, 30), (0, 30))
"""An L of 40 × 10 and 10 × 20 mm: 600 mm²."""


def _read(folder: Path, name: str, data: bytes | str) -> MeshFile:
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_mesh_file(folder / name)


def _prism(corners: tuple[tuple[float, float], ...], height: float = 10.0) -> tuple[list[tuple[float, float, float]], list[list[int]]]:
    """Corners and faces of an upright prism: bottom and top whole, each side one face of four corners."""
    n = len(corners)
    places = [(x, y, z) for z in (0.0, height) for x, y in corners]
    sides = [[a, b, b + n, a + n] for a, b in pairwise([*range(n), 0])]
    return places, [list(range(n))[::-1], list(range(n, 2 * n)), *sides]


def _as_obj(places: list[tuple[float, float, float]], faces: list[list[int]]) -> str:
    rows = ["v {} {} {}".format(*place) for place in places]
    return "\n".join(rows + ["f " + " ".join(f"{corner + 1}//1" for corner in face) for face in faces])


def _as_off(places: list[tuple[float, float, float]], faces: list[list[int]]) -> str:
    rows = ["{} {} {}".format(*place) for place in places]
    return "\n".join(
        ["# made for a test", f"OFF {len(places)} {len(faces)} 0", *rows, *(f"{len(face)} {' '.join(map(str, face))} 255 0 0" for face in faces)]
    )


def _as_ply(places: list[tuple[float, float, float]], faces: list[list[int]], *, big: bool = False) -> bytes:
    head = f"ply\nformat binary_{'big' if big else 'little'}_endian 1.0\nelement camera 1\nproperty list uchar short view\nproperty uchar kind\n"
    head += f"element vertex {len(places)}\nproperty uchar red\nproperty double x\nproperty double y\nproperty double z\n"
    head += f"element face {len(faces)}\nproperty uchar flags\nproperty list ushort uint vertex_index\nend_header\n"
    order = ">" if big else "<"
    rows = np.zeros(len(places), [("red", "u1"), ("place", order + "f8", 3)])
    rows["place"] = places
    data = b"\x02" + np.array([7, 8], order + "i2").tobytes() + b"\x01" + rows.tobytes()
    return head.encode() + data + b"".join(b"\0" + np.array([len(f)], order + "u2").tobytes() + np.array(f, order + "u4").tobytes() for f in faces)


@pytest.mark.parametrize("turn", range(6))
@pytest.mark.parametrize("kind", ["obj", "off", "little.ply", "big.ply"])
def test_concave_faces_are_cut_within(tmp_path: Path, kind: str, turn: int) -> None:
    """An L whose bottom and top are single faces, whichever corner they begin with, has the L's area on both and its volume."""
    places, faces = _prism(_L[turn:] + _L[:turn])
    data: dict[str, bytes | str] = {
        "obj": _as_obj(places, faces),
        "off": _as_off(places, faces),
        "little.ply": _as_ply(places, faces),
        "big.ply": _as_ply(places, faces, big=True),
    }
    part = _read(tmp_path, f"l.{kind}", data[kind]).part(None)
    assert part.defects == ()
    assert part.mesh.volume == pytest.approx(6000.0)
    flat = np.abs(part.mesh.face_normals[:, 2]) > 0.99
    assert part.mesh.area_faces[flat].sum() == pytest.approx(1200.0)


def test_dented_quadrilaterals(tmp_path: Path) -> None:
    """An arrowhead of four corners is cut along the diagonal that lies within."""
    arrow = ((0.0, 0.0), (40.0, 20.0), (0.0, 40.0), (20.0, 20.0))
    for turn in range(4):
        part = _read(tmp_path, "a.off", _as_off(*_prism(arrow[turn:] + arrow[:turn]))).part(None)
        flat = np.abs(part.mesh.face_normals[:, 2]) > 0.99
        assert part.mesh.area_faces[flat].sum() == pytest.approx(2 * 400.0)


def test_a_star_of_many_corners(tmp_path: Path) -> None:
    """A star of 2 000 corners has the area of its 2 000 triangles about the centre."""
    n = 2000
    corners = tuple((r * math.cos(2 * math.pi * k / n), r * math.sin(2 * math.pi * k / n)) for k, r in enumerate([20.0, 40.0] * (n // 2)))
    part = _read(tmp_path, "star.obj", _as_obj(*_prism(corners))).part(None)
    assert part.mesh.volume == pytest.approx(n * 0.5 * 20.0 * 40.0 * math.sin(2 * math.pi / n) * 10.0)


def test_faces_that_would_take_minutes_to_cut_are_refused(tmp_path: Path) -> None:
    """Many dented faces of thousands of corners are refused with what to do."""
    n = 9000
    rows = [f"v {(20 + k % 2) * math.cos(k / n * 6.28)} {(20 + k % 2) * math.sin(k / n * 6.28)} {k % 3}" for k in range(n)]
    face = "f " + " ".join(str(k + 1) for k in range(n))
    with pytest.raises(BadMesh, match="triangulate it"):
        _read(tmp_path, "a.obj", "\n".join([*rows, *[face] * 20]))


def test_groups_of_one_body_are_one_part_and_groups_apart_are_several(tmp_path: Path) -> None:
    """Without objects, groups that share corners are one body, as faces grouped by material are; others are parts by name."""
    places, faces = _prism(_L)
    rows = _as_obj(places, faces).split("\n")
    body = "\n".join([*rows[:12], "g sides", *rows[14:], "g caps", *rows[12:14]])
    assert [part.name for part in _read(tmp_path, "a.obj", body).parts] == ["sides"]
    apart = twins.obj({"UNI": twins.box(), "DUO": twins.box(at=(50, 0, 0))}).replace(b"o ", b"g ")
    assert [part.name for part in _read(tmp_path, "b.obj", apart).parts] == ["UNI", "DUO"]


def test_all_parts_together(tmp_path: Path) -> None:
    """Objects that run into each other can be taken as one piece, its volume counted once; objects apart are no single piece."""
    bars = {"one": twins.box((40, 20, 10)), "two": twins.box((40, 20, 10), (30, 0, 0)), "three": twins.box((40, 20, 10), (60, 0, 0))}
    whole = _read(tmp_path, "a.obj", twins.obj(bars)).part("*")
    assert (whole.name, whole.defects) == ("a", ())
    assert whole.mesh.volume == pytest.approx(100 * 20 * 10)
    apart = _read(tmp_path, "b.obj", twins.obj({"one": twins.box(), "two": twins.box(at=(50, 0, 0))})).part("*")
    assert [defect.code for defect in apart.defects] == ["several-bodies"]
    assert apart.mesh.extents == pytest.approx([80, 20, 10])
