"""Small mesh files of every kind, written byte by byte, so that what the tests read does not come from our own writers."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray

Triangles = NDArray[np.float64]
"""(n, 3, 3) corners of triangles"""

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
RELATION = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"


def box(size: Sequence[float] = (30.0, 20.0, 10.0), at: Sequence[float] = (0.0, 0.0, 0.0)) -> Triangles:
    """Twelve triangles of a box whose lowest corner is `at`."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float) * size + at
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return corners[[corner for a, b, c, d in quads for corner in (a, b, c, a, c, d)]].reshape(-1, 3, 3)


def disc(radius: float = 12.8, height: float = 10.0, at: Sequence[float] = (0.0, 0.0, 0.0), *, sides: int = 48) -> Triangles:
    """A prism on a regular polygon, its bottom's centre `at`. Its volume is `disc_volume`."""
    mesh = trimesh.creation.cylinder(radius=radius, height=height, sections=sides)
    made: Triangles = np.asarray(mesh.triangles, dtype=np.float64) + np.array(at) + (0.0, 0.0, height / 2)
    return made


def disc_volume(radius: float = 12.8, height: float = 10.0, *, sides: int = 48) -> float:
    """Area of the regular polygon times the height."""
    return float(0.5 * sides * radius**2 * np.sin(2 * np.pi / sides) * height)


def binary_stl(triangles: Triangles, *, head: bytes = b"made for a test") -> bytes:
    """A binary STL."""
    records = np.zeros(len(triangles), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]))
    records["corners"] = triangles
    return head[:80].ljust(80, b"\0") + struct.pack("<I", len(triangles)) + records.tobytes()


def text_stl(solids: Mapping[str, Triangles], *, newline: str = "\n", comma: str = ".") -> bytes:
    """A text STL with one `solid` a name."""
    lines = []
    for name, triangles in solids.items():
        lines.append(f"solid {name}")
        for triangle in triangles:
            lines += ["facet normal 0 0 0", "outer loop"]
            lines += ["vertex " + " ".join(f"{value:.6f}".replace(".", comma) for value in corner) for corner in triangle]
            lines += ["endloop", "endfacet"]
        lines.append(f"endsolid {name}")
    return (newline.join(lines) + newline).encode()


def obj(objects: Mapping[str, Triangles], *, before: str = "") -> bytes:
    """An OBJ with one `o` a name."""
    lines, there = [before] if before else [], 0
    for name, triangles in objects.items():
        lines.append(f"o {name}")
        lines += ["v {:.6f} {:.6f} {:.6f}".format(*corner) for corner in triangles.reshape(-1, 3)]
        lines += [f"f {there + 3 * k + 1} {there + 3 * k + 2} {there + 3 * k + 3}" for k in range(len(triangles))]
        there += 3 * len(triangles)
    return ("\n".join(lines) + "\n").encode()


def off(triangles: Triangles) -> bytes:
    """An OFF."""
    corners = "\n".join("{:.6f} {:.6f} {:.6f}".format(*corner) for corner in triangles.reshape(-1, 3))
    faces = "\n".join(f"3 {3 * k} {3 * k + 1} {3 * k + 2}" for k in range(len(triangles)))
    return f"OFF\n{3 * len(triangles)} {len(triangles)} 0\n{corners}\n{faces}\n".encode()


def ply(triangles: Triangles, *, binary: bool = True) -> bytes:
    """A PLY."""
    form = "binary_little_endian" if binary else "ascii"
    places = "".join(f"property float {axis}\n" for axis in "xyz")
    head = f"ply\nformat {form} 1.0\ncomment made for a test\nelement vertex {3 * len(triangles)}\n{places}"
    head += f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    corners = triangles.reshape(-1, 3)
    if not binary:
        faces = "\n".join(f"3 {3 * k} {3 * k + 1} {3 * k + 2}" for k in range(len(triangles)))
        return (head + "\n".join("{:.6f} {:.6f} {:.6f}".format(*corner) for corner in corners) + "\n" + faces + "\n").encode()
    rows = b"".join(struct.pack("<Biii", 3, 3 * k, 3 * k + 1, 3 * k + 2) for k in range(len(triangles)))
    return head.encode() + corners.astype("<f4").tobytes() + rows


