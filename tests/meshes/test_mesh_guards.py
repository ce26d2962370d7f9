"""Traps in STL, OBJ, PLY and OFF, and in files as such: each ends in the right box or one clear refusal that names the file."""

from __future__ import annotations

import gzip
import os
import socket
import struct
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meshes.errors import BadMesh, StakdError
from meshes.mesh_file import MeshFile, read_mesh_file
from meshes.reading.limits import MOST_BYTES, MOST_FACES
from tests.meshes import mesh_twins as twins

_BOX = twins.box()
_OBJ = twins.obj({"UNI": _BOX})


def _read(folder: Path, data: bytes, name: str) -> MeshFile:
    (folder / name).write_bytes(data)
    return read_mesh_file(folder / name)


def _refusal(folder: Path, data: bytes, name: str) -> BadMesh:
    with pytest.raises(BadMesh) as caught:
        _read(folder, data, name)
    assert name in str(caught.value)
    return caught.value


def _code(folder: Path, data: bytes, name: str) -> str:
    (defect,) = _refusal(folder, data, name).defects
    return defect.code


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cr.stl", twins.text_stl({"box": _BOX}, newline="\r")),
        ("crlf.stl", twins.text_stl({"box": _BOX}, newline="\r\n")),
        ("comma.stl", twins.text_stl({"box": _BOX}, comma=",")),
        ("solid.stl", twins.binary_stl(_BOX, head=b"solid box exported by a CAD program")),
        ("odd.stl", twins.binary_stl(_BOX, head=bytes(range(128, 208)))),
        ("zip.stl", twins.binary_stl(_BOX, head=b"PK\x03\x04 by chance")),
        ("upper.STL", twins.text_stl({"box": _BOX}).upper()),
        ("mark.stl", b"\xef\xbb\xbf" + twins.text_stl({"box": _BOX})),
        ("longer.stl", twins.binary_stl(_BOX) + b"left by the program"),
        ("utf16le.obj", b"\xff\xfe" + _OBJ.decode().encode("utf-16-le")),
        ("utf16be.obj", b"\xfe\xff" + _OBJ.decode().encode("utf-16-be")),
        ("unmarked16.obj", _OBJ.decode().encode("utf-16-be")),
        ("latin.obj", b"# gr\xf6\xdfe in mm\n" + _OBJ),
        ("cr.obj", _OBJ.replace(b"\n", b"\r")),
        ("cr.off", twins.off(_BOX).replace(b"\n", b"\r")),
        ("crlf.ply", twins.ply(_BOX, binary=False).replace(b"\n", b"\r\n")),
        ("Geräte čřšřěá 箱.stl", twins.binary_stl(_BOX)),
    ],
)
def test_text_and_encoding_traps_give_the_right_box(tmp_path: Path, name: str, data: bytes) -> None:
    """Line ends, decimal commas, encodings, odd heads and names with accents don't change the box."""
    part = _read(tmp_path, data, name).part(None)
    assert part.mesh.extents == pytest.approx([30, 20, 10], abs=1e-4)
    assert part.mesh.volume == pytest.approx(6000, rel=1e-5)
    assert part.defects == ()


def _watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are opened from now on; a socket fails the test."""
    opened: list[str] = []
    real = os.open

    def told_open(path: str, *more: Any, **named: Any) -> int:
        opened.append(Path(path).name)
        return real(path, *more, **named)

    monkeypatch.setattr(os, "open", told_open)
    monkeypatch.setattr(socket, "socket", lambda *_, **__: pytest.fail("a socket was made"))
    return opened


@pytest.mark.parametrize(
    ("before", "note"),
    [
        ("mtllib absent.mtl", "absent.mtl is missing"),
        ("mtllib my own file.mtl", "my own file.mtl is not opened"),
        ("mtllib a.mtl b.mtl", "a.mtl b.mtl is not opened"),
        ("mtllib a.mtl\nmtllib absent.mtl", "absent.mtl is missing"),
        ("mtllib below\\c.mtl", "c.mtl is not opened"),
        ("mtllib wood:oak.mtl", "wood:oak.mtl is missing"),
        ("mtllib below/wood:oak.mtl", "wood:oak.mtl is missing"),
        ("mtllib " + "x" * 5000, "is missing"),
        ("usemtl red", ""),
    ],
)
def test_material_files_are_never_opened(tmp_path: Path, before: str, note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An OBJ is read without its materials, there or missing: no other file is opened, one note says which it is."""
    (tmp_path / "below").mkdir()
    for name in ("my own file.mtl", "a.mtl", "b.mtl", "below/c.mtl"):
        (tmp_path / name).write_text("newmtl red")
    (tmp_path / "a.obj").write_bytes(twins.obj({"UNI": _BOX}, before=before))
    opened = _watched(monkeypatch)
    file = read_mesh_file(tmp_path / "a.obj")
    assert file.part(None).mesh.volume == pytest.approx(6000, rel=1e-5)
    assert set(opened) == {"a.obj"}
    assert len(file.notes) == int(bool(note))
    assert note in " ".join(file.notes)


