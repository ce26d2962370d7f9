"""Piece sets: lattice, sizes, material, pieces and hands, read from TOML and fully checked."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from meshes.errors import BadPieceSet, Defect, UnknownPiece
from meshes.files import read_plain, reading_fault
from meshes.lattice import Cell, Cells, Lattice
from meshes.set_file import SetFile, checked_set_file

if TYPE_CHECKING:  # what meshes need takes its time to load
    from meshes.piece_mesh import PieceMesh

_LARGEST_FILE = 1_000_000
_MESH_KEYS = ("mesh", "unit", "up", "part")


@dataclass(frozen=True, slots=True)
class PieceType:
    """One kind of piece.

    `cells` are its nodes (sorted; the order and origin the set file gave); the cell (0, 0) is the piece's own origin, whether
    or not a node stands there. `colour` is red, green, blue, 0–255 each. `mesh` is the shape its designer brought along; without one the shape
    comes from the cells.
    """

    name: str
    cells: Cells
    count: int
    colour: tuple[int, int, int]
    letter: str
    mesh: PieceMesh | None = None

    @property
    def is_uni(self) -> bool:
        """One node only: never stacked on its own kind (S21), opens no layer (S30)."""
        return len(self.cells) == 1


@dataclass(frozen=True)
class PieceSet:
    """A whole set. Lengths in mm, density in g/cm³, angles in degrees. Equal by content; pieces stand in file order."""

    name: str
    title: str
    lattice: Lattice
    pitch_mm: float
    radius_mm: float
    thickness_mm: float
    bevel_mm: float
    density_g_cm3: float
    friction: float
    restitution: float
    pieces: tuple[PieceType, ...]
    base: PieceType
    hands: tuple[tuple[int, ...], ...]
    """`hands[players - 1][i]`: how many of `pieces[i]` each player takes."""
    source: Mapping[str, Any] = field(repr=False, compare=False)
    """The data this set was read from, as plain values, its meshes in full; goes into records."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What was inferred or changed in mesh files that were read, a sentence each."""

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """Without what is cached: another process hashes text otherwise."""
        return {entry.name: self.__dict__[entry.name] for entry in fields(self)}

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.lattice, self.pitch_mm, self.radius_mm, self.pieces, self.hands))

    @cached_property
    def by_name(self) -> Mapping[str, PieceType]:
        """Pieces by name."""
        return {piece.name: piece for piece in self.pieces}

    def piece(self, name: str) -> PieceType:
        """The piece called `name`; raises `UnknownPiece`."""
        if name not in self.by_name:
            raise UnknownPiece(name, self.name, tuple(self.by_name))
        return self.by_name[name]

    def places_mm(self, cells: Iterable[Cell]) -> NDArray[np.float64]:
        """(n, 2) mm centres of cells on the lattice."""
        return np.array([self.lattice.position(cell, self.pitch_mm) for cell in cells]).reshape(-1, 2)

    @property
    def max_players(self) -> int:
        """How many players the hands provide for."""
        return len(self.hands)

    def hand(self, players: int) -> dict[str, int]:
        """What each of `players` players takes, by piece name; raises KeyError beyond the set's player counts."""
        if not 1 <= players <= self.max_players:
            raise KeyError(players)
        return {piece.name: n for piece, n in zip(self.pieces, self.hands[players - 1], strict=True)}


def load_piece_set(name_or_path: str | Path) -> PieceSet:
    """Read a shipped set by name (`classic`, `square`) or a set of your own by the path of its TOML file.

    Raises `BadPieceSet` listing every defect.
    """
    name, path = str(name_or_path), Path(name_or_path)
    if name in shipped_sets():
        return read_piece_set(name, resources.files("meshes.sets").joinpath(f"{name}.toml").read_text("utf8"))
    if path.suffix.lower() != ".toml":
        known = shipped_sets()
        likely = "".join(f"; did you mean {match}?" for match in get_close_matches(name, known, 1))
        raise _refused(name, "unknown-set", f"no set of this name; shipped are {', '.join(known)}, your own is named by its .toml file{likely}")
    return read_piece_set(path.stem, _text(path), folder=path.parent)


