"""Sets whose pieces bring meshes of their own, as several tests of physics want them."""

from __future__ import annotations

from dataclasses import replace

import trimesh

from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet


def own(piece_set: PieceSet, meshes: dict[str, trimesh.Trimesh]) -> PieceSet:
    """The set with these meshes as its pieces' own."""
    pieces = tuple(replace(piece, mesh=PieceMesh.of(meshes[piece.name])) if piece.name in meshes else piece for piece in piece_set.pieces)
    return replace(piece_set, pieces=pieces, base=next(piece for piece in pieces if piece.name == piece_set.base.name))


def disc(radius: float, height: float) -> trimesh.Trimesh:
    """A round disc on the table."""
    mesh = trimesh.creation.cylinder(radius, height, sections=96)
    mesh.apply_translation([0, 0, height / 2])
    return trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
