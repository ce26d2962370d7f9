"""What a piece set's TOML file must look like: its form, and what its values must mean together. Every defect is found and named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from meshes.errors import BadPieceSet, Defect
from meshes.forms import Place, form_defects, key_text, path_text, value_text
from meshes.lattice import Cells, Lattice

LEAST_GAP_MM = 0.3
"""Outlines closer than this to a neighbour's shove each other in the physics, so a set may not have them."""


LIMITS: Mapping[str, tuple[float, float]] = {
    "pitch_mm": (5, 500),
    "radius_mm": (1, 250),
    "thickness_mm": (1, 200),
    "bevel_mm": (0, 50),
    "density_g_cm3": (0.05, 25),
    "friction": (0, 2),
    "restitution": (0, 1),
}
"""The least and the most of each number in [geometry] and [material]."""


def checked_set_file(subject: str, data: object) -> SetFile:
    """`data` (plain tables, lists, texts and numbers) as a checked set file; raises `BadPieceSet` about `subject` listing every defect.

    Where one part of the file has a bad form, the meaning of the other parts is checked all the same.
    """
    try:
        file = SetFile.model_validate(data)
        sound: Mapping[str, Any] = dict(file)
        defects = []
    except ValidationError as error:
        sound = _sound_parts(data, error)
        defects = list(form_defects(error, known=_known_keys))
    for needs, check in _CHECKS:
        if sound.keys() >= set(needs):
            defects += check(*(sound[key] for key in needs))
    if defects:
        raise BadPieceSet(subject, defects)
    return file


_MANY = 9
"""Of more entries the number is told, not the first few."""


def _must_be(wanted: str, is_right: Callable[[Any], bool]) -> BeforeValidator:
    """Refuses, in one plain sentence, a value that is not right."""

    def validate(value: object) -> object:
        if not is_right(value):
            many = isinstance(value, Mapping | list) and len(value) > _MANY
            found = f"{len(value)} entries" if many else value_text(value)  # type: ignore[arg-type]
            raise PydanticCustomError("bad_value", "must be {wanted}; found {found}", {"wanted": wanted, "found": found})
        return value

    return BeforeValidator(validate)


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _whole(least: int, most: int) -> BeforeValidator:
    return _must_be(f"a whole number from {least} to {most}", lambda value: _is_whole(value, least, most))