def shipped_sets() -> list[str]:
    """Names of the sets that come with the program."""
    folder = resources.files("meshes.sets")
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def read_piece_set(name: str, text: str, *, folder: Path | None = None) -> PieceSet:
    """A set from the text of its TOML file; mesh files are looked for in `folder` alone. Raises `BadPieceSet`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refused(name, "not-toml", f"not a TOML file: {error}") from error
    except (ValueError, RecursionError) as error:  # tomllib lets these two out
        reason = "a number has thousands of digits" if isinstance(error, ValueError) else "lists or tables are nested too deeply"
        raise _refused(name, "not-toml", f"not a TOML file we can read: {reason}") from error
    return build_piece_set(name, data, folder=folder)


def build_piece_set(name: str, data: Mapping[str, Any], *, folder: Path | None = None) -> PieceSet:
    """A set from plain data (a TOML file's, or what a record kept); raises `BadPieceSet`. Without a `folder` no mesh file is opened."""
    file = checked_set_file(name, data)
    plain = _plain_set(name, file, data)
    return plain if all(entry.mesh is None for entry in file.pieces.values()) else _with_meshes(plain, file, folder)


def _plain_set(name: str, file: SetFile, data: Mapping[str, Any]) -> PieceSet:
    pieces = tuple(PieceType(key, tuple(sorted(entry.cells)), entry.count, _rgb(entry.colour), entry.letter) for key, entry in file.pieces.items())
    hands = tuple(tuple(file.hands[str(n)].get(piece.name, 0) for piece in pieces) for n in range(1, len(file.hands) + 1))
    geometry, material = file.geometry, file.material
    return PieceSet(
        name=name,
        title=file.title,
        lattice=Lattice(file.lattice),
        pitch_mm=geometry.pitch_mm,
        radius_mm=geometry.radius_mm,
        thickness_mm=geometry.thickness_mm,
        bevel_mm=geometry.bevel_mm,
        density_g_cm3=material.density_g_cm3,
        friction=material.friction,
        restitution=material.restitution,
        pieces=pieces,
        base=next(piece for piece in pieces if piece.name == file.base),
        hands=hands,
        source=copy.deepcopy(dict(data)),
    )


def _with_meshes(plain: PieceSet, file: SetFile, folder: Path | None) -> PieceSet:
    """The set with its pieces' own meshes; its source then holds them instead of the names of files."""
    from meshes.set_mesh import own_meshes  # which fits meshes to sets, and so imports this module

    own = own_meshes(plain, file.pieces, folder)
    pieces = tuple(replace(piece, mesh=own[piece.name].mesh) if piece.name in own else piece for piece in plain.pieces)
    tables = {name: {key: value for key, value in table.items() if key not in _MESH_KEYS} for name, table in plain.source["pieces"].items()}
    for name, found in own.items():
        tables[name]["mesh"] = found.mesh.to_json()
    return replace(
        plain,
        pieces=pieces,
        base=next(piece for piece in pieces if piece.name == plain.base.name),
        source={**plain.source, "pieces": tables},
        notes=tuple(f"{name}: {note}" for name, found in own.items() for note in found.notes),
    )


def _text(path: Path) -> str:
    """The file's text; Windows editors' byte order mark is dropped."""
    try:
        content = read_plain(path, _LARGEST_FILE + 1)
        if len(content) > _LARGEST_FILE:
            raise _refused(str(path), "too-large", f"it is larger than {_LARGEST_FILE} bytes; a set's file has a few thousand")
        return content.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise _refused(str(path), "missing-file", reading_fault(path, error)) from error
    except (OSError, ValueError) as error:
        raise _refused(str(path), "unreadable", reading_fault(path, error)) from error


def _refused(subject: str, code: str, message: str) -> BadPieceSet:
    return BadPieceSet(subject, [Defect(code, "", message)])


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