@pytest.mark.parametrize(
    "name",
    [
        "../x.mtl",
        "../../secret.mtl",
        "a.mtl ../x.mtl",
        "a.mtl \\\n../x.mtl",
        "below/../../x.mtl",
        "%2e%2e/x.mtl",
        "..\\x.mtl",
        "link.mtl",
        "/etc/hostname",
        "C:\\parts\\a.mtl",
        "c:a.mtl",
        "file:a.mtl",
        "\\\\host\\a.mtl",
        "http://127.0.0.1:9/a.mtl",
    ],
)
def test_materials_outside_the_folder_are_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An OBJ that names materials outside its folder is refused with the line and the name; nothing there is opened, no socket made."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "x.mtl").write_text("newmtl red")
    (home / "link.mtl").symlink_to(tmp_path / "x.mtl")
    (home / "a.obj").write_bytes(twins.obj({"UNI": _BOX}, before=f"# made for a test\nmtllib {name}"))
    opened = _watched(monkeypatch)
    with pytest.raises(BadMesh) as caught:
        read_mesh_file(home / "a.obj")
    (defect,) = caught.value.defects
    assert (defect.code, defect.where) == ("outside", "line 3" if "\n" in name else "line 2")
    assert name.split()[-1].replace("\\", "/") in defect.message
    assert "outside its folder" in defect.message or "not in its folder" in defect.message
    assert set(opened) == {"a.obj"}


def _with(value: float) -> twins.Triangles:
    spoilt = _BOX.copy()
    spoilt[2, 1, 0] = value
    return spoilt


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["binary.stl", "text.stl", "piece.obj", "piece.off", "binary.ply", "text.ply"])
def test_corners_that_are_nowhere_are_counted(tmp_path: Path, name: str, value: float) -> None:
    """One corner that is NaN or infinite is refused with its count; the face it is on is not lost in silence."""
    data = twins.good_files(_with(value))[name]
    error = _refusal(tmp_path, data, name)
    assert error.defects[0].code == "not-finite"
    assert "1 corner" in str(error)


def test_signalling_nan_is_counted_without_a_warning(tmp_path: Path) -> None:
    """A bit pattern that numpy warns of when it is cast is told like any other NaN, and nothing is printed beside it."""
    data = bytearray(twins.binary_stl(_BOX))
    data[84 + 12 : 84 + 16] = struct.pack("<I", 0x7F800001)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _code(tmp_path, bytes(data), "a.stl") == "not-finite"


