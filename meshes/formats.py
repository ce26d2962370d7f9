"""File formats: pieces in their places as the bytes of an STL, 3MF or GLB file. Nothing here touches the disk."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import trimesh
from numpy.typing import NDArray

from meshes.piece_set import PieceSet, PieceType
from meshes.solid import build_solid

Transform = NDArray[np.float64]
"""(4, 4) homogeneous matrix, piece frame to the file's frame, mm."""


class PlacedPiece(NamedTuple):
    """A piece and where it stands."""

    piece: PieceType
    transform: Transform


class Format(Enum):
    """What we write, by the ending of the file's name."""

    STL = ".stl"
    THREEMF = ".3mf"
    GLB = ".glb"

    @property
    def unit(self) -> str:
        """Unit of the lengths in the file: glTF demands metres, slicers mm."""
        return "m" if self is Format.GLB else "mm"


def encode(file_format: Format, piece_set: PieceSet, placed: Sequence[PlacedPiece]) -> bytes:
    """The file's content; the same pieces always give the same bytes."""
    return _ENCODERS[file_format](piece_set, placed)


def placed_mesh(piece_set: PieceSet, placed: PlacedPiece) -> trimesh.Trimesh:
    """The piece's mesh where it stands, mm; a copy."""
    mesh = build_solid(piece_set, placed.piece).mesh.copy()
    mesh.apply_transform(placed.transform)
    return mesh


_STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def _stl(piece_set: PieceSet, placed: Sequence[PlacedPiece]) -> bytes:
    """Binary, in mm: one closed body a piece. STL knows no names, colours or units; the header says mm."""
    meshes = [placed_mesh(piece_set, one) for one in placed]
    triangles = np.zeros(sum(len(mesh.faces) for mesh in meshes), dtype=_STL_TRIANGLE)
    triangles["normal"] = np.concatenate([mesh.face_normals for mesh in meshes])
    triangles["corners"] = np.concatenate([mesh.triangles for mesh in meshes])
    header = f"STAKD set {piece_set.name}, unit mm".encode("ascii", "replace")[:80].ljust(80)
    return header + struct.pack("<I", len(triangles)) + triangles.tobytes()


def _threemf(piece_set: PieceSet, placed: Sequence[PlacedPiece]) -> bytes:
    """A 3MF core package: unit millimetre, one named and coloured object a piece type, one build item a piece."""
    parts = {
        "[Content_Types].xml": _XML + '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>',
        "_rels/.rels": _XML + '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>',
        "3D/3dmodel.model": _threemf_model(piece_set, placed),
    }
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # a ZipInfo of its own has no date: same bytes each time
    return package.getvalue()


_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def _threemf_model(piece_set: PieceSet, placed: Sequence[PlacedPiece]) -> str:
    """Resource 1 holds the colours, resource n + 2 is the n-th piece type."""
    kinds = _kinds(placed)
    colours = "".join(f'<base name={quoteattr(kind.name)} displaycolor="#{bytes(kind.colour).hex().upper()}"/>' for kind in kinds)
    objects = "".join(_threemf_object(piece_set, kind, index) for index, kind in enumerate(kinds))
    items = "".join(f'<item objectid="{kinds.index(one.piece) + 2}" transform="{_threemf_transform(one.transform)}"/>' for one in placed)
    return (
        f'{_XML}<model unit="millimeter" xml:lang="en" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
        f'<metadata name="Title">{escape(piece_set.title)}</metadata><metadata name="Application">STAKD</metadata>'
        f'<resources><basematerials id="1">{colours}</basematerials>{objects}</resources><build>{items}</build></model>'
    )


def _threemf_object(piece_set: PieceSet, kind: PieceType, index: int) -> str:
    mesh = build_solid(piece_set, kind).mesh
    vertices = "".join(f'<vertex x="{x:.6f}" y="{y:.6f}" z="{z:.6f}"/>' for x, y, z in mesh.vertices)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces)
    return (
        f'<object id="{index + 2}" type="model" name={quoteattr(kind.name)} pid="1" pindex="{index}">'
        f"<mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object>"
    )


def _threemf_transform(transform: Transform) -> str:
    """Row vectors: the transposed rotation, then the shift."""
    return " ".join(f"{value:.9f}" for value in transform[:3].T.ravel())


_CREASE_DEG = 30.0
"""Faces that meet at more than this are shaded as an edge: the bevels stay crisp, the arcs round."""

_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""Our z is up, glTF's is y."""

