"""Piece sets: lattice, sizes, material, pieces and hands, read from TOML and fully checked."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from meshes.errors import BadPieceSet, Defect
from meshes.lattice import Cells, Lattice

LEAST_GAP_MM = 0.3
"""Outlines closer than this to a neighbour's shove each other in the physics, so a set may not have them."""


@dataclass(frozen=True, slots=True)
class PieceType:
    """One kind of piece.

    `cells` are its nodes (sorted; the order and origin the set file gave); the cell (0, 0) is the piece's own origin, whether
    or not a node stands there. `colour` is red, green, blue, 0–255 each.
    """

    name: str
    cells: Cells
    count: int
    colour: tuple[int, int, int]
    letter: str

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
    """The data this set was read from, as plain values; goes into records."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.lattice, self.pitch_mm, self.radius_mm, self.pieces, self.hands))

    @cached_property
    def by_name(self) -> Mapping[str, PieceType]:
        """Pieces by name."""
        return {piece.name: piece for piece in self.pieces}

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
    name = str(name_or_path)
    if name in shipped_sets():
        return read_piece_set(name, resources.files("meshes.sets").joinpath(f"{name}.toml").read_text("utf8"))
    path = Path(name_or_path)
    if path.suffix != ".toml":
        known = ", ".join(shipped_sets())
        raise BadPieceSet(name, [Defect("unknown-set", "", f"no set of this name; shipped are {known}, your own is named by its .toml file")])
    try:
        text = path.read_text("utf8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadPieceSet(name, [Defect("unreadable", "", f"the file can't be read: {error}")]) from error
    return read_piece_set(path.stem, text)


def shipped_sets() -> list[str]:
    """Names of the sets that come with the program."""
    folder = resources.files("meshes.sets")
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def read_piece_set(name: str, text: str) -> PieceSet:
    """A set from the text of its TOML file; raises `BadPieceSet`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadPieceSet(name, [Defect("not-toml", "", f"not a TOML file: {error}")]) from error
    return build_piece_set(name, data)


def build_piece_set(name: str, data: Mapping[str, Any]) -> PieceSet:
    """A set from plain data (a TOML file's, or what a record kept); raises `BadPieceSet`."""
    try:
        file = _SetFile.model_validate(data)
    except ValidationError as error:
        raise BadPieceSet(name, _form_defects(error)) from error
    defects = list(_meaning_defects(file))
    if defects:
        raise BadPieceSet(name, defects)
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
        source=dict(data),
    )


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


_Cell = tuple[Annotated[int, Field(ge=-20, le=20, strict=True)], Annotated[int, Field(ge=-20, le=20, strict=True)]]
_Count = Annotated[int, Field(ge=0, le=1000, strict=True)]


class _Geometry(_Table):
    pitch_mm: float = Field(ge=5, le=500)
    radius_mm: float = Field(ge=1, le=250)
    thickness_mm: float = Field(ge=1, le=200)
    bevel_mm: float = Field(ge=0, le=50)


class _Material(_Table):
    density_g_cm3: float = Field(ge=0.05, le=25)
    friction: float = Field(ge=0, le=2)
    restitution: float = Field(ge=0, le=1)


class _Piece(_Table):
    cells: list[_Cell] = Field(min_length=1, max_length=30)
    count: Annotated[int, Field(ge=1, le=1000, strict=True)]
    colour: str = Field(pattern=r"^#[0-9A-Fa-f]{6}$")
    letter: str = Field(pattern=r"^[A-Z]$")


class _SetFile(_Table):
    title: str = Field(min_length=1, max_length=80)
    lattice: Literal["hex", "square"]
    base: str
    geometry: _Geometry
    material: _Material
    pieces: dict[str, _Piece] = Field(min_length=2, max_length=26)
    hands: dict[str, dict[str, _Count]] = Field(min_length=1, max_length=10)


_FORM_CODES = {"extra_forbidden": "unknown-key", "missing": "missing-key"}