def test_number_too_large_for_a_computer_is_not_finite(tmp_path: Path) -> None:
    """1e400 in an OBJ is no number to build from."""
    assert _code(tmp_path, _OBJ.replace(b"v 30.000000", b"v 1e400", 1), "a.obj") == "not-finite"


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("zero.obj", _OBJ.replace(b"f 1 2 3", b"f 0 2 3"), "bad-corner"),
        ("beyond.obj", _OBJ.replace(b"f 1 2 3", b"f 1 2 999"), "bad-corner"),
        ("before.obj", _OBJ.replace(b"f 1 2 3", b"f -999 2 3"), "bad-corner"),
        ("huge.obj", _OBJ.replace(b"f 1 2 3", b"f 1 2 99999999999999999999"), "bad-corner"),
        ("words.obj", _OBJ.replace(b"f 1 2 3", b"f one two three"), "bad-number"),
        ("words2.obj", _OBJ.replace(b"v 30.000000", b"v wide", 1), "bad-number"),
        ("nofaces.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no-faces"),
        ("curves.obj", b"v 0 0 0\nv 1 0 0\ncstype bezier\ncurv 0 1 1 2\n", "curved"),
        ("beyond.off", twins.off(_BOX).replace(b"3 0 1 2", b"3 0 1 99"), "bad-corner"),
        ("short.off", b"\n".join(twins.off(_BOX).splitlines()[:-3]), "cut-short"),
        ("lying.off", b"OFF\n99999999999 9 0\n", "too-many-faces"),
        ("cloud.ply", twins.ply(np.zeros((0, 3, 3))), "no-faces"),
        ("short.ply", twins.ply(_BOX)[:-30], "cut-short"),
        ("head.ply", b"ply\nformat ascii 1.0\nelement vertex many\nend_header\n", "bad-head"),
        ("words.stl", b"no mesh at all, but some words that go on and on. " * 9, "no-stl"),
        ("page.stl", b"<!DOCTYPE html><html><body>404 not found</body></html>", "no-stl"),
        ("noise.stl", bytes(range(256)) * 2, "cut-short"),
        ("short.stl", twins.binary_stl(_BOX)[:-30], "cut-short"),
        ("empty.stl", twins.binary_stl(np.zeros((0, 3, 3))), "no-faces"),
        ("emptytext.stl", b"solid nothing\nendsolid nothing\n", "no-faces"),
        ("halftext.stl", twins.text_stl({"a": _BOX}).replace(b"vertex", b"", 1), "cut-short"),
        ("words.stl", twins.text_stl({"a": _BOX}).replace(b"30.000000", b"wide", 1), "bad-number"),
        ("none.obj", b"", "empty-file"),
        ("picture.stl", b"\x89PNG\r\n\x1a\n" + bytes(200), "wrong-ending"),
        ("glb.stl", twins.glb(*twins.gltf_tree({"a": _BOX})), "wrong-ending"),
        ("3mf.obj", twins.simple_three_mf(_BOX), "wrong-ending"),
        ("packed.stl", gzip.compress(twins.binary_stl(_BOX)), "wrong-ending"),
        ("packed.stl.gz", gzip.compress(twins.binary_stl(_BOX)), "unknown-ending"),
        ("piece.step", b"ISO-10303-21;", "unknown-ending"),
        ("piece", twins.binary_stl(_BOX), "unknown-ending"),
    ],
)
def test_what_is_no_mesh_is_refused_by_a_stable_code(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    """Bad indices, cut files, empty ones and such with the wrong ending are each refused with one defect that names the file."""
    assert _code(tmp_path, data, name) == code


def test_no_file_folder_and_pipe(tmp_path: Path) -> None:
    """A missing file, a folder and a pipe are refused without waiting."""
    (tmp_path / "folder.stl").mkdir()
    os.mkfifo(tmp_path / "pipe.stl")
    missing, unnameable = ("absent.stl", "folder.stl", "pipe.stl"), ("bad\0name.stl", "x" * 5000 + ".stl")
    for name in (*missing, *unnameable):
        with pytest.raises(BadMesh) as caught:
            read_mesh_file(tmp_path / name)
        assert caught.value.defects[0].code == ("no-file" if name in missing else "unreadable-file")


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file the system does not let us read is told with the system's reason."""
    (tmp_path / "a.stl").write_bytes(twins.binary_stl(_BOX))

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(BadMesh, match="you may not read it"):
        read_mesh_file(tmp_path / "a.stl")


def test_every_refusal_is_an_error_of_this_program(tmp_path: Path) -> None:
    """A command that meets a bad mesh ends with status 2 and a message."""
    error = _refusal(tmp_path, b"", "a.stl")
    assert isinstance(error, StakdError)
    assert error.exit_status == 2


def test_too_many_faces_are_refused_by_the_head_alone(tmp_path: Path) -> None:
    """A binary STL that says it has more triangles than may be is refused before they are read, naming the limit."""
    count = 2_000_000
    path = tmp_path / "huge.stl"
    with path.open("wb") as file:
        file.write(bytes(80) + struct.pack("<I", count))
        file.truncate(84 + 50 * count)
    start = time.process_time()
    with pytest.raises(BadMesh, match=f"{MOST_FACES:,}"):
        read_mesh_file(path)
    assert time.process_time() - start < 1.0


def test_too_large_a_file_is_refused_unread(tmp_path: Path) -> None:
    """A file beyond the size limit is refused by its size, naming the limit."""
    path = tmp_path / "huge.obj"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(BadMesh, match=f"{MOST_BYTES // 2**20} MiB"):
        read_mesh_file(path)


def test_mesh_of_160_000_corners_is_read_whole(tmp_path: Path) -> None:
    """A ring of 160 000 corners, 320 000 faces, is accepted whole, with the volume of a polygonal torus by Pappus."""
    around, across = 400, 400
    u, v = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    points = np.stack(((20 + 5 * np.cos(v)) * np.cos(u), (20 + 5 * np.cos(v)) * np.sin(u), 5 * np.sin(v)), axis=-1)
    a, b = points, np.roll(points, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.stack((np.stack((a, b, c), axis=2), np.stack((a, c, d), axis=2))).reshape(-1, 3, 3)
    mesh = _read(tmp_path, twins.binary_stl(triangles), "ring.stl").part(None).mesh
    assert len(mesh.vertices) == around * across
    assert mesh.volume == pytest.approx(2 * np.pi**2 * 20 * 5**2, rel=1e-3)