def gltf_tree(meshes: Mapping[str, Triangles], nodes: Sequence[Mapping[str, Any]] | None = None, **more: Any) -> tuple[dict[str, Any], bytes]:
    """The JSON and the data of a glTF, z up turned to y up and mm to metres; one node a mesh unless `nodes` says otherwise."""
    data, views, accessors, made = b"", [], [], []
    for name, triangles in meshes.items():
        corners = triangles.reshape(-1, 3)[:, [0, 2, 1]] * (0.001, 0.001, -0.001)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": corners.size * 4})
        low, high = (extreme.tolist() for extreme in (corners.min(axis=0), corners.max(axis=0)))
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(corners), "type": "VEC3", "min": low, "max": high})
        made.append({"name": name, "primitives": [{"attributes": {"POSITION": len(accessors) - 1}}]})
        data += corners.astype("<f4").tobytes()
    placed = [dict(node) for node in nodes] if nodes is not None else [{"mesh": k, "name": name} for k, name in enumerate(meshes)]
    children = {child for node in placed for child in node.get("children", [])}
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [k for k in range(len(placed)) if k not in children]}],
        "nodes": placed,
        "meshes": made,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    return tree | more, data


def glb(tree: Mapping[str, Any], data: bytes) -> bytes:
    """A GLB of that JSON and data."""
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(data)) + b"BIN\0" + data
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def gltf(tree: Mapping[str, Any], data: bytes, *, uri: str | None = None) -> bytes:
    """A glTF that names `uri` for its data; without, they are in it."""
    inside = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps({**tree, "buffers": [{"byteLength": len(data), "uri": inside if uri is None else uri}]}).encode()


def mesh_xml(triangles: Triangles) -> str:
    """The `mesh` of a 3MF object."""
    corners = "".join('<vertex x="{:.6f}" y="{:.6f}" z="{:.6f}"/>'.format(*corner) for corner in triangles.reshape(-1, 3))
    faces = "".join(f'<triangle v1="{3 * k}" v2="{3 * k + 1}" v3="{3 * k + 2}"/>' for k in range(len(triangles)))
    return f"<mesh><vertices>{corners}</vertices><triangles>{faces}</triangles></mesh>"


def model_xml(objects: str, items: str, *, unit: str = "millimeter", before: str = "", more: str = "") -> str:
    """A 3MF model of those resources and that build."""
    head = f'<?xml version="1.0" encoding="UTF-8"?>{before}<model unit="{unit}" xmlns="{CORE}" xmlns:p="{PRODUCTION}" {more}>'
    return f"{head}<resources>{objects}</resources><build>{items}</build></model>"


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of those members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def three_mf(model: str, **members: str | bytes) -> bytes:
    """A 3MF of that model."""
    relation = f'<Relationship Target="/3D/3dmodel.model" Id="rel0" Type="{RELATION}"/>'
    relations = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relation}</Relationships>'
    return zipped({"_rels/.rels": relations, "3D/3dmodel.model": model, **members})


def simple_three_mf(triangles: Triangles, *, unit: str = "millimeter") -> bytes:
    """A 3MF of one object."""
    return three_mf(model_xml(f'<object id="1" type="model" name="piece">{mesh_xml(triangles)}</object>', '<item objectid="1"/>', unit=unit))


def good_files(triangles: Triangles) -> dict[str, bytes]:
    """One sound file a format, by name."""
    tree, data = gltf_tree({"piece": triangles})
    return {
        "binary.stl": binary_stl(triangles),
        "text.stl": text_stl({"piece": triangles}),
        "piece.obj": obj({"piece": triangles}),
        "piece.off": off(triangles),
        "binary.ply": ply(triangles),
        "text.ply": ply(triangles, binary=False),
        "piece.glb": glb(tree, data),
        "piece.gltf": gltf(tree, data),
        "piece.3mf": simple_three_mf(triangles),
    }
