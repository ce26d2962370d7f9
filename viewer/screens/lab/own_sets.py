"""Sets made in the lab: what they are called, and where they are kept."""

from __future__ import annotations

from pathlib import Path

from meshes.files import make_folder
from meshes.piece_set import PieceSet
from meshes.set_writer import write_piece_set
from viewer.folders import sets_folder

LAB = "lab"
"""Name of every set that is only looked at."""


def keep_set(piece_set: PieceSet, stem: str) -> Path:
    """Write a set where the program keeps sets of one's own; one of the same name is replaced. Raises `UnwritableFile`."""
    safe = "".join(sign if sign.isalnum() or sign in "-_ " else "-" for sign in stem).strip()[:60] or LAB
    path = make_folder(sets_folder()) / f"{safe}.toml"
    write_piece_set(piece_set, path)
    return path
