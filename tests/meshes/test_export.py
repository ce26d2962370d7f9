"""Export: what other programs read from our STL, 3MF and GLB files is what stands on the table."""

from __future__ import annotations

import json
import math
import os
import struct
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from meshes.errors import EmptyExport, PlateTooSmall, UnknownFormat, UnwritableFile
from meshes.export import export_piece, export_plate, export_tower
from meshes.formats import Transform
from meshes.piece_set import PieceSet, load_piece_set, shipped_sets
from meshes.plate import Plate
from meshes.solid import build_solid

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
CLASSIC = load_piece_set("classic")


def placed(x: float = 0, y: float = 0, z: float = 0, *, yaw_deg: float = 0, tilt_deg: float = 0) -> Transform:
    """A piece tilted about x, then turned about z, then moved."""
    yaw, tilt = math.radians(yaw_deg), math.radians(tilt_deg)
    turn = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    transform = np.eye(4)
    transform[:3, :3], transform[:3, 3] = turn @ lean, (x, y, z)
    return transform


TOWER = [
    (CLASSIC.base, placed()),
    (CLASSIC.by_name["DUO"], placed(0, 0, 10)),
    (CLASSIC.by_name["UNI"], placed(60, 0, 10, yaw_deg=60)),
    (CLASSIC.by_name["UNI"], placed(150, -40, 12.8, tilt_deg=90, yaw_deg=20)),
]


def corners(piece_set: PieceSet) -> list[np.ndarray]:
    """The corners of each piece of the tower on the table, mm, by the plain formula."""
    return [build_solid(piece_set, piece).mesh.vertices @ transform[:3, :3].T + transform[:3, 3] for piece, transform in TOWER]


def volumes() -> list[float]:
    """Volume of each piece of the tower, mm³."""
    return [build_solid(CLASSIC, piece).mesh.volume for piece, _ in TOWER]


def assert_bounds(found: np.ndarray, *, tolerance_mm: float = 1e-4) -> None:
    """The bounds found are the tower's."""
    points = np.concatenate(corners(CLASSIC))
    assert found == pytest.approx(np.array([points.min(axis=0), points.max(axis=0)]), abs=tolerance_mm)


def test_stl_is_read_back_in_mm(tmp_path: Path) -> None:
    """Each piece is one closed body of its own volume, and the whole stands where the tower stands, z up, in mm."""
    written = export_tower(CLASSIC, TOWER, tmp_path / "tower.stl")
    read = trimesh.load_mesh(written.path)
    assert_bounds(read.bounds)
    triangles = np.array([len(build_solid(CLASSIC, piece).mesh.faces) for piece, _ in TOWER])
    assert len(read.faces) == triangles.sum()
    for body, volume in zip(np.split(read.triangles, triangles.cumsum()[:-1]), volumes(), strict=True):
        mesh = trimesh.Trimesh(**trimesh.triangles.to_kwargs(body))
        assert mesh.is_watertight
        assert mesh.volume == pytest.approx(volume, rel=1e-5)


def test_stl_is_plain_binary(tmp_path: Path) -> None:
    """80 bytes of header that don't begin with `solid` (some readers would take it for text) and name the unit, then 50 bytes a triangle."""
    data = export_tower(CLASSIC, TOWER, tmp_path / "tower.stl").path.read_bytes()
    assert not data.startswith(b"solid")
    assert b"unit mm" in data[:80]
    assert len(data) == 84 + 50 * struct.unpack_from("<I", data, 80)[0]


def test_glb_is_read_back_in_metres_with_y_up(tmp_path: Path) -> None:
    """A reader of glTF finds our z along its y, our y along its −z, a thousandth of the numbers, and all pieces of the right volume."""
    written = export_tower(CLASSIC, TOWER, tmp_path / "tower.glb")
    assert written.unit == "m"
    scene = trimesh.load_scene(written.path)
    low, high = scene.bounds * 1000
    assert_bounds(np.array([[low[0], -high[2], low[1]], [high[0], -low[2], high[1]]]))
    merged = [piece.copy() for piece in scene.dump()]
    for piece in merged:
        piece.merge_vertices(merge_norm=True, merge_tex=True)
    assert all(piece.is_watertight for piece in merged)
    assert sorted(piece.volume * 1e9 for piece in merged) == pytest.approx(sorted(volumes()), rel=1e-5)


