"""glTF and GLB: transforms, mirror images, compressed and malformed files, and what a file may name."""

from __future__ import annotations

import json
import os
import socket
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from meshes.errors import BadMesh
from meshes.mesh_file import MeshFile, read_mesh_file
from meshes.mesh_units import Unit
from tests.meshes import mesh_twins as twins

_BOX = twins.box()


def _read(folder: Path, data: bytes, name: str = "a.glb") -> MeshFile:
    (folder / name).write_bytes(data)
    return read_mesh_file(folder / name)


def _refusal(folder: Path, data: bytes, name: str = "a.glb") -> BadMesh:
    with pytest.raises(BadMesh) as caught:
        _read(folder, data, name)
    return caught.value


def _codes(folder: Path, data: bytes, name: str = "a.glb") -> list[str]:
    return [defect.code for defect in _refusal(folder, data, name).defects]


def test_nested_transforms_are_applied(tmp_path: Path) -> None:
    """One box under three nodes with moves, turns and scales has the sizes of the scene, not of the mesh."""
    half = np.sqrt(0.5)
    nodes: list[dict[str, Any]] = [
        {"scale": [0.5, 0.5, 0.5], "children": [1, 2]},
        {"mesh": 0, "name": "small"},
        {"translation": [0.2, 0, 0], "rotation": [0, half, 0, half], "children": [3]},
        {"mesh": 0, "name": "wide", "scale": [4, 2, 2]},
        {"mesh": 0, "name": "beside", "matrix": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.2, 0, 0, 1]},
    ]
    file = _read(tmp_path, twins.glb(*twins.gltf_tree({"box": _BOX}, nodes)))
    sizes = {part.name: part.mesh.extents.round(3).tolist() for part in file.parts}
    # turned by 90° about the up axis, 30·4·0.5 lies across: x and y change places
    assert sizes == {"small": [15, 10, 5], "wide": [20, 60, 10], "beside": [60, 20, 10]}
    # translation 0.2 m along x, halved by the node above; -0.2 m for the other
    assert file.part("wide").mesh.bounds[0, 0] == pytest.approx(100.0 - 20.0, abs=1e-3)
    assert file.part("beside").mesh.bounds[0, 0] == pytest.approx(-200.0, abs=1e-3)


def _corner() -> twins.Triangles:
    """A bar with an arm on its left end only, so that its mirror image is another shape."""
    return np.concatenate((twins.box((60, 20, 10)), twins.box((20, 40, 10), (0, 10, 0))))


def test_mirrored_node_is_a_solid_mirror_image(tmp_path: Path) -> None:
    """Scale -1 along x gives the mirror image, with its faces outward: its centre is mirrored, its volume is the same."""
    plain = _read(tmp_path, twins.glb(*twins.gltf_tree({"L": _corner()}))).part(None).mesh
    part = _read(tmp_path, twins.glb(*twins.gltf_tree({"L": _corner()}, [{"mesh": 0, "scale": [-1, 1, 1]}]))).part(None)
    # the bar 60 × 20 and of the arm the 20 × 30 that stands out of it
    assert part.mesh.volume == pytest.approx(12_000 + 6_000, rel=1e-5)
    assert part.mesh.is_volume
    assert part.mesh.center_mass == pytest.approx(plain.center_mass * (-1, 1, 1), abs=1e-3)
    assert not any("inside out" in note for note in part.notes)


def test_scale_zero_is_flat(tmp_path: Path) -> None:
    """A node scale of 0 makes no piece: it is told as flat."""
    data = twins.glb(*twins.gltf_tree({"L": _BOX}, [{"mesh": 0, "scale": [0, 1, 1]}]))
    try:
        codes = [defect.code for part in _read(tmp_path, data).parts for defect in part.defects]
    except BadMesh as error:
        codes = [defect.code for defect in error.defects]
    assert "flat" in codes


