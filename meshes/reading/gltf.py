"""glTF and GLB: the scene's meshes with the transforms of all nodes above them.

Only places and faces are read: no materials, no pictures, no skins, no morphing. Compressed meshes are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from meshes.mesh_units import Axis, Unit
from meshes.reading.gltf_data import Buffers, corner_rows
from meshes.reading.gltf_tree import Table, bad, entry, indices, name_of, numbers, parsed, strings, table, tables, whole
from meshes.reading.limits import MOST_CORNERS, MOST_FACES, MOST_NODES, MOST_PARTS
from meshes.reading.polygons import check_corners
from meshes.reading.references import named_bytes
from meshes.reading.scene import Faces, Scene, Shape, Unreadable, Vertices
from meshes.reading.source import Source
from meshes.reading.text import clean_name

_PACKED = {"KHR_draco_mesh_compression": "Draco", "EXT_meshopt_compression": "meshopt", "KHR_meshopt_compression": "meshopt"}
_HARMLESS = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_mesh_quantization", "KHR_animation_", "KHR_xmp")
"""Extensions a file may require, as they don't change the places of corners, or are read."""
_TRIANGLES = (4, 5, 6)
_HEAD = 12
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


@dataclass
class _Meshes:
    """The meshes of a file, each read once, and how much the instances take so far."""

    tree: Table
    buffers: Buffers
    faces: int = 0
    corners: int = 0
    skipped: set[str] = field(default_factory=set)
    _read: dict[int, tuple[Vertices, Faces]] = field(default_factory=dict)

    def instance(self, index: int) -> tuple[Vertices, Faces]:
        """The triangles of mesh `index`; counted against the limits each time."""
        if index not in self._read:
            self._read[index] = self._mesh(index)
        vertices, faces = self._read[index]
        self.faces, self.corners = self.faces + len(faces), self.corners + len(vertices)
        if self.faces > MOST_FACES or self.corners > MOST_CORNERS:
            limits = f"the most are {MOST_FACES:,} triangles and {MOST_CORNERS:,} corners; make the mesh coarser"
            raise Unreadable("too-many-faces", f"its scene has at least {self.faces:,} triangles and {self.corners:,} corners, {limits}")
        return vertices, faces

    def _mesh(self, index: int) -> tuple[Vertices, Faces]:
        vertices, faces, there = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], 0
        for primitive in tables(entry(self.tree, "meshes", index), "primitives"):
            mode = whole(primitive, "mode", 4, below=7)
            if mode not in _TRIANGLES:
                self.skipped.add("points and lines")
                continue
            places, rows = self._primitive(primitive, mode)
            vertices.append(places)
            faces.append(rows + there)
            there += len(places)
            if there > MOST_CORNERS:
                raise Unreadable("too-many-corners", f"it has {there:,} corners, the most is {MOST_CORNERS:,}; make the mesh coarser")
        return np.concatenate(vertices), np.concatenate(faces)

    def _primitive(self, primitive: Table, mode: int) -> tuple[Vertices, Faces]:
        packed = next((name for name in _PACKED if name in table(primitive, "extensions")), None)
        accessor = whole(table(primitive, "attributes"), "POSITION")
        if packed is not None:
            self._check_unpacked(accessor, packed)
        places = self.buffers.places(accessor)
        corners = self.buffers.indices(whole(primitive, "indices")) if "indices" in primitive else np.arange(len(places))
        check_corners(corners, len(places))
        return places, corner_rows(corners, mode)

    def _check_unpacked(self, accessor: int, packed: str) -> None:
        """That a compressed primitive carries plain data too, for programs that can't unpack it."""
        if "bufferView" not in entry(self.tree, "accessors", accessor):
            raise _compressed(packed)


def read_gltf(source: Source) -> Scene:
    """The scene of a glTF file; other files it names are read only from its own folder or below."""
    return _scene(source, parsed(source.data), None)


def read_glb(source: Source) -> Scene:
    """The scene of a GLB file."""
    data = source.data
    if data[:4] != b"glTF" or len(data) < _HEAD + 8:
        raise Unreadable("bad-head", "it is no GLB file, or cut short; export or copy it again")
    version, length = (int.from_bytes(data[at : at + 4], "little") for at in (4, 8))
    if version != 2:
        raise Unreadable("other-version", f"it is glTF version {version}, version 2 is read; export it as that")
    if length > len(data):
        raise Unreadable("cut-short", f"its head says {length:,} bytes, there are {len(data):,}; export or copy it again")
    chunks = list(_chunks(data[:length]))
    if not chunks or chunks[0][0] != b"JSON":
        raise Unreadable("bad-gltf", "it does not begin with JSON; export it again")
    return _scene(source, parsed(chunks[0][1]), chunks[1][1] if len(chunks) > 1 and chunks[1][0] == b"BIN\0" else None)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = _HEAD
    while at < len(data):
        length, kind = int.from_bytes(data[at : at + 4], "little"), data[at + 4 : at + 8]
        if at + 8 + length > len(data):
            raise Unreadable("cut-short", f"a chunk says {length:,} bytes, there are {max(0, len(data) - at - 8):,}; export or copy it again")
        yield kind, data[at + 8 : at + 8 + length]
        at += 8 + length