def document(data: bytes) -> dict[str, Any]:
    """The JSON part of a GLB file, after checking its container by the letter of the glTF standard."""
    magic, version, length, text_length, kind = struct.unpack_from("<4sII I4s", data)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
    binary_length, binary_kind = struct.unpack_from("<I4s", data, 20 + text_length)
    assert binary_kind == b"BIN\0"
    assert text_length % 4 == binary_length % 4 == 0
    assert 28 + text_length + binary_length == length
    content: dict[str, Any] = json.loads(data[20 : 20 + text_length])
    return content


def test_glb_names_pieces_and_shares_their_meshes(tmp_path: Path) -> None:
    """One mesh and one material a piece type, one numbered node a piece, all under a node with the set's title."""
    gltf = document(export_tower(CLASSIC, TOWER, tmp_path / "tower.glb").path.read_bytes())
    root, *nodes = gltf["nodes"]
    assert [mesh["name"] for mesh in gltf["meshes"]] == ["BASE", "DUO", "UNI"]
    assert [material["name"] for material in gltf["materials"]] == ["BASE", "DUO", "UNI"]
    assert [(node["name"], node["mesh"]) for node in nodes] == [("BASE 1", 0), ("DUO 1", 1), ("UNI 1", 2), ("UNI 2", 2)]
    assert root == {"name": "STAKD classic", "children": [1, 2, 3, 4]}
    assert gltf["scenes"][gltf["scene"]]["nodes"] == [0]


def test_glb_colours_are_the_sets_on_screen(tmp_path: Path) -> None:
    """glTF keeps light intensities: turned back into screen values (IEC 61966-2-1) they are the set's colours."""
    gltf = document(export_tower(CLASSIC, TOWER, tmp_path / "tower.glb").path.read_bytes())
    for material in gltf["materials"]:
        *colour, alpha = material["pbrMetallicRoughness"]["baseColorFactor"]
        screen = [255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055) for c in colour]
        assert screen == pytest.approx(CLASSIC.by_name[material["name"]].colour, abs=0.01)
        assert alpha == 1


def test_glb_is_shaded_round_with_crisp_bevels(tmp_path: Path) -> None:
    """Normals have length 1, are level all around a disc's side, straight up and down on its faces and at 45° on its bevels."""
    scene = trimesh.load_scene(export_piece(CLASSIC, CLASSIC.by_name["UNI"], tmp_path / "uni.glb").path)
    normals = np.asarray(scene.geometry["UNI"].vertex_normals)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1, abs=1e-5)
    heights, counts = np.unique(np.round(normals[:, 1], 3), return_counts=True)
    assert heights == pytest.approx([-1, -math.sqrt(0.5), 0, math.sqrt(0.5), 1], abs=0.001)
    assert list(counts) == [96, 192, 192, 192, 96]


def model(path: Path) -> ET.Element:
    """The model part of a 3MF package, found the way the standard says: through the package's relationships."""
    with zipfile.ZipFile(path) as package:
        assert package.testzip() is None
        assert "[Content_Types].xml" in package.namelist()
        (relation,) = ET.fromstring(package.read("_rels/.rels"))
        assert relation.get("Type") == "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
        return ET.fromstring(package.read(str(relation.get("Target")).lstrip("/")))


def test_3mf_is_read_back_in_millimetres(tmp_path: Path) -> None:
    """The model names its unit; each build item, put where its transform says, is a closed body of the right volume."""
    root = model(export_tower(CLASSIC, TOWER, tmp_path / "tower.3mf").path)
    assert root.get("unit") == "millimeter"
    meshes = {}
    for entry in root.iter(f"{CORE}object"):
        vertices = [[float(v.get(axis, "nan")) for axis in "xyz"] for v in entry.iter(f"{CORE}vertex")]
        faces = [[int(t.get(corner, "-1")) for corner in ("v1", "v2", "v3")] for t in entry.iter(f"{CORE}triangle")]
        meshes[entry.get("id")] = trimesh.Trimesh(vertices, faces, process=False)
    points, found = [], []
    for item in root.iter(f"{CORE}item"):
        mesh, numbers = meshes[item.get("objectid")], [float(n) for n in str(item.get("transform")).split()]
        matrix = np.array(numbers).reshape(4, 3)
        points.append(mesh.vertices @ matrix[:3] + matrix[3])
        assert mesh.is_watertight
        found.append(mesh.volume)
    together = np.concatenate(points)
    assert_bounds(np.array([together.min(axis=0), together.max(axis=0)]))
    assert found == pytest.approx(volumes(), rel=1e-6)


