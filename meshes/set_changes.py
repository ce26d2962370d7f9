"""Changing piece sets: other sizes, a mesh in place of a piece. The set that is changed stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from meshes.lattice import Cells
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet, PieceType, build_piece_set
from meshes.set_file import checked_set_file


def with_sizes(piece_set: PieceSet, *, name: str | None = None, **sizes: float) -> PieceSet:
    """The set with other values in its tables `[geometry]` and `[material]`, such as `radius_mm=12.5`. Raises `BadPieceSet`.

    A piece's own mesh is stretched upwards with the thickness and sideways with the pitch, round ends and bevels along with it; nothing else does.
    """
    source = dict(piece_set.source)
    for table in ("geometry", "material"):
        source[table] = {key: sizes.get(key, value) for key, value in source[table].items()}
    sideways = sizes.get("pitch_mm", piece_set.pitch_mm) / piece_set.pitch_mm
    upwards = sizes.get("thickness_mm", piece_set.thickness_mm) / piece_set.thickness_mm
    if (sideways, upwards) != (1.0, 1.0):
        checked_set_file(name or piece_set.name, source)  # before any mesh is stretched to what can't be
        source["pieces"] = {piece.name: _stretched(source["pieces"][piece.name], piece, sideways, upwards) for piece in piece_set.pieces}
    return build_piece_set(name or piece_set.name, source)


def _stretched(entry: Mapping[str, Any], piece: PieceType, sideways: float, upwards: float) -> Mapping[str, Any]:
    return entry if piece.mesh is None else {**entry, "mesh": piece.mesh.stretched(sideways, upwards).to_json()}


def with_mesh(piece_set: PieceSet, piece: str, mesh: PieceMesh, cells: Cells, *, name: str | None = None) -> PieceSet:
    """The set with a mesh in place of a piece, which then has the mesh's cells. Raises `BadPieceSet`."""
    pieces: dict[str, Mapping[str, Any]] = dict(piece_set.source["pieces"])
    pieces[piece] = {**pieces[piece], "cells": [list(cell) for cell in cells], "mesh": mesh.to_json()}
    return build_piece_set(name or piece_set.name, {**piece_set.source, "pieces": pieces})
