"""The XML of a 3MF model, read as it streams by; entities and document types are refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from meshes.reading.limits import MOST_CORNERS, MOST_FACES, MOST_NODES
from meshes.reading.scene import Unreadable
from meshes.reading.text import clean_name

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_KNOWN = {_CORE, _PRODUCTION, "http://schemas.microsoft.com/3dmanufacturing/material/2015/02"}
"""Extensions a model may require: the materials change no shape."""

Attributes = dict[str, str]
Matrix = NDArray[np.float64]
"""(4, 4), for columns"""


@dataclass(frozen=True)
class Use:
    """An object used in a place: by the build, or as a component of another. `path` names another model in the archive, empty for the same."""

    path: str
    object_id: str
    matrix: Matrix


@dataclass
class ModelObject:
    """An object of a model, in its own frame: triangles, or components."""

    name: str
    kind: str
    corners: list[tuple[str, str, str]] = field(default_factory=list)
    triangles: list[tuple[str, str, str]] = field(default_factory=list)
    components: list[Use] = field(default_factory=list)


@dataclass
class Model:
    """One model of a 3MF archive."""

    unit: str = "millimeter"
    objects: dict[str, ModelObject] = field(default_factory=dict)
    build: list[Use] = field(default_factory=list)


def parsed_model(data: bytes) -> Model:
    """The model in `data`; raises `Unreadable`."""
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = reader.start
    parser.StartNamespaceDeclHandler = reader.prefix
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.EntityDeclHandler = _refuse_document_type
    parser.buffer_text = True
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Unreadable("bad-xml", f"its model is damaged ({error}); export or copy it again") from error
    except (UnicodeError, LookupError) as error:
        raise Unreadable("bad-xml", "its model is in an encoding 3MF does not know; export it again") from error
    return reader.model


def _refuse_document_type(*_: object) -> None:
    raise Unreadable("entities", "its model has a document type or entities, which 3MF does not allow; don't trust it, export the mesh again")


def numbers(texts: list[tuple[str, str, str]], what: str) -> NDArray[np.float64]:
    """Rows of three numbers (n, 3)."""
    try:
        return np.array(texts, dtype=np.float64).reshape(-1, 3)
    except ValueError as error:
        raise Unreadable("bad-number", f"{what} is not three numbers ({clean_name(str(error))}); export it again") from error


class _Reader:
    """Takes elements as they begin; what stands within what is told by the order alone, as 3MF fixes it."""

    def __init__(self) -> None:
        self.model = Model()
        self._prefixes: dict[str, str] = {}
        self._current: ModelObject | None = None
        self._faces = self._corners = self._uses = 0

    def prefix(self, prefix: str | None, uri: str) -> None:
        self._prefixes[prefix or ""] = uri

    def start(self, tag: str, attributes: Attributes) -> None:
        namespace, _, name = tag.rpartition(" ")
        if namespace not in ("", _CORE):
            return
        if name == "vertex" and self._current is not None:
            self._corners += 1
            self._current.corners.append((attributes.get("x", ""), attributes.get("y", ""), attributes.get("z", "")))
        elif name == "triangle" and self._current is not None:
            self._faces += 1
            self._current.triangles.append((attributes.get("v1", ""), attributes.get("v2", ""), attributes.get("v3", "")))
        else:
            self._seldom(name, attributes)
        if self._faces > MOST_FACES or self._corners > MOST_CORNERS:
            limits = f"{MOST_FACES:,} triangles and {MOST_CORNERS:,} corners"
            raise Unreadable("too-many-faces", f"it has more than {limits}, the most that may be; make the mesh coarser")

    def _seldom(self, name: str, attributes: Attributes) -> None:
        if name == "model":
            self.model.unit = attributes.get("unit", "millimeter").strip()
            self._check_required(attributes.get("requiredextensions", ""))
        elif name == "object":
            self._count()
            self._current = ModelObject(clean_name(attributes.get("name", "")), attributes.get("type", "model"))
            number = attributes.get("id", "")
            if number in self.model.objects:
                raise Unreadable("bad-model", f"two objects have the number {clean_name(number)}; export it again")
            self.model.objects[number] = self._current
        elif name == "component" and self._current is not None:
            self._current.components.append(self._use(attributes))
        elif name == "build":
            self._current = None
        elif name == "item" and self._current is None:
            self.model.build.append(self._use(attributes))

    def _use(self, attributes: Attributes) -> Use:
        self._count()
        return Use(attributes.get(f"{_PRODUCTION} path", ""), attributes.get("objectid", ""), _matrix(attributes.get("transform")))

    def _count(self) -> None:
        self._uses += 1
        if self._uses > MOST_NODES:
            raise Unreadable("too-many-nodes", f"its model has more than {MOST_NODES:,} objects and components, the most that may be; join them")

    def _check_required(self, prefixes: str) -> None:
        for prefix in prefixes.split():
            if self._prefixes.get(prefix) not in _KNOWN:
                raise Unreadable(
                    "unknown-extension", f"its model requires {clean_name(self._prefixes.get(prefix, prefix))}, which is not read; export it without"
                )


def _matrix(text: str | None) -> Matrix:
    """A 3MF transform: four rows of three numbers, for rows; empty for none."""
    matrix = np.eye(4)
    if text is not None:
        try:
            rows = np.array(text.split(), dtype=np.float64).reshape(4, 3)
        except ValueError as error:
            raise Unreadable("bad-number", f"a transform is not twelve numbers: “{clean_name(text)}”; export it again") from error
        if not np.isfinite(rows).all():
            raise Unreadable("not-finite", f"a transform has numbers that are none or infinite: “{clean_name(text)}”; export it again")
        matrix[:3] = rows.T
    return matrix