def _scene(source: Source, tree: Table, chunk: bytes | None) -> Scene:
    _check_version(tree)

    def load(index: int, buffer: Table) -> bytes:
        uri = buffer.get("uri")
        if uri is None and index == 0 and chunk is not None:
            return chunk
        if not isinstance(uri, str):
            bad(f"buffer {index} has no data")
        return named_bytes(uri, source.path.parent)

    meshes = _Meshes(tree, Buffers(tree, load))
    shapes = tuple(_placed_meshes(tree, meshes))
    notes = [f"{what} are left out" for what in sorted(meshes.skipped)]
    if tree.get("skins") or tree.get("animations"):
        notes.append("bones and animations are left out: it is read as it was modelled")
    return Scene(tuple(shape for shape in shapes if len(shape.faces)), unit=Unit.M, up=Axis.Y_UP, notes=tuple(notes))


def _check_version(tree: Table) -> None:
    version = table(tree, "asset").get("version")
    if not isinstance(version, str) or not version.startswith("2."):
        raise Unreadable("other-version", f"it says glTF version {str(version)[:10]}, version 2 is read; export it as that")
    for extension in strings(tree, "extensionsRequired"):
        if extension in _PACKED:
            raise _compressed(extension)
        if not extension.startswith(_HARMLESS):
            raise Unreadable("unknown-extension", f"it requires {clean_name(extension)}, which is not read; export it without")
    if any(name in table(view, "extensions") for view in tables(tree, "bufferViews") for name in _PACKED) and _has_empty_buffers(tree):
        raise _compressed("EXT_meshopt_compression")


def _has_empty_buffers(tree: Table) -> bool:
    return any("uri" not in buffer for buffer in tables(tree, "buffers")[1:])


def _compressed(extension: str) -> Unreadable:
    kind = _PACKED[extension]
    return Unreadable(
        "compressed", f"compressed meshes are not read, and this one is packed with {kind} ({extension}); export it without compression"
    )


def _placed_meshes(tree: Table, meshes: _Meshes) -> Iterator[Shape]:
    nodes = tables(tree, "nodes")
    if len(nodes) > MOST_NODES:
        raise Unreadable("too-many-nodes", f"its scene has {len(nodes):,} nodes, the most is {MOST_NODES:,}; join its objects")
    found = 0
    todo = [(root, np.eye(4)) for root in reversed(_roots(tree, nodes))]
    while todo:
        index, above = todo.pop()
        node = nodes[index]
        with np.errstate(invalid="ignore", over="ignore"):
            matrix = above @ _matrix(node, index)
        todo += [(child, matrix) for child in reversed(indices(node, "children", below=len(nodes)))]
        if "mesh" in node:
            found += 1
            if found > MOST_PARTS:
                raise Unreadable("too-many-parts", f"it has more than {MOST_PARTS} objects, the most that may be; save them in several files")
            mesh = whole(node, "mesh")
            name = clean_name(name_of(node) or name_of(entry(tree, "meshes", mesh)))
            yield Shape(name, *meshes.instance(mesh)).placed(matrix)


def _roots(tree: Table, nodes: list[Table]) -> list[int]:
    """Where the scene begins; without scenes, every node that is no child. Raises if a node would be met twice: then nodes make no tree."""
    children = [child for node in nodes for child in indices(node, "children", below=len(nodes))]
    if len(set(children)) < len(children):
        bad("a node has two parents")
    scenes = tables(tree, "scenes")
    parentless = sorted(set(range(len(nodes))) - set(children))
    roots = indices(scenes[whole(tree, "scene", 0, below=len(scenes))], "nodes", below=len(nodes)) if scenes else parentless
    if set(roots) & set(children):
        bad("a node of the scene is a child of another")
    if _in_loops(nodes, parentless):
        bad("its nodes make a loop")
    return roots


def _in_loops(nodes: list[Table], parentless: list[int]) -> int:
    """How many nodes can't be reached from one without a parent."""
    reached, todo = 0, list(parentless)
    while todo:
        reached += 1
        todo += nodes[todo.pop()].get("children", [])
    return len(nodes) - reached


def _matrix(node: Table, index: int) -> NDArray[np.float64]:
    if "matrix" in node:
        matrix = np.array(numbers(node, "matrix", _IDENTITY)).reshape(4, 4).T
        if not np.allclose(matrix[3], (0, 0, 0, 1), atol=1e-6):
            bad("its matrix is no move, turn or scaling", f"nodes/{index}")
        return matrix
    x, y, z, w = numbers(node, "rotation", (0.0, 0.0, 0.0, 1.0))
    length = float(np.sqrt(x * x + y * y + z * z + w * w))
    if not 0.9 < length < 1.1:
        bad("its rotation is no unit quaternion", f"nodes/{index}")
    x, y, z, w = x / length, y / length, z / length, w / length
    turn = np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        )
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * numbers(node, "scale", (1.0, 1.0, 1.0))
    matrix[:3, 3] = numbers(node, "translation", (0.0, 0.0, 0.0))
    return matrix