def _number(least: float, most: float) -> BeforeValidator:
    def is_right(value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most

    return _must_be(f"a number from {least} to {most}", is_right)


def _text(pattern: str, wanted: str) -> BeforeValidator:
    return _must_be(wanted, lambda value: isinstance(value, str) and value.isprintable() and re.fullmatch(pattern, value) is not None)


def _table(least: int, most: int, wanted: str = "a table of keys and values") -> BeforeValidator:
    return _must_be(wanted, lambda value: isinstance(value, Mapping) and least <= len(value) <= most)


def _is_node(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(_is_whole(part, -20, 20) for part in value)


_Node = Annotated[tuple[int, int], _must_be("a pair [q, r] of whole numbers from -20 to 20", _is_node)]
_IS_NODE_LIST = _must_be("a list of 1 to 30 pairs [q, r]", lambda value: isinstance(value, list | tuple) and 1 <= len(value) <= 30)
_COLOUR = _text("#[0-9A-Fa-f]{6}", 'a colour as # and six hexadecimal digits, red, green, blue, such as "#3B3D43"')


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Geometry(_Table):
    """Lengths in mm."""

    pitch_mm: Annotated[float, _number(*LIMITS["pitch_mm"])]
    radius_mm: Annotated[float, _number(*LIMITS["radius_mm"])]
    thickness_mm: Annotated[float, _number(*LIMITS["thickness_mm"])]
    bevel_mm: Annotated[float, _number(*LIMITS["bevel_mm"])]


class Material(_Table):
    """What the pieces are made of."""

    density_g_cm3: Annotated[float, _number(*LIMITS["density_g_cm3"])]
    friction: Annotated[float, _number(*LIMITS["friction"])]
    restitution: Annotated[float, _number(*LIMITS["restitution"])]


class Piece(_Table):
    """One kind of piece. `mesh` is a file beside the set's own, or the mesh itself as text; the three after it say how to read the file."""

    cells: Annotated[list[_Node], _IS_NODE_LIST]
    count: Annotated[int, _whole(1, 1000)]
    colour: Annotated[str, _COLOUR]
    letter: Annotated[str, _text("[A-Z]", "one capital letter from A to Z")]
    mesh: Annotated[str | None, _text(".{1,400000}", "the name of a mesh file in the set's folder")] = None
    unit: Annotated[str | None, _text("mm|cm|m|inch", '"mm", "cm", "m" or "inch"')] = None
    up: Annotated[str | None, _text("[+-][xyz]", 'an axis such as "+z" or "-y"')] = None
    part: Annotated[str | None, _text(".{1,200}", "the name of one part of the mesh file")] = None


class SetFile(_Table):
    """The whole file."""

    title: Annotated[str, _text(".{1,80}", "a text of 1 to 80 printable characters")]
    lattice: Annotated[str, _text("hex|square", '"hex" or "square"')]
    base: Annotated[str, _text(".+", "the name of a piece")]
    geometry: Annotated[Geometry, _table(0, 100)]
    material: Annotated[Material, _table(0, 100)]
    pieces: Annotated[dict[str, Annotated[Piece, _table(0, 100)]], _table(2, 26, "2 to 26 tables [pieces.NAME]")]
    hands: Annotated[
        dict[str, Annotated[dict[str, Annotated[int, _whole(0, 1000)]], _table(0, 100)]],
        _table(1, 10, "1 to 10 rows, one for each number of players"),
    ]


_TABLES: Mapping[object, type[_Table]] = {"geometry": Geometry, "material": Material, "pieces": Piece}


def _known_keys(place: Place) -> Iterable[str]:
    """What may stand in the table of the file in which `place` is."""
    return (_TABLES[place[0]] if len(place) > 1 else SetFile).model_fields


def _sound_parts(data: object, error: ValidationError) -> dict[str, Any]:
    """Those values of the file, by key, whose form is right throughout."""
    broken = {entry["loc"][0] for entry in error.errors(include_url=False) if entry["loc"]}
    if not isinstance(data, Mapping):
        return {}
    sound = {}
    for key, field in SetFile.model_fields.items():
        if key in data and key not in broken:
            adapter: TypeAdapter[Any] = TypeAdapter(field.rebuild_annotation())
            sound[key] = adapter.validate_python(data[key])
    return sound


def _base_defects(base: str, pieces: Mapping[str, Piece]) -> Iterator[Defect]:
    if base not in pieces:
        yield _unknown_piece("base", base, pieces)


def _piece_defects(lattice_name: str, pieces: Mapping[str, Piece]) -> Iterator[Defect]:
    lattice = Lattice(lattice_name)
    shapes: dict[Cells, str] = {}
    letters = Counter(piece.letter for piece in pieces.values())
    for name, piece in pieces.items():
        where = path_text(("pieces", name))
        if not re.fullmatch(r"[A-Z][A-Z0-9_]{0,15}", name):
            yield Defect("bad-name", where, "a piece's name is capital letters, digits and _, at most 16, beginning with a letter")
        if len(set(piece.cells)) != len(piece.cells):
            yield Defect("overlapping-cells", f"{where}.cells", "a cell is listed twice; each node needs a cell of its own")
        elif not lattice.is_connected(piece.cells):
            yield Defect("unconnected-cells", f"{where}.cells", "the nodes don't hang together; each needs a neighbour in the piece")
        for key in ("unit", "up", "part"):
            if piece.mesh is None and getattr(piece, key) is not None:
                yield Defect("without-mesh", f"{where}.{key}", "this says how to read a mesh file, and the piece has none; add mesh or remove this")
        if letters[piece.letter] > 1:
            yield Defect("repeated-letter", f"{where}.letter", f"{piece.letter} stands for another piece too; letters must differ")
        shape = min(lattice.orientations(sorted(set(piece.cells))))
        if shape in shapes:
            yield Defect("repeated-shape", f"{where}.cells", f"the same shape as {shapes[shape]}; nodes alone must tell pieces apart")
        shapes.setdefault(shape, key_text(name))


def _hand_defects(hands: Mapping[str, Mapping[str, int]], pieces: Mapping[str, Piece], base: str) -> Iterator[Defect]:
    wanted = [str(n) for n in range(1, len(hands) + 1)]
    if sorted(hands) != sorted(wanted):
        found = ", ".join(map(key_text, hands))
        yield Defect("hand-rows", "hands", f"rows must be the numbers of players 1, 2, … without gaps; found {found}")
        return
    for players, hand in hands.items():
        for name, each in hand.items():
            where = path_text(("hands", players, name))
            if name not in pieces:
                yield _unknown_piece(where, name, pieces)
            elif each * int(players) > pieces[name].count:
                need, has = each * int(players), pieces[name].count
                yield Defect("hand-exceeds-box", where, f"{players} × {each} = {need} pieces are needed, the box holds {has}")
        if base in pieces and hand.get(base, 0) < 1:
            yield Defect("no-base-in-hand", f"hands.{players}", f"each player lays at least one {base}")
        elif base in pieces and sum(hand.values()) == hand[base]:
            yield Defect("nothing-to-stack", f"hands.{players}", f"a hand needs at least one piece besides {base}")


def _geometry_defects(geometry: Geometry, lattice_name: str) -> Iterator[Defect]:
    reach_mm = Lattice(lattice_name).least_gap * geometry.pitch_mm
    room_mm = reach_mm - 2 * geometry.radius_mm
    if room_mm < LEAST_GAP_MM:
        state = "overlap" if room_mm < 0 else "come too close"
        largest_mm = int((reach_mm - LEAST_GAP_MM) / 2 * 100) / 100
        message = f"neighbouring outlines {state} (gap {room_mm:.2f} mm, needed {LEAST_GAP_MM}); at this pitch at most {largest_mm:.2f} mm"
        yield Defect("outlines-overlap", "geometry.radius_mm", message)
    if geometry.bevel_mm >= min(geometry.radius_mm, geometry.thickness_mm / 2):
        yield Defect("bevel-too-large", "geometry.bevel_mm", "the bevel must be smaller than the radius and half the thickness")


_CHECKS: tuple[tuple[tuple[str, ...], Callable[..., Iterator[Defect]]], ...] = (
    (("base", "pieces"), _base_defects),
    (("lattice", "pieces"), _piece_defects),
    (("hands", "pieces", "base"), _hand_defects),
    (("geometry", "lattice"), _geometry_defects),
)
"""What must fit together: the parts of the file a check reads, and the check."""


def _unknown_piece(where: str, name: str, pieces: Iterable[str]) -> Defect:
    return Defect("unknown-piece", where, f"there is no piece {key_text(name)}; name one of {', '.join(map(key_text, pieces))}")
