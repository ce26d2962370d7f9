"""Piece meshes: the outer shape of a piece brought along by its designer, as a value that compares, hashes, pickles and fits into records.

Lengths in mm, in the piece's own frame: bottom face on z = 0, cell (0, 0) at x = y = 0.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manifold3d import Manifold, OpType
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon
from trimesh import Trimesh

from meshes.errors import BadMesh, Defect
from meshes.flats import covered, flat_bottom, flat_top
from meshes.manifolds import corners_and_faces, manifold_of
from meshes.reading.hollows import hollowed
from meshes.reading.shells import Shell

MOST_FACES = 4000
"""More than this no tower of dozens of pieces can bear; a finer mesh is simplified."""
MARK = "stakd-mesh-1:"
"""How the text of a mesh begins; no file name does."""

_STEP_MM = 1e-4
"""Corners stand on multiples of this, so that the text says exactly what is meant."""
_FARTHEST_STEPS = 10**9
"""Farther out whole steps, and the differences of two, need more than 32 bits."""
_MOST_CORNERS = 2 * MOST_FACES
_AIM_FACES = 3600
_FLATS_FIRST = 200_000
"""In finer meshes flats are not merged before edges are left out by force: that alone would take seconds."""
_WELD_MM = 0.02
_MOST_AROUND = 6000
"""Simplifying takes the square of the time of a corner's edges; with more it would take minutes."""
_TOLERANCES_MM = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
_MOST_VOLUME_LOST = 0.005
_FLAT_CORNER_MM = 0.05
"""Corners of a flat that stick out less are left out: contact costs time by the corner."""
_HEAD = struct.Struct("<II")


@dataclass(frozen=True, eq=False)
class PieceMesh:
    """A closed mesh of at most `MOST_FACES` triangles. `vertices_mm` (n, 3) and `faces` (m, 3) are read-only; equal `digest`, equal mesh."""

    vertices_mm: NDArray[np.float64]
    faces: NDArray[np.int32]
    digest: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PieceMesh) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Callable[..., PieceMesh], tuple[object, ...]]:
        return PieceMesh.from_json, (self.to_json(),)

    @classmethod
    def of(cls, mesh: Trimesh) -> PieceMesh:
        """A mesh already in the piece's frame: shells that run into each other united, simplified if it is finer than can be played with.

        Raises `BadMesh` if it is not closed, lies too far off to be in that frame, or can't be simplified that far without losing its shape.
        """
        body = _united(mesh)
        if body.num_tri() > MOST_FACES:
            body = _simplified(body)
        corners, faces = corners_and_faces(body)
        return _built(_stepped(corners), faces.astype(np.int32))

    @classmethod
    def anywhere(cls, mesh: Trimesh) -> PieceMesh:
        """As `of`, of a mesh that lies where its file has it, be that far away: its middle comes above the origin."""
        return cls.of(Trimesh(mesh.vertices - np.append(mesh.bounds.mean(axis=0)[:2], mesh.bounds[0, 2]), mesh.faces, process=False))

    def stretched(self, sideways: float, upwards: float) -> PieceMesh:
        """The mesh so many times as wide and as high, about its first node."""
        corners = self.vertices_mm * [sideways, sideways, upwards]
        return _built(_stepped(corners), self.faces)

    def to_json(self) -> str:
        """The whole mesh as one line of text, some 8 bytes a triangle."""
        return self._text

    @classmethod
    def from_json(cls, text: str) -> PieceMesh:
        """The mesh a text stands for; raises `BadMesh`. A text that unpacks to more than a mesh may have is not unpacked."""
        try:
            packed = base64.b64decode(text.removeprefix(MARK), validate=True)
            unpacker = zlib.decompressobj()
            content = unpacker.decompress(packed, _HEAD.size + 12 * (_MOST_CORNERS + MOST_FACES) + 1)
            corners, triangles = _HEAD.unpack_from(content)
            if corners > _MOST_CORNERS or triangles > MOST_FACES or len(content) != _HEAD.size + 12 * (corners + triangles) or unpacker.unused_data:
                raise ValueError("its length is wrong")
        except (ValueError, binascii.Error, zlib.error, struct.error) as error:
            raise _refused("damaged-mesh", f"the text of the mesh is damaged ({error}); take it from the mesh's file again") from error
        numbers = np.frombuffer(content, "<i4", offset=_HEAD.size).reshape(-1, 3)
        sums = [np.cumsum(part, axis=0, dtype=np.int32) for part in (numbers[:corners], numbers[corners:])]
        if sums[1].size == 0 or sums[1].min() < 0 or sums[1].max() >= corners:
            raise _refused("damaged-mesh", "the text of the mesh names corners that are not there; take it from the mesh's file again")
        mesh = _built(*sums)
        _united(mesh.trimesh)
        return mesh

    @cached_property
    def trimesh(self) -> Trimesh:
        """For measuring; shared, so not to be changed."""
        return Trimesh(self.vertices_mm, self.faces, process=False)

    @cached_property
    def height_mm(self) -> float:
        """Height of its highest point."""
        return float(self.vertices_mm[:, 2].max())

    @cached_property
    def bottom(self) -> tuple[Polygon, ...]:
        """The flat bottom from above: polygons, perhaps concave or with holes."""
        return _thinned(flat_bottom(self.trimesh))

    @cached_property
    def top(self) -> tuple[Polygon, ...]:
        """The flat top from above."""
        return _thinned(flat_top(self.trimesh))

    @cached_property
    def silhouette(self) -> Polygon:
        """All it covers seen from above; the largest piece of it if it should fall apart."""
        return max(covered(self.trimesh.triangles[:, :, :2]).geoms, key=lambda polygon: float(polygon.area))

    def drawn(self, off_mm: float, most: int) -> Trimesh:
        """For pictures: as few triangles as an error of `off_mm` allows, and about `most` where that is too many."""
        mesh = _as_trimesh(_united(self.trimesh).simplify(off_mm))
        return mesh if len(mesh.faces) <= most else mesh.simplify_quadric_decimation(face_count=most)

    @cached_property
    def _text(self) -> str:
        corners = np.rint(self.vertices_mm / _STEP_MM).astype("<i4")
        steps = [np.diff(part, axis=0, prepend=np.zeros((1, 3), "<i4")) for part in (corners, self.faces.astype("<i4"))]
        content = _HEAD.pack(len(corners), len(self.faces)) + b"".join(part.astype("<i4").tobytes() for part in steps)
        return MARK + base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def _stepped(corners: NDArray[np.float64]) -> NDArray[np.int32]:
    """Corners in whole steps."""
    steps = np.rint(corners / _STEP_MM)
    if not (np.abs(steps) < _FARTHEST_STEPS).all():
        raise _refused("too-far", f"it lies more than {_FARTHEST_STEPS * _STEP_MM / 1000:.0f} m from its origin; move it there and export it again")
    return steps.astype(np.int32)