def test_3mf_names_and_colours_each_type_once(tmp_path: Path) -> None:
    """One object a piece type with its name and colour; pieces of one type are instances of it."""
    root = model(export_tower(CLASSIC, TOWER, tmp_path / "tower.3mf").path)
    objects = list(root.iter(f"{CORE}object"))
    colours = [(base.get("name"), base.get("displaycolor")) for base in root.iter(f"{CORE}base")]
    assert [entry.get("name") for entry in objects] == ["BASE", "DUO", "UNI"]
    assert colours == [("BASE", "#3B3D43"), ("DUO", "#EBB02D"), ("UNI", "#D64533")]
    assert [(entry.get("pid"), entry.get("pindex")) for entry in objects] == [("1", "0"), ("1", "1"), ("1", "2")]
    names = {entry.get("id"): entry.get("name") for entry in objects}
    assert [names[item.get("objectid")] for item in root.iter(f"{CORE}item")] == ["BASE", "DUO", "UNI", "UNI"]


@pytest.mark.parametrize("suffix", ["stl", "3mf", "glb"])
def test_report_says_what_was_written(tmp_path: Path, suffix: str) -> None:
    """The report holds the path, the unit, the pieces by type and the size of it all on the table in mm."""
    written = export_tower(CLASSIC, TOWER, tmp_path / f"tower.{suffix}")
    points = np.concatenate(corners(CLASSIC))
    assert written.path == tmp_path / f"tower.{suffix}"
    assert written.unit == ("m" if suffix == "glb" else "mm")
    assert written.counts == {"BASE": 1, "DUO": 1, "UNI": 2}
    assert written.size_mm == pytest.approx(tuple(np.ptp(points, axis=0)))
    assert json.loads(json.dumps(written.to_json()))["pieces"] == {"BASE": 1, "DUO": 1, "UNI": 2}
    assert f"tower.{suffix}: 1 BASE, 1 DUO, 2 UNI; " in str(written)
    assert str(written).endswith(f"mm, written in {written.unit}")


@pytest.mark.parametrize("suffix", ["stl", "3mf", "glb"])
def test_same_tower_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    """Files can be compared and cached: nothing in them depends on the time or on chance."""
    first, second = (export_tower(CLASSIC, TOWER, tmp_path / f"{n}.{suffix}").path.read_bytes() for n in (1, 2))
    assert first == second


@pytest.mark.parametrize("name", shipped_sets())
@pytest.mark.parametrize("suffix", [".stl", ".3mf", ".GLB"])
def test_each_piece_exports_in_its_own_frame(tmp_path: Path, name: str, suffix: str) -> None:
    """Every piece of every shipped set, concave ones too, in every format, with its height and a name in capitals or not."""
    piece_set = load_piece_set(name)
    for piece in piece_set.pieces:
        written = export_piece(piece_set, piece, tmp_path / f"{piece.name}{suffix}")
        assert written.counts == {piece.name: 1}
        assert written.size_mm[2] == pytest.approx(piece_set.thickness_mm)
        assert written.path.stat().st_size > 1000


def test_plate_holds_the_whole_box(tmp_path: Path) -> None:
    """On a large plate the box of 66 pieces is one file of the name asked for; its volume is the box's."""
    (written,) = export_plate(CLASSIC, tmp_path / "set.stl", plate=Plate(500, 500))
    assert [path.name for path in tmp_path.iterdir()] == ["set.stl"]
    assert written.counts == {"BASE": 6, "UNI": 24, "DUO": 18, "TRIO": 12, "QUAD": 6}
    read = trimesh.load_mesh(written.path)
    assert read.volume == pytest.approx(sum(piece.count * build_solid(CLASSIC, piece).mesh.volume for piece in CLASSIC.pieces), rel=1e-5)
    assert (read.bounds[0] > [4.9, 4.9, -1e-6]).all()
    assert (read.bounds[1] < [495.1, 495.1, 10.001]).all()


