"""3MF: the objects its build names, with their components, transforms and unit."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np

from meshes.mesh_units import Axis, Unit
from meshes.reading.archive import Archive, opened_archive
from meshes.reading.clusters import clusters
from meshes.reading.limits import MOST_DEPTH, MOST_FACES, MOST_NODES
from meshes.reading.model_xml import Matrix, Model, ModelObject, Use, numbers, parsed_model
from meshes.reading.polygons import check_corners
from meshes.reading.scene import Faces, Scene, Shape, Unreadable, Vertices, together
from meshes.reading.source import Source
from meshes.reading.text import clean_name

_UNITS = {"millimeter": Unit.MM, "centimeter": Unit.CM, "meter": Unit.M, "inch": Unit.INCH}
_RESCALED = {"micron": 0.001, "foot": 304.8}
"""Units of 3MF that are not ours, in mm; what is in them is read as mm."""
_MODEL_RELATION = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_USUAL_MODEL = "3D/3dmodel.model"
_AIDS = {"support", "solidsupport"}
"""Kinds of objects that are printed only to hold the others."""


def read_3mf(source: Source) -> Scene:
    """The scene of a 3MF file: one shape a mesh the build names; those of one item whose boxes meet are one. Raises `Unreadable`."""
    archive = opened_archive(source.data)
    package = _Package(archive)
    root = _root_model(archive)
    model = package.model(root)
    if model.unit not in _UNITS and model.unit not in _RESCALED:
        known = ", ".join((*_UNITS, *_RESCALED))
        raise Unreadable("unknown-unit", f"its unit is {clean_name(model.unit)}, it must be one of {known}; export it again")
    factor = _RESCALED.get(model.unit)
    scale = np.diag([factor or 1.0] * 3 + [1.0])
    shapes = [shape for item in model.build for shape in _joined(list(package.shapes(item, scale, root, ())))]
    if not shapes:
        raise Unreadable("no-faces", "its build names no mesh; put the piece on the plate and export it again")
    notes = [f"it is in {model.unit}s and is turned into mm"] if factor else []
    if package.aids:
        notes.append(f"{package.aids} support object{'s are' if package.aids > 1 else ' is'} left out")
    return Scene(tuple(shapes), _UNITS.get(model.unit, Unit.MM), Axis.Z_UP, tuple(notes))


@dataclass
class _Package:
    """The models of an archive, each parsed once, and what has been taken from them."""

    archive: Archive
    models: dict[str, Model] = field(default_factory=dict)
    uses: int = 0
    faces: int = 0
    aids: int = 0
    _meshes: dict[tuple[str, str], tuple[Vertices, Faces]] = field(default_factory=dict)

    def model(self, path: str) -> Model:
        """The model at a path in the archive."""
        if path not in self.models:
            self.models[path] = parsed_model(self.archive.read(path))
        return self.models[path]

    def shapes(self, use: Use, matrix: Matrix, home: str, above: tuple[tuple[str, str], ...]) -> Iterator[Shape]:
        """The meshes of an object where it is used; `home` is the model that uses it, `above` the objects it is in."""
        self.uses += 1
        if self.uses > MOST_NODES:
            raise Unreadable("too-many-nodes", f"its build has more than {MOST_NODES:,} objects and components, the most that may be; join them")
        path = use.path.removeprefix("/") or home
        key = (path, use.object_id)
        if key in above:
            raise Unreadable("cycle", f"object {clean_name(use.object_id)} is a component of itself; export it again")
        if len(above) >= MOST_DEPTH:
            raise Unreadable("too-deep", f"its components are more than {MOST_DEPTH} deep in one another, the most that may be; join them")
        thing = self.model(path).objects.get(use.object_id)
        if thing is None:
            raise Unreadable("no-object", f"it uses object {clean_name(use.object_id)}, which is not in it; export it again")
        if thing.kind in _AIDS:
            self.aids += 1
            return
        with np.errstate(over="ignore", invalid="ignore"):
            placed = matrix @ use.matrix
        if thing.triangles:
            yield self._shape(thing, key, placed)
        for component in thing.components:
            yield from self.shapes(component, placed, path, (*above, key))

    def _shape(self, thing: ModelObject, key: tuple[str, str], matrix: Matrix) -> Shape:
        self.faces += len(thing.triangles)
        if self.faces > MOST_FACES:
            raise Unreadable("too-many-faces", f"it has more than {MOST_FACES:,} triangles, the most that may be; make the mesh coarser")
        if key not in self._meshes:
            self._meshes[key] = numbers(thing.corners, "a corner"), _indices(thing)
        return Shape(thing.name, *self._meshes[key]).placed(matrix)


def _indices(thing: ModelObject) -> Faces:
    values = numbers(thing.triangles, "a triangle")
    with np.errstate(invalid="ignore"):
        whole = np.where(np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 2**31), values, -1).astype(np.int64)
    check_corners(whole.ravel(), len(thing.corners))
    return whole


def _joined(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """Meshes of one item: those whose boxes meet are volumes of one body, the others are parts of their own."""
    sound = [shape for shape in shapes if len(shape.vertices)]
    if len(sound) < 2 or not all(np.isfinite(shape.vertices).all() for shape in sound):
        yield from sound
        return
    boxes = np.array([(shape.vertices.min(axis=0), shape.vertices.max(axis=0)) for shape in sound])
    for members in clusters(boxes, gap=0.0):
        volumes = [sound[k] for k in members]
        yield Shape(next((shape.name for shape in volumes if shape.name), ""), *together(volumes))


def _root_model(archive: Archive) -> str:
    """Path of the model the archive is about."""
    if "_rels/.rels" in archive:
        for target in _relations(archive.read("_rels/.rels")):
            return posixpath.normpath(target.removeprefix("/"))
    if _USUAL_MODEL in archive:
        return _USUAL_MODEL
    raise Unreadable("no-model", "it is a zip archive without a 3MF model in it; unpack it, or export the mesh as 3MF again")


def _relations(data: bytes) -> list[str]:
    """Targets of the relations to a model."""
    found: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(" ")[2] == "Relationship" and attributes.get("Type") == _MODEL_RELATION:
            found.append(attributes.get("Target", ""))

    def refuse(*_: object) -> None:
        raise Unreadable("entities", "its relations have a document type, which 3MF does not allow; don't trust it, export the mesh again")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, UnicodeError, LookupError) as error:
        raise Unreadable("bad-xml", "the relations in it are damaged; export or copy it again") from error
    return found