_FLOAT, _UNSIGNED, _VERTICES, _INDICES = 5126, 5125, 34962, 34963


def _glb(piece_set: PieceSet, placed: Sequence[PlacedPiece]) -> bytes:
    """glTF 2.0 binary: metres, y up, one named mesh and material a piece type, shared by one named node a piece."""
    kinds = _kinds(placed)
    packer = _GlbPacker()
    meshes = [packer.mesh(piece_set, kind, material) for material, kind in enumerate(kinds)]
    nodes = _glb_nodes(kinds, placed)
    root = {"name": piece_set.title, "children": list(range(1, len(nodes) + 1))}
    document = {
        "asset": {"version": "2.0", "generator": "STAKD"},
        "scene": 0,
        "scenes": [{"name": piece_set.title, "nodes": [0]}],
        "nodes": [root, *nodes],
        "meshes": meshes,
        "materials": [_glb_material(kind) for kind in kinds],
        "accessors": packer.accessors,
        "bufferViews": packer.views,
        "buffers": [{"byteLength": len(packer.data)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(packer.data), b"BIN\0") + packer.data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


class _GlbPacker:
    """Gathers arrays into one buffer, with the tables that say what lies where."""

    def __init__(self) -> None:
        self.data = b""
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, Any]] = []

    def mesh(self, piece_set: PieceSet, kind: PieceType, material: int) -> dict[str, Any]:
        """The glTF mesh of one piece type."""
        smooth = trimesh.graph.smooth_shade(build_solid(piece_set, kind).mesh, angle=math.radians(_CREASE_DEG))
        position = self._array((smooth.vertices @ _UP.T / 1000).astype("<f4"), "VEC3", _FLOAT, _VERTICES)
        normal = self._array((smooth.vertex_normals @ _UP.T).astype("<f4"), "VEC3", _FLOAT, _VERTICES)
        indices = self._array(smooth.faces.astype("<u4").ravel(), "SCALAR", _UNSIGNED, _INDICES)
        attributes = {"POSITION": position, "NORMAL": normal}
        return {"name": kind.name, "primitives": [{"attributes": attributes, "indices": indices, "material": material}]}

    def _array(self, values: NDArray[Any], shape: str, component: int, target: int) -> int:
        """Append `values`; every array is of 4-byte numbers, so all stay aligned. Returns the accessor's number."""
        content = values.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(content), "target": target})
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(values), "type": shape}
        bounds = np.atleast_2d(values.T)
        accessor |= {"min": bounds.min(axis=1).tolist(), "max": bounds.max(axis=1).tolist()}
        self.accessors.append(accessor)
        self.data += content
        return len(self.accessors) - 1


def _glb_nodes(kinds: Sequence[PieceType], placed: Sequence[PlacedPiece]) -> list[dict[str, Any]]:
    """One node a piece, named and numbered by type in the order given: UNI 1, UNI 2, …"""
    seen = dict.fromkeys(kinds, 0)
    nodes = []
    for one in placed:
        seen[one.piece] += 1
        matrix = np.eye(4)
        matrix[:3, :3] = _UP @ one.transform[:3, :3] @ _UP.T
        matrix[:3, 3] = _UP @ one.transform[:3, 3] / 1000
        node: dict[str, Any] = {"name": f"{one.piece.name} {seen[one.piece]}", "mesh": kinds.index(one.piece)}
        if (matrix != np.eye(4)).any():  # glTF asks to leave the identity out
            node["matrix"] = matrix.T.ravel().tolist()
        nodes.append(node)
    return nodes


def _glb_material(kind: PieceType) -> dict[str, Any]:
    """Satin paint; glTF wants light intensities where our colours are screen values."""
    colour = [_linear(value / 255) for value in kind.colour]
    return {"name": kind.name, "pbrMetallicRoughness": {"baseColorFactor": [*colour, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6}}


def _linear(screen: float) -> float:
    """sRGB to linear (IEC 61966-2-1)."""
    return screen / 12.92 if screen <= 0.04045 else ((screen + 0.055) / 1.055) ** 2.4


def _kinds(placed: Sequence[PlacedPiece]) -> list[PieceType]:
    """The piece types used, in the order they first come."""
    return list(dict.fromkeys(one.piece for one in placed))


_ENCODERS: Mapping[Format, Callable[[PieceSet, Sequence[PlacedPiece]], bytes]] = {
    Format.STL: _stl,
    Format.THREEMF: _threemf,
    Format.GLB: _glb,
}