def test_plates_are_numbered_when_one_is_too_small(tmp_path: Path) -> None:
    """What does not fit goes on further files, numbered from 1; together they hold the whole box."""
    written = export_plate(CLASSIC, tmp_path / "my.set.3mf")
    assert [file.path.name for file in written] == [f"my.set-{n + 1}.3mf" for n in range(len(written))]
    assert len(written) > 1
    assert sum((Counter(file.counts) for file in written), Counter()) == {piece.name: piece.count for piece in CLASSIC.pieces}
    assert all(file.size_mm[0] <= 240.001 and file.size_mm[1] <= 200.001 for file in written)


def test_one_of_each_piece(tmp_path: Path) -> None:
    """A trial print holds one piece of every type."""
    (written,) = export_plate(CLASSIC, tmp_path / "one.glb", one_of_each=True)
    assert written.counts == dict.fromkeys(CLASSIC.by_name, 1)


@pytest.mark.parametrize("name", ["tower", "tower.obj", "tower.stl.gz", ".stl", "tower."])
def test_unknown_format_is_refused(tmp_path: Path, name: str) -> None:
    """A name without a known ending is refused before anything is written, naming the endings there are."""
    with pytest.raises(UnknownFormat, match=r"\.stl, \.3mf, \.glb"):
        export_tower(CLASSIC, TOWER, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_unwritable_target_is_refused(tmp_path: Path) -> None:
    """A folder that is not there is named with what to do."""
    with pytest.raises(UnwritableFile, match="create it first"):
        export_piece(CLASSIC, CLASSIC.base, tmp_path / "absent" / "base.stl")


def test_empty_tower_is_refused(tmp_path: Path) -> None:
    """No file without a body in it, which many readers refuse."""
    with pytest.raises(EmptyExport, match="lay one first"):
        export_tower(CLASSIC, [], tmp_path / "tower.stl")


def test_failed_plate_writes_nothing(tmp_path: Path) -> None:
    """If one piece fits no plate, no plate is written."""
    with pytest.raises(PlateTooSmall):
        export_plate(CLASSIC, tmp_path / "set.stl", plate=Plate(80, 80))
    assert list(tmp_path.iterdir()) == []


def test_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export that fails half-way leaves the file that was there."""
    target = tmp_path / "tower.stl"
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnwritableFile, match="the disk is full"):
        export_tower(CLASSIC, TOWER, target)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("tower.stl", b"old")]


@pytest.mark.parametrize(
    "transform", [np.eye(3), np.full((4, 4), np.nan), np.diag([2.0, 2, 2, 1]), np.diag([-1.0, 1, 1, 1]), np.zeros((4, 4)), placed(math.inf)]
)
def test_only_turned_and_shifted_pieces_are_written(tmp_path: Path, transform: Transform) -> None:
    """A pose that went wrong (NaN, scaled, mirrored) never becomes a deformed print."""
    with pytest.raises(ValueError, match="turned and shifted"):
        export_tower(CLASSIC, [(CLASSIC.base, transform)], tmp_path / "tower.stl")
    assert list(tmp_path.iterdir()) == []


def test_title_with_markup_stays_text(tmp_path: Path) -> None:
    """A set's title may hold <, & and quotes without breaking the file."""
    text = (Path(__file__).parents[2] / "meshes" / "sets" / "classic.toml").read_text("utf8").replace("STAKD classic", "Ben & <Jo>'s 积木")
    path = tmp_path / "own.toml"
    path.write_text(text, "utf8")
    piece_set = load_piece_set(path)
    root = model(export_piece(piece_set, piece_set.base, tmp_path / "a.3mf").path)
    assert [entry.text for entry in root.iter(f"{CORE}metadata") if entry.get("name") == "Title"] == ["Ben & <Jo>'s 积木"]
    gltf = document(export_piece(piece_set, piece_set.base, tmp_path / "a.glb").path.read_bytes())
    assert gltf["nodes"][0]["name"] == "Ben & <Jo>'s 积木"
    stl = export_piece(piece_set, piece_set.base, tmp_path / "a.stl").path.read_bytes()
    assert stl[:80].isascii()