@pytest.mark.parametrize(("extension", "word"), [("KHR_draco_mesh_compression", "Draco"), ("EXT_meshopt_compression", "meshopt")])
def test_compressed_file_is_refused_by_name(tmp_path: Path, extension: str, word: str) -> None:
    """A compressed GLB is refused with the name of what packed it, never read as zeros."""
    tree, data = twins.gltf_tree({"UNI": _BOX}, extensionsUsed=[extension], extensionsRequired=[extension])
    del tree["accessors"][0]["bufferView"]
    error = _refusal(tmp_path, twins.glb(tree, data))
    assert error.defects[0].code == "compressed"
    assert word in str(error)


def test_unknown_required_extension_is_named(tmp_path: Path) -> None:
    """An extension the file can't do without and we don't know is named."""
    assert "EXT_new_thing" in str(_refusal(tmp_path, twins.glb(*twins.gltf_tree({"UNI": _BOX}, extensionsRequired=["EXT_new_thing"]))))


def test_data_in_a_folder_below(tmp_path: Path) -> None:
    """A glTF reads its data from a file beside it or below, with spaces and accents in the name."""
    tree, data = twins.gltf_tree({"UNI": _BOX})
    (tmp_path / "daten").mkdir()
    (tmp_path / "daten" / "ü 1.bin").write_bytes(data)
    for uri in ("daten/ü 1.bin", "daten/%C3%BC%201.bin", "./daten/ü 1.bin"):
        file = _read(tmp_path, twins.gltf(tree, data, uri=uri), "a.gltf")
        assert file.part(None).mesh.volume == pytest.approx(6000, rel=1e-5)
        assert file.unit is Unit.M