def _form_defects(error: ValidationError) -> Iterator[Defect]:
    """What is wrong with the form of the file: unknown or missing keys, wrong types, numbers out of range."""
    for entry in error.errors(include_url=False):
        where = ".".join(str(part) for part in entry["loc"])
        code = _FORM_CODES.get(entry["type"], "bad-value")
        message = {"unknown-key": "unknown key; remove it or mend its spelling", "missing-key": "this key must be given"}.get(code, entry["msg"])
        yield Defect(code, where, message)


def _meaning_defects(file: _SetFile) -> Iterator[Defect]:
    """What is wrong with the meaning of a well-formed file."""
    yield from _piece_defects(file)
    yield from _hand_defects(file)
    yield from _geometry_defects(file)


def _piece_defects(file: _SetFile) -> Iterator[Defect]:
    lattice = Lattice(file.lattice)
    shapes: dict[Cells, str] = {}
    letters = Counter(piece.letter for piece in file.pieces.values())
    if file.base not in file.pieces:
        yield Defect("unknown-piece", "base", f"there is no piece {file.base}; name one of {', '.join(file.pieces)}")
    for name, piece in file.pieces.items():
        where = f"pieces.{name}"
        if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,15}", name):
            yield Defect("bad-name", where, "a piece's name is capital letters, digits and _, at most 16, beginning with a letter")
        if len(set(piece.cells)) != len(piece.cells):
            yield Defect("overlapping-cells", f"{where}.cells", "a cell is listed twice; each node needs a cell of its own")
        elif not lattice.is_connected(piece.cells):
            yield Defect("unconnected-cells", f"{where}.cells", "the nodes don't hang together; each needs a neighbour in the piece")
        if letters[piece.letter] > 1:
            yield Defect("repeated-letter", f"{where}.letter", f"{piece.letter} stands for another piece too; letters must differ")
        shape = min(lattice.orientations(sorted(set(piece.cells))))
        if shape in shapes:
            yield Defect("repeated-shape", f"{where}.cells", f"the same shape as {shapes[shape]}; nodes alone must tell pieces apart")
        shapes[shape] = name


def _hand_defects(file: _SetFile) -> Iterator[Defect]:
    wanted = [str(n) for n in range(1, len(file.hands) + 1)]
    if sorted(file.hands) != sorted(wanted):
        yield Defect("hand-rows", "hands", f"rows must be the player counts 1, 2, … without gaps; found {', '.join(file.hands)}")
        return
    for players, hand in file.hands.items():
        for name, each in hand.items():
            where = f"hands.{players}.{name}"
            if name not in file.pieces:
                yield Defect("unknown-piece", where, f"there is no piece {name}; name one of {', '.join(file.pieces)}")
            elif each * int(players) > file.pieces[name].count:
                need, has = each * int(players), file.pieces[name].count
                yield Defect("hand-exceeds-box", where, f"{players} × {each} = {need} pieces are needed, the box holds {has}")
        if hand.get(file.base, 0) < 1:
            yield Defect("no-base-in-hand", f"hands.{players}", f"each player lays at least one {file.base}")
        elif sum(hand.values()) == hand[file.base]:
            yield Defect("nothing-to-stack", f"hands.{players}", f"a hand needs at least one piece besides {file.base}")


def _geometry_defects(file: _SetFile) -> Iterator[Defect]:
    geometry, lattice = file.geometry, Lattice(file.lattice)
    room = lattice.least_gap * geometry.pitch_mm - 2 * geometry.radius_mm
    if room < LEAST_GAP_MM:
        largest = (lattice.least_gap * geometry.pitch_mm - LEAST_GAP_MM) / 2
        state = "overlap" if room < 0 else "come too close"
        message = f"neighbouring outlines {state} (gap {room:.2f} mm, needed {LEAST_GAP_MM}); at this pitch at most {largest:.2f} mm"
        yield Defect("outlines-overlap", "geometry.radius_mm", message)
    if geometry.bevel_mm >= min(geometry.radius_mm, geometry.thickness_mm / 2):
        yield Defect("bevel-too-large", "geometry.bevel_mm", "the bevel must be smaller than the radius and half the thickness")


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
