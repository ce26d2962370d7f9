"""Sets made in the lab: a mesh put in a piece's place, and where such sets are kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from meshes.lattice import Cells
from meshes.piece_mesh import PieceMesh
from meshes.piece_set import PieceSet, build_piece_set
from meshes.set_writer import write_piece_set
from viewer.folders import make_folder, sets_folder

LAB = "lab"
"""Name of every set that is only looked at."""


def with_mesh(piece_set: PieceSet, name: str, mesh: PieceMesh, cells: Cells) -> PieceSet:
    """The set with a mesh in place of a piece, which then has the mesh's cells. Raises `BadPieceSet`."""
    pieces: dict[str, Mapping[str, Any]] = dict(piece_set.source["pieces"])
    pieces[name] = {**pieces[name], "cells": [list(cell) for cell in cells], "mesh": mesh.to_json()}
    return build_piece_set(LAB, {**piece_set.source, "pieces": pieces})


def keep_set(piece_set: PieceSet, stem: str) -> Path:
    """Write a set where the program keeps sets of one's own; one of the same name is replaced. Raises `UnwritableFile`."""
    safe = "".join(sign if sign.isalnum() or sign in "-_ " else "-" for sign in stem).strip()[:60] or LAB
    path = make_folder(sets_folder()) / f"{safe}.toml"
    write_piece_set(piece_set, path)
    return path
