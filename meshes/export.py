"""Export: one piece, a whole set laid out for printing, or a tower, as STL, 3MF or GLB. The ending of the file's name chooses the format.

STL and 3MF are in mm with z up, GLB in metres with y up. Files are written whole or not at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from meshes.errors import EmptyExport, UnknownFormat
from meshes.files import write_atomically
from meshes.formats import Format, PlacedPiece, Transform, encode
from meshes.piece_set import PieceSet, PieceType
from meshes.plate import Plate, lay_out
from meshes.solid import build_solid


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """What was written: where, in which unit, how many pieces of each type, and the size of it all along x, y (table) and z (up) in mm."""

    path: Path
    unit: str
    counts: Mapping[str, int]
    size_mm: tuple[float, float, float]

    def __str__(self) -> str:
        pieces = ", ".join(f"{count} {name}" for name, count in self.counts.items())
        size = " × ".join(f"{side:.1f}" for side in self.size_mm)
        return f"{self.path}: {pieces}; {size} mm, written in {self.unit}"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"path": str(self.path), "unit": self.unit, "pieces": dict(self.counts), "size_mm": [round(side, 3) for side in self.size_mm]}


def export_piece(piece_set: PieceSet, piece: PieceType, path: str | Path) -> WrittenFile:
    """Write one piece in its own frame: cell (0, 0) at the origin, bottom face on z = 0.

    Raises `UnknownFormat`, `UnwritableFile`.
    """
    return export_tower(piece_set, [(piece, np.eye(4))], path)


def export_tower(piece_set: PieceSet, placed: Sequence[tuple[PieceType, Transform]], path: str | Path) -> WrittenFile:
    """Write pieces where they stand: each with a (4, 4) matrix from the piece's frame to the table's, mm.

    Raises `EmptyExport` if there are none, `UnknownFormat`, `UnwritableFile`.
    """
    file_format = format_of(path)
    pieces = [PlacedPiece(piece, _checked(transform)) for piece, transform in placed]
    if not pieces:
        raise EmptyExport(Path(path))
    write_atomically(path, encode(file_format, piece_set, pieces))
    return _report(piece_set, pieces, Path(path), file_format)


def export_plate(piece_set: PieceSet, path: str | Path, *, plate: Plate | None = None, one_of_each: bool = False) -> tuple[WrittenFile, ...]:
    """Write the whole box, or one piece of each type, laid flat in rows for a 3D printer.

    What does not fit on one plate goes on more: then `set.3mf` becomes `set-1.3mf`, `set-2.3mf`, … The plate's corner is the origin.
    Raises `PlateTooSmall` if a piece fits no plate, `UnknownFormat`, `UnwritableFile`.
    """
    file_format = format_of(path)
    pieces = [piece for piece in piece_set.pieces for _ in range(1 if one_of_each else piece.count)]
    layouts = lay_out(piece_set, pieces, plate or Plate())
    paths = [Path(path)] if len(layouts) == 1 else [_numbered(Path(path), n + 1) for n in range(len(layouts))]
    contents = [encode(file_format, piece_set, layout) for layout in layouts]
    for target, content in zip(paths, contents, strict=True):
        write_atomically(target, content)
    return tuple(_report(piece_set, layout, target, file_format) for layout, target in zip(layouts, paths, strict=True))


def format_of(path: str | Path) -> Format:
    """The format a file name asks for; raises `UnknownFormat`."""
    suffix = Path(path).suffix.lower()
    if suffix not in (file_format.value for file_format in Format):
        raise UnknownFormat(Path(path), [file_format.value for file_format in Format])
    return Format(suffix)


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _checked(transform: Transform) -> Transform:
    """Only a rotation and a shift: anything else would write a deformed or lost piece."""
    matrix = np.asarray(transform, dtype=np.float64)
    rotation = matrix[:3, :3]
    is_rigid = (
        matrix.shape == (4, 4)
        and np.isfinite(matrix).all()
        and np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-6)
        and np.linalg.det(rotation) > 0
        and np.allclose(matrix[3], [0, 0, 0, 1])
    )
    if not is_rigid:
        raise ValueError(f"a piece is only turned and shifted, by a finite (4, 4) matrix; got {matrix.tolist()}")
    return matrix


def _report(piece_set: PieceSet, pieces: Sequence[PlacedPiece], path: Path, file_format: Format) -> WrittenFile:
    corners = [build_solid(piece_set, one.piece).mesh.vertices @ one.transform[:3, :3].T + one.transform[:3, 3] for one in pieces]
    lows, highs = (np.array([pick(points, axis=0) for points in corners]) for pick in (np.min, np.max))
    x, y, z = highs.max(axis=0) - lows.min(axis=0)
    return WrittenFile(path, file_format.unit, Counter(one.piece.name for one in pieces), (float(x), float(y), float(z)))