def _built(corners: NDArray[np.int32], faces: NDArray[np.int32]) -> PieceMesh:
    """A mesh from whole steps; its bottom goes to z = 0 exactly."""
    corners = corners - np.array([0, 0, corners[:, 2].min()], np.int32)
    digest = hashlib.sha256(corners.astype("<i4").tobytes() + faces.astype("<i4").tobytes()).hexdigest()
    vertices = (corners * _STEP_MM).astype(np.float64)
    for values in (vertices, faces):
        values.setflags(write=False)
    return PieceMesh(vertices, faces, digest)


def _united(mesh: Trimesh) -> Manifold:
    """The solid a closed mesh stands for: what several shells cover counts once, and shells turned inside out are hollows."""
    whole = _body(mesh)
    shells = whole.decompose()
    if len(shells) > 1:
        whole = _hollowed([(shell, Shell(*corners_and_faces(shell))) for shell in shells])
    if whole.is_empty() or whole.volume() <= 0:
        raise _refused("no-volume", "it encloses nothing; its faces must look outwards and enclose a body")
    return whole


def _hollowed(shells: Sequence[tuple[Manifold, Shell]]) -> Manifold:
    """What shells cover, less their hollows; a hollow that is in no single solid is taken out of all."""
    left = hollowed([pair for pair in shells if pair[0].volume() > 0], [shell for body, shell in shells if body.volume() < 0])
    return Manifold.batch_boolean([Manifold.batch_boolean(left.bodies, OpType.Add), *left.astray], OpType.Subtract)


def _body(mesh: Trimesh) -> Manifold:
    body = manifold_of(mesh.vertices, mesh.faces)
    if body is None:
        raise _refused("not-closed", "it is not closed: every edge must have exactly two faces; mend it in a modelling program")
    return body


def _simplified(body: Manifold) -> Manifold:
    """At most `MOST_FACES`, the volume kept."""
    whole = body.volume()
    body = _welded(body)
    if np.bincount(corners_and_faces(body)[1].ravel()).max() > _MOST_AROUND:
        raise _refused("too-fine", f"more than {_MOST_AROUND} triangles meet in one corner; make it of fewer sides")
    for coarse in _coarser(body):
        if coarse.num_tri() <= MOST_FACES and abs(coarse.volume() / whole - 1) <= _MOST_VOLUME_LOST:
            return coarse
    message = f"{body.num_tri()} triangles are more than the {MOST_FACES} of a piece to play with, and with fewer it loses its shape; simplify it"
    raise _refused("too-fine", message)


def _welded(body: Manifold) -> Manifold:
    """Corners much nearer to each other than matters made one, if the body stays closed: slivers by the thousand take minutes to simplify."""
    corners, faces = corners_and_faces(body)
    _, first, place = np.unique(np.rint(corners / _WELD_MM), axis=0, return_index=True, return_inverse=True)
    kept = place.ravel()[faces]
    kept = kept[(kept != np.roll(kept, 1, axis=1)).all(axis=1)]
    if len(kept) == len(faces):
        return body
    return manifold_of(corners[first], kept) or body


def _coarser(body: Manifold) -> Iterator[Manifold]:
    """Flats and straight edges made of fewer triangles, then edges left out where that bends the surface least, then by force."""
    if body.num_tri() <= _FLATS_FIRST:
        yield from (body.simplify(off_mm) for off_mm in _TOLERANCES_MM[:2])
    quadric = _as_trimesh(body).simplify_quadric_decimation(face_count=_AIM_FACES)
    if quadric.is_watertight and quadric.is_winding_consistent:
        yield _body(quadric)
    yield from (body.simplify(off_mm) for off_mm in _TOLERANCES_MM[2:])


def _as_trimesh(body: Manifold) -> Trimesh:
    return Trimesh(*corners_and_faces(body), process=False)


def _thinned(flat: MultiPolygon) -> tuple[Polygon, ...]:
    polygons = (polygon.simplify(_FLAT_CORNER_MM) for polygon in flat.geoms)
    return tuple(polygon for polygon in polygons if isinstance(polygon, Polygon) and not polygon.is_empty)


def _refused(code: str, message: str) -> BadMesh:
    return BadMesh("of a piece", [Defect(code, "", message)])