@pytest.mark.parametrize(
    "uri", ["../secret.bin", "%2e%2e/secret.bin", "x/../../secret.bin", "..\\secret.bin", "/etc/hostname", "file:///etc/hostname", "http://127.0.0.1:9/a.bin",
            "//host/a.bin", "C:/a.bin", "link.bin", "folder/secret.bin"]
)  # fmt: skip
def test_nothing_outside_the_folder_is_opened(tmp_path: Path, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ways out of the folder, absolute names, web addresses and links that lead out are refused; no file is opened there, no socket made."""
    tree, data = twins.gltf_tree({"UNI": _BOX})
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.bin").write_bytes(data)
    (home / "link.bin").symlink_to(tmp_path / "secret.bin")
    (home / "folder").symlink_to(tmp_path)
    (home / "a.gltf").write_bytes(twins.gltf(tree, data, uri=uri))
    opened: list[str] = []
    real = os.open

    def told_open(path: str, *more: Any, **named: Any) -> int:
        opened.append(str(path))
        return real(path, *more, **named)

    monkeypatch.setattr(os, "open", told_open)
    monkeypatch.setattr(socket, "socket", lambda *_, **__: pytest.fail("a socket was made"))
    with pytest.raises(BadMesh) as caught:
        read_mesh_file(home / "a.gltf")
    assert [defect.code for defect in caught.value.defects] == ["outside"]
    assert {Path(path).name for path in opened} <= {"a.gltf"}


@pytest.mark.parametrize("uri", ["%ff.bin", "\ud800.bin", "x" * 5000, "a\0b.bin"])
def test_data_files_that_no_name_can_be_are_refused(tmp_path: Path, uri: str) -> None:
    """A reference that is no name of a file ends in one refusal."""
    tree, data = twins.gltf_tree({"UNI": _BOX})
    assert _codes(tmp_path, twins.gltf(tree, data, uri=uri), "a.gltf") in (["no-companion"], ["outside"])


def test_missing_data_file_is_named(tmp_path: Path) -> None:
    """A data file that is not there is told by name."""
    tree, data = twins.gltf_tree({"UNI": _BOX})
    assert "piece.bin" in str(_refusal(tmp_path, twins.gltf(tree, data, uri="piece.bin"), "a.gltf"))


def _changed(change: str) -> bytes:
    """A sound GLB with one thing spoilt."""
    tree, data = twins.gltf_tree({"UNI": _BOX})
    match change:
        case "node loop":
            tree["nodes"] = [{"mesh": 0, "children": [1]}, {"children": [0]}]
        case "own child":
            tree["nodes"] = [{"mesh": 0, "children": [0]}]
        case "node that is not there":
            tree["scenes"] = [{"nodes": [7]}]
        case "mesh that is not there":
            tree["nodes"] = [{"mesh": 7}]
        case "accessor that is not there":
            tree["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 9
        case "view beyond the buffer":
            tree["bufferViews"][0]["byteLength"] = 10**9
        case "negative offset":
            tree["bufferViews"][0]["byteOffset"] = -4
        case "unknown component":
            tree["accessors"][0]["componentType"] = 1
        case "infinite move":
            tree["nodes"][0]["translation"] = [1e400, 0, 0]
        case "index out of range":
            tree["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": 8})
            tree["accessors"].append({"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"})
            tree["meshes"][0]["primitives"][0]["indices"] = 1
            data += struct.pack("<4H", 0, 1, 255, 0)
            tree["buffers"][0]["byteLength"] = len(data)
        case "no asset":
            del tree["asset"]
        case "nodes as text":
            tree["nodes"] = "none"
    return twins.glb(tree, data)


@pytest.mark.parametrize(
    "change",
    [
        "node loop", "own child", "node that is not there", "mesh that is not there", "accessor that is not there", "view beyond the buffer",
        "negative offset", "unknown component", "infinite move", "index out of range", "no asset", "nodes as text",
    ],
)  # fmt: skip
def test_malformed_file_is_refused_in_one_line(tmp_path: Path, change: str) -> None:
    """Loops, indices out of range and lying lengths are refused with one defect of one line that says what to do."""
    error = _refusal(tmp_path, _changed(change))
    assert len(error.defects) == 1
    assert "\n" not in error.defects[0].message
    assert "a.glb" in str(error)


@pytest.mark.parametrize("length", [0, 3, 11, 12, 19, 20, 40, 500, -4])
def test_cut_glb_is_refused(tmp_path: Path, length: int) -> None:
    """A GLB cut anywhere is refused, never an empty scene."""
    _refusal(tmp_path, twins.glb(*twins.gltf_tree({"UNI": _BOX}))[:length])


def test_scene_without_meshes_is_refused(tmp_path: Path) -> None:
    """A scene with nothing in it is no piece."""
    assert _codes(tmp_path, json.dumps({"asset": {"version": "2.0"}}).encode(), "a.gltf") == ["no-faces"]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_infinite_corners_are_counted(tmp_path: Path, value: float) -> None:
    """Two corners that are nowhere are refused with their count."""
    tree, data = twins.gltf_tree({"UNI": _BOX})
    corners = np.frombuffer(data, "<f4").reshape(-1, 3).copy()
    corners[[4, 9], 1] = value
    error = _refusal(tmp_path, twins.glb(tree, corners.tobytes()))
    assert error.defects[0].code == "not-finite"
    assert "2 corners" in str(error)


def test_triangle_strip_is_a_solid(tmp_path: Path) -> None:
    """A box drawn as one triangle strip is the box."""
    corners = np.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype="<f4") * np.array((0.03, 0.01, 0.02), dtype="<f4")
    strip = struct.pack("<14H", 3, 2, 7, 6, 4, 2, 0, 3, 1, 7, 5, 4, 1, 0)
    tree, _ = twins.gltf_tree({"UNI": _BOX})
    tree["bufferViews"] = [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 28}]
    tree["accessors"] = [
        {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 14, "type": "SCALAR"},
    ]
    tree["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}]}]
    tree["buffers"] = [{"byteLength": 124}]
    assert _read(tmp_path, twins.glb(tree, corners.tobytes() + strip)).part(None).mesh.volume == pytest.approx(6000, rel=1e-4)
